"""The command line: it runs commands, and maps errors to exit codes and messages."""

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

from rulesengine.cli.arguments import HelpPrinted, read_arguments
from rulesengine.cli.exit_codes import BUG, FINDINGS, INTERRUPTED, OK, WRONG_USAGE
from rulesengine.cli.output import print_error, print_long_error
from rulesengine.cli.shared_options import Options
from rulesengine.errors import InternalError, RulesError, SpecError, UsageError

__all__ = ["main"]

_RESEND_SECONDS = 0.01  # until a lost interrupt is sent again
# The modules of the dependencies in `pyproject.toml`; a copy of the sources runs without them.
_DEPENDENCIES = ("jsonschema", "lark", "referencing", "yaml")

_PLEASE_REPORT = (
    "this is a bug in rulesengine: please report it, with the command and the spec that shows it"
)


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 success; 1 findings; 2 wrong usage; 101 a bug in the package; 130 interrupted. Results go to
    standard output, messages to standard error.
    """
    arguments = sys.argv[1:] if argv is None else argv
    previous = sys.unraisablehook
    sys.unraisablehook = partial(_handle_unraisable, previous)
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
        gc.freeze()  # skips a garbage collection of half a second at exit
        return INTERRUPTED
    except HelpPrinted:
        return OK
    except Exception as error:
        return _report(error, "--debug" in arguments)
    finally:
        sys.unraisablehook = previous


def _handle_unraisable(
    previous: "Callable[[sys.UnraisableHookArgs], object]", lost: "sys.UnraisableHookArgs"
) -> None:
    """Send an interrupt again if Python has dropped it because a finalizer was running.

    This is likely while much memory is freed. Another thread sends it, since an interrupt during
    this function would be dropped too.
    """
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _thread.start_new_thread(_resend_interrupt, (_thread.get_ident(),))
    else:
        previous(lost)


def _resend_interrupt(thread: int) -> None:
    import signal

    sleep(_RESEND_SECONDS)
    if hasattr(signal, "pthread_kill"):  # interrupts a blocking system call
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _dispatch(options: Options) -> int:
    """Run the command by its module, the only one of the commands that is imported."""
    execute: Callable[[Options], int]
    execute = import_module(f"rulesengine.cli.{options.command}").execute
    return execute(options)


def _end_workers() -> None:
    """Kill worker processes and players: they get no interrupt, and Python would wait for them.

    Threads wait for the players, and Python waits for these threads at exit.
    """
    if "multiprocessing" in sys.modules:
        for child in import_module("multiprocessing").active_children():
            child.kill()
    if players := sys.modules.get("rulesengine.play.players.subprocess_player"):
        players.end_programs()


def _report(error: Exception, debug: bool) -> int:
    """Report an error on standard error and return the exit code."""
    match error:
        case SpecError():
            print_long_error(str(error))
            return FINDINGS
        case UsageError():
            print_error(str(error))
            return WRONG_USAGE
        case OSError(filename=None):  # a standard stream, not a file
            print_error((error.strerror or str(error)).lower())
            _settle_output()
            return WRONG_USAGE
        case MemoryError():
            print_error("there is not enough memory")
            return WRONG_USAGE
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] in _DEPENDENCIES:
            print_error(f"{name} is not installed: `pip install .` in a clone adds it")
            return WRONG_USAGE
        case RulesError() if not isinstance(error, InternalError):
            print_error(str(error))
            return FINDINGS
    return _report_bug(error, debug)


def _report_bug(error: Exception, debug: bool) -> int:
    print_error(f"internal error: {type(error).__name__}: {str(error)[:200]}".rstrip(": "))
    print_long_error(_PLEASE_REPORT + ("" if debug else "; `--debug` shows the traceback"))
    if debug:
        import traceback

        print_long_error("".join(traceback.format_exception(error)))
    return BUG


def _use_utf8() -> None:
    """Encode output as UTF-8 in any locale; escape undecodable file names."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _settle_output() -> None:
    """Flush standard output, or drop the rest if that fails."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        _drop_output()


def _drop_output() -> int:
    """Ignore a closed output, and prevent an error message of Python at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK
