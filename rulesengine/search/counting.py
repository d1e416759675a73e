"""The methods of `Game` that count games and states."""

from collections.abc import Sequence
from typing import Literal

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.interpreter import Interpreter
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.state import Move, Playouts, State
from rulesengine.support.validate import check_number, check_word


class Counted:
    """A game with the methods that count games and states."""

    program: Program
    machine: Interpreter
    _dispatcher: Dispatcher

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the legal moves of a state."""
        raise NotImplementedError

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State:
        """Return the state after a move."""
        raise NotImplementedError

    def _from(self, state: State | None) -> State:
        """Return a state of this game, by default the initial one."""
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
        """Return the number of sequences of exactly `depth` moves; a pass is a move.

        A chance move takes no ply, unless the rules count it. `ended="keep"` counts a game that
        ends earlier as one; `passes="free"` makes passes take no ply. Without `bulk` kernels also
        make the last moves instead of counting them. A `job` reports progress and can stop the
        count.
        """
        plies, job = check_number("depth", depth, 0), job or Job()
        keep = check_word("`ended`", ended, ("drop", "keep")) == "keep"
        free = check_word("`passes`", passes, ("ply", "free")) == "free"
        start = self._from(state)
        return self._dispatcher.perft(start, plies, keep=keep, free=free, bulk=bulk, job=job)

    def divide(self, depth: int, state: State | None = None) -> dict[str, int]:
        """Return the count of `perft` for each first move, by its notation, in order."""
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
        """Play random games; game i of a seed is the same in every engine.

        Native kernels distribute them over `threads` threads, which does not change the results. A
        `job` reports progress and can stop them.
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
        """Return the numbers of distinct states after 0, 1, … plies: `plies` + 1 numbers.

        A pass takes a ply, and a finished game has no later states. States are distinct if anything
        differs that the rules read. With `symmetry`, states that are equivalent under a symmetry of
        the board count as one, if the rules are proved to be invariant under it, whatever the
        initial state. Memory of about `memory` bytes (1 GiB by default) is used before temporary
        files. A `job` reports the number of states and can stop the count. Raises UsageError for an
        invalid number of plies or bytes.
        """
        from rulesengine.search.enumeration.layers import distinct

        start = self._from(state)
        return distinct(self, plies, start, symmetry=symmetry, memory=memory, job=job)
