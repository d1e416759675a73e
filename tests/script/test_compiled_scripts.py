"""Kernels of scripts against the interpreter of scripts: the same bytes, errors and messages."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesengine import load
from rulesengine.contests.judge.generation import generate, generate_malformed
from rulesengine.engine.kernel.scripts.flow import flow_of
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.script.compiled_script import CompiledScript
from rulesengine.support.source import Source
from tests.helpers.script_engines import ending, with_engine
from tests.helpers.script_runs import text_of

SCRIPTS = (
    "acm92-othello",
    "aps105-reversi",
    "bio04-four-in-a-line",
    "bio97-othello",
    "gcj13-tomek",
)
PIECES = (1 << 20, 1, 2, 3, 7, 64)
INSERTED = (
    b" ", b"\n", b"\r\n", b"-", b"+5 ", b"0", b"9", b"M35 ", b"L ", b"Q ", b"n ", b"r ", b"aa ",
    b"W",
    b" 99999999999999999999 ", b"-9223372036854775808 ", b" abc ", b" 1.5 ", b"\xff", b"\xc3\xa9",
    b"\x1c", b"\0", b" " * 70, b"x" * 300, b"\n\n\n", b"-1 ",
)  # fmt: skip

engines = pytest.mark.parametrize(
    "engine", ["python", pytest.param("native", marks=pytest.mark.slow)]
)


def cases() -> list[tuple[Game, bytes]]:
    """Return the inputs of the tests in the bundled specs, with their games."""
    found = []
    for name in SCRIPTS:
        for test in load(name).tests:
            if "input" in test:
                game = load(name, **test.get("parameters", {}))
                found.append((game, str(test["input"]).encode()))
    return found


CASES = cases()


@engines
@pytest.mark.parametrize("case", range(len(CASES)))
def test_every_input_of_the_bundled_specs_has_the_same_output(case: int, engine: str) -> None:
    game, content = CASES[case]
    expected = ending(game, content, "interpreter")
    assert expected[0]
    for piece in PIECES:
        assert ending(game, content, engine, piece) == expected, piece


@engines
def test_a_zero_byte_after_a_move_is_no_move(engine: str) -> None:
    game, content = next((g, c) for g, c in CASES if b"dc\n" in c)
    changed = content.replace(b"dc\n", b"dc\0\n")
    expected = ending(game, changed, "interpreter")
    assert b"Invalid move." in expected[0]
    assert ending(game, changed, engine) == expected


@engines
@pytest.mark.parametrize("case", range(0, len(CASES), 3))
def test_input_that_ends_anywhere_has_the_same_output(case: int, engine: str) -> None:
    game, content = CASES[case]
    for end in range(0, len(content), max(1, len(content) // 25)):
        expected = ending(game, content[:end], "interpreter")
        assert ending(game, content[:end], engine) == expected, end


@st.composite
def changed_inputs(draw: st.DrawFn) -> tuple[int, bytes]:
    """Return an input of a bundled spec with some bytes removed, inserted or repeated."""
    case = draw(st.integers(0, len(CASES) - 1))
    content = bytearray(CASES[case][1])
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(content)))
        match draw(st.sampled_from(["insert", "remove", "repeat"])):
            case "insert":
                content[at:at] = draw(st.sampled_from(INSERTED))
            case "remove":
                del content[at : at + draw(st.integers(1, 9))]
            case "repeat":
                size = draw(st.integers(1, 60))
                content[at:at] = content[at : at + size]
    return case, bytes(content)


@given(changed_inputs(), st.sampled_from(PIECES))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_malformed_input_has_the_same_output_and_the_same_error(
    changed: tuple[int, bytes], piece: int
) -> None:
    game, content = CASES[changed[0]][0], changed[1]
    expected = ending(game, content, "interpreter")
    assert ending(game, content, "python", piece) == expected


@engines
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.deep) if "aps105" in n else n for n in SCRIPTS]
)
def test_generated_input_has_the_same_output(name: str, engine: str) -> None:
    game = load(name)
    found = [*generate(game, 4, 1).cases, *generate_malformed(game, 8, 1)]
    assert len(found) >= 8
    for case in found:
        expected = ending(game, case.input, "interpreter")
        assert ending(game, case.input, engine, 5) == expected, case.input


def test_the_statements_of_the_bundled_scripts_are_executed_by_kernels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, content = next((g, c) for g, c in CASES if g.name.startswith("Othello (ACM"))
    rounds = []
    called = CompiledScript._called

    def counted(self: CompiledScript, *args: object) -> tuple[int, bool]:
        rounds.append(called(self, *args))  # type: ignore[arg-type]
        return rounds[-1]

    monkeypatch.setattr(CompiledScript, "_called", counted)
    assert ending(game, content, "python")[1:] == ("", "")
    assert len(rounds) <= 4  # a call for the input, and those at its end


def test_a_failure_of_the_kernel_is_left_to_the_interpreter_at_its_statement(
    tmp_path: Path,
) -> None:
    spec = tmp_path / "division.yaml"
    spec.write_text(
        """\
