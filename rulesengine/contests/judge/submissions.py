"""The programs of a folder: scripts and executables unchanged, sources compiled first."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from types import MappingProxyType

from rulesengine.contests.judge.verdicts import Contestant
from rulesengine.errors import UsageError
from rulesengine.sandbox import Limits, ProgramError, Programs, words_of
from rulesengine.support.printable import printable

# The compiler command of each suffix; source and target are appended.
_COMPILERS = MappingProxyType(
    {
        ".c": ("gcc", "-O2", "-std=gnu11", "-lm"),
        ".cc": ("g++", "-O2"),
        ".cpp": ("g++", "-O2"),
    }
)
_COMPILING = Limits(wall=120.0, cpu=60.0, memory=2**31, file=2**28)


def contestant_of(command: str) -> Contestant:
    """Return the program of a command. Raises UsageError for an empty one.

    Programs run in folders of their own: words that name files in the current folder become
    absolute paths. The first word is a program of the search path unless it has a slash.
    """
    try:
        first, *words = words_of(command)
    except ProgramError as error:
        raise UsageError(f"--cmd: {error}") from None
    program = _absolute(first) if "/" in first else first
    return Contestant(command, (program, *map(_absolute, words)))


def contestants_in(folder: str, programs: Programs, made: Path) -> Iterator[Contestant]:
    """Yield the programs of a folder by name; compiled ones are written to `made`. Raises
    UsageError.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: no such folder")
    paths = sorted(path for path in Path(folder).absolute().iterdir() if path.is_file())
    shown = [path for path in paths if not path.name.startswith(".")]
    if not shown:
        raise UsageError(f"{folder}: no program in this directory")
    for path in shown:
        yield _contestant(path, programs, made)


def _contestant(path: Path, programs: Programs, folder: Path) -> Contestant:
    if path.suffix == ".py":
        return Contestant(path.name, (sys.executable, str(path)), source=str(path))
    if path.suffix in _COMPILERS:
        target = folder / f"{path.name}.out"
        problem = _compile(path, target, programs)
        return Contestant(path.name, (str(target),), problem, str(path))
    kinds = ", ".join((".py", *_COMPILERS))
    problem = "" if os.access(path, os.X_OK) else f"is neither executable nor one of {kinds}"
    return Contestant(path.name, (str(path),), problem)


def _compile(source: Path, target: Path, programs: Programs) -> str:
    """Compile a source; return the problem, or an empty text."""
    compiler, *flags = _COMPILERS[source.suffix]
    if which(compiler) is None:
        return f"there is no `{compiler}` to compile it"
    libraries = [flag for flag in flags if flag.startswith("-l")]
    options = [flag for flag in flags if flag not in libraries]
    words = [compiler, *options, "-o", str(target), str(source), *libraries]
    ran = programs.run(words, b"", _COMPILING)
    if ran.ending.exit == 0:
        return ""
    lines = ran.errors.decode("utf-8", "replace").splitlines()
    first = next((line for line in lines if "error" in line), str(ran.ending))
    return f"does not compile: {printable(first.removeprefix(f'{source}:'))[:200]}"


def _absolute(word: str) -> str:
    return str(Path(word).absolute()) if word and Path(word).exists() else word
