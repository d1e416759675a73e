"""The players of a game that a person follows or interrupts: undo and resume are possible."""

from collections.abc import Sequence

from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.play.players.base import Player, Seat, Turn, legal_move
from rulesengine.play.players.builtin import EnginePlayer
from rulesengine.play.players.registry import player_of
from rulesengine.state import Move, State


class SeatedPlayers:
    """Players by name and text, created on first use and closed together.

    A player that has seen other moves than those before its turn begins a new game.
    """

    def __init__(self) -> None:
        self._players: dict[tuple[str, str], Player] = {}
        self._histories: dict[tuple[str, str], tuple[Move, ...]] = {}

    def choose(self, game: Game, state: State, text: str, moves: Sequence[Move], seed: int) -> Move:
        """Return the move of a player in a state after moves from the start. Raises Fault."""
        key = state.mover, text
        if key not in self._players:
            self._players[key] = _player(game, text)
        player, history = self._players[key], self._histories.get(key)
        if history is None or tuple(moves[: len(history)]) != history:
            if history is not None:
                player.end(history)
            self._histories[key] = ()
            player.begin(Seat(game, state.mover, game.initial_state(), seed))
        turn = Turn(state, moves, Generator(seed, len(moves)))
        move = legal_move(game, state, player.choose(turn))
        self._histories[key] = (*moves, move)
        return move

    def close(self) -> None:
        """End all programs."""
        for player in self._players.values():
            player.close()
        self._players.clear()
        self._histories.clear()


def _player(game: Game, text: str) -> Player:
    player = player_of(game, text)
    if isinstance(player, EnginePlayer):
        player.reuse_results()
    return player
