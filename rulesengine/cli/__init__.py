"""The command line: arguments to calls of the public interface, and its errors to exit codes."""

import _thread
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from time import sleep

from rulesengine.cli.arguments import Finished, Options, read_arguments
from rulesengine.cli.commands import COMMANDS
from rulesengine.cli.output import complain, complain_at_length
from rulesengine.errors import InternalError, RulesError, SpecError, UsageError

__all__ = ["main"]

FINE, FINDINGS, WRONG_USE, BUG, INTERRUPTED = 0, 1, 2, 101, 130
_SOON = 0.01  # seconds until an interrupt comes again

_PLEASE_REPORT = (
    "this is a bug in rulesengine: please report it, with the command and the spec that shows it"
)


def main(argv: list[str] | None = None) -> int:
    """Carry out one command and return its exit code.

    0 fine; 1 findings; 2 wrong use; 101 a bug of ours; 130 interrupted. Results go to standard
    output, messages to standard error.
    """
    arguments = sys.argv[1:] if argv is None else argv
    others = sys.unraisablehook
    sys.unraisablehook = partial(_raised_later, others)
    try:
        _use_utf8()
        code = _dispatch(read_arguments(arguments))
        if sys.stdout:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _drop_output()
    except KeyboardInterrupt:
        _end_workers()
        gc.freeze()  # else Python looks through all that is left for circles, for half a second
        return INTERRUPTED
    except Finished:
        return FINE
    except Exception as error:
        return _report(error, "--debug" in arguments)
    finally:
        sys.unraisablehook = others


def _raised_later(
    others: "Callable[[sys.UnraisableHookArgs], object]", lost: "sys.UnraisableHookArgs"
) -> None:
    """Let an interrupt come again that nobody has heard of, since a finalizer was at work.

    Memory that takes long to give back makes this likely enough. Another thread sends it: what
    comes while this runs is lost as well.
    """
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _thread.start_new_thread(_interrupt_soon, (_thread.get_ident(),))
    else:
        others(lost)


def _interrupt_soon(thread: int) -> None:
    import signal

    sleep(_SOON)
    if hasattr(signal, "pthread_kill"):  # which ends a call of the system that waits
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _dispatch(options: Options) -> int:
    """Call the command; its module is loaded here, so that no other one costs time."""
    if options.command not in COMMANDS:
        raise InternalError(f"no command `{options.command}`")
    _, module, function = COMMANDS[options.command]
    command: Callable[[Options], int]
    command = getattr(import_module(f"rulesengine.cli.{module}"), function)
    return command(options)


def _end_workers() -> None:
    """End processes that work for us: they hear of no interrupt, and Python would wait for them.

    Programs that play are waited for by threads, and Python waits for these.
    """
    if "multiprocessing" in sys.modules:
        for child in import_module("multiprocessing").active_children():
            child.kill()
    if players := sys.modules.get("rulesengine.play.players.subprocess_player"):
        players.end_programs()


def _report(error: Exception, debug: bool) -> int:
    """Say on standard error what went wrong; the exit code."""
    match error:
        case SpecError():
            complain_at_length(str(error))
            return FINDINGS
        case UsageError():
            complain(str(error))
            return WRONG_USE
        case OSError(filename=None):  # a stream of ours, not a file of the package
            complain((error.strerror or str(error)).lower())
            _settle_output()
            return WRONG_USE
        case MemoryError():
            complain("there is not enough memory")
            return WRONG_USE
        case RulesError() if not isinstance(error, InternalError):
            complain(str(error))
            return FINDINGS
    return _report_bug(error, debug)


def _report_bug(error: Exception, debug: bool) -> int:
    complain(f"internal error: {type(error).__name__}: {str(error)[:200]}".rstrip(": "))
    complain_at_length(_PLEASE_REPORT + ("" if debug else "; `--debug` shows the traceback"))
    if debug:
        import traceback

        complain_at_length("".join(traceback.format_exception(error)))
    return BUG


def _use_utf8() -> None:
    """Print any text whatever the locale is, the names of files that are no text too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _settle_output() -> None:
    """Write what is left to write, or drop it where that cannot be."""
    try:
        sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> int:
    """Nobody reads our output any more, which is fine; Python shall not complain at its exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE
