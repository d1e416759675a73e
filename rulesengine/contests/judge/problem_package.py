"""Export of test cases as a problem package for Kattis and DOMjudge.

The format is the ICPC subset, https://icpc.io/problem-package-format/spec/legacy-icpc.html, with an
additional file for DOMjudge. These judges require exit code 0 and valid input, so all cases but
those with well-formed input are omitted; line ends are newlines. Comparison is sensitive to blanks
and case.
"""

import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from uuid import NAMESPACE_URL, uuid5

from rulesengine.contests.judge import input_validator
from rulesengine.contests.judge.cases import Case, Expected, decoded, encoded
from rulesengine.contests.judge.input_description import describe_input
from rulesengine.contests.judge.input_grammar import input_grammar
from rulesengine.contests.judge.input_validator import accepts
from rulesengine.contests.judge.verdicts import CaseLimits
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.prose import rules_page
from rulesengine.support.files import replace

_NAME = re.compile(r"[^a-zA-Z0-9_.-]+")
_FLAGS = "case_sensitive space_change_sensitive"
_ESCAPES = MappingProxyType(
    {c: f"\\{c}" for c in "&%$#_{}"} | {"\\": "\\textbackslash{}", "~": "\\~{}", "^": "\\^{}"}
)
_VALIDATOR = Path(input_validator.__file__)
_SAMPLES = 2


def write_package(
    target: str,
    game: Game,
    cases: Sequence[tuple[Case, Expected]],
    bounds: CaseLimits,
    accepted: Iterable[Path] = (),
) -> int:
    """Write a package, a new folder or a `.zip`, and return its number of cases.

    Kattis reads the folder, DOMjudge the zip, which has the files at its top level.

    `accepted` are the sources of programs that are right in all cases. Raises UsageError.
    """
    if not re.fullmatch("[a-z0-9]+", Path(target).stem):
        raise UsageError(f"{target}: a package is named with small letters and digits")
    grammar = input_grammar(game)
    names = [
        (case, expected)
        for case, expected in cases
        if not expected.error and accepts(grammar, decoded(_plain(case.input)))
    ]
    if not names:
        raise UsageError(f"{target}: no case is left with well-formed input")
    files = _files(game, names, bounds, accepted)
    if Path(target).suffix == ".zip":
        _write_zip(target, files)
    else:
        _write_folder(target, files)
    return len(names)


def _files(
    game: Game,
    cases: Sequence[tuple[Case, Expected]],
    bounds: CaseLimits,
    accepted: Iterable[Path],
) -> dict[str, bytes]:
    """Return the files of a package by their paths."""
    texts = {
        "problem.yaml": _problem(game, bounds),
        "domjudge-problem.ini": f"name = '{_quoted(game.name)}'\ntimelimit = {bounds.seconds:g}\n",
        "problem_statement/problem.en.tex": _statement(game),
        "input_validators/well_formed.py": _validator(game),
    }
    files = {path: text.encode() for path, text in texts.items()}
    for number, (case, expected) in enumerate(_samples_first(cases)):
        kind = "sample" if number < _SAMPLES and len(cases) > _SAMPLES else "secret"
        path = f"data/{kind}/{number + 1:04}-{_file_name(case.name)}"
        files[f"{path}.in"] = _plain(case.input)
        files[f"{path}.ans"] = encoded(expected.text)
    for source in accepted:
        files[f"submissions/accepted/{_file_name(source.name)}"] = source.read_bytes()
    return files


def _samples_first(cases: Sequence[tuple[Case, Expected]]) -> list[tuple[Case, Expected]]:
    """Return the cases, first the shortest ones with output: they become the samples."""
    ranked = sorted(cases, key=lambda pair: (not pair[1].text, len(pair[0].input)))
    samples = ranked[:_SAMPLES]
    return [*samples, *(pair for pair in cases if pair not in samples)]


def _problem(game: Game, bounds: CaseLimits) -> str:
    return (
        "problem_format_version: legacy\n"
        f"name: '{_quoted(game.name)}'\n"
        f"uuid: {uuid5(NAMESPACE_URL, game.name)}\n"
        "license: unknown\n"
        "validation: default\n"
        f"validator_flags: {_FLAGS}\n"
        "limits:\n"
        f"  memory: {bounds.memory // 2**20}\n"
    )


def _statement(game: Game) -> str:
    """Return the rules, and the input and output, in English as LaTeX."""
    title = "".join(_ESCAPES.get(character, character) for character in game.name)
    return (
        f"\\problemname{{{title}}}\n\n"
        f"\\begin{{verbatim}}\n{rules_page(game, 'text', '').strip()}\n\\end{{verbatim}}\n\n"
        "\\section*{Input and output}\n\n"
        f"\\begin{{verbatim}}\n{describe_input(game)}\n\\end{{verbatim}}\n"
    )


def _validator(game: Game) -> str:
    """Return the validator of well-formed input, a program that depends on no package."""
    lines = "".join(f"    {instruction!r},\n" for instruction in input_grammar(game))
    return f"{_VALIDATOR.read_text()}\n\nPROGRAM = [\n{lines}]\n\nmain(PROGRAM)\n"


def _plain(data: bytes) -> bytes:
    """Convert line ends as the format requires; to a script they are equal to other blanks."""
    lines = data.replace(b"\r\n", b"\n")
    return lines if lines.endswith(b"\n") or not lines else lines + b"\n"


def _file_name(name: str) -> str:
    """Return a valid file name: letters, digits, `.`, `-` and `_`, not starting or ending with the
    last three.
    """
    return _NAME.sub("-", name).strip("-._")[:100] or "case"


def _quoted(text: str) -> str:
    return text.replace("'", "''")


def _write_folder(target: str, files: Mapping[str, bytes]) -> None:
    if Path(target).exists():
        raise UsageError(f"{target}: is there already, and nothing is overwritten")
    try:
        for path, data in files.items():
            place = Path(target, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{target}: {(error.strerror or 'cannot be written').lower()}") from None


def _write_zip(target: str, files: Mapping[str, bytes]) -> None:
    """Write a deterministic zip archive."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    replace(target, packed.getvalue())
