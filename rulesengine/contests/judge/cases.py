"""Test cases: an input and its expected output, from files or from the spec."""

import io
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulesengine.errors import RulesError, UsageError
from rulesengine.game import Game
from rulesengine.language.ir.rules import Site
from rulesengine.sandbox import Limits
from rulesengine.script import run
from rulesengine.support.frozen import record

_MOST_OUTPUT = Limits().output
_MOST_TEXTS = 4_000_000  # printed by the spec for one case
FAILED = 1  # exit code after input that violates the protocol


class _TooMuchOutputError(Exception):
    """The spec prints more than programs may."""


@record
class Case:
    """A named input. If `answer` is None, the spec determines the expected output."""

    name: str
    input: bytes
    answer: bytes | None = None


@record
class Expected:
    """The expected output and exit code of a program.

    `error` is the message of the spec for invalid input: then the exit code must be 1. `ends` are
    the offsets in `text` at which the output of each of the `sites` ends. Both are empty if an
    answer file differs from the output of the spec, and then `differs` is set.
    """

    text: str
    error: str = ""
    ends: tuple[int, ...] = ()
    sites: tuple[Site | None, ...] = ()
    differs: bool = False

    @property
    def exit(self) -> int:
        return FAILED if self.error else 0

    def site(self, offset: int) -> Site | None:
        """Return the line of the spec that printed a character, the last one for the end."""
        at = min(bisect_right(self.ends, offset), len(self.sites) - 1)
        return self.sites[at] if self.sites else None


def read_cases(folder: str) -> tuple[Case, ...]:
    """Read the cases of a folder by name: files `NAME.in`, optionally with `NAME.ans`.

    Raises UsageError.
    """
    place = Path(folder)
    if not place.is_dir():
        raise UsageError(f"{folder}: no such folder")
    try:
        cases = tuple(_read_case(place, path) for path in sorted(place.rglob("*.in")))
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {(error.strerror or 'cannot be read').lower()}"
        ) from None
    if not cases:
        raise UsageError(f"{folder}: no test case: expected files `NAME.in` and maybe `NAME.ans`")
    return cases


def _read_case(folder: Path, path: Path) -> Case:
    answer = path.with_suffix(".ans")
    name = path.relative_to(folder).with_suffix("").as_posix()
    return Case(name, path.read_bytes(), answer.read_bytes() if answer.is_file() else None)


def write_cases(folder: str, cases: Iterable[tuple[Case, Expected]]) -> None:
    """Write cases as files, with a file `NAME.err` for the message about input that is rejected.

    Existing files are replaced. Raises UsageError.
    """
    try:
        for case, expected in cases:
            path = Path(folder, f"{case.name}.in")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(case.input)
            path.with_suffix(".ans").write_bytes(encoded(expected.text))
            if expected.error:
                path.with_suffix(".err").write_bytes(encoded(expected.error) + b"\n")
    except OSError as error:
        raise UsageError(f"{folder}: {(error.strerror or 'cannot be written').lower()}") from None


def expectation(game: Game, case: Case, seed: int = 0) -> Expected:
    """Return the expected output of a case, by interpreting the spec's script.

    An answer file takes precedence. Raises UsageError for more output than programs may print.
    """
    texts, sites = list[str](), list[Site | None]()
    size = 0

    def collect(text: str, site: Site | None) -> None:
        nonlocal size
        size += len(text)
        if size > _MOST_OUTPUT or len(texts) >= _MOST_TEXTS:
            raise _TooMuchOutputError
        texts.append(text)
        sites.append(site)

    error = ""
    try:
        run(game, io.BytesIO(case.input), io.BytesIO(), seed=seed, on_output=collect)
    except _TooMuchOutputError:
        raise UsageError(f"{case.name}: the spec prints more than programs may") from None
    except RulesError as problem:
        error = str(problem)
    text = "".join(texts)
    if case.answer is not None and case.answer != encoded(text):
        return Expected(decoded(case.answer), differs=True)
    return Expected(text, error, tuple(_ends(texts)), tuple(sites))


def decoded(data: bytes) -> str:
    """Decode output; invalid bytes are preserved, so different bytes are different text."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _ends(texts: list[str]) -> Iterator[int]:
    end = 0
    for text in texts:
        end += len(text)
        yield end
