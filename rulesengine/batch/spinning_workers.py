"""Helpers that stay in the kernel between the steps of a batch, while these follow one another."""

import weakref
from collections.abc import Callable, Sequence
from functools import partial
from operator import is_
from time import sleep

from rulesengine.batch.failures import Driver, Failure, Mend
from rulesengine.batch.work_sharing import Helpers, Shares
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch import spinning
from rulesengine.engine.drivers.batch.step import step_games
from rulesengine.engine.drivers.memory import STOP, Memory
from rulesengine.engine.kernel.backends.protocol import Compiled
from rulesengine.errors import Stopped

# Of a driver of a kernel: games by their numbers, and the mark of the thread.
Range = Callable[[Compiled, Driver, Sequence[Memory], Mend | None, int, int, int], list[Failure]]

_CHUNKS = 8  # of each thread: one may be put off, and each takes some 0.0000001 seconds
_SERVING = 1 << 17  # looks for work before a helper goes to sleep: half a thousandth of a second
_LEADING = 1 << 14  # looks for the work of others before who leads sleeps too
_SOON = 0.0001  # seconds until one looks again
_NONE = -1  # instead of the game in hand


class Held:
    """What helpers in the kernel hold, its code and memories that records go between; calls."""

    def __init__(self, part: Compiled, memories: Sequence[Memory], mark: int, chunks: int) -> None:
        self.part, self.memories = part, tuple(memories)
        self._given = [memory.bytes for memory in memories]
        # By whether records go back and by whether chunks are still to be offered.
        self.leads = [
            [self._bound(mark, offered, is_back) for offered in (0, chunks)] for is_back in (0, 1)
        ]

    def is_of(self, part: Compiled, memories: Sequence[Memory]) -> bool:
        """Whether a step in these memories, in either direction, is theirs."""
        plan, lines, one, other, shown, given = self.memories
        if memories[2] is other:
            one, other = other, one
        held = plan, lines, one, other, shown, given
        return part is self.part and all(map(is_, held, memories))

    def serve(self, mark: int) -> bool:
        """Serve until there is no work for a while; whether the kernel has not failed."""
        name = spinning.serve.__name__
        return self.part.call(name, (_SERVING, mark, *self._given)) is not None

    def tell(self) -> None:
        """Tell that a chunk is done."""
        self.part.call(spinning.told.__name__, (self._given[0],))

    def _bound(self, mark: int, offered: int, is_back: int) -> Callable[[], bool]:
        given = (offered, is_back, _LEADING, mark, *self._given)
        return self.part.bound(spinning.lead.__name__, given)


class Post:
    """Helpers, and the numbers of those that are in the kernel: with memory of somebody else."""

    def __init__(self, plan: Memory) -> None:
        self.helpers = Helpers[None]()
        self.serving: list[int] = []
        self._plan = plan

    def dismiss(self) -> None:
        """Let all helpers leave the kernel, and wait until they have."""
        self._plan.numbers[at.OFFERED] = 0
        self._plan.numbers[STOP] = 1
        while self.serving and not self.helpers.are_gone:
            sleep(_SOON)
        self._plan.numbers[STOP] = 0

    def renew(self) -> None:
        """Have other helpers, if those are in the process that this one has come of."""
        if self.helpers.are_gone:
            self.helpers, self.serving = Helpers(), []


class Crew:
    """Steps by so many threads; `range_` does those of a chunk that the kernel has failed in."""

    def __init__(self, range_: Range, threads: int, marks: Sequence[int], plan: Memory) -> None:
        self._range, self._threads, self._marks, self._plan = range_, threads, marks, plan
        self._post, self._ends = Post(plan), False
        self._held: Held | None = None
        self._failures: list[Failure] = []
        self._step: tuple[Sequence[Memory], Mend | None] = ((), None)

    def step(
        self, part: Compiled, games: int, memories: Sequence[Memory], mend: Mend | None
    ) -> list[Failure]:
        """A step of all games; those in which it has failed, by their numbers.

        Whatever ends the waiting stops the helpers.
        """
        held, chunks = self._held, min(games, _CHUNKS * self._threads)
        if held is None or not held.is_of(part, memories):
            self.dismiss()
            self._held = held = Held(part, memories, self._marks[0], chunks)
        self._failures, self._step = [], (memories, mend)
        try:
            self._enlist(held)
            self._lead(held, games, chunks)
        except BaseException:
            self.dismiss()
            raise
        return sorted(self._failures, key=lambda one: one.game)

    def dismiss(self) -> None:
        """Let all helpers leave the kernel, and wait until they have."""
        self._post.dismiss()

    def _enlist(self, held: Held) -> None:
        """Ask those helpers that are not in the kernel to go there."""
        post = self._post
        post.renew()
        absent = [k for k in range(1, self._threads) if k not in post.serving]
        if absent:
            if not self._ends:
                # They leave before what they hold is taken apart at the end of the process.
                weakref.finalize(self, post.dismiss)
                self._ends = True
            post.serving += absent
            calls = [partial(self._serve, held, k) for k in absent]
            try:
                post.helpers.ask(Shares(calls), self._threads - 1)
            except BaseException:
                post.serving = []  # nobody is asked before all threads are there
                raise

    def _lead(self, held: Held, games: int, chunks: int) -> None:
        numbers, mark = self._plan.numbers, self._marks[0]
        again, lead = held.leads[self._step[0][2] is not held.memories[2]]
        numbers[mark] = _NONE
        has_ended = lead()
        if not has_ended and numbers[mark] == _NONE:
            # There is no memory for the kernel to work in: nothing has been offered.
            self._failures += self._done(held, 0, games, mark)
            return
        while True:
            if not has_ended:
                self._finish(held, mark)
            if numbers[at.DONE] >= chunks:
                return
            if has_ended:
                sleep(_SOON)
            has_ended = again()

    def _serve(self, held: Held, number: int) -> None:
        mark = self._marks[number]
        try:
            self._plan.numbers[mark] = _NONE
            while not held.serve(mark) and self._plan.numbers[mark] != _NONE:
                self._finish(held, mark)
        except Stopped:
            pass
        finally:
            self._post.serving.remove(number)

    def _finish(self, held: Held, mark: int) -> None:
        """Finish a chunk from the game on that the kernel has failed in."""
        games, chunks = (self._plan.numbers[place] for place in (at.GAMES, at.CHUNKS))
        failed, mend = self._plan.numbers[mark], self._step[1]
        chunk = ((failed + 1) * chunks - 1) // games
        if mend:
            mend(failed, mark)
        self._failures += self._done(held, failed, games * (chunk + 1) // chunks, mark)
        held.tell()

    def _done(self, held: Held, first: int, end: int, mark: int) -> list[Failure]:
        """Do games by their numbers, and tell those in which the step has failed."""
        memories, mend = self._step
        return self._range(held.part, step_games, memories, mend, first, end, mark)
