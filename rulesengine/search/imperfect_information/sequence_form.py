"""The sequence form of a two-player game: information sets, and payoffs by pairs of sequences.

A sequence is the list of own moves that lead to a node. With perfect recall, each information set
has one own sequence, and the strategies of a player are linear in its sequences (Koller, Megiddo,
von Stengel 1996). See decision 150.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Generic

from rulesengine.errors import InternalError, UsageError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.extensive_form import (
    Chance,
    Decision,
    ExtensiveForm,
    H,
    InformationState,
    Terminal,
)
from rulesengine.support.frozen import record

EMPTY = 0  # the number of the sequence without moves
_PAIR = 2
_POLLED = 256  # histories between two polls of a job


@record
class InformationSet:
    """An information set of a player.

    - `information` is the information state that its nodes share.
    - `moves` are the texts of its moves.
    - `parent` is the number of the own sequence that leads to it.
    - `first` is the number of the sequence that ends with its first move; the other moves follow.
    """

    information: InformationState
    moves: tuple[str, ...]
    parent: int
    first: int

    @property
    def sequences(self) -> range:
        """Return the numbers of the sequences that end with a move of this set."""
        return range(self.first, self.first + len(self.moves))


@record
class Payoff:
    """The payoffs of all ends that a pair of sequences leads to, weighted by chance.

    - `sequences` has the number of the sequence of each player.
    - `value` is the sum of the payoffs of the first player, each times the probability of chance.
    """

    sequences: tuple[int, int]
    value: float


@record
class SequenceForm:
    """A two-player zero-sum game in sequence form.

    - `players` are the names of the players; a missing second player has the name "".
    - `sets` has the information sets of each player, by levels: a set comes after its parents.
    - `levels` has the number of sets of each level, for each player. The level of a set is the
      number of own moves before it.
    - `sizes` is the number of sequences of each player.
    - `payoffs` are the payoffs other than 0.
    - `least` and `greatest` are the extreme payoffs of the first player.
    - `histories` is the number of nodes of the tree.
    """

    players: tuple[str, str]
    sets: tuple[tuple[InformationSet, ...], tuple[InformationSet, ...]]
    levels: tuple[tuple[int, ...], tuple[int, ...]]
    sizes: tuple[int, int]
    payoffs: tuple[Payoff, ...]
    least: int
    greatest: int
    histories: int


def sequence_form(
    form: ExtensiveForm[H], limit: int, job: Job | None = None
) -> SequenceForm | None:
    """Return the sequence form of a game; None if the tree has more than `limit` histories.

    A job counts histories. Raises UsageError for a game of more than two players, and for payoffs
    whose sum is not the same at all ends.
    """
    if len(form.players) > _PAIR:
        raise UsageError("counterfactual regret minimisation is for games of two players")
    walk, job = _TreeWalk(form), job or Job()
    open_nodes: list[_Reached[H]] = [(form.root(), (EMPTY, EMPTY), Fraction(1))]
    while open_nodes:
        if walk.histories == limit:
            return None
        open_nodes += reversed(tuple(walk.visit(*open_nodes.pop())))
        if walk.histories % _POLLED == 0:
            job.raise_if_stopped()
            job.advance(_POLLED)
    return walk.by_levels()


@record
class _DiscoveredSet:
    """An information set as it was found first.

    - `number` counts the sets of its player.
    - `first` and `parent` are numbers of sequences, in the order of discovery.
    - `level` is the number of own moves before the set.
    """

    number: int
    information: InformationState
    moves: tuple[str, ...]
    parent: int
    first: int
    level: int


# A history, the sequences of both players that lead to it, and the probability of its chance moves.
_Reached = tuple[H, tuple[int, int], Fraction]


class _TreeWalk(Generic[H]):
    """The information sets and payoffs that a walk through the tree has found."""

    def __init__(self, form: ExtensiveForm[H]) -> None:
        self.histories = 0
        self._form = form
        self._sets: tuple[dict[bytes, _DiscoveredSet], ...] = ({}, {})
        # for each player the level that follows each sequence
        self._levels: tuple[list[int], ...] = ([0], [0])
        self._values: dict[tuple[int, int], Fraction] = {}
        self._sum: int | None = None
        self._extremes = (0, 0)

    def visit(
        self, history: H, reached: tuple[int, int], chance: Fraction
    ) -> Iterator[_Reached[H]]:
        """Record the node of a history, and yield its children."""
        self.histories += 1
        child = self._form.child
        match self._form.node(history):
            case Terminal(payoffs):
                self.add_end(reached, payoffs, chance)
            case Chance(weights):
                total = sum(weights)
                for number, weight in enumerate(weights):
                    if weight:
                        yield child(history, number), reached, chance * Fraction(weight, total)
            case Decision() as decision:
                first = self.first_sequence(decision, reached[decision.player])
                for number in range(len(decision.moves)):
                    extended = _extended(reached, decision.player, first + number)
                    yield child(history, number), extended, chance

    def first_sequence(self, decision: Decision, parent: int) -> int:
        """Return the number of the sequence of the first move of a decision.

        Raises InternalError for an information set that contradicts perfect recall.
        """
        sets, levels = self._sets[decision.player], self._levels[decision.player]
        key = decision.information.key
        known = sets.get(key)
        if known is None:
            first, level = len(levels), levels[parent]
            levels += [level + 1] * len(decision.moves)
            sets[key] = _DiscoveredSet(
                len(sets), decision.information, decision.moves, parent, first, level
            )
            return first
        if (known.parent, known.moves) != (parent, decision.moves):
            raise InternalError("an information set has different moves at two of its histories")
        return known.first

    def add_end(self, reached: tuple[int, int], payoffs: Sequence[int], chance: Fraction) -> None:
        """Add the payoff of an end. Raises UsageError if the game is not zero-sum."""
        first = payoffs[0]
        self._check_sum(sum(payoffs))
        least, greatest = self._extremes if self._values else (first, first)
        self._extremes = min(least, first), max(greatest, first)
        self._values[reached] = self._values.get(reached, Fraction(0)) + first * chance

    def _check_sum(self, total: int) -> None:
        """Raise UsageError if the payoffs of two players have another sum than at other ends."""
        if self._sum is None:
            self._sum = total
        if len(self._form.players) == _PAIR and total != self._sum:
            raise UsageError(
                "counterfactual regret minimisation needs payoffs that sum to zero:"
                f" the ends of this game have the sums {self._sum} and {total}"
            )

    def by_levels(self) -> SequenceForm:
        """Return the sequence form, with sets and sequences numbered by levels."""
        players = self._form.players
        ordered = tuple(_by_level(tuple(sets.values())) for sets in self._sets)
        numbers = tuple(map(_renumbered, ordered))
        payoffs = tuple(
            Payoff((numbers[0][one], numbers[1][two]), float(value))
            for (one, two), value in self._values.items()
            if value
        )
        first, second = (_numbered(*pair) for pair in zip(ordered, numbers, strict=True))
        return SequenceForm(
            (players[0], players[1] if len(players) == _PAIR else ""),
            (first, second),
            (_level_sizes(ordered[0]), _level_sizes(ordered[1])),
            (len(numbers[0]), len(numbers[1])),
            payoffs,
            *self._extremes,
            self.histories,
        )


def _extended(reached: tuple[int, int], player: int, sequence: int) -> tuple[int, int]:
    """Return the sequences of both players after a move of one of them."""
    return (sequence, reached[1]) if player == 0 else (reached[0], sequence)


def _by_level(sets: Sequence[_DiscoveredSet]) -> tuple[_DiscoveredSet, ...]:
    return tuple(sorted(sets, key=lambda entry: (entry.level, entry.number)))


def _renumbered(ordered: Sequence[_DiscoveredSet]) -> dict[int, int]:
    """Return the number by levels of each sequence, keyed by the number of its discovery."""
    numbers = {EMPTY: EMPTY}
    for entry in ordered:
        for number in range(len(entry.moves)):
            numbers[entry.first + number] = len(numbers)
    return numbers


def _numbered(
    ordered: Sequence[_DiscoveredSet], numbers: dict[int, int]
) -> tuple[InformationSet, ...]:
    return tuple(
        InformationSet(entry.information, entry.moves, numbers[entry.parent], numbers[entry.first])
        for entry in ordered
    )


def _level_sizes(ordered: Sequence[_DiscoveredSet]) -> tuple[int, ...]:
    """Return the number of sets of each level."""
    levels = [entry.level for entry in ordered]
    return tuple(levels.count(level) for level in range(max(levels, default=-1) + 1))
