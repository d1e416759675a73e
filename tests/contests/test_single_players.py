"""Entrants of a game of one player play the same games, and each round compares their payoffs."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game, contests
from tests.helpers.cli_calls import call

SPEC = """spec: 1
name: Single
board: {rows: 1, columns: 6}
players: [solver]
pieces: {one: {solver: o}, two: {solver: t}, empty: "."}
strategies:
  low: [prefer choice = one]
  high: [prefer choice = two]
rules:
  moves: {place: choice, choice: [one, two], to: empty}
  end: {when: none(empty), payoffs: count(two) - count(one)}
"""
PLAYERS = ["low", "random", "high"]


@pytest.fixture(scope="module")
def game() -> Game:
    return rulesengine.loads(SPEC, engine="interpreter")


def test_the_entrant_with_the_greater_payoff_wins_the_round(game: Game) -> None:
    """Six pieces of one kind are worth 6 or -6; a random game is never above or below that."""
    table = contests.match(game, ["low", "high"], 3, opening=0).table
    assert table.against(1, 0) == (3, 0, 0)
    assert table.against(0, 1) == (0, 0, 3)
    assert (table.score(1), table.compared(1), table.played) == (3, 3, 6)
    assert (table.mean_payoff(0), table.mean_payoff(1)) == (-6, 6)
    assert contests.difference(table, 0, 1) is None


def test_equal_players_play_the_same_games(game: Game) -> None:
    standings = contests.match(game, ["random", "other=random"], 20, opening=0)
    assert standings.table.against(0, 1) == (0, 20, 0)
    mean = standings.table.mean_payoff(0)
    assert mean is not None
    assert abs(mean) < 3  # the sum of six coins has the deviation 2.4, a mean of 20 games 0.55
    assert mean == standings.table.mean_payoff(1)


@pytest.mark.parametrize("system", ["round-robin", "gauntlet"])
def test_each_entrant_of_a_tournament_plays_alone(game: Game, system: str, tmp_path: Path) -> None:
    out = tmp_path / "single.db"
    table = contests.tournament(game, PLAYERS, 4, out, system=system, opening=0).table
    assert [table.games[number] for number in range(3)] == [4, 4, 4]
    assert table.against(2, 0) == (4, 0, 0)
    assert sum(table.against(2, 1)) == 4
    again = contests.tournament(game, PLAYERS, 4, out, system=system, opening=0).table
    assert (again.wins, again.draws) == (table.wins, table.draws)


def test_a_player_that_fails_is_behind_the_lowest_payoff(game: Game) -> None:
    def broken(state: object) -> str:
        return "no move"

    players = {"broken": broken, "low": "low"}
    table = contests.match(game, players, 2, opening=0).table
    assert table.against(1, 0) == (2, 0, 0)
    assert (table.mean_payoff(0), table.mean_payoff(1)) == (None, -6)


def test_the_command_prints_payoffs_and_no_elo(tmp_path: Path) -> None:
    spec = tmp_path / "single.yaml"
    spec.write_text(SPEC)
    words = ("match", str(spec), "--player", "low", "--player", "high", "--games", "2")
    shown = call(*words, "--opening", "0", "--engine", "interpreter")
    assert (shown.code, shown.err) == (0, "")
    assert "high    100.0 %     2      0       0" in shown.out
    assert "mean payoff: low -6.00, high 6.00" in shown.out
    assert "Elo" not in shown.out
    rows = call(*words, "--opening", "0", "--engine", "interpreter", "--json").json()
    assert [row["mean_payoff"] for row in rows["players"]] == [-6, 6]
    assert rows["elo"] is None
