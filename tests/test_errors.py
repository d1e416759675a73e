"""Broken specs, each with its findings written beside the mistakes, in comments.

A comment `# ^^^ code: message` stands under the text that it is about; a comment
`# 3:14 ^^^ code: message` names line and column, where no comment may stand below. The line
`# help: …` that may follow is the mend. Messages and helps may be given in part; findings that
are not announced are as wrong as those that are missing.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulesengine.diagnostic import Diagnostic, render_all
from rulesengine.pipeline import analyse
from rulesengine.source import Source

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases" / "errors"
NAMES = sorted(path.stem for path in CASES.glob("*.yaml") if path.stem[0] != "_")
RENDERED = sorted(path.stem for path in CASES.glob("*.txt"))
_UNDER = re.compile(r" *#( *)(\^+) ([a-z-]+): (.*)")
_AT = re.compile(r" *# ([0-9]+):([0-9]+) (\^+) ([a-z-]+): (.*)")
_HELP = re.compile(r" *# help: (.*)")
_CODE = re.compile(
    r'(?:Diagnostic|report|_report|LoweringError)\(\s*(?:[a-z]+, |-1, |int\(site\), )?"([a-z-]+)"'
)
_STAGES = ("check", "lower", "syntax", "pipeline.py")


@dataclass(frozen=True)
class Expected:
    file: str
    line: int
    column: int
    width: int
    code: str
    message: str
    help: str


def source(name: str) -> Source:
    return Source.read(CASES / f"{name}.yaml")


def found(name: str) -> tuple[Diagnostic, ...]:
    return analyse(source(name)).findings


def expected(name: str) -> list[Expected]:
    text = (CASES / f"{name}.yaml").read_text(encoding="utf-8")
    announced: list[Expected] = []
    last = 0
    for number, line in enumerate(text.splitlines(), start=1):
        row = f"{name}.yaml"
        if match := _UNDER.fullmatch(line):
            column = match.start(2) + 1
            announced.append(Expected(row, last, column, len(match[2]), match[3], match[4], ""))
        elif match := _AT.fullmatch(line):
            place = int(match[1]), int(match[2])
            announced.append(Expected(row, *place, len(match[3]), match[4], match[5], ""))
        elif match := _HELP.fullmatch(line):
            e = announced.pop()
            announced.append(
                Expected(e.file, e.line, e.column, e.width, e.code, e.message, match[1])
            )
        else:
            last = number
    for parent in re.findall(r"(?m)^extends: (_[a-z-]+)\.yaml$", text):
        announced += expected(parent)
    return sorted(announced, key=lambda e: (e.file, e.line, e.column))


@pytest.mark.parametrize("name", NAMES)
def test_a_broken_spec_shows_what_its_comments_say_and_nothing_else(name: str) -> None:
    findings = sorted(found(name), key=lambda f: (Path(f.span.source.name).name, f.span.start))
    announced = expected(name)
    assert announced
    assert [place(f) for f in findings] == [
        (e.file, e.line, e.column, e.width, e.code) for e in announced
    ], render_all(tuple(findings))
    for finding, e in zip(findings, announced, strict=True):
        assert e.message in finding.message
        assert bool(finding.help) == bool(e.help), finding.help
        assert e.help in finding.help


def place(finding: Diagnostic) -> tuple[str, int, int, int, str]:
    shown = finding.to_json()
    line, column, end = shown["line"], shown["column"], shown["end_column"]
    assert isinstance(line, int)
    assert isinstance(column, int)
    assert isinstance(end, int)
    return Path(finding.span.source.name).name, line, column, end - column, finding.code


@pytest.mark.parametrize("name", NAMES)
def test_messages_are_written_in_one_style(name: str) -> None:
    for finding in found(name):
        for text in (finding.message, finding.help, finding.label):
            assert not text.endswith((".", "!", " "))
            assert text.count("`") % 2 == 0
            assert not re.search(
                r"\b(?:None|True|False|Token|Tree|(?!ASCII)[A-Z]{3,}|rulesengine\.)\b", text
            )
            assert "$END" not in text
        assert not finding.message[0].isupper()


def test_every_code_of_the_stages_after_the_document_has_a_case() -> None:
    codes: set[str] = set()
    for stage in _STAGES:
        path = ROOT / "rulesengine" / stage
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            codes |= set(_CODE.findall(file.read_text(encoding="utf-8")))
    assert len(codes) > 25
    assert codes - {e.code for name in NAMES for e in expected(name)} == set()


@pytest.mark.parametrize("name", RENDERED)
def test_a_finding_is_shown_as_in_the_golden_file(name: str, update_golden: bool) -> None:
    shown = render_all(found(name)).replace(str(CASES) + "/", "") + "\n"
    golden = CASES / f"{name}.txt"
    if update_golden:
        golden.write_text(shown, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == shown


def test_five_findings_at_least_have_a_golden_file() -> None:
    assert len(RENDERED) >= 5
    assert set(RENDERED) <= set(NAMES)
