"""`keep: one of each result`: of moves with equal resulting states only the first is legal."""

import pytest

import rulesengine
from rulesengine import Game, IllegalMoveError, State
from rulesengine.engine.drivers import playouts
from rulesengine.engine.drivers.protocol import Functions
from rulesengine.loading import load_source
from rulesengine.prose.page import rules_page
from rulesengine.support.source import Source

ENGINES = ("interpreter", "python", "native")
# Two own stones in a move; the notation has both cells in the order of placement.
PAIRS = """
spec: 1
name: Pairs
board: {rows: 2, columns: 4}
players: [white, black]
pieces: {stone: {white: o, black: x}, empty: "."}
registers: {noted: {type: cells}}
rules:
  moves:
    - {name: one, place: stone, to: empty, then: {step: other}}
  steps:
    - {name: other, place: stone, to: empty}
  keep: one of each result
  end: {when: none(empty), result: draw}
"""
# 8, 6 and 4 cells are empty: pairs are 28, 15 and 6.
COUNTS = [28, 28 * 15, 28 * 15 * 6]

# Steps that no key of `keep` distinguishes, unless a position is set up with `taken` cells.
STEPS = """
spec: 1
name: Steps
board: {rows: 1, columns: 5}
players: [white, black]
pieces: {stone: {white: o, black: x}, king: {white: O, black: X}, empty: "."}
registers: {taken: {type: cells, lives: move}, noted: {type: cells}}
start: |
  o..o.
rules:
  moves:
    - {name: step, move: own, to: empty touching from}
  keep: [least count(removed), one of each result]
  do: [remove taken, if to in edge then promote to to king]
  end: {when: none(empty), result: draw}
"""


def pairs(engine: str = "auto", old: str = "", new: str = "") -> Game:
    assert old in PAIRS
    return load_source(Source("pairs.yaml", PAIRS.replace(old, new)), engine=engine)


def steps(engine: str = "auto", old: str = "", new: str = "") -> Game:
    assert old in STEPS
    return load_source(Source("steps.yaml", STEPS.replace(old, new, 1)), engine=engine)


def texts(game: Game, state: State | None = None) -> list[str]:
    return [move.text for move in game.legal_moves(state or game.initial_state())]


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_pairs_of_stones_are_counted_once(engine: str) -> None:
    game = pairs(engine)
    assert [game.perft(depth) for depth in (1, 2, 3)] == COUNTS
    assert game.perft(2, bulk=False) == game.perft(2, passes="free") == COUNTS[1]
    assert set(game.divide(2).values()) == {15}
    assert game.playouts(20, seed=3) == pairs("interpreter").playouts(20, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_the_first_in_order_is_legal(engine: str) -> None:
    names = [f"{column}{row}" for row in (1, 2) for column in "abcd"]
    kept = [f"{a}/{b}" for i, a in enumerate(names) for b in names[i + 1 :]]
    assert texts(pairs(engine)) == kept


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_registers_are_part_of_a_result(engine: str) -> None:
    """Store the first stone in a register: the same two cells are then two moves."""
    game = pairs(engine, "other}}", "other}, do: set noted to to}")
    assert [game.perft(depth) for depth in (1, 2)] == [56, 56 * 30]


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_keys_before_and_behind_rank_what_is_there(engine: str) -> None:
    """Keep the moves that end in column d. In the reverse order of keys, c2/d1 loses to its equal
    d1/c2.
    """
    rightmost = "[rightmost, one of each result]"
    others = [f"{column}{row}" for row in (1, 2) for column in "abc"]
    both = [f"{cell}/d{row}" for cell in others[:3] for row in (1, 2)] + ["d1/d2"]
    upper = [f"{cell}/d{row}" for cell in others[3:] for row in (1, 2)]
    assert texts(pairs(engine, "one of each result", rightmost)) == both + upper
    behind = [text for text in both + upper if text not in {f"{c}/d1" for c in others[3:]}]
    last = "[one of each result, rightmost]"
    assert texts(pairs(engine, "one of each result", last)) == behind


def test_text_of_an_equivalent_move_plays_the_first_one() -> None:
    game = pairs()
    start = game.initial_state()
    move = game.move("b2/a1", start)
    assert move.text == "a1/b2"
    assert game.apply(start, "b2/a1") == game.apply(start, "a1/b2")
    assert game.why_not("b2/a1", start) == ""
    after = game.apply(start, move)
    with pytest.raises(IllegalMoveError, match="a1"):
        game.move("c2/a1", after)
    assert game.find("d2/c2", after) == game.move("c2/d2", after)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_playouts_draw_among_the_remaining_moves(engine: str) -> None:
    """Compare with the game without the word, after removing equal results here."""
    every = pairs("interpreter", "  keep: one of each result\n", "")

    def legal(state: State) -> list[State]:
        """Return each result once."""
        return list(dict.fromkeys(every.apply(state, move) for move in every.legal_moves(state)))

    def apply(state: State, after: State) -> State:
        return after

    def decide(state: State) -> int | None:
        return None if every.outcome(state) is None else -1

    def words(state: State) -> tuple[int, ...]:
        return (*state.planes, state.side, *state.registers)

    game: Functions[State, State] = Functions(legal, apply, decide, words, lambda _: False)
    drawn = playouts.playouts(game, every.initial_state(), every.players, 5, 8)
    assert pairs(engine).playouts(5, seed=8) == drawn


def test_rules_say_it() -> None:
    assert "Moves that lead to the same position count as one." in " ".join(
        rules_page(pairs()).split()
    )


def test_steps_that_nothing_tells_apart_are_not_compared() -> None:
    assert steps().program.rules.unranked == (0,)
    assert rulesengine.load("brazilian-draughts").program.rules.unranked == (1,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("move: own,", "move: occupied,"),
        ("to: empty touching from", "to: neighbours(from)"),
        ("touching from", "touching from, choice: [1, 2]"),
        ("touching from", "touching from, then: {step: step, from: to, when: false}"),
        ("touching from", "touching from, do: set taken to from"),
        ("name: step, move: own, to: empty touching from", "name: step, select: own"),
        ("remove taken", "remove noted"),
        ("remove taken", "carry own to east"),
        ("count(removed)", "count(moved and edge)"),
        ("count(removed)", "column(to)"),
        ("count(removed)", "1 / count(removed)"),
        ("count(removed)", "after(count(own))"),
        ("  keep: [least count(removed), one of each result]\n", ""),
    ],
)
def test_steps_that_something_may_tell_apart_are(old: str, new: str) -> None:
    assert steps("interpreter", old, new).program.rules.unranked == ()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_state_text_sets_marks_that_last_one_move(engine: str) -> None:
    game = steps(engine)
    assert texts(game) == ["a1-b1", "d1-c1", "d1-e1"]
    # All moves except that of a1 remove the piece on that cell.
    state = game.state_from("o..o.\nmover: white\ntaken: a1")
    assert texts(game, state) == ["a1-b1"]
    assert game.perft(1, state) == 1
    assert game.perft(1) == 3
