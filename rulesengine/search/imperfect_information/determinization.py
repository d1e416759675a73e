"""Determinizations: histories that agree with the information state of a player, with weights.

The line of information states is replayed from the root. Up to a limit all histories that agree are
enumerated, where equal states count once. Beyond that they are particles: a random selection by
weight, drawn again after each move that the player notices. Some random moves of each are followed,
and those that disagree are rejected. The weight of a history is the probability of its chance
moves, and of equally probable moves of the other players. See decision 151.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Generic

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import LimitError, UsageError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.extensive_form import (
    Chance,
    Decision,
    H,
    InformationState,
    Node,
    ObservedForm,
    Terminal,
)
from rulesengine.support.frozen import record

LIMIT = 2000  # histories after each move that the player notices
_PARTS = 2**53  # random numbers are multiples of 1 / _PARTS, exact in floating point
_ATTEMPTS = 4  # each with twice as many particles as the one before
_STEPS = 64  # histories visited for each particle and information state
_BRANCHES = 4  # branches followed for each particle of the limit and information state
_NONE_AGREES = "no history was found in which the player has seen this and is to move"
_NOT_TO_MOVE = (
    "the player of this information state is not to move: search that of the player to move"
)


@record
class Determinizations(Generic[H]):
    """The histories that agree with an information state, or a selection of them.

    - `histories` are in a fixed order.
    - `totals` are the sums of the weights up to each history.
    - `is_complete` is true if these are all states that agree.
    """

    histories: tuple[H, ...]
    totals: tuple[float, ...]
    is_complete: bool

    def draw(self, random: Generator) -> int:
        """Return the number of a random history by weight."""
        mark = random.below(_PARTS) / _PARTS * self.totals[-1]
        low, high = 0, len(self.totals) - 1
        while low < high:
            middle = (low + high) // 2
            if self.totals[middle] > mark:
                high = middle
            else:
                low = middle + 1
        return low


# Histories with a weight each, by the keys of their states.
_Particles = dict[Hashable, tuple[H, float]]


class Determinizer(Generic[H]):
    """The determinizations of one player along a game; each call continues from the one before.

    The result depends on the information state, the seed and the limit alone.
    """

    def __init__(
        self, form: ObservedForm[H], player: int, seed: int = 0, limit: int = LIMIT
    ) -> None:
        self._form = form
        self._player = player
        self._seed = seed
        self._limit = limit
        self._replay: _Replay[H] | None = None

    def determinizations(self, information: InformationState, job: Job) -> Determinizations[H]:
        """Return the histories that agree with an information state in which the player moves.

        Raises UsageError if the player is not to move in any of them, and LimitError if none was
        found.
        """
        line = information.line
        for attempt in range(_ATTEMPTS):
            replay = self._continued(line) if attempt == 0 else self._fresh(attempt)
            particles = replay.advance(line, job)
            if particles:
                self._replay = replay if attempt == 0 else None
                return _weighted(tuple(particles.values()), is_complete=replay.is_complete)
            if replay.is_complete and replay.agrees:
                raise UsageError(_NOT_TO_MOVE)
        raise LimitError(_NONE_AGREES)

    def _continued(self, line: Sequence[bytes]) -> "_Replay[H]":
        """Return the replay of the last call if it leads to this line, else a fresh one."""
        last = self._replay
        if last is not None and tuple(line[: len(last.line)]) == last.line:
            return last
        return self._fresh(0)

    def _fresh(self, attempt: int) -> "_Replay[H]":
        return _Replay(self._form, self._player, self._seed + attempt, self._limit << attempt)


class _Replay(Generic[H]):
    """The histories that agree with a line of events so far.

    `line` has the keys of the last call of `advance`. `is_complete` is true until particles were
    selected.
    """

    def __init__(self, form: ObservedForm[H], player: int, seed: int, limit: int) -> None:
        self.line: tuple[bytes, ...] = ()
        self.is_complete = True
        self._form = form
        self._player = player
        self._seed = seed
        self._limit = limit
        self._random = Generator(seed, 0)
        root = form.root()
        # histories by the number of the last key of the line that they have reached
        first = len(form.information(root, player).line) - 1
        self._open: dict[int, _Particles[H]] = {first: {form.state_key(root): (root, 1.0)}}

    @property
    def agrees(self) -> bool:
        """True if some history agrees with the last line, for any player to move."""
        return any(self._open.values())

    def advance(self, line: tuple[bytes, ...], job: Job) -> _Particles[H]:
        """Return the histories with the last key of a line at which the player is to move."""
        self.line, last = line, len(line) - 1
        numbers = {key: number for number, key in enumerate(line)}
        for count in range(last):
            if count in self._open:
                particles = self._selected(self._open.pop(count), count)
                for number, child, weight in self._followed(particles, count, numbers, job):
                    self._add(self._open.setdefault(number, {}), child, weight)
        # a later call goes on from here: its result is that of a replay from the root
        self._open = {last: self._selected(self._open.get(last, {}), last)}
        reached: _Particles[H] = {}
        for _, history, weight in self._followed(self._open[last], last, numbers, job):
            self._add(reached, history, weight)
        return reached

    def _followed(
        self, particles: _Particles[H], count: int, numbers: Mapping[bytes, int], job: Job
    ) -> Iterator[tuple[int, H, float]]:
        """Yield extensions of histories that have reached later keys, with these and the weights.

        At the last key yield the histories at which the player is to move.
        """
        self._random = Generator(self._seed, 2 * count + 1)
        left, waiting = _STEPS * self._limit, list(particles.values())[::-1]
        most = max(1, _BRANCHES * self._limit // max(1, len(waiting)))
        own_move: int | None = None
        while waiting and left:
            left -= 1
            job.raise_if_stopped()
            history, weight = waiting.pop()
            node = self._form.node(history)
            is_own = isinstance(node, Decision) and node.player == self._player
            if is_own and count == len(self.line) - 1:
                yield count, history, weight
                continue
            for move, share in self._branches(node, own_move, most):
                child = self._form.child(history, move)
                number = numbers.get(self._form.information(child, self._player).key, -1)
                if number == count:
                    waiting.append((child, weight * share))
                elif number > count:
                    own_move = move if is_own else own_move
                    yield number, child, weight * share
        self.is_complete &= not waiting

    def _branches(self, node: Node, own_move: int | None, most: int) -> list[tuple[int, float]]:
        """Return the numbers of branches of a node, with the probability of each.

        Of more than `most` branches some random ones are returned. The move that the player has
        chosen has the probability 1. It has the same number in all histories, since they are in one
        information set.
        """
        match node:
            case Terminal():
                return []
            case Chance(weights):
                total = sum(weights)
                branches = [(n, weight / total) for n, weight in enumerate(weights) if weight]
            case Decision(player, _, moves):
                if player == self._player:
                    numbers = range(len(moves)) if own_move is None else (own_move,)
                    return [(number, 1.0) for number in numbers]
                branches = [(number, 1.0 / len(moves)) for number in range(len(moves))]
        return branches if len(branches) <= most else self._sampled(branches, most)

    def _sampled(self, branches: list[tuple[int, float]], count: int) -> list[tuple[int, float]]:
        """Return some random branches; each represents an equal part of all.

        Every branch is drawn with the same probability, by which its weight is divided.
        """
        self.is_complete = False
        left, drawn = list(branches), []
        for _ in range(count):
            drawn.append(left.pop(self._random.below(len(left))))
        factor = len(branches) / count
        return [(number, share * factor) for number, share in drawn]

    def _add(self, particles: _Particles[H], history: H, weight: float) -> None:
        """Add a history; of equal states the first history remains, with the sum of the weights."""
        key = self._form.state_key(history)
        known = particles.get(key)
        particles[key] = (history, weight) if known is None else (known[0], known[1] + weight)

    def _selected(self, particles: _Particles[H], count: int) -> _Particles[H]:
        """Return at most `limit` histories, selected by weight with equal distances.

        Systematic resampling (Kitagawa 1996): a history with a large weight may be selected several
        times, and then keeps the sum of these weights.
        """
        if len(particles) <= self._limit:
            return particles
        self.is_complete = False
        totals = list(accumulate(weight for _, weight in particles.values()))
        distance = totals[-1] / self._limit
        mark = Generator(self._seed, 2 * count).below(_PARTS) / _PARTS * distance
        selected: _Particles[H] = {}
        for (key, (history, _)), total in zip(particles.items(), totals, strict=True):
            times = 0
            while mark < total:
                mark += distance
                times += 1
            if times:
                selected[key] = history, times * distance
        return selected


def _weighted(particles: Sequence[tuple[H, float]], *, is_complete: bool) -> Determinizations[H]:
    totals = accumulate(weight for _, weight in particles)
    return Determinizations(tuple(h for h, _ in particles), tuple(totals), is_complete)