spec: 1
name: Division
board: {rows: 1, columns: 2}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules: {moves: {place: stone, to: empty}, end: {when: none(empty), result: draw}}
io: |
  repeat
    read number n
    print "{100 / n}"
"""
    )
    game = load(str(spec))
    content = b"".join(b"%d\n" % n for n in range(1, 300)) + b"0\n7\n"
    printed, kind, message = ending(game, content, "python")
    assert printed == b"".join(b"%d\n" % (100 // n) for n in range(1, 300))
    assert kind == "EvaluationError"
    assert "line 300 of the input" in message or "line 300, word 1 of the input" in message
    assert (printed, kind, message) == ending(game, content, "interpreter")


LISTED = """\
spec: 1
name: Listed
board: {rows: 2, columns: 2}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules: {moves: {place: stone, to: empty}, end: {when: none(empty), result: draw}}
io: |
  repeat separated by "--"
    read word w
    play move w
    else
      print "{w} is no move"
    print moves "{w}:{to}={move}{count(own):3}" joined by ", "
    print "{mover} {mover:<7}| {from} {to} {move}."
    print "{count(left):04} {0 - 7 * plies:06} {0 - plies:<5}|"
"""


def test_texts_of_each_kind_are_printed_by_kernels_as_by_the_interpreter(tmp_path: Path) -> None:
    spec = tmp_path / "listed.yaml"
    spec.write_text(LISTED)
    game, content = load(str(spec)), b"a1\nb2 zz b1\n\n a1 a2"
    expected = ending(game, content, "interpreter")
    assert expected[0].startswith(
        b"a1:b1=b1  0, a1:a2=a2  0, a1:b2=b2  0\nright right  | none a1 a1.\n"
    )
    assert expected[0].count(b"--\n") == 5
    assert ending(game, content, "python") == expected


def test_flows_of_a_script_have_one_form_for_all_parameters() -> None:
    game = load("aps105-reversi")
    for n in (4, 8, 26):
        flow = flow_of(game.bind(n=n).program.rules.script)
        shapes = [node.shape for node in flow.nodes]
        assert shapes == [node.shape for node in flow_of(game.program.rules.script).nodes]


def test_layout_statements_are_no_part_of_a_flow() -> None:
    plain, layouts = (
        load_source(Source("script.yaml", text_of(script))).program.rules.script
        for script in (
            "read number n\nrepeat n times\n  read word w",
            "layout line\nread number n\nlayout lines\nrepeat n times\n  read word w\n"
            "  layout blank line",
        )
    )
    assert len(layouts) > len(plain)
    names = [[node.statement.name for node in flow_of(script).nodes] for script in (plain, layouts)]
    assert names[0] == names[1]


def test_engines_by_name_are_used_for_scripts() -> None:
    game, content = CASES[0]
    python = with_engine(game, "python")
    assert python.script_kernels(0.0)[0] is not None
    assert ending(game, content, "interpreter")[0] == ending(game, content, "auto")[0]
