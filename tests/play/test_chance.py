"""Chance: draws, the plies after them, strategies, and errors."""

import io

import pytest

import rulesengine
from rulesengine import EvaluationError, LimitError
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.play import Session
from rulesengine.script import run
from rulesengine.support.limits import MAX_WEIGHT
from rulesengine.support.source import Source

ENGINES = ["interpreter", "python", "native"]
MASK = 2**64 - 1

SPEC = """\
spec: 1
name: Dice
board: {rows: 1, columns: 6}
players: [white, black]
pieces: {man: {white: o, black: x}, empty: "."}
"""
# A player who throws 1 may place in one cell, one who throws 2 in two; every second throw is a 2.
DICE = """\
registers:
  die: {type: number, from: 0, to: 2, lives: move}
  turns: {type: number, from: 0, to: 99}
  throws: {type: number, from: 0, to: 99}
rules:
  moves: [{place: man, to: "empty and columns(1 to die)"}, otherwise, pass]
  chance:
    when: die = 0
    branches:
      choice: [1, 2]
      do: [set die to choice, set throws to throws + 1]
      weight: choice * choice
  do: set turns to turns + 1
  end: [{when: plies = 6, result: draw}, {when: none(all minus enemy), result: player wins}]
"""


def game_of(text: str, engine: str = "interpreter") -> Game:
    return load_source(Source("dice.yaml", SPEC + text), engine=engine)


def mix(z: int) -> int:
    """Return SplitMix64's output function as the language page defines it."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


class Draws:
    def __init__(self, seed: int, number: int) -> None:
        self.state = (mix(seed) + mix(number + 1)) & MASK

    def below(self, n: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mix(self.state) * n >> 64


def pig(draws: Draws, goal: int) -> tuple[int, int]:
    """Return the winner of a random game of Pig, and its number of moves, from the rules."""
    banked, mover, total, moves = [0, 0], 0, 0, 0
    while max(banked) < goal:
        moves += 1
        if banked[mover] + total >= goal or draws.below(2):
            banked[mover] += total
            mover, total = 1 - mover, 0
        elif face := draws.below(6):
            total += face + 1
        else:
            mover, total = 1 - mover, 0
    return banked.index(max(banked)), moves


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_random_games_draw_what_the_page_says(engine: str) -> None:
    game = rulesengine.load("pig", engine=engine, goal=30)
    played = game.playouts(40, seed=7)
    wanted = [pig(Draws(7, number), 30) for number in range(40)]
    assert played.wins["first"] == sum(winner == 0 for winner, _ in wanted)
    assert played.mean_length == sum(moves for _, moves in wanted) / 40


def test_a_branch_comes_about_by_its_weight() -> None:
    game = game_of(DICE)
    state = game.initial_state()
    assert list(map(str, game.legal_moves(state))) == ["1", "2"]
    assert game.weights(state) == (1, 4)
    assert game.weights(game.apply(state, "2")) == ()
    thrown = [Draws(3, number).below(5) >= 1 for number in range(200)]
    source = 'repeat 1 times\n  play chance\n  print "{move}"\n'
    scripted = game_of(DICE + "io: |\n" + "".join(f"  {line}\n" for line in source.splitlines()))
    target = io.BytesIO()
    run(scripted, io.BytesIO(), target, seed=3)
    assert target.getvalue().decode() == f"{1 + thrown[0]}\n"
    assert 140 < sum(thrown) < 180


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_effects_after_player_moves_skip_chance_moves(engine: str) -> None:
    game = game_of(DICE, engine)
    state = game.initial_state()
    for move, mover, text in [
        ("2", "white", "die: 2\nthrows: 1"),
        ("b1", "black", "turns: 1\nthrows: 1\nlast mover: white\nplies: 1"),
        ("1", "black", "die: 1\nturns: 1\nthrows: 2\nlast mover: white\nplies: 1"),
        ("a1", "white", "turns: 2\nthrows: 2\nlast mover: black\nplies: 2"),
    ]:
        state = game.apply(state, move)
        assert str(state).split("mover: ", 1)[1] == f"{mover}\n{text}"
        assert game.state_from(str(state)) == state


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_only_moves_of_players_are_plies_unless_chance_counts(engine: str) -> None:
    # a1 after a 1, a1 or b1 after a 2; then, after each, a pass or the other cell by either throw.
    game = game_of(DICE, engine)
    assert [game.perft(depth) for depth in range(3)] == [1, 3, 3 * 2]
    assert game.divide(1) == {"1": 1, "2": 2}
    counted = game_of(DICE.replace("die = 0\n", "die = 0\n    counts: true\n"), engine)
    assert [counted.perft(depth) for depth in range(4)] == [1, 2, 3, 6]
    assert str(counted.apply(counted.initial_state(), "2")).endswith("plies: 1")


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("branches", "message"),
    [
        ("{choice: [1, 2], when: throws > 9, do: set die to choice}", "has no branch"),
        ("{choice: [1, 2], weight: 1 - choice, do: set die to 1}", "1,000,000,000, this is 0"),
        ("{choice: [1, 2], weight: 999999999 + choice, do: set die to 1}", "is 1,000,000,001"),
    ],
)
def test_chance_that_cannot_move_is_an_error(engine: str, branches: str, message: str) -> None:
    rules = DICE.split("    branches:")[0] + f"    branches: {branches}\n" + "  end: []\n"
    game = game_of(rules, engine)
    with pytest.raises(EvaluationError, match=message) as caught:
        game.playouts(2)
    assert "dice.yaml:1" in str(caught.value)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_chance_that_goes_on_for_ever_is_stopped(engine: str) -> None:
    game = game_of(
        DICE.replace("set die to choice", "set die to 0").replace("+ 1]", "* 1]"), engine
    )
    played = game.playouts(1)
    assert (played.unfinished, played.mean_length) == (1, 0)
    with pytest.raises(LimitError, match="more than 100 moves in a row that take no ply"):
        game.perft(1)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_free_passes_that_go_on_for_ever_are_stopped(engine: str) -> None:
    game = game_of("rules: {moves: pass, end: {when: none(empty), result: draw}}\n", engine)
    with pytest.raises(LimitError, match="more than 100 moves in a row that take no ply"):
        game.perft(1, passes="free")


def test_chance_draws_in_a_session_and_its_throws_are_taken_back_with_the_move() -> None:
    game = rulesengine.load("pig")
    session = Session.begin(game, dict.fromkeys(game.players, "human"), seed=4)
    rolled = session.play(game.move("roll"))
    assert (session.current_player, rolled.current_player) == ("human", "random")
    throw = rolled.answer()
    assert throw == rolled.answer()
    assert throw is not None
    after = rolled.play(throw)
    assert after.record().moves == ("roll", str(throw))
    assert after.undo() == session


def test_a_weight_may_be_as_large_as_it_may_be() -> None:
    game = game_of(DICE.replace("choice * choice", "999999998 + choice"))
    assert game.weights(game.initial_state()) == (MAX_WEIGHT - 1, MAX_WEIGHT)


def test_a_strategy_has_no_move_where_chance_is_to_move() -> None:
    game = game_of(DICE + "strategies: {left: [leftmost]}\n")
    assert game.choose("left", game.initial_state()) is None
    assert str(game.choose("left", game.apply(game.initial_state(), "2"))) == "a1"


def test_player_move_at_a_chance_node_is_explained() -> None:
    game = game_of(DICE)
    assert "chance is to move, such as `1`" in game.why_not("a1", game.initial_state())
