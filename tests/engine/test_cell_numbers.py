"""Numbers at cells: texts of states, drawings, and a game with a known theory."""

from functools import cache

import pytest

import rulesengine
from rulesengine import NotationError, UsageError
from rulesengine.game import Game


@cache
def nim(engine: str) -> Game:
    return rulesengine.load("nim", engine=engine)


def heaps(game: Game, a: int, b: int, c: int) -> rulesengine.State:
    return game.state_from(f"...\nmover: first\nheap: {a} {b} {c}")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_the_mover_wins_nim_unless_the_exclusive_or_is_zero(engine: str) -> None:
    """Bouton's theorem, by a search of all positions of three heaps of up to four."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    game = nim(engine)

    @cache
    def wins(a: int, b: int, c: int) -> bool:
        state = heaps(game, a, b, c)
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winner == "first"
        after = [game.apply(state, move) for move in game.legal_moves(state)]
        left = [str(s).partition("heap: ")[2].split() or ["0"] * 3 for s in after]
        return not all(wins(*map(int, rest)) for rest in left)

    most = 4 if engine == "native" else 3
    for a in range(most + 1):
        for b in range(most + 1):
            for c in range(most + 1):
                assert wins(a, b, c) == (a ^ b ^ c != 0)


def test_numbers_of_a_state_are_printed_and_read_back() -> None:
    game = nim("interpreter")
    state = heaps(game, 5, 0, 2)
    assert str(state).splitlines() == ["...", "mover: first", "heap: 5 0 2"]
    assert game.state_from(str(state)) == state
    assert state != heaps(game, 5, 0, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("heap: 1 2", "`heap` has 3 numbers, found 2"),
        ("heap: 1 2 / 3", "`heap` has 3 numbers, found 2 / 1"),
        ("heap: 1 2 6", "`heap` is 0 to 5, not 6"),
        ("heap: 1 2 -1", "`heap` is 0 to 5, not -1"),
        ("heap: 1 2 x", "expected a number, found `x`"),
        ("heap/1: 1", "expected `name: value` after the board"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(text: str, words: str) -> None:
    with pytest.raises((NotationError, UsageError)) as error:
        nim("interpreter").state_from(f"...\nmover: first\n{text}")
    assert words in str(error.value)


WIDE = """
spec: 1
name: Loads
board: {rows: 2, columns: 11, holes: b1}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers:
  load: {type: number, each: cell, from: -9, to: 99, start: 7}
rules:
  moves:
    place: stone
    to: empty
    do: set load of to to 0 - column(to)
  end: {when: none(empty), result: draw}
drawing: {top: "  {columns}", row: "{label} {cells}", cell: "{symbol}{load:2}", gap: "|"}
"""


def test_a_drawing_shows_numbers_in_columns() -> None:
    from rulesengine.loading import load_source
    from rulesengine.notation.board_text import draw
    from rulesengine.support.source import Source

    game = load_source(Source("loads.yaml", WIDE))
    state = game.apply(game.initial_state(), game.move("c2"))
    assert draw(game.program, state).splitlines() == [
        "    a|  b|  c|  d|  e|  f|  g|  h|  i|  j|  k",
        "1 . 7|   |. 7|. 7|. 7|. 7|. 7|. 7|. 7|. 7|. 7",
        "2 . 7|. 7|x-3|. 7|. 7|. 7|. 7|. 7|. 7|. 7|. 7",
    ]


ONE_NUMBER = """
spec: 1
name: A number that is always the same
board: {rows: 1, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers:
  same: {type: number, each: cell, from: 3, to: 3}
  rounds: {type: number, from: 0, to: 9}
rules:
  moves:
    place: stone
    to: empty where same of it = 3
    do: for c in occupied do set rounds to rounds + 1
  end: {when: none(empty), result: draw}
"""


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_a_number_with_one_value_takes_no_room_of_another(engine: str) -> None:
    from rulesengine.loading import load_source
    from rulesengine.support.source import Source

    game = load_source(Source("same.yaml", ONE_NUMBER), engine=engine)
    state = game.initial_state()
    for word in ("a1", "b1"):
        state = game.apply(state, game.move(word, state))
    # one stone after the first move, two after the second
    assert "rounds: 3" in str(state)
