"""Determinizations: histories that agree with the information state of a player, with weights.

The events of the information state are replayed from the root. Up to a limit all histories that
agree are enumerated, where equal states count once. Beyond that they are particles: a random
selection by weight, drawn again after each event. The weight of a history is the probability of its
chance moves and of equally probable moves of the other players.
"""

from collections.abc import Hashable, Iterator, Sequence
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
    ObservedForm,
    Terminal,
)
from rulesengine.support.frozen import record

LIMIT = 2000  # histories after each event
_PARTS = 2**53  # random numbers are multiples of 1 / _PARTS, exact in floating point
_ATTEMPTS = 4  # each with twice as many particles as the one before
_STEPS = 64  # histories visited for each particle and event
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

    def draw(self, random: Generator) -> H:
        """Return a random history by weight."""
        mark = random.below(_PARTS) / _PARTS * self.totals[-1]
        low, high = 0, len(self.totals) - 1
        while low < high:
            middle = (low + high) // 2
            if self.totals[middle] > mark:
                high = middle
            else:
                low = middle + 1
        return self.histories[low]


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
        events = tuple(information.events)
        for attempt in range(_ATTEMPTS):
            replay = self._continued(events) if attempt == 0 else self._fresh(attempt)
            found = replay.advance(events, job)
            if found:
                self._replay = replay if attempt == 0 else None
                return _weighted(tuple(found.values()), is_complete=replay.is_complete)
        raise LimitError(_NONE_AGREES)

    def _continued(self, events: tuple[Hashable, ...]) -> "_Replay[H]":
        """Return the replay of the last call if its events begin these ones, else a fresh one."""
        last = self._replay
        if last is not None and events[: len(last.events)] == last.events:
            return last
        return self._fresh(0)

    def _fresh(self, attempt: int) -> "_Replay[H]":
        return _Replay(self._form, self._player, self._seed + attempt, self._limit << attempt)


class _Replay(Generic[H]):
    """The histories that agree with the events so far.

    `events` are those of the last call of `advance`. `is_complete` is true until particles were
    selected.
    """

    def __init__(self, form: ObservedForm[H], player: int, seed: int, limit: int) -> None:
        self.events: tuple[Hashable, ...] = ()
        self.is_complete = True
        self._form = form
        self._player = player
        self._seed = seed
        self._limit = limit
        root = form.root()
        first = len(form.information(root, player).events)
        # histories by the number of events that they agree with
        self._open: dict[int, _Particles[H]] = {first: {form.state_key(root): (root, 1.0)}}

    def advance(self, events: tuple[Hashable, ...], job: Job) -> _Particles[H]:
        """Return the histories with exactly these events at which the player is to move."""
        self.events = events
        for count in range(len(events)):
            if count in self._open:
                self._follow(count, self._selected(self._open.pop(count), count), job)
        last = self._selected(self._open.get(len(events), {}), len(events))
        # a later call goes on from here: its result is that of a replay from the root
        self._open = {len(events): last}
        return self._silent(len(events), last, job)

    def _follow(self, count: int, particles: _Particles[H], job: Job) -> None:
        """Extend histories that agree with `count` events until they agree with more of them."""
        left = _STEPS * self._limit
        waiting = list(particles.values())[::-1]
        while waiting and left:
            left -= 1
            job.poll()
            history, weight = waiting.pop()
            for child, share in self._children(history):
                known = self._agreeing(child, count)
                if known == count:
                    waiting.append((child, weight * share))
                elif known > count:
                    self._add(self._open.setdefault(known, {}), child, weight * share)
        self.is_complete &= not waiting

    def _silent(self, count: int, particles: _Particles[H], job: Job) -> _Particles[H]:
        """Extend histories by moves that the player does not notice, until it is to move."""
        left = _STEPS * self._limit
        found: _Particles[H] = {}
        waiting = list(particles.values())[::-1]
        while waiting and left:
            left -= 1
            job.poll()
            history, weight = waiting.pop()
            node = self._form.node(history)
            if isinstance(node, Decision) and node.player == self._player:
                self._add(found, history, weight)
                continue
            waiting += [
                (child, weight * share)
                for child, share in self._children(history)
                if self._agreeing(child, count) == count
            ]
        self.is_complete &= not waiting
        return found

    def _children(self, history: H) -> Iterator[tuple[H, float]]:
        """Yield the children of a history, with the probability of each.

        Own moves have the probability 1, since the player has chosen them.
        """
        match self._form.node(history):
            case Terminal():
                return
            case Chance(weights):
                total = sum(weights)
                for number, weight in enumerate(weights):
                    if weight:
                        yield self._form.child(history, number), weight / total
            case Decision(player, _, moves):
                share = 1.0 if player == self._player else 1.0 / len(moves)
                for number in range(len(moves)):
                    yield self._form.child(history, number), share

    def _agreeing(self, history: H, count: int) -> int:
        """Return the number of events of a history; -1 if one after the first `count` differs."""
        events = self._form.information(history, self._player).events
        known = len(events)
        return known if tuple(events[count:]) == self.events[count:known] else -1

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
        mark = Generator(self._seed, count).below(_PARTS) / _PARTS * distance
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
