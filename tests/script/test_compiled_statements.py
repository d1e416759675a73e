"""Statements of scripts in kernels: the same output as by the interpreter, without leaving code."""

from pathlib import Path

import pytest

from rulesengine import load
from rulesengine.engine.kernel.scripts.flow import Node
from rulesengine.game import Game
from rulesengine.script.flow_runner import FlowRunner
from tests.helpers.script_engines import ending

HEAD = """\
spec: 1
name: Statements
board: {rows: 2, columns: 2}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules: {moves: {place: stone, to: empty}, end: {when: none(empty), result: draw}}
io: |
"""


def spec_of(folder: Path, script: str, head: str = HEAD) -> Game:
    """Return the game of a spec with this script."""
    spec = folder / "statements.yaml"
    spec.write_text(head + "".join(f"  {line}\n" for line in script.splitlines()))
    return load(str(spec))


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the statements that the interpreter executes, in order."""
    found: list[str] = []
    step = FlowRunner._step

    def counted(self: FlowRunner, node: Node) -> None:
        found.append(node.statement.name if node.kind == "do" else node.kind)
        step(self, node)

    monkeypatch.setattr(FlowRunner, "_step", counted)
    return found


TEXTS = """\
let last be "none"
repeat
  read word w
  let last be if count(empty) > 2 then "{w}" else "<{last}|{w}>"
  let copy be last
  play move "{w}"
  else
    print "{last} {copy} is no move of {mover}"
    next
  print "{last} {copy} {move}"
"""


def test_texts_are_put_together_by_kernels(tmp_path: Path, interpreted: list[str]) -> None:
    game, content = spec_of(tmp_path, TEXTS), b"a1 zz a2 b1 b1 " + b"qqq " * 200
    expected = ending(game, content, "interpreter")
    assert expected[0].startswith(
        b"a1 a1 a1\nzz zz is no move of right\na2 a2 a2\n<a2|b1> <a2|b1> b1\n"
    )
    interpreted.clear()
    for piece in (1 << 20, 1, 7):
        assert ending(game, content, "python", piece) == expected
    # a text of more than 255 bytes is left to the interpreter
    assert interpreted.count("let") > 100
    assert ending(game, content[:30], "python") == ending(game, content[:30], "interpreter")


def test_a_failed_call_is_repeated_with_the_same_texts(tmp_path: Path) -> None:
    script = """\
let text be "begin"
at end
  print "{text}"
repeat
  read number n
  let last be text
  let text be "{n}"
  let half be 100 / n
  print "{last} {text} {half}"
"""
    content = b" ".join(b"%d" % n for n in range(1, 90)) + b" 0 5"
    game = spec_of(tmp_path, script)
    expected = ending(game, content, "interpreter")
    assert expected[0].endswith(b"88 89 1\n")
    assert expected[1] == "EvaluationError"
    assert ending(game, content, "python") == expected
    assert ending(game, content[:-4], "python") == ending(game, content[:-4], "interpreter")


NUMBERS = """\
spec: 1
name: Numbers
board: {rows: 2, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers: {seeds: {type: number, from: -5, to: 1000, each: cell}}
rules:
  moves: {place: stone, to: empty, do: set seeds of to to seeds of to * 10 + 3}
  end: {when: none(empty), result: draw, reason: full}
drawing:
  top: "  {columns}"
  row: "{label} |{cells}|"
  gap: "-"
  cell: "[{seeds:2}{symbol:<2}{seeds:<2}]"
io: |
"""


def test_boards_with_numbers_are_printed_by_kernels(tmp_path: Path, interpreted: list[str]) -> None:
    script = """\
repeat
  read word w
  if w = "n"
    start anew
  else
    play move w
    else
      print "no"
  print board
"""
    game, content = spec_of(tmp_path, script, NUMBERS), b"a1 b2 c2 a1 c1 n b1 b2"
    expected = ending(game, content, "interpreter")
    assert b"1 |[ 3x 3 ]-[ 0. 0 ]-[ 0. 0 ]|\n2 |[ 0. 0 ]-" in expected[0]
    interpreted.clear()
    assert ending(game, content, "python") == expected
    assert "print_board" not in interpreted


def test_a_number_wider_than_its_column_is_left_to_the_interpreter(
    tmp_path: Path, interpreted: list[str]
) -> None:
    head = NUMBERS.replace(
        "set seeds of to to seeds of to * 10 + 3", "set seeds of all to plies * 60"
    )
    script = "repeat\n  print board\n  read word w\n  play move w\n"
    game, content = spec_of(tmp_path, script, head), b"a1 a2 b1 b2 c1"
    expected = ending(game, content, "interpreter")
    assert b"[240x 240]" in expected[0]
    assert ending(game, content, "python", 3) == expected
