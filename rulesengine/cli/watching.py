"""`watch`: a spec checked and tested again whenever its file is saved."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from rulesengine.cli.arguments import Options, read_arguments
from rulesengine.cli.checking import check
from rulesengine.cli.output import complain, result
from rulesengine.cli.specs import read_file
from rulesengine.cli.testing import test
from rulesengine.errors import RulesError, UsageError
from rulesengine.support.files import read_source

_SECONDS = 0.3

Stamps = dict[str, tuple[int, int]]


def watch(options: Options, wait: Callable[[], None] = lambda: time.sleep(_SECONDS)) -> NoReturn:
    """Check and test until Ctrl-C. `wait` stands between two looks."""
    path = Path(options.file)
    read_file(options.file)
    complain(f"watching {path}; Ctrl-C ends")
    seen: Stamps | None = None
    while True:
        found = _stamps(path)
        if found != seen:
            seen = found
            _look(path)
        wait()


def _look(path: Path) -> None:
    """Check, and test where nothing is wrong; a file that is gone for a moment is no end."""
    result(time.strftime("--- %H:%M:%S ---"))
    spec = str(path) if path.name.endswith(".yaml") else f"{path.parent}/{path.name}"
    try:
        if check(read_arguments(["check", "--", spec])) == 0:
            test(read_arguments(["test", "--", spec]))
    except UsageError as error:
        complain(str(error))
    result("")
    if sys.stdout:
        sys.stdout.flush()


def _stamps(path: Path) -> Stamps:
    """Sizes and times of the file, and of those beside it where it may build on one of them."""
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
