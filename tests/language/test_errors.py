"""Broken specs, each with its expected findings next to the mistakes, in comments.

A comment `# ^^^ code: message` is below the text that it marks. A comment `# 3:14 ^^^ code:
message` names line and column, where no comment can follow. The next line `# help: …`, if present,
is the correction. Messages and helps may be abbreviated; unexpected findings are as wrong as
missing ones.

The corrected text is there too: a comment `#+LINE` is below the line that it replaces, more of them
are further lines, `#-` deletes the line above. At the top of a file `# 3+LINE` and `# 3-` refer to
the line of that number. The fixes of the findings turn a spec into that text, comments aside,
except for the specs in `WITHOUT_FIX` and `OTHERWISE`.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import operations
from rulesengine.language.lower import lower
from rulesengine.language.pipeline import analyse
from rulesengine.support.diagnostic import Diagnostic, render_all
from rulesengine.support.files import read_source
from rulesengine.support.source import Source
from rulesengine.tools.lint.parameter_values import defaults
from rulesengine.tools.lint.unsatisfiable import Proofs

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parents[1] / "cases" / "errors"
NAMES = sorted(path.stem for path in CASES.glob("*.yaml") if path.stem[0] != "_")
# Mistakes that no edit in one place corrects: only the author knows the intended text.
WITHOUT_FIX = frozenset(
    {
        "add-to-a-flag",
        "names-of-tiles-taken",
        "tile-in-two-parts",
        "tile-on-a-graph",
        "effect-for-one-player-after-a-round",
        "repetition-where-players-move-together",
        "hidden-register-of-the-opponent-in-a-condition",
        "unknown-in-what-a-player-sees",
        "values-of-kinds-in-a-circle",
        "kind-of-what-was-captured",
        "attributes-in-a-circle",
        "block-in-a-block",
        "block-that-does-itself",
        "can-move-in-a-target",
        "captured-in-a-target",
        "cell-of-the-board-before",
        "cells-declared-as-directions",
        "chance-without-branches",
        "choice-among-sets",
        "choices-of-two-types",
        "circle-through-a-score",
        "conditional-of-two-types",
        "definition-of-itself",
        "definitions-in-a-circle",
        "draw-that-depends-on-the-position",
        "drop-on-a-graph",
        "each-without-a-variable",
        "effect-of-itself",
        "effect-that-asks-who-has-won",
        "else-without-if",
        "everything-at-once",
        "groups-in-some-directions",
        "groups-too-dear-together",
        "score-of-a-colour",
        "function-of-scripts-in-a-rule",
        "join-where-the-board-goes-on",
        "kind-where-there-are-none",
        "list-in-a-rule",
        "mistake-of-a-parent",
        "nested-counting",
        "number-of-65-bits",
        "number-of-a-kind-below-nothing",
        "numbers-up-to-a-count",
        "own-in-a-size",
        "reserved-word-as-a-value",
        "score-of-itself",
        "sixty-five-brackets",
        "size-by-a-function",
        "size-that-is-not-known",
        "track-as-a-range",
        "track-of-one-cell",
        "two-joins-at-one-place",
        "words-that-are-not-for-here",
        "who-can-move-is-as-dear-as-moves",
        "winner-in-an-effect",
    }
)
# The mistake is in another file, so no text of this one is right.
OF_A_PARENT = frozenset({"mistake-of-a-parent"})
# Specs that the fixes turn into a valid one, though not the intended one.
OTHERWISE = frozenset(
    {
        "direction-for-cells",
        "empty-field",
        "operator-for-a-value",
        "turn-of-a-number",
    }
)
# Conditions that are constant as their authors wrote them, whatever the fix.
CONSTANT = frozenset({"number-with-a-zero", "two-ampersands"})
_UNDER = re.compile(r" *#( *)(\^+) ([a-z-]+): (.*)")
_AT = re.compile(r" *# ([0-9]+):([0-9]+) (\^+) ([a-z-]+): (.*)")
_HELP = re.compile(r" *# help: (.*)")
_MEND = re.compile(r" *#(?: (?P<line>[0-9]+))?(?:\+(?P<new>.*)|(?P<out>-))")
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
    return read_source(CASES / f"{name}.yaml")


@cache
def found(name: str) -> tuple[Diagnostic, ...]:
    """Return the errors of a case, and the warnings of the kinds that it announces."""
    codes = {e.code for e in expected(name)}
    findings = analyse(source(name)).findings
    return tuple(f for f in findings if f.severity == "error" or f.code in codes)


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
        elif _MEND.fullmatch(line):
            continue
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
                r"\b(?:None|True|False|Token|Tree|(?!ASCII|YAML)[A-Z]{3,}|rulesengine\.)\b", text
            )
            assert "$END" not in text
        assert not finding.message[0].isupper()


def test_every_code_of_the_stages_after_the_document_has_a_case() -> None:
    codes: set[str] = set()
    for stage in _STAGES:
        path = ROOT / "rulesengine" / "language" / stage
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            codes |= set(_CODE.findall(file.read_text(encoding="utf-8")))
    assert len(codes) > 25
    assert codes - {e.code for name in NAMES for e in expected(name)} == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_finding_is_shown_as_in_the_golden_file(name: str, update_golden: bool) -> None:
    shown = render_all(found(name)).replace(str(CASES) + "/", "") + "\n"
    golden = CASES / f"{name}.txt"
    if update_golden:
        golden.write_text(shown, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == shown


def mended(name: str) -> str:
    """Return the text that the author of a broken spec intended."""
    lines: list[list[str]] = []
    numbered: dict[int, list[str]] = {}
    last, fresh = 0, True
    for number, line in enumerate(source(name).text.splitlines()):
        lines.append([line])
        match = _MEND.fullmatch(line)
        if match and match["line"]:
            numbered.setdefault(int(match["line"]) - 1, []).extend(new(match))
        elif match:
            lines[last] = new(match) if fresh else lines[last] + new(match)
            fresh = False
        elif not line.lstrip().startswith("#"):
            last, fresh = number, True
    for number, replaced in numbered.items():
        lines[number] = replaced
    return "\n".join(line for group in lines for line in group) + "\n"


def new(match: re.Match[str]) -> list[str]:
    return [] if match["out"] else [match["new"]]


def fixed(name: str) -> str:
    """Apply the fixes of all findings to a broken spec, the last in the text first."""
    text = source(name).text
    every = [f.fix for f in found(name) if f.fix and f.fix.span.source.text == text]
    fixes = {(fix.span.start, fix.span.end, fix.text) for fix in every}
    for start, end, write in sorted(fixes, reverse=True):
        text = text[:start] + write + text[end:]
    return text


def bare(text: str) -> list[str]:
    """Return the lines without those that contain only a comment."""
    return [line.rstrip() for line in text.splitlines() if not line.lstrip().startswith("#")]


def findings_of(name: str, text: str) -> str:
    """Return the rendered errors of a text in place of a case."""
    findings = analyse(Source(str(CASES / f"{name}.yaml"), text)).findings
    return render_all(tuple(f for f in findings if f.severity == "error"))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_A_PARENT])
def test_the_text_that_was_meant_is_right(name: str) -> None:
    assert findings_of(name, mended(name)) == ""


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_FIX])
def test_the_fixes_that_are_shown_correct_the_spec(name: str) -> None:
    # The test above checks the intended texts; this one checks the others.
    as_meant = bare(fixed(name)) == bare(mended(name))
    assert as_meant == (name not in OTHERWISE)
    assert as_meant or findings_of(name, fixed(name)) == ""


def constant_conditions(name: str, text: str) -> set[tuple[bool, Op]]:
    """Return the conditions of a text that have one value in all positions.

    Constants are conditions of ends only: elsewhere they are values of registers and parameters.
    """
    checked = analyse(Source(str(CASES / f"{name}.yaml"), text)).checked
    assert checked is not None
    program = lower(checked.rules, defaults(checked.rules))
    rules, proofs, found = program.rules, Proofs(program), set[tuple[bool, Op]]()
    ends = [end.when for end in rules.ends]
    inside = [op for root in operations(rules) for op in walk(root) if not is_constant(op)]
    for op in (*ends, *inside):
        value = proofs.truth(op) if op.type == "flag" else None
        if value is not None:
            found.add((value, op))
    assert proofs.remaining > 0
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_FIX])
def test_no_fix_that_is_shown_makes_a_condition_constant(name: str) -> None:
    found = constant_conditions(name, fixed(name))
    assert found == set() or (name in CONSTANT and len(found) == 1)


def test_constant_conditions_are_recognised() -> None:
    text = source("two-ampersands").text.replace("&&", "and")
    for condition, value in (
        ("count(own) > 9223372036854775807", False),
        ("count(own) > 9", False),
        ("any(top)", True),
        ("count(own) > 8", None),
        ("any(own)", None),
    ):
        changed = text.replace("any(own) and any(top)", condition)
        found = constant_conditions("two-ampersands", changed)
        assert {constant for constant, _ in found} == ({value} if value is not None else set())


@pytest.mark.parametrize("name", sorted(WITHOUT_FIX))
def test_a_case_without_a_fix_has_none(name: str) -> None:
    assert findings_of(name, fixed(name)) != ""


def test_error_inside_a_set_is_reported_once() -> None:
    text = source("cells-for-a-condition").text.split("rules:")[0]
    text += "rules:\n  moves: {place: stone, to: empty}\n  score: count(own) and top\n"
    text += "  end: {when: none(empty), result: highest score wins}\n"
    (finding,) = analyse(Source("one.yaml", text)).findings
    assert (finding.code, finding.span.text) == ("type-mismatch", "count(own)")


def test_the_corpus_is_large_and_eight_in_nine_mistakes_have_a_fix() -> None:
    assert len(NAMES) >= 400
    assert len(WITHOUT_FIX) <= len(NAMES) / 9
    assert set(NAMES) >= WITHOUT_FIX | OTHERWISE
