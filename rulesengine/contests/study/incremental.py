"""A small study of one game, in this thread: what it shows can be looked at while games come in."""

from collections.abc import Iterator
from itertools import chain, zip_longest

from rulesengine.contests.study.design import Design, pairings, tasks, terms_for
from rulesengine.contests.study.findings import Findings, findings_of
from rulesengine.contests.unit_runner import play_unit
from rulesengine.contests.units import Played
from rulesengine.game import Game
from rulesengine.support.frozen import replace


class Growing:
    """The games of a design so far, of `total`; `play` plays the others, a few at a time."""

    def __init__(self, game: Game, design: Design) -> None:
        self.game, self.design = game, design.checked()
        # One game after the other: who looks on is told soon.
        self._pairings = [replace(one, size=1) for one in pairings(design, len(game.players))]
        self._games = dict[int, list[Played]]()
        self.total = sum(one.games for one in self._pairings)

    @property
    def done(self) -> int:
        """How many games there are."""
        return sum(map(len, self._games.values()))

    def play(self) -> Iterator[None]:
        """Play games of each kind in turn, a round of one kind in each step."""
        # Kernels, if they pay at all, are made beside the first games.
        terms = replace(terms_for(self.design, self.game, ""), compiles=False)
        kinds = [tasks(terms, [one], 0, 0) for one in self._pairings]
        for own, unit in filter(None, chain.from_iterable(zip_longest(*kinds))):
            self._games.setdefault(unit.group, []).extend(play_unit(own, unit).games)
            yield

    def findings(self) -> Findings:
        """What the games so far show; the tree is never counted, which may take long."""
        return findings_of(self.game, self.design, self._games, counts=False)
