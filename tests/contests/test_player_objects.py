"""Players of the caller in contests: functions of a session and objects, next to texts."""

from pathlib import Path
from typing import Any

import pytest

from rulesengine import Game, Move, UsageError, load
from rulesengine.contests import (
    BasePlayer,
    Fault,
    PlayerSession,
    Sprt,
    Turn,
    html_report,
    match,
    threads,
    tournament,
)
from rulesengine.contests.entrants import entrants_of
from rulesengine.contests.units import Entrant
from rulesengine.play import read_record
from tests.contests.test_tournaments import games_of


class First(BasePlayer):
    """Plays the first legal move; it counts the calls of `close`."""

    closed = 0

    def choose(self, turn: Turn) -> Move:
        return self.seat.game.legal_moves(turn.state)[0]

    def close(self) -> None:
        self.closed += 1


class Resigning(BasePlayer):
    def choose(self, turn: Turn) -> Move:
        raise Fault("resignation", "after careful thought")


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


def returning(answer: object) -> Any:
    """Return a player, a function that always returns this answer."""

    def player(session: PlayerSession) -> Any:
        return answer

    return player


def test_objects_functions_and_texts_play_each_other(tic: Game) -> None:
    def last_move(session: PlayerSession) -> Move:
        return session.legal_moves[-1]

    first = First()
    standings = match(tic, [first, last_move, "search:nodes=20"], 4, opening=0)
    assert [one.name for one in standings.contest.entrants] == [
        "First", "last_move", "search:nodes=20",
    ]  # fmt: skip
    assert standings.table.played == 12
    # By hand: the player that begins fills its row first, a3 b3 c3 or c1 b1 a1.
    assert standings.table.against(0, 1) == (2, 0, 2)
    assert first.closed == 0


def test_a_map_names_the_players(tic: Game) -> None:
    given = entrants_of({"mine": First(), "theirs": "random"})
    assert given.entrants == (Entrant("mine", "object:mine"), Entrant("theirs", "random"))
    assert given.texts == ("random",)
    assert match(tic, {"a": First(), "b": First()}, 2).table.played == 2


@pytest.mark.parametrize(
    ("players", "why"),
    [
        ([First, "random"], "found the class `First`: create one by `First\\(\\)`"),
        ([3, "random"], "a function of a session, or an object with the method `choose`; found 3"),
        (["x=object:First", First()], "unknown player `object:First`"),
        (["object:x", "random"], "unknown player `object:x`"),
        ([First(), First()], "`First` is given twice"),
        ({"a b:c": First(), "x": "random"}, "expected NAME=PLAYER, found `a b:c`"),
        ("random", "expected several players, found the text `random`"),
        ([returning(None), "random"], "expected a move of cross, found None"),
    ],
)
def test_players_that_cannot_be_are_reported(tic: Game, players: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        match(tic, players, 2)


def test_an_object_is_not_an_opponent_of_itself(tic: Game) -> None:
    one = First()
    with pytest.raises(UsageError, match="a player object is given twice"):
        match(tic, {"a": one, "b": one}, 2)


@pytest.mark.parametrize(
    ("player", "kind"),
    [
        (returning("z9"), "illegal move"),
        (returning("a1"), "illegal move"),
        (Resigning(), "resignation"),
    ],
)
def test_illegal_moves_and_faults_forfeit_the_game(tic: Game, player: Any, kind: str) -> None:
    standings = match(tic, {"bad": player, "good": First()}, 4, opening=0)
    assert standings.table.faults
    assert {fault for _, fault in standings.table.faults} == {kind}


def test_a_move_of_another_state_is_illegal(tic: Game) -> None:
    center = tic.move("b2")
    standings = match(tic, {"stubborn": returning(center), "good": First()}, 2, opening=0)
    assert standings.table.against(0, 1)[0] == 0
    assert sum(standings.table.faults.values()) == 2


def test_other_exceptions_of_a_player_reach_the_caller(tic: Game) -> None:
    def broken(session: PlayerSession) -> Move:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        match(tic, [broken, "random"], 2)


def test_objects_do_not_play_in_other_threads(tic: Game) -> None:
    with threads(2) as pool, pytest.raises(UsageError, match="plays in this thread"):
        match(tic, [First(), "random"], 2, executor=pool)


def test_a_tournament_with_an_object_goes_on_and_is_reported(tic: Game, tmp_path: Path) -> None:
    out = tmp_path / "t.db"
    players = {"mine": First(), "other": "search:nodes=6"}
    first = tournament(tic, players, 4, out, seed=2)
    again = tournament(tic, players, 4, out, seed=2)
    assert again.table.against(0, 1) == first.table.against(0, 1)
    records = [read_record(str(row[-1])) for row in games_of(out)]
    assert {*records[0].players.values()} == {"object:mine", "search:nodes=6"}
    assert "an object or a function in Python" in html_report(again, out, tic)


def test_a_sequential_test_takes_an_object(tic: Game) -> None:
    standings = match(tic, {"mine": First(), "bad": returning("z9")}, 100, sprt=Sprt(0, 10))
    assert standings.failing
    assert standings.table.played < 100
