"""Dark chess against OpenSpiel: the positions that moves lead to, what players see, and results."""

import random
import re
from collections.abc import Iterable
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State

pyspiel = pytest.importorskip("pyspiel")

# In the order of OpenSpiel.
PLAYERS = ("black", "white")


def rows_of(placement: str) -> list[str]:
    """Return the rows of a position in Forsyth-Edwards notation, with dots for empty cells."""
    return [re.sub(r"\d", lambda d: "." * int(d[0]), row) for row in placement.split("/")]


def board_of(state: State) -> tuple[str, ...]:
    return tuple(str(state).split("\n")[:8])


def hidden(rows: Iterable[str], passed: str) -> list[str]:
    """Return rows without the cell that a pawn has just passed, and the one that it has left.

    OpenSpiel shows them to the player of that pawn as if another own pawn could capture there.
    """
    lines = [[*row] for row in rows]
    if passed != "-":
        column = ord(passed[0]) - ord("a")
        for line in (1, 2) if passed[1] == "6" else (5, 6):
            lines[line][column] = "."
    return ["".join(line) for line in lines]


def compare_view(game: Game, state: State, other: Any, number: int) -> None:
    """Compare the cells that a player sees, and the rights to castle."""
    player = PLAYERS[number]
    observation = game.observation(state, player)
    placement, mover, rights = other.observation_string(number).split(" ")[:3]
    passed = str(other).split(" ")[3] if not player.startswith(mover) else "-"
    assert hidden(observation.rows, passed) == hidden(rows_of(placement), passed)
    registers = dict(observation.registers)
    assert (registers[f"short of {player}"] == "yes") == ("k" in rights.lower())
    assert (registers[f"long of {player}"] == "yes") == ("q" in rights.lower())


def compare(game: Game, seed: int, plies: int) -> str | None:
    """Compare a random game ply by ply, and return the reason of its end."""
    draw, state = random.Random(seed), game.initial_state()
    other = pyspiel.load_game("dark_chess").new_initial_state()
    for _ in range(plies):
        outcome = game.outcome(state)
        assert other.is_terminal() == (outcome is not None)
        if outcome:
            assert [outcome.payoffs[player] for player in PLAYERS] == other.returns()
            return outcome.reason
        for number in range(2):
            compare_view(game, state, other, number)
        assert PLAYERS.index(state.mover) == other.current_player()
        children = {number: str(other.child(number)) for number in other.legal_actions()}
        theirs = {tuple(rows_of(text.split(" ")[0])): number for number, text in children.items()}
        after = [game.apply(state, move) for move in game.legal_moves(state)]
        ours = {board_of(one): one for one in after}
        assert len(ours) == len(after)
        assert sorted(ours) == sorted(theirs)
        played = draw.choice(sorted(ours))
        state = ours[played]
        other.apply_action(theirs[played])
    return None


@pytest.mark.slow
def test_the_first_moves_are_those_of_openspiel() -> None:
    compare(rulesengine.load("dark-chess", engine="interpreter"), 0, 4)


@pytest.mark.deep
def test_random_games_are_those_of_openspiel() -> None:
    game = rulesengine.load("dark-chess", engine="native")
    reasons = {compare(game, seed, 600) for seed in range(12)}
    assert "the king is captured" in reasons
