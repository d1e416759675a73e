"""Games of an authority, replayed in our engine and compared at every ply."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import rulesengine
from tests.oracles.openspiel import Ply, Result


@dataclass(frozen=True, slots=True)
class Source:
    """Games of an authority: its function and its name for the game, our name, and the number of
    games.

    `ends` are reasons, as our spec gives them, that must occur in the games.
    """

    games: Callable[[str, int], Iterator[Ply | Result]]
    name: str
    ours: str
    count: int
    ends: frozenset[str]
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}-{self.games.__module__.rpartition('.')[2]}"

    def compare(self, least: int) -> None:
        """Replay so many of the games, and more until all the ends have occurred."""
        game = rulesengine.load(self.ours, **self.parameters)
        found = set[str | None]()
        for seed in range(self.count):
            if seed < least or not self.ends <= found:
                found.add(replay(game, self.games(self.name, seed)))
        assert self.ends <= found


def replay(game: rulesengine.Game, plies: Iterator[Ply | Result]) -> str | None:
    """Replay an authority's game in ours, compare at every ply, return the reason of its end."""
    state = game.initial_state()
    for ply in plies:
        assert tuple(str(state).split("\n")[: len(ply.board)]) == ply.board
        outcome = game.outcome(state)
        if isinstance(ply, Result):
            assert outcome is not None
            assert outcome.winner == ply.winner
            assert game.legal_moves(state) == ()
            return outcome.reason
        assert outcome is None
        assert state.mover == ply.mover
        legal = {str(move): move for move in game.legal_moves(state)}
        assert legal.keys() == ply.legal
        state = game.apply(state, legal[ply.played])
    return None
