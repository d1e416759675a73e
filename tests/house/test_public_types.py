"""The types of the public API: mypy, part of the gate, checks each `assert_type` of this file."""

from collections.abc import Sequence
from pathlib import Path
from typing import assert_type

import pytest

import rulesengine
from rulesengine import (
    BundledSpec,
    Game,
    Move,
    Outcome,
    Playouts,
    Record,
    Session,
    State,
    Step,
    contests,
)
from rulesengine.contests import Standings, Turn

ROOT = Path(__file__).parents[2]
TEXT = "extends: tic-tac-toe\nname: Mine\ntests: null\n"


@pytest.mark.slow
def test_games_and_their_listing_have_types() -> None:
    assert_type(rulesengine.load("tic-tac-toe"), Game)
    assert_type(rulesengine.loads(TEXT), Game)
    found = assert_type(rulesengine.games("mancala", players=2), tuple[BundledSpec, ...])
    assert_type(found[0].tags, tuple[str, ...])
    assert_type(found[0].players, tuple[int, ...])
    assert found


def test_states_moves_and_outcomes_have_types() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    state = assert_type(game.initial_state(), State)
    moves = assert_type(game.legal_moves(state), Sequence[Move])
    assert_type(moves[0].steps, tuple[Step, ...])
    assert_type(game.move("a1", state), Move)
    assert_type(game.find("a1", state), Move | None)
    after = assert_type(game.apply(state, "a1"), State)
    outcome = assert_type(game.outcome(after), Outcome | None)
    assert_type(game.move_record(state, moves[0]), Record)
    assert_type(state.mover, str)
    assert_type(state.piece_at("a1"), str | None)
    assert_type(game.why_not("a1", state), str)
    assert outcome is None


def test_sessions_counts_and_searches_have_types() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    session = assert_type(game.start(), Session)
    assert_type(session.moves, tuple[Move, ...])
    assert_type(game.perft(1), int)
    assert_type(game.count(1), tuple[int, ...])
    assert_type(game.playouts(1), Playouts)
    assert_type(game.search(nodes=10).move, Move)
    assert_type(game.svg(), str)
    assert_type(game.players, tuple[str, ...])


def test_players_of_contests_have_types() -> None:
    class Mine(contests.BasePlayer):
        def choose(self, turn: Turn) -> Move:
            assert_type(turn.state, State)
            assert_type(turn.moves, Sequence[Move])
            return assert_type(self.seat.game, Game).legal_moves(turn.state)[0]

    def function(session: contests.PlayerSession) -> str:
        return str(assert_type(session.legal_moves, Sequence[Move])[0])

    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    players: list[contests.Contestant] = [Mine(), function, "random"]
    standings = assert_type(contests.match(game, players, 2), Standings)
    assert_type(contests.match(game, {"a": Mine(), "b": function}, 2), Standings)
    assert standings.table.played == 6


def test_the_package_is_marked_as_typed() -> None:
    assert (ROOT / "rulesengine" / "py.typed").exists()
