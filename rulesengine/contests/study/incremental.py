"""Incremental study of one game in this thread; statistics are available at any time."""

from collections.abc import Iterator
from itertools import chain, zip_longest

from rulesengine.contests.study.design import Design, pairings, tasks, terms_for
from rulesengine.contests.study.findings import Findings, findings_of
from rulesengine.contests.unit_runner import play_unit
from rulesengine.contests.units import PlayedGame
from rulesengine.game import Game
from rulesengine.support.frozen import replace


class IncrementalStudy:
    """The games of a design so far, of `total`; `play` plays the rest in small steps."""

    def __init__(self, game: Game, design: Design) -> None:
        self.game, self.design = game, design.checked()
        # One round per unit, for early updates.
        self._pairings = [replace(one, size=1) for one in pairings(design, len(game.players))]
        self._games = dict[int, list[PlayedGame]]()
        self.total = sum(one.games for one in self._pairings)

    @property
    def games_played(self) -> int:
        """Return the number of games played."""
        return sum(map(len, self._games.values()))

    def play(self) -> Iterator[None]:
        """Play a round of each pairing in turn; yield after each one."""
        terms = terms_for(self.design, self.game, "")
        kinds = [tasks(terms, [one], 0, 0) for one in self._pairings]
        for own, unit in filter(None, chain.from_iterable(zip_longest(*kinds))):
            self._games.setdefault(unit.group, []).extend(play_unit(own, unit).games)
            yield

    def findings(self) -> Findings:
        """Return the statistics of the games so far; the tree is not counted, which may be slow."""
        return findings_of(self.game, self.design, self._games, counts=False)
