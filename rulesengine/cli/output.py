"""Output of the commands: results on standard output, messages on standard error."""

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EBADF

from rulesengine.cli.shared_options import Options


def result(text: str) -> None:
    """Print a result, ended by a newline. Raises OSError if standard output is closed."""
    require_output()
    with without_progress():
        sys.stdout.write(text if text.endswith("\n") else text + "\n")


def require_output() -> None:
    """Raise OSError if standard output is closed."""
    if sys.stdout is None:
        raise OSError(EBADF, "standard output is closed")


def json_result(value: dict[str, object]) -> None:
    """Print the object of `--json`."""
    import json

    result(json.dumps(value))


def text_result(text: str, options: Options) -> None:
    """Print a text, as `{"text": ...}` with `--json`."""
    if options.json:
        json_result({"text": text})
    else:
        result(text)


def counted(number: int, noun: str) -> str:
    """Format a number with a noun in the singular or plural."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def print_error(message: str) -> None:
    """Print one line on standard error."""
    shown = "".join(c if c.isprintable() else "?" for c in " ".join(message.splitlines()))
    print_long_error(f"rulesengine: {shown}")


def print_long_error(text: str) -> None:
    """Print a text on standard error, or drop it if that is closed."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()  # keeps the order of both streams on a terminal
    with suppress(OSError, ValueError, AttributeError), without_progress():
        sys.stderr.write(text.rstrip("\n") + "\n")
        sys.stderr.flush()


@contextmanager
def without_progress() -> Iterator[None]:
    """Hide the progress, if it is shown, while a block prints."""
    shown = getattr(sys.modules.get("rulesengine.cli.progress"), "ProgressThread", None)
    with ExitStack() as stack:
        for thread in threading.enumerate():
            if shown and isinstance(thread, shown):
                stack.enter_context(thread.hidden())
        yield
