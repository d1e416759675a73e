"""What the commands print: results on standard output, messages on standard error."""

import sys
from contextlib import AbstractContextManager, nullcontext, suppress


def result(text: str) -> None:
    """A result, ended by a newline."""
    if sys.stdout:
        with _aside():
            sys.stdout.write(text if text.endswith("\n") else text + "\n")


def json_result(value: dict[str, object]) -> None:
    """The one object of `--json`."""
    import json

    result(json.dumps(value))


def complain(message: str) -> None:
    """One line on standard error."""
    shown = "".join(c if c.isprintable() else "?" for c in " ".join(message.splitlines()))
    complain_at_length(f"rulesengine: {shown}")


def complain_at_length(text: str) -> None:
    """Text on standard error; when that is closed there is nobody to tell."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()  # on a terminal the two are read as one
    with suppress(OSError, ValueError, AttributeError), _aside():
        sys.stderr.write(text.rstrip("\n") + "\n")
        sys.stderr.flush()


def _aside() -> AbstractContextManager[object]:
    """A bar of progress out of the way while a block prints, if one is shown."""
    bar = getattr(sys.modules.get("tqdm"), "tqdm", None)
    return bar.external_write_mode() if bar else nullcontext()
