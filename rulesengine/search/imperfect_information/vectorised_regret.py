"""CFR+ in NumPy arrays: the same sums as in plain Python, in another order."""

from typing import TYPE_CHECKING

from rulesengine.search.imperfect_information.best_response import Bounds, PayoffTable
from rulesengine.search.imperfect_information.sequence_form import SequenceForm

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.int64]


class _Level:
    """The information sets of a player at one level, as arrays."""

    def __init__(self, form: SequenceForm, player: int, first: int, count: int) -> None:
        import numpy as np

        sets = form.sets[player][first : first + count]
        # the sequences of the level are contiguous
        self.sequences = slice(sets[0].first, sets[-1].sequences.stop)
        # the first sequence of each set, counted from that of the level
        self.starts: Numbers = np.array([s.first - sets[0].first for s in sets])
        # the sequence that leads to each set
        self.parents: Numbers = np.array([s.parent for s in sets])
        # the set of each sequence, counted from the first set of the level
        self.owners: Numbers = np.repeat(np.arange(count), [len(s.moves) for s in sets])
        # the probability of each move in an equal distribution
        self.equal: Floats = (1.0 / np.array([len(s.moves) for s in sets]))[self.owners]


class _Side:
    """The payoffs and levels of a player."""

    def __init__(self, form: SequenceForm, player: int) -> None:
        import numpy as np

        self.size = form.sizes[player]
        pairs = np.array([p.sequences for p in form.payoffs], dtype=np.int64).reshape(-1, 2)
        sign = 1.0 if player == 0 else -1.0
        self._own: Numbers = pairs[:, player].copy()
        self._other: Numbers = pairs[:, 1 - player].copy()
        self._payoffs: Floats = np.array([p.value * sign for p in form.payoffs])
        first, levels = 0, []
        for count in form.levels[player]:
            levels.append(_Level(form, player, first, count))
            first += count
        self.levels = tuple(levels)
        # all sets as one level, for sums that do not depend on the order
        self.whole = _Level(form, player, 0, first) if first else None

    def values(self, plan: "Floats") -> "Floats":
        """Return the payoff of each own sequence against a plan of the opponent."""
        import numpy as np

        products = self._payoffs * plan[self._other]
        return np.bincount(self._own, weights=products, minlength=self.size).astype(np.float64)


class VectorisedCfrPlus:
    """CFR+ in NumPy arrays; see `CfrPlus`."""

    def __init__(self, form: SequenceForm) -> None:
        import numpy as np

        self.iterations = 0
        self._form = form
        self._table = PayoffTable(form)
        self._sides = tuple(_Side(form, player) for player in (0, 1))
        self._regrets = tuple(np.zeros(size) for size in form.sizes)
        self._sums = tuple(np.zeros(size) for size in form.sizes)
        self._strategies = [self._matched(player, self._regrets[player]) for player in (0, 1)]
        self._plans = [self._plan(player, self._strategies[player]) for player in (0, 1)]

    def iterate(self) -> None:
        """Update the first player, then the second one against its new strategy."""
        self.iterations += 1
        for player in (0, 1):
            self._add_regrets(player)
            self._strategies[player] = self._matched(player, self._regrets[player])
            self._plans[player] = self._plan(player, self._strategies[player])
            self._sums[player][:] += self.iterations * self._plans[player]

    def bounds(self) -> Bounds:
        """Return the bounds of the value that the average strategies prove."""
        strategies = [self._matched(player, self._sums[player]) for player in (0, 1)]
        plans = [
            self._plan(player, strategy).tolist() for player, strategy in enumerate(strategies)
        ]
        return self._table.bounds(plans)

    def average_strategy(self, player: int) -> list[float]:
        """Return the average strategy of a player: a probability for each sequence."""
        strategy: list[float] = self._matched(player, self._sums[player]).tolist()
        return strategy

    def _add_regrets(self, player: int) -> None:
        import numpy as np

        side, strategy, regrets = (
            self._sides[player],
            self._strategies[player],
            self._regrets[player],
        )
        values = side.values(self._plans[1 - player])
        for level in reversed(side.levels):
            own = level.sequences
            means = np.add.reduceat(strategy[own] * values[own], level.starts)
            regrets[own] += values[own] - means[level.owners]
            added = np.bincount(level.parents, weights=means)
            values[: len(added)] += added
        np.maximum(regrets, 0.0, out=regrets)

    def _matched(self, player: int, weights: "Floats") -> "Floats":
        """Return the strategy with probabilities proportional to weights in each set."""
        import numpy as np

        strategy: Floats = np.ones(self._form.sizes[player])
        sets = self._sides[player].whole
        if sets is not None:
            own = weights[sets.sequences]
            totals = np.add.reduceat(own, sets.starts)[sets.owners]
            shares = np.divide(own, totals, out=sets.equal.copy(), where=totals > 0.0)
            strategy[sets.sequences] = shares
        return strategy

    def _plan(self, player: int, strategy: "Floats") -> "Floats":
        """Return the realisation plan of a strategy."""
        import numpy as np

        plan: Floats = np.ones(self._form.sizes[player])
        for level in self._sides[player].levels:
            plan[level.sequences] = plan[level.parents][level.owners] * strategy[level.sequences]
        return plan
