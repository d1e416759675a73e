"""Statements of scripts in kernels: the same output as by the interpreter, without leaving code."""

import random
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


ORIGINS = """\
print moves "{move} {from}>{to}" joined by "; "
repeat until over
  read word w
  if w = "?"
    print moves "{move} {from}>{to} {w}" joined by "; "
    print moves "{column(to)}"
    print each c in own "{c}{w}" joined by "/"
    print each c in nowhere "{c}"
    prompt each c in empty "({c})"
  else if length(w) > 5 or w = move
    play pass
    else
      print "{capitals(w)} {small_letters("{w}!")}"
  else if cell(w) = no_cell
    play move w
    else
      print "{w}: {mover} {move}"
      next
    print "{w} {move} {from} {to}"
  else
    let c be cell(w)
    play move "{w}{c}"
    else
      print "no {w}"
  print board
print "{winner} {reason}"
"""


def random_words(game: Game, seed: int, plies: int) -> bytes:
    """Return the moves of a random game with other words between them."""
    draw, state, words = random.Random(seed), game.initial_state(), []
    for _ in range(plies):
        if game.outcome(state) is not None:
            break
        words += draw.sample(["?", "a1", "zzzzzz", "Qa9x", "a2-a3", "pass"], draw.randint(0, 2))
        move = draw.choice(game.legal_moves(state))
        words.append(move.text)
        words += [draw.choice([move.text, move.text.replace("x", "-")])] * draw.randint(0, 1)
        state = game.apply(state, move)
    return " ".join(words).encode()


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    [
        "breakthrough",
        "fox-and-hounds",
        *(pytest.param(n, marks=pytest.mark.deep) for n in ("clobber", "knightthrough", "ataxx")),
    ],
)
def test_moves_with_origins_are_played_and_printed_by_kernels(
    name: str, engine: str, tmp_path: Path, interpreted: list[str]
) -> None:
    head = f"spec: 1\nname: Origins\nextends: {name}\nio: |\n"
    game = spec_of(tmp_path, ORIGINS, head)
    for seed in range(3):
        content = random_words(game, seed, 12)
        expected = ending(game, content, "interpreter")
        assert len(expected[0]) > 300
        interpreted.clear()
        for piece in (1 << 20, 5):
            assert ending(game, content, engine, piece) == expected
        assert not {"play_word", "play_text", "print_moves", "print_each"} & {*interpreted}


EFFECTS = """\
repeat
  read word w
  if w = "f"
    forfeit
    print "{winner}"
  else if w = "e"
    put stone on b2
    set count to count + 1
    print "{count} {plies} {move}|{from}"
  else if w = "n"
    start anew
  else
    play move w
    else
      print "no {w} {winner}"
  print "{mover} {reason}"
"""
REGISTERS = HEAD.replace(
    "rules:", "registers: {count: {type: number, from: 0, to: 3, start: 1}}\nrules:"
)


def test_effects_and_forfeits_are_executed_by_kernels(
    tmp_path: Path, interpreted: list[str]
) -> None:
    game = spec_of(tmp_path, EFFECTS, REGISTERS)
    for content in (b"a1 e a2 b1 n f a1 e f n b1 f f", b"e e a1 f e e e", b"f n a1 f b1"):
        expected = ending(game, content, "interpreter")
        interpreted.clear()
        for piece in (1 << 20, 1, 2):
            assert ending(game, content, "python", piece) == expected
        assert "forfeit" not in interpreted


ROCKS = """\
spec: 1
name: Symbols
board: {rows: 1, columns: 4}
players: [left, right]
pieces:
  stone: {left: x, right: o}
  rock: {neutral: "#"}
  empty: "-"
rules: {moves: {place: stone, to: empty}, end: {when: none(empty) or count(rock) > 4, result: draw}}
io: |
"""
SYMBOLS = """\
put "x#-o" on all
repeat
  read cell c
  let s be symbol(c)
  print "{s}|{symbol_kind(s)} {symbol_owner(s)}|{piece_symbol(rock, nobody)}{empty_symbol}|"
  print "{piece_symbol(kind(c), owner(c))}{if symbol_kind(s) = rock then "!" else ""}"
"""


def test_empty_cells_and_neutral_pieces_have_symbols_in_kernels(
    tmp_path: Path, interpreted: list[str]
) -> None:
    game, content = spec_of(tmp_path, SYMBOLS, ROCKS), b"a1 b1 c1 d1 " * 40
    expected = ending(game, content, "interpreter")
    lines = "x|stone left|#-|\nx\n#|rock nobody|#-|\n#!\n-|none nobody|#-|\n-\n"
    assert expected[0].decode().startswith(f"{lines}o|stone right|#-|\no\n")
    interpreted.clear()
    assert ending(game, content, "python") == expected
    assert interpreted.count("print") <= 2
    assert interpreted.count("let") <= 2
