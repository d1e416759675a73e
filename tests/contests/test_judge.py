"""Verdicts and differences worked out by hand; cases, reports and the command itself."""

import signal
import sys
import textwrap
import time
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from rulesengine.contests.judge import (
    Case,
    CaseLimits,
    Contestant,
    Expected,
    JudgedProgram,
    Result,
    Verdict,
    compare,
    expectation,
    generate,
    generate_malformed,
    junit,
    read_cases,
    result,
    table,
    write_cases,
)
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.sandbox import ExitReason, RunResult
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.processes import COMMAND, PATIENCE, are_running, running
from tests.helpers.script_runs import text_of

MB = 2**20

SCRIPT = """
print "begin"
repeat until over
  read word w
  play move w
  else
    print "no"
    next
  print board
  prompt "next: "
print "done"
"""


def game_of(script: str = SCRIPT, more: str = "") -> Game:
    return load_source(Source("spec.yaml", text_of(script, more)))


def ended(**changes: object) -> ExitReason:
    given = {"exit": 0, "signal": None, "limit": "", "wall": 0.1, "cpu": 0.1, "memory": MB}
    return ExitReason(**{**given, **changes})  # type: ignore[arg-type]


def verdict(expected: Expected, output: bytes, **changes: object) -> tuple[Verdict, str]:
    bounds = CaseLimits(seconds=1.0, memory=100 * MB)
    judged = result("case", expected, RunResult(output, b"oh\nno\n", ended(**changes)), bounds)
    return judged.verdict, judged.note


@pytest.mark.parametrize(
    ("output", "changes", "wanted", "note"),
    [
        (b"a b\n", {}, "right", ""),
        (b"a  b\n", {}, "presentation", "line 1, column 3: expected `b`, found a blank"),
        (b"a b", {}, "presentation", "column 4: expected the end of the line, found the end"),
        (b"a b\r\n", {}, "presentation", "found a carriage return"),
        (b"a c\n", {}, "wrong", "line 1, column 3: expected `b`, found `c`"),
        (b"", {}, "wrong", "line 1, column 1: expected `a`, found the end"),
        (b"a b\nc", {}, "wrong", "line 2, column 1: expected the end, found `c`"),
        (b"\xff b\n", {}, "wrong", "line 1, column 1: expected `a`, found `?`"),
        (b"a b\n", {"exit": 3}, "crash", "exit code 3: no"),
        (b"a b\n", {"exit": None, "signal": 11}, "crash", "ended by SIGSEGV: no"),
        (b"a b\n", {"cpu": 1.5}, "time", "more than 1 s"),
        (b"a b\n", {"limit": "cpu", "exit": None, "signal": 9}, "time", "more than 1 s"),
        (b"", {"limit": "wall", "wall": 3.0, "signal": 9}, "time", "3.0 s of the clock"),
        (b"a b\n", {"memory": 101 * MB}, "memory", "101 MB, at most 100"),
        (b"a b\n", {"limit": "memory", "signal": 9}, "memory", ""),
        (b"a b\n", {"limit": "output", "signal": 9}, "wrong", "more output than allowed"),
        (b"a b\n", {"limit": "processes", "signal": 9}, "crash", "too many processes"),
    ],
)  # fmt: skip
def test_each_way_to_end_has_its_verdict(
    output: bytes, changes: dict[str, object], wanted: Verdict, note: str
) -> None:
    found, said = verdict(Expected("a b\n"), output, **changes)
    assert found == wanted
    assert note in said


def test_a_loaded_machine_changes_no_verdict() -> None:
    """The wall-clock limit is at least five times that of CPU time."""
    for seconds in (0.1, 2.0, 60.0):
        limits = CaseLimits(seconds=seconds).limits
        assert limits.wall is not None
        assert limits.wall >= 5 * seconds == 5 * (limits.cpu or 0)


def test_input_that_is_ruled_out_wants_exit_code_one() -> None:
    refused = Expected("a\n", error="no")
    assert verdict(refused, b"a\n", exit=1) == ("right", "")
    assert verdict(refused, b"a\n", exit=0) == ("wrong", "exit code 0, expected 1")
    assert verdict(refused, b"b\n", exit=1)[0] == "wrong"
    assert verdict(refused, b"a\n", exit=2)[0] == "crash"


def test_a_difference_within_a_word_is_placed_at_its_character() -> None:
    same, difference = compare(Expected("one\nabcd ef\n"), "one\n\nabxd ef\n")
    assert not same
    assert difference is not None
    assert (difference.line, difference.column) == (3, 3)
    assert (difference.expected_line, difference.expected_column) == (2, 3)


def test_the_line_of_the_script_that_printed_is_reported() -> None:
    expected = expectation(game_of(), Case("case", b"a1 a1 a2"))
    assert expected.text == "begin\nx..\n...\nnext: no\nx..\no..\nnext: "
    printed = {"begin": 'print "begin"', "next": 'prompt "next: "', "no\n": 'print "no"'}
    for part, text in printed.items():
        site = expected.site(expected.text.index(part))
        assert site is not None
        assert site.text == text
        assert text_of(SCRIPT).splitlines()[site.line - 1].strip() == text
    _, difference = compare(expected, "began\n")
    assert '`print "begin"`' in str(difference)


def test_expected_answer_overrides_the_output_of_the_spec() -> None:
    answered = expectation(game_of(), Case("case", b"a1", b"other\n"))
    assert (answered.text, answered.differs, answered.exit) == ("other\n", True, 0)
    alike = Case("case", b"a1", b"begin\nx..\n...\nnext: ")
    assert not expectation(game_of(), alike).differs
    assert expectation(game_of('fail "never"'), Case("case", b"")).exit == 1


