"""Other histories of a game that agree with the information state of the player to move."""

from bisect import bisect_right
from collections.abc import Callable

from rulesengine.adapters.observed_line import ObservedLine
from rulesengine.engine.observation import InformationState
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.search.imperfect_information.determinization import (
    Determinizations,
    Determinizer,
)
from rulesengine.search.imperfect_information.game_tree import GameHistory, GameTree

_PARTICLES = 500


class Resampler:
    """Draws histories for one player; those of the last information state are cached.

    They continue from those of an earlier information state where they can.
    """

    def __init__(self, game: Game, player: int) -> None:
        self._game = game
        self._determinizer = Determinizer(GameTree(game), player, limit=_PARTICLES)
        self._known: tuple[bytes, Determinizations[GameHistory]] | None = None

    def draw(
        self, first: ObservedLine, information: InformationState, random: Callable[[], float]
    ) -> ObservedLine:
        """Return a line of actions from the first position, drawn by its weight.

        `random` returns numbers from 0 to 1. Raises LimitError if no history was found.
        """
        if self._known is None or self._known[0] != information.key:
            found = self._determinizer.determinizations(information, Job())
            self._known = information.key, found
        chosen = self._known[1]
        mark = random() * chosen.totals[-1]
        number = min(bisect_right(chosen.totals, mark), len(chosen.totals) - 1)
        line = first
        for move in chosen.histories[number].line:
            for action in self._game.actions.action_of(line.state, move):
                line = line.after(action)
        return line
