"""A game in progress: its states, moves and players, with undo."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.errors import NotationError
from rulesengine.game import Game
from rulesengine.play.players.controllers import HUMAN, RANDOM, choose, require_known
from rulesengine.play.records.native import HEAD, GameRecord, read_record, rules_hash
from rulesengine.play.replay import replay
from rulesengine.state import Move, State
from rulesengine.support.files import read_source

if TYPE_CHECKING:
    from rulesengine.play.players.controllers import Searchers


@dataclass(frozen=True, slots=True)
class Session:
    """A game in progress. `states` has one more entry than `moves`; `spec` is the argument of
    `load`.

    `searchers` holds the searchers of the players, with the trees and tables of earlier moves.
    """

    game: Game
    players: Mapping[str, str]
    states: tuple[State, ...]
    moves: tuple[Move, ...] = ()
    seed: int = 0
    spec: str = ""
    searchers: "Searchers" = field(default_factory=dict, compare=False)

    @classmethod
    def begin(
        cls,
        game: Game,
        players: Mapping[str, str],
        *,
        state: State | None = None,
        seed: int = 0,
        spec: str = "",
    ) -> "Session":
        """Start a game from its initial state or from another state."""
        first = game.initial_state() if state is None else state
        return cls(game, players, (first,), (), seed, spec)

    @classmethod
    def resume(cls, game: Game, record: GameRecord, spec: str = "") -> "Session":
        """Resume the game of a record. Raises NotationError if the record breaks the rules."""
        played = replay(game, record)
        if played.differences:
            raise NotationError("; ".join((*played.changed, *played.differences)))
        players = {name: record.players.get(name, HUMAN) for name in played.game.players}
        require_known(played.game, players)
        return cls(played.game, players, played.states, played.moves, record.seed, spec)

    def with_players(self, players: Mapping[str, str]) -> "Session":
        """Return the same game with other players."""
        return replace(self, players=players)

    @property
    def state(self) -> State:
        """Return the current state."""
        return self.states[-1]

    @property
    def who(self) -> str:
        """Return the text of the player to move; `random` at a chance node."""
        return self._who(self.state)

    def _who(self, state: State) -> str:
        return RANDOM if self.game.weights(state) else self.players[state.mover]

    @property
    def has_person(self) -> bool:
        return HUMAN in self.players.values()

    def play(self, move: Move) -> "Session":
        """Return the session after a legal move."""
        after = self.game.apply(self.state, move)
        return replace(self, states=(*self.states, after), moves=(*self.moves, move))

    def answer(self) -> Move | None:
        """Return the move of the player to move, if it is not a person; None if there is no legal
        move.
        """
        return choose(self.game, self.state, self.who, self.seed, len(self.moves), self.searchers)

    def undo(self) -> "Session | None":
        """Return the session before the last move of a person; None if there is none."""
        for ply in range(len(self.moves) - 1, -1, -1):
            if self._who(self.states[ply]) == HUMAN:
                return replace(self, states=self.states[: ply + 1], moves=self.moves[:ply])
        return None

    def record(self) -> GameRecord:
        """Return the record of the game so far."""
        first = self.states[0]
        return GameRecord(
            game=self.game.name,
            rules=rules_hash(self.game),
            moves=tuple(map(str, self.moves)),
            result=self.game.outcome(self.state),
            spec=self.spec,
            parameters=self.game.parameters,
            players=dict(self.players),
            seed=self.seed,
            start="" if first == self.game.initial_state() else str(first),
        )


def resumed(session: Session, path: Path) -> Session:
    """Return the session of a file that contains a record, or a state as `str(state)` writes it.

    Raises NotationError for a text that is neither or that breaks the rules, UsageError for a file
    that cannot be read.
    """
    text = read_source(path).text
    try:
        if text.startswith(HEAD):
            return Session.resume(session.game, read_record(text), session.spec)
        state = session.game.state_from(text)
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
    return replace(session, states=(state,), moves=())
