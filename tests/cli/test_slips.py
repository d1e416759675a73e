"""Mistakes in Python calls: one error message each, in every engine, and no change of state."""

from typing import Any

import pytest

import rulesengine
from rulesengine import Game, UsageError

SVG_LAST = "expected a move, found 'a1': `game.move(text, state)` returns the move"
SLIPS = (
    ("game.perft('a')", "the depth is a whole number, found 'a'"),
    ("game.perft(1.5)", "the depth is a whole number, found 1.5"),
    ("game.perft(-1)", "the depth is at least 0, found -1"),
    ("game.perft(2, ended='x')", "`ended` is 'drop' or 'keep', found 'x'"),
    ("game.perft(2, passes=None)", "`passes` is 'ply' or 'free', found None"),
    ("game.divide(True)", "the depth is a whole number, found True"),
    ("game.playouts('x')", "the number of games is a whole number, found 'x'"),
    ("game.playouts(2.5)", "the number of games is a whole number, found 2.5"),
    ("game.playouts(-1)", "the number of games is at least 0, found -1"),
    ("game.playouts(3, threads=0)", "the number of threads is at least 1, found 0"),
    ("game.playouts(3, seed='a')", "the seed is a whole number, found 'a'"),
    ("game.choose('x', state)", "no strategy `x`: there is none"),
    ("game.move(3)", "the move is a text, found 3"),
    ("game.find(None, state)", "the move is a text, found None"),
    ("game.why_not(3, state)", "the move is a text, found 3"),
    ("game.state_from(3)", "the state is a text, found 3"),
    ("game.apply(state, None)", "expected a move, found None"),
    ("game.apply(None, 'a1')", "expected a state, found None"),
    ("game.search(seconds='1')", "the limit of seconds is a number, found '1'"),
    ("game.search(playouts=0)", "a search needs more than 0 playouts, found 0"),
    ("game.search(nodes=9, memory='x')", "the number of megabytes is a whole number, found 'x'"),
    ("game.search(nodes=9, threads=0)", "the number of threads is at least 1, found 0"),
    ("game.svg(theme='x')", "a theme is 'auto' or 'light' or 'dark', found 'x'"),
    ("game.svg(size='x')", "the size is a whole number, found 'x'"),
    ("game.svg(last='a1')", SVG_LAST),
    ("game.trace(state, 3)", "expected a move, found 3"),
    ("game.record(3)", "expected the text of games, found 3"),
    ("game.start(3)", "expected a state, found 3"),
    ("game.start().push(None)", "expected a move, found None"),
    ("game.batch('x')", "the number of games is a whole number, found 'x'"),
)


def words(game: Game) -> dict[str, Any]:
    return {"game": game, "state": game.initial_state()}


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_usage_error_is_a_sentence(engine: str) -> None:
    game = rulesengine.load("tic-tac-toe", engine=engine)
    messages = {}
    for call, _ in SLIPS:
        with pytest.raises(UsageError) as caught:
            eval(call, words(game))  # noqa: S307 texts of this file
        messages[call] = str(caught.value)
    assert messages == dict(SLIPS)


def test_numbers_of_other_kinds_are_taken() -> None:
    game = rulesengine.load("tic-tac-toe")
    numpy = pytest.importorskip("numpy", reason="the extra `arrays` is not installed")
    assert game.perft(numpy.int64(2)) == 72
    assert game.playouts(numpy.int32(3), seed=numpy.uint8(1)) == game.playouts(3, seed=1)
