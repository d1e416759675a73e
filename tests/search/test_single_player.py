"""Search and solve for one player, compared with brute force in `tests/oracles/plain_alone.py`."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State, UsageError
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.selection import Engine
from rulesengine.search.enumeration.single_player import best_play
from rulesengine.search.searches import Value
from rulesengine.search.tree_search import TreeSearch
from rulesengine.support.frozen import replace
from tests.helpers.lone_specs import DICE, game_of, pegs_of, slides_at, sokoban_of
from tests.oracles.plain_alone import (
    Grid,
    best_of_rolls,
    best_samegame,
    fewest_steps,
    greatest_tile,
    most_jumps,
)

CHOICE = """
spec: 1
name: Three cells
board: {rows: 1, columns: 3}
players: [solver]
pieces:
  low: {solver: l}
  high: {solver: h}
  empty: "."
rules:
  moves: {place: choice, choice: [low, high], to: empty}
  end: {when: none(empty), payoffs: PAYOFF}
"""

LEVELS = {
    "two boxes": ("#######", "#@ $. #", "#  $. #", "#     #", "#######"),
    "a corner": ("######", "#.   #", "# $$ #", "# @ .#", "######"),
    "round a wall": ("#######", "#   . #", "# ##  #", "#@ $  #", "#     #", "#######"),
    "in a corridor": ("########", "#@  $ .#", "########"),
}
HOPELESS = ("#####", "#$ .#", "#  @#", "#####")


def rolled(n: int, seed: int) -> Grid:
    """Return a random grid of 2048."""
    draw = Random(seed)
    return tuple(tuple(draw.choice((0, 2, 2, 4, 8, 16)) for _ in range(n)) for _ in range(n))


def replayed(game: Game, state: State, line: Sequence[rulesengine.Move]) -> State:
    for move in line:
        state = game.apply(state, move)
    return state


def test_the_greater_payoff_is_taken_three_times() -> None:
    game = game_of(CHOICE.replace("PAYOFF", "count(own high)"))
    solved = game.solve()
    assert (solved.score, solved.score_at_least, solved.score_at_most) == (3, 3, 3)
    assert all(str(move).endswith("=high") for move in solved.line)
    assert game.search(plies=3).moves[0][1] == Value(3, "payoff")
    assert str(game.search(plies=3).moves[0][1]) == "3 points"
    assert str(game.search(plies=2).moves[0][1]) == "about 2 points"


@pytest.mark.parametrize("payoff", ["0 - count(own high)", "count(own low) - 3"])
def test_payoffs_that_are_never_positive_are_maximised(payoff: str) -> None:
    solved = game_of(CHOICE.replace("PAYOFF", payoff)).solve()
    assert (solved.score, solved.value) == (0, "draw")
    assert all(str(move).endswith("=low") for move in solved.line)


def test_a_score_is_maximised_or_minimised_as_the_result_says() -> None:
    text = CHOICE.replace("payoffs: PAYOFF}", "result: highest score wins}")
    text += "  score: 10 * count(own high) + count(own low)\n"
    assert game_of(text).solve().score == 30
    lowest = game_of(text.replace("highest", "lowest")).solve()
    assert lowest.score == -3
    assert all(str(move).endswith("=low") for move in lowest.line)


@pytest.mark.parametrize(("n", "seed"), [(2, 1), (3, 2), (3, 3), (3, 4), (4, 5)])
def test_five_slides_of_2048_make_the_greatest_tile(n: int, seed: int) -> None:
    grid = rolled(n, seed)
    game, start = slides_at(grid, 5)
    solved = game.solve(start)
    assert solved.score == greatest_tile(grid, 5)
    outcome = game.outcome(replayed(game, start, solved.line))
    assert outcome is not None
    assert outcome.payoffs == {"solver": solved.score}


@pytest.mark.parametrize(
    ("rows", "gap"),
    [
        (("....", "....", "....", "...."), "b2"),
        (("#..#", "....", "....", "#..#"), "b2"),
        (("#...#", ".....", "....."), "c2"),
    ],
)
def test_most_jumps_of_small_boards_of_pegs(rows: tuple[str, ...], gap: str) -> None:
    game = pegs_of(rows, gap)
    places = {(x, y) for y, row in enumerate(reversed(rows)) for x, c in enumerate(row) if c == "."}
    empty = ord(gap[0]) - ord("a"), int(gap[1]) - 1
    solved = game.solve()
    assert solved.score == most_jumps(places, places - {empty})
    assert len(solved.line) == solved.score


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_sokoban_is_solved_in_the_fewest_steps(level: tuple[str, ...]) -> None:
    game = sokoban_of(level)
    solved = game.solve()
    assert (solved.value, solved.distance) == ("win", fewest_steps(level))
    outcome = game.outcome(replayed(game, game.initial_state(), solved.line))
    assert outcome is not None
    assert outcome.payoffs == {"solver": 1}


def test_a_level_without_a_solution_is_no_win() -> None:
    solved = sokoban_of(HOPELESS).solve()
    assert fewest_steps(HOPELESS) is None
    assert (solved.value, solved.distance, solved.line) == ("draw", None, ())


def test_alpha_beta_finds_the_shortest_solution_too() -> None:
    level = LEVELS["two boxes"]
    value = sokoban_of(level).search(plies=8).moves[0][1]
    assert str(value) == f"win in {fewest_steps(level)}"


@pytest.mark.parametrize(
    "columns", [("rgr", "ggb", "rbb", "rgb"), ("rrg", "gbr", "bgg"), ("rg", "gr", "rr", "bg")]
)
def test_samegame_is_solved_as_by_brute_force(columns: tuple[str, ...]) -> None:
    rows, count = len(columns[0]), len(columns)
    game = rulesengine.load("samegame", rows=rows, columns=count)
    lines = ["".join(column[y] for column in columns) for y in reversed(range(rows))]
    start = game.state_from("\n".join([*lines, "mover: solver", f"plies: {rows * count}"]))
    assert game.solve(start).score == best_samegame(columns)
    found = game.search(start, playouts=4000)
    assert found.moves[0][1] == Value(best_samegame(columns), "payoff")


@pytest.mark.parametrize("rolls", [1, 2, 3, 4])
def test_the_expectation_of_chance_is_exact(rolls: int) -> None:
    solved = game_of(DICE, rolls=rolls).solve()
    assert solved.expected == best_of_rolls(rolls)
    assert solved.score is None
    assert not solved.endless


def test_three_rolls_are_worth_fourteen_thirds() -> None:
    assert game_of(DICE).solve().expected == Fraction(14, 3)


@pytest.mark.parametrize(("pips", "move"), [(4, "roll"), (5, "stop")])
def test_a_search_with_chance_maximises_the_mean(pips: int, move: str) -> None:
    # Two rolls are left, worth 17/4.
    game = game_of(DICE)
    state = game.apply(game.initial_state(), game.legal_moves(game.initial_state())[pips - 1])
    assert str(game.solve(state).move) == move
    assert str(game.search(state, plies=6).move) == move
    assert str(game.search(state, playouts=4000).move) == move
    value = game.search(state, plies=6).moves[0][1]
    assert value.unit == "mean"  # a mean is rounded in each ply
    assert abs(value.number - (4250 if move == "roll" else 5000)) < 5


def test_chance_that_may_go_on_for_ever_has_no_value() -> None:
    text = DICE.replace("thrown + 1", "0")
    solved = game_of(text).solve()
    assert solved.value is None
    assert solved.endless


def test_a_search_finds_the_same_on_every_engine() -> None:
    engines: tuple[Engine, ...] = ("interpreter", "native")
    games = [rulesengine.load("peg-solitaire", engine=engine) for engine in engines]
    one, other = [replace(game.search(nodes=1500), seconds=0.0) for game in games]
    assert one == other
    assert one.unit == "mean"
    one, other = [replace(game.search(playouts=100), seconds=0.0) for game in games]
    assert one == other
    assert one.unit == "mean"
    end = games[0].outcome(replayed(games[0], games[0].initial_state(), one.line))
    assert end is not None
    assert end.payoffs["solver"] * 1000 == one.value


def test_a_tree_search_that_is_proven_reports_the_payoff() -> None:
    found = game_of(CHOICE.replace("PAYOFF", "count(own high)")).search(playouts=500)
    assert found.whole
    assert found.moves[0][1] == Value(3, "payoff")
    assert [value.number for _, value in found.moves] == [3, 3, 3, 2, 2, 2]


class LateTreeSearch(TreeSearch):
    """A tree search whose time is over when its round has ended, before the best game is read."""

    def run_driver(self, *args: Any) -> int | None:
        found = super().run_driver(*args)
        self.give_up()
        return found


def test_the_best_game_is_read_after_the_time_of_the_search() -> None:
    game = rulesengine.load("peg-solitaire", engine="interpreter")
    state, words = game.initial_state(), 1 << 16
    count = len(game.legal_moves(state))
    search = LateTreeSearch(game._dispatcher, state, count, Budget(playouts=16), words)
    search.run(rulesengine.Job())
    for number in search.line:
        state = game.apply(state, game.legal_moves(state)[number])
    end = game.outcome(state)
    assert end is not None
    assert search.value_of(search.order[0]) == Value(1000 * int(end.payoffs["solver"]), "mean")


@pytest.mark.parametrize("payoff", ["count(own high)", "count(own high) - 5"])
def test_moves_without_a_random_game_have_the_least_payoff_so_far(payoff: str) -> None:
    game = game_of(CHOICE.replace("PAYOFF", payoff))
    found = game.search(playouts=1)
    end = game.outcome(replayed(game, game.initial_state(), found.line))
    assert end is not None
    assert {value.number for _, value in found.moves} == {1000 * int(end.payoffs["solver"])}


def test_a_player_keeps_the_best_game_that_it_has_found() -> None:
    game = rulesengine.load("peg-solitaire")
    searcher, state = game.searcher(playouts=300), game.initial_state()
    best = 0
    while game.outcome(state) is None:
        found = searcher.search(state)
        payoff = found.value // (1000 if found.unit == "mean" else 1)
        assert payoff >= best
        best, state = payoff, game.apply(state, found.move)
    end = game.outcome(state)
    assert end is not None
    assert end.payoffs["solver"] == best


def test_peg_solitaire_is_not_ended_early() -> None:
    solved = rulesengine.load("peg-solitaire").solve(nodes=20_000)
    assert solved.value is None
    assert solved.score is None
    assert solved.score_at_least is not None
    assert solved.score_at_least > 20
    assert len(solved.line) == solved.score_at_least


@pytest.mark.deep
def test_peg_solitaire_takes_31_jumps_and_ends_in_the_middle() -> None:
    game = rulesengine.load("peg-solitaire")
    solved = game.solve(nodes=60_000_000)
    assert solved.score_at_least == 31
    assert len(solved.line) == 31
    last = replayed(game, game.initial_state(), solved.line)
    assert [cell for cell in last.form.cells if last.piece_at(cell)] == ["d4"]


def test_more_positions_than_the_limit_are_not_enumerated() -> None:
    game = pegs_of(("....", "....", "....", "...."), "b2")
    assert best_play(game, game.initial_state(), 2114) is None
    found = best_play(game, game.initial_state(), 2115)
    assert found is not None
    assert (str(found.payoff), found.states) == ("13", 2115)


def test_beyond_the_enumeration_the_greatest_payoff_is_proved_by_search() -> None:
    from rulesengine.engine.drivers.search.result import Budget, Settings
    from rulesengine.job import Job
    from rulesengine.search.single_player import PayoffSearch

    game = pegs_of(("....", "....", "....", "...."), "b2")
    settings = Settings(solves=True)
    search = PayoffSearch(game, game._dispatcher, game.initial_state(), Budget(), settings)
    bounds = list[int | None]()
    search.find(Job(), lambda solved: bounds.append(solved.score_at_least))
    assert search.result().score == 13
    assert bounds == sorted(bounds, key=lambda bound: bound or 0)


def test_an_unfinished_game_is_worse_than_any_payoff() -> None:
    text = CHOICE.replace("PAYOFF", "0 - 5").replace("none(empty)", "plies = 3 and any(own low)")
    solved = game_of(text).solve()
    assert solved.score == -5
    value = game_of(text).search(plies=4).moves[0][1]
    assert value == Value(-5, "payoff")


def test_a_game_without_an_end_has_no_payoff() -> None:
    game = game_of(CHOICE.replace("PAYOFF", "1").replace("none(empty)", "plies > 9"))
    solved = game.solve()
    assert (solved.value, solved.score, solved.line) == ("draw", None, ())


def test_a_loss_is_worse_than_a_draw_and_a_draw_than_a_win() -> None:
    text = CHOICE.replace(
        "end: {when: none(empty), payoffs: PAYOFF}",
        """end:
    - {when: count(own high) = 3, result: WORST}
    - {when: none(empty) and count(own low) = 3, result: player loses}
    - {when: none(empty), result: player loses}""",
    )
    assert game_of(text.replace("WORST", "player wins")).solve().value == "win"
    drawn = game_of(text.replace("WORST", "draw"))
    assert drawn.solve().value == "draw"
    assert drawn.search(plies=3).value == 0
    lost = game_of(text.replace("WORST", "player loses"))
    assert lost.solve().value == "loss"
    assert str(lost.search(plies=3).moves[0][1]) == "loss in 3"


def test_a_game_that_is_over_is_not_solved() -> None:
    game = pegs_of(("...",), "a1")
    over = replayed(game, game.initial_state(), game.legal_moves(game.initial_state())[:1])
    with pytest.raises(UsageError, match="the game is over"):
        game.solve(over)


COIN = """
spec: 1
name: Coin
board: {rows: 1, columns: 2}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
registers: {face: {type: number, from: 0, to: 9}, flip: {type: flag}}
rules:
  moves: {place: stone, to: empty, do: set flip to true}
  chance:
    when: flip
    branches: {select: first(all), choice: [FACES], do: [set face to choice, set flip to false]}
  end:
    - {when: not flip and face > 1, result: one wins}
    - {when: not flip and face = 1, result: two wins}
"""


@pytest.mark.parametrize(
    ("faces", "mean"), [("1, 2, 3", 333), ("1, 2", 0), ("1, 1, 1, 2", -500), ("1, 2, 3, 4, 5", 600)]
)
def test_the_result_of_two_players_with_chance_is_a_mean(faces: str, mean: int) -> None:
    game = game_of(COIN.replace("FACES", faces))
    value, solved = game.search(plies=4).moves[0][1], game.solve()
    if mean:
        assert abs(value.number - mean) <= 1
        assert value.unit == "chance"
        assert solved.expected is not None
        assert abs(solved.expected - Fraction(mean, 1000)) <= Fraction(1, 1000)
        assert (solved.value, solved.distance) == (None, None)
    else:
        assert (value.number, solved.value) == (0, "draw")


def test_a_sure_result_with_chance_has_its_distance() -> None:
    game = game_of(COIN.replace("FACES", "2, 3"))
    assert game.solve().value == "win"
    assert game.solve().expected is None
