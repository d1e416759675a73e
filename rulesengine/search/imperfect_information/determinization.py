"""Determinizations: histories that agree with the information state of a player, with weights.

The line of information states is replayed from the root. Up to a limit all histories that agree are
enumerated, where equal states count once. Beyond that they are particles: a random selection by
weight, drawn again after each move that the player notices, of which some random moves are followed
and those that disagree are rejected. The weight of a history is the probability of its chance
moves, and of equally probable moves of the other players.
"""

from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import Generic

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import LimitError
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
_NONE_AGREES = "no history was found that agrees with what the player has seen"


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

        Raises LimitError if none was found.
        """
        line = _line(information)
        for attempt in range(_ATTEMPTS):
            replay = self._continued(line) if attempt == 0 else self._fresh(attempt)
            found = replay.advance(line, job)
            if found:
                self._replay = replay if attempt == 0 else None
                return _weighted(tuple(found.values()), is_complete=replay.is_complete)
        raise LimitError(_NONE_AGREES)

    def _continued(self, line: Sequence[bytes]) -> "_Replay[H]":
        """Return the replay of the last call if it leads to this line, else a fresh one."""
        last = self._replay
        if last is not None and tuple(line[: len(last.line)]) == last.line:
            return last
        return self._fresh(0)

    def _fresh(self, attempt: int) -> "_Replay[H]":
        return _Replay(self._form, self._player, self._seed + attempt, self._limit << attempt)


def _line(information: InformationState) -> tuple[bytes, ...]:
    """Return the keys of the information states that lead to one, the first one first."""
    keys: list[bytes] = []
    at: InformationState | None = information
    while at is not None:
        keys.append(at.key)
        at = at.before
    return tuple(reversed(keys))


class _Replay(Generic[H]):
    """The histories that agree with a line of information states so far.

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
        root = form.root()
        self._random = Generator(seed, 0)
        # the number of the last information state that the histories agree with, from 0
        self._count = 0
        self._open: _Particles[H] = {form.state_key(root): (root, 1.0)}

    def advance(self, line: tuple[bytes, ...], job: Job) -> _Particles[H]:
        """Return the histories with the last information state of a line, if the player moves."""
        self.line = line
        self._open = self._selected(self._open)
        while self._count < len(line) - 1:
            self._random = Generator(self._seed, 2 * self._count + 1)
            following = self._follow(job, is_last=False)
            self._count += 1
            self._open = self._selected(following)
        # a later call goes on from `_open`: its result is that of a replay from the root
        self._random = Generator(self._seed, 2 * self._count + 1)
        return self._follow(job, is_last=True)

    def _follow(self, job: Job, *, is_last: bool) -> _Particles[H]:
        """Extend the histories until they agree with the next information state of the line.

        With `is_last` extend them by moves that the player does not notice, until it moves.
        """
        left, found = _STEPS * self._limit, _Particles[H]()
        waiting = list(self._open.values())[::-1]
        most = max(1, _BRANCHES * self._limit // max(1, len(waiting)))
        own_move: int | None = None
        while waiting and left:
            left -= 1
            job.poll()
            history, weight = waiting.pop()
            node = self._form.node(history)
            is_own = isinstance(node, Decision) and node.player == self._player
            if is_own and is_last:
                self._add(found, history, weight)
                continue
            branches = self._branches(node, own_move)
            if not is_own and len(branches) > most:
                branches = self._sampled(branches, most)
            for number, share in branches:
                child = self._form.child(history, number)
                steps = self._noticed(child)
                if steps == 0:
                    waiting.append((child, weight * share))
                elif steps == 1:
                    self._add(found, child, weight * share)
                    own_move = number if is_own else own_move
        self.is_complete &= not waiting
        return found

    def _noticed(self, history: H) -> int:
        """Return the number of further information states of the line that a history agrees with.

        -1 if it does not agree with the line.
        """
        key = self._form.information(history, self._player).key
        following = self.line[self._count : self._count + 2]
        return following.index(key) if key in following else -1

    def _branches(self, node: Node, own_move: int | None) -> list[tuple[int, float]]:
        """Return the numbers of the branches of a node, with the probability of each.

        The move that the player has chosen has the probability 1. It has the same number in all
        histories, since they are in one information set.
        """
        match node:
            case Terminal():
                return []
            case Chance(weights):
                total = sum(weights)
                return [(n, weight / total) for n, weight in enumerate(weights) if weight]
            case Decision(player, _, moves):
                if player == self._player:
                    numbers = range(len(moves)) if own_move is None else (own_move,)
                    return [(number, 1.0) for number in numbers]
                return [(number, 1.0 / len(moves)) for number in range(len(moves))]

    def _sampled(self, branches: list[tuple[int, float]], count: int) -> list[tuple[int, float]]:
        """Return some random branches; each stands for an equal part of all of them.

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

    def _selected(self, particles: _Particles[H]) -> _Particles[H]:
        """Return at most `limit` histories, selected by weight with equal distances.

        Systematic resampling (Kitagawa 1996): a history with a large weight may be selected several
        times, and then keeps the sum of these weights.
        """
        if len(particles) <= self._limit:
            return particles
        self.is_complete = False
        totals = list(accumulate(weight for _, weight in particles.values()))
        distance = totals[-1] / self._limit
        mark = Generator(self._seed, 2 * self._count).below(_PARTS) / _PARTS * distance
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
