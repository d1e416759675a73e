"""Reports of judging: a text table, a JSON object, and JUnit XML for CI servers."""

from collections.abc import Sequence
from types import MappingProxyType
from xml.etree import ElementTree as Xml

from rulesengine.contests.judge.comparison import Difference
from rulesengine.contests.judge.verdicts import Contestant, Result
from rulesengine.support.frozen import record
from rulesengine.support.printable import printable

_LETTERS = MappingProxyType(
    {"right": ".", "presentation": "P", "wrong": "W", "time": "T", "memory": "M", "crash": "C"}
)
_KEY = ". right  P presentation  W wrong  T time  M memory  C crash"


@record
class JudgedProgram:
    """A program with its results."""

    contestant: Contestant
    results: tuple[Result, ...]

    @property
    def right(self) -> int:
        return sum(each.verdict == "right" for each in self.results)

    @property
    def points(self) -> float:
        """Return the total points of its games."""
        return sum(each.points or 0 for each in self.results)


def table(judged: Sequence[JudgedProgram]) -> str:
    """Format a line per program with a letter per case, followed by its first case that is not
    right.
    """
    width = max([len("program"), *(len(_name(one)) for one in judged)])
    of_games = any(each.points is not None for one in judged for each in one.results)
    last = f"{'points':>6}  games" if of_games else "cases"
    lines = [f"{'program':{width}}  {'right':>7}  {'time':>7}  {'memory':>7}  {last}"]
    for one in judged:
        lines.append(_line(one, width, of_games))
        bad = [each for each in one.results if each.verdict != "right"]
        lines += [f"  {each.case}: {each.verdict}: {each.note}" for each in bad[:1]]
    return "\n".join([*lines, "", _KEY])


def as_json(spec: str, judged: Sequence[JudgedProgram]) -> dict[str, object]:
    """Return the object of `--json`."""
    return {"spec": spec, "programs": [_program(one) for one in judged]}


def junit(spec: str, judged: Sequence[JudgedProgram]) -> bytes:
    """Encode a test suite per program and a test per case, for CI servers."""
    root = Xml.Element("testsuites", name=printable(spec))
    for one in judged:
        name = printable(one.contestant.name)
        counted = {
            "name": name,
            "tests": str(len(one.results)),
            "failures": str(len(one.results) - one.right),
            "errors": "0",
            "time": f"{sum(each.seconds for each in one.results):.3f}",
        }
        suite = Xml.SubElement(root, "testsuite", counted)
        for each in one.results:
            place = {"classname": name, "name": printable(each.case), "time": f"{each.seconds:.3f}"}
            test = Xml.SubElement(suite, "testcase", place)
            if each.verdict != "right":
                attributes = {
                    "type": each.verdict,
                    "message": printable(f"{each.verdict}: {each.note}"),
                }
                Xml.SubElement(test, "failure", attributes)
    Xml.indent(root)
    data: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _line(one: JudgedProgram, width: int, of_games: bool) -> str:
    right = f"{one.right}/{len(one.results)}"
    seconds = max((each.seconds for each in one.results), default=0.0)
    memory = max((each.memory for each in one.results), default=0) / 2**20
    letters = "".join(_LETTERS[each.verdict] for each in one.results)
    if of_games:
        letters = f"{one.points:>6g}  {letters}"
    return f"{_name(one):{width}}  {right:>7}  {seconds:5.2f} s  {memory:4.0f} MB  {letters}"


def _name(one: JudgedProgram) -> str:
    name = printable(one.contestant.name)
    return name if len(name) <= 40 else name[:39] + "…"


def _program(one: JudgedProgram) -> dict[str, object]:
    return {
        "name": one.contestant.name,
        "command": list(one.contestant.command),
        "right": one.right,
        "cases": [_result(each) for each in one.results],
    }


def _result(each: Result) -> dict[str, object]:
    return {
        "case": each.case,
        "verdict": each.verdict,
        "note": each.note,
        "seconds": round(each.seconds, 3),
        "memory": each.memory,
        "difference": _difference(each.difference),
        "points": each.points,
    }


def _difference(difference: Difference | None) -> dict[str, object] | None:
    if difference is None:
        return None
    site = difference.site
    return {
        "line": difference.line,
        "column": difference.column,
        "found": difference.found,
        "expected": difference.expected,
        "expected_line": difference.expected_line,
        "expected_column": difference.expected_column,
        "script": {"file": site.file, "line": site.line, "text": site.text} if site else None,
    }
