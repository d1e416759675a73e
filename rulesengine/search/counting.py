"""The calls of a game that count: games, random games, and states."""

from collections.abc import Sequence
from typing import Literal

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.interpreter import Interpreter
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.state import Move, Playouts, State
from rulesengine.support.validate import check_number, check_word


class Counted:
    """A game whose games and states are counted by the calls that it has."""

    program: Program
    machine: Interpreter
    _dispatcher: Dispatcher

    def legal_moves(self, state: State) -> Sequence[Move]:
        """The legal moves of a state."""
        raise NotImplementedError

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State:
        """The state after a move."""
        raise NotImplementedError

    def _from(self, state: State | None) -> State:
        """A state of this game, the first one if there is none."""
        raise NotImplementedError

    def perft(
        self,
        depth: int,
        state: State | None = None,
        *,
        ended: Literal["drop", "keep"] = "drop",
        passes: Literal["ply", "free"] = "ply",
        bulk: bool = True,
        job: Job | None = None,
    ) -> int:
        """How many sequences of exactly `depth` moves there are; a pass is a move.

        What chance does before a move takes no ply, unless the rules count it.
        `ended="keep"` counts a game that ends earlier as one; `passes="free"` lets passes take
        no ply. Without `bulk` kernels make the last moves too, instead of counting them. A `job`
        tells how far the count is, and can stop it.
        """
        plies, job = check_number("depth", depth, 0), job or Job()
        keep = check_word("`ended`", ended, ("drop", "keep")) == "keep"
        free = check_word("`passes`", passes, ("ply", "free")) == "free"
        start = self._from(state)
        return self._dispatcher.perft(start, plies, keep=keep, free=free, bulk=bulk, job=job)

    def divide(self, depth: int, state: State | None = None) -> dict[str, int]:
        """The count of `perft` for each first move, by its notation, in order."""
        start, plies = self._from(state), check_number("depth", depth, 0)
        left = plies - (not self.machine.is_free(start))
        return {
            str(move): self.perft(left, self.apply(start, move))
            for move in (self.legal_moves(start) if plies else ())
        }

    def playouts(
        self,
        games: int,
        *,
        seed: int = 0,
        state: State | None = None,
        threads: int = 1,
        job: Job | None = None,
    ) -> Playouts:
        """Random games; game i of a seed is the same whoever plays it.

        Native kernels share them out to `threads` threads, which changes no result. A `job` tells
        how many have been played, and can stop them.
        """
        games = check_number("number of games", games, 0)
        threads = check_number("number of threads", threads, 1)
        seed = check_number("seed", seed)
        return self._dispatcher.playouts(self._from(state), games, seed, threads, job or Job())

    def count(
        self,
        plies: int,
        state: State | None = None,
        *,
        symmetry: bool = False,
        memory: int | None = None,
        job: Job | None = None,
    ) -> tuple[int, ...]:
        """The numbers of distinct states after 0, 1, … plies: `plies` + 1 numbers.

        A pass takes a ply, and a game that is over has no later states. States are distinct where
        anything is that the rules read. With `symmetry` those count once that a symmetry of the
        board leads to each other which the rules are proved to keep, whatever the start is. About
        `memory` bytes (1 GiB unless given) are taken before files in the folder for temporary
        files are. A `job` tells how many states have been looked at, and can stop the count.
        Raises UsageError for a number of plies or bytes that is none.
        """
        from rulesengine.search.enumeration.layers import distinct

        start = self._from(state)
        return distinct(self, plies, start, symmetry=symmetry, memory=memory, job=job)
