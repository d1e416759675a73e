"""The opponents of an environment: texts of players, functions of a session, or objects."""

from collections.abc import Mapping

from rulesengine.adapters.recorded_game import RecordedGame
from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.players import Contestant, Fault, Seat, Turn, player_object, player_of
from rulesengine.play.players.base import Player, legal_move
from rulesengine.state import Move

Opponent = Contestant | Mapping[str, Contestant]


class Opponents:
    """The players of all seats but one."""

    def __init__(self, game: Game, opponent: Opponent, player: int) -> None:
        names = [name for place, name in enumerate(game.players) if place != player]
        chosen = opponent if isinstance(opponent, Mapping) else dict.fromkeys(names, opponent)
        if sorted(chosen) != sorted(names):
            choices = ", ".join(map(str, chosen))
            raise UsageError(f"expected an opponent for {', '.join(names)}; found {choices:.60}")
        if not isinstance(opponent, (Mapping, str)) and not callable(opponent) and len(names) > 1:
            raise UsageError(f"expected a map with an opponent for {', '.join(names)}")
        self.game = game
        self._players = {name: _player(game, one) for name, one in chosen.items()}
        self._has_begun = False

    def begin(self, seed: int) -> None:
        """Start a new game."""
        self.end()
        start = self.game.initial_state()
        for name, player in self._players.items():
            player.begin(Seat(self.game, name, start, seed))
        self._random = Generator(seed, 0)
        self._has_begun = True

    def move(self, recorded: RecordedGame) -> Move:
        """Return the move of the player to move. Raises UsageError if it fails."""
        state = recorded.state
        turn = Turn(state, tuple(recorded.moves), self._random)
        try:
            return legal_move(self.game, state, self._players[state.mover].choose(turn))
        except Fault as fault:
            raise UsageError(f"the opponent {state.mover} fails: {fault}") from None

    def end(self) -> None:
        """End the game."""
        if self._has_begun:
            self._has_begun = False
            for player in self._players.values():
                player.end(())

    def close(self) -> None:
        """End the game and all programs."""
        self.end()
        for player in self._players.values():
            player.close()


def _player(game: Game, contestant: Contestant) -> Player:
    return player_of(game, contestant) if isinstance(contestant, str) else player_object(contestant)
