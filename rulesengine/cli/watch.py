"""`watch`: a spec checked and tested whenever its file is saved."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from rulesengine.cli import check, test
from rulesengine.cli.arguments import read_arguments
from rulesengine.cli.output import print_error, result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.cli.spec_arguments import read_file
from rulesengine.errors import RulesError, UsageError
from rulesengine.support.files import read_source

_SECONDS = 0.3

Stamps = dict[str, tuple[int, int]]


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    command.add_argument("file", metavar="FILE", help="a path; Ctrl-C ends")


def execute(options: Options, wait: Callable[[], None] = lambda: time.sleep(_SECONDS)) -> NoReturn:
    """Check and test after each change until Ctrl-C; `wait` is called between two polls."""
    path = Path(options.file)
    read_file(options.file)
    print_error(f"watching {path}; Ctrl-C ends")
    last_stamps: Stamps | None = None
    while True:
        stamps = _stamps(path)
        if stamps != last_stamps:
            last_stamps = stamps
            _run_checks(path)
        wait()


def _run_checks(path: Path) -> None:
    """Check, and test a spec without errors; a missing file is reported, and the watch goes on."""
    result(time.strftime("--- %H:%M:%S ---"))
    spec = str(path) if path.name.endswith(".yaml") else f"{path.parent}/{path.name}"
    try:
        if check.execute(read_arguments(["check", "--", spec])) == 0:
            test.execute(read_arguments(["test", "--", spec]))
    except UsageError as error:
        print_error(str(error))
    result("")
    if sys.stdout:
        sys.stdout.flush()


def _stamps(path: Path) -> Stamps:
    """Return sizes and times of the file, and of its folder if it may extend another spec."""
    try:
        builds = "extends" in read_source(path).text
    except RulesError:
        builds = True
    files = {path, *path.parent.glob("*.yaml")} if builds else {path}
    return {str(file): stamp for file in sorted(files) if (stamp := _stamp(file))}


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