def test_cases_are_files_by_name(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.in").write_bytes(b"2")
    (tmp_path / "sub" / "a.in").write_bytes(b"\xff")
    (tmp_path / "b.ans").write_bytes(b"two\n")
    (tmp_path / "notes.txt").write_bytes(b"")
    assert read_cases(str(tmp_path)) == (Case("b", b"2", b"two\n"), Case("sub/a", b"\xff"))
    for wrong in (tmp_path / "none", tmp_path / "notes.txt"):
        with pytest.raises(UsageError, match="no such folder"):
            read_cases(str(wrong))
    with pytest.raises(UsageError, match=r"notes.txt: file exists$"):
        write_cases(str(tmp_path / "notes.txt"), [(Case("a", b"1"), Expected("one"))])


READS = """
read number n from 1 to 3
read mover from "L" left, "R" right
read board
repeat until over
  command
    "P{w:word}"
      play move w
    "S"
      stop
    else
      next
"""


@pytest.mark.slow
def test_cases_are_generated_from_the_script_input() -> None:
    game = game_of(READS)
    cases = generate_malformed(game, 60, 7)
    assert cases == generate_malformed(game, 60, 7)
    assert cases != generate_malformed(game, 60, 8)
    assert len({case.input for case in cases}) == 60
    words = [case.input.split() for case in cases]
    assert {given[0] for given in words if given} >= {b"1", b"2", b"3"}
    assert {given[1] for given in words if len(given) > 1} >= {b"L", b"R"}
    errors = [expectation(game, case).error for case in cases]
    assert 0 < sum(map(bool, errors)) < 30
    assert generate(game, 20, 7) == generate(game, 20, 7) != generate(game, 20, 8)
    played = [word for given in words for word in given[4:] if word.startswith(b"P")]
    legal = {b"P" + name.encode() for name in game.initial_state().form.cells}
    assert len(played) > 60
    assert sum(word in legal for word in played) > 0.8 * len(played)


@pytest.mark.slow
def test_moves_are_derived_from_the_condition_that_plays_them() -> None:
    script = """
    repeat until over
      read number x from 1 to 3
      read number y from 1 to 2
      play move where column(to) = x and y = row(to)
      print "played"
    """
    game = game_of(textwrap.dedent(script))
    whole = [expectation(game, case).text.count("played") for case in generate(game, 20, 0).cases]
    assert whole == [6] * len(whole)  # the board has six cells
    assert len(whole) > 10


def programs_in(folder: Path, **texts: str) -> str:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return str(folder)


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "spec.yaml"
    path.write_text(text_of('print "begin"\nread word w\nprint "{w}"\n'))
    return str(path)


@pytest.mark.slow
def test_a_class_gets_a_table_an_object_and_xml(tmp_path: Path, spec: str) -> None:
    cases = tmp_path / "cases"
    cases.mkdir()
    (cases / "one.in").write_text("x\n")
    (cases / "two.in").write_text("y y\n")
    folder = programs_in(
        tmp_path / "programs",
        right="print('begin')\nprint(input().split()[0])",
        wrong="print('begin')\nprint(input()[-1:])\nprint('more')",
        crash="print('begin')\nraise SystemExit(7)",
    )
    (tmp_path / "programs" / "notes.txt").write_text("no program")
    report = tmp_path / "report.xml"
    words = ("judge", spec, "--cases", str(cases), "--programs", folder)
    done = call(*words, "--junit", str(report), "--seconds", "20")
    lines = done.out.splitlines()
    assert done.code == 1
    letters = {line.split()[0]: line.split()[-1] for line in lines if ".py  " in line}
    assert letters == {"crash.py": "CC", "right.py": "..", "wrong.py": "WW"}
    assert "  one: crash: exit code 7" in lines
    assert f"{spec}:" in next(line for line in lines if line.startswith("  one: wrong"))
    assert any("is neither executable nor one of" in line for line in lines)
    suites = Xml.parse(report).getroot().findall("testsuite")
    assert {each.get("name"): each.get("failures") for each in suites} == {
        "crash.py": "2", "notes.txt": "2", "right.py": "0", "wrong.py": "2",
    }  # fmt: skip
    found = call(*words, "--json", "--seconds", "20").json()
    assert [one["right"] for one in found["programs"]] == [0, 0, 2, 0]
    difference = found["programs"][3]["cases"][1]["difference"]
    assert (difference["line"], difference["expected"], difference["found"]) == (
        3,
        "the end",
        "`more`",
    )
    assert difference["script"]["text"] == 'print "{w}"'


@pytest.mark.slow
def test_generated_cases_are_written_and_judge_a_right_program(tmp_path: Path, spec: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nprint('begin')\nprint(*sys.stdin.read().split()[:1], sep='\\n')"
    )
    cases = str(tmp_path / "cases")
    assert call("judge", spec, "--generate", "3", "--write", cases).out == "3 cases written\n"
    done = call("judge", spec, "--cases", cases, "--cmd", f"{sys.executable} {program}")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no cases: give --cases DIR or --generate N"),
        (("--cases", "{tmp}/none"), "no such folder"),
        (("--cases", "{tmp}"), "no test case"),
        (("--generate", "1"), "no program"),
        (("--generate", "1", "--cmd", "'"), "--cmd: expected the words of a command"),
        (("--generate", "1", "--programs", "{tmp}/none"), "no such folder"),
    ],
)
def test_wrong_use_is_a_sentence(
    tmp_path: Path, spec: str, words: tuple[str, ...], message: str
) -> None:
    done = call("judge", spec, *(word.format(tmp=tmp_path) for word in words))
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.slow
def test_missing_program_gets_crash_and_others_are_judged(tmp_path: Path, spec: str) -> None:
    program = tmp_path / "program.py"
    program.write_text("print('begin')\nprint('x')")
    (tmp_path / "c.in").write_text("x\n")
    good = f"{sys.executable} {program}"
    words = ("--cmd", str(tmp_path / "none"), "--cmd", good, "--seconds", "20")
    done = call("judge", spec, "--cases", str(tmp_path), *words)
    assert done.code == 1
    assert "no such program" in done.out
    assert any(line.endswith(" MB  .") for line in done.out.splitlines())


@pytest.mark.slow
def test_an_interrupt_ends_all_programs_at_once(tmp_path: Path, spec: str) -> None:
    (tmp_path / "c.in").write_text("x\n")
    marker = tmp_path / "told"
    text = f"echo > {marker}; while sleep 600; do true; done"
    words = ("--cases", str(tmp_path), "--seconds", "300", "--jobs", "2")
    commands = ("--cmd", f"sh -c '{text}'", "--cmd", "sleep 600", "--cmd", "sleep 600")
    with running(*COMMAND, "judge", spec, *words, *commands) as process:
        deadline = time.monotonic() + PATIENCE
        while not marker.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    assert not are_running(str(marker))


def test_xml_and_tables_hold_any_text() -> None:
    bad = Result("ca\x00se", "wrong", "found `\x02`<&>\x1b[1m", 0.25, MB)
    judged = [JudgedProgram(Contestant("a" * 50 + "\n", ("x",)), (bad,))]
    root = Xml.fromstring(junit("spec", judged))
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("message") == "wrong: found `?`<&>"
    assert "W" in table(judged)
