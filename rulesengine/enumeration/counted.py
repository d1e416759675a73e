"""The call of a game that counts its states; it loads what counts only when it is made."""

from collections.abc import Sequence

from rulesengine.ir.program import Program
from rulesengine.job import Job
from rulesengine.state import Move, State


class Counted:
    """A game that counts its states by the calls that it has."""

    program: Program

    def legal_moves(self, state: State) -> Sequence[Move]:
        """The legal moves of a state."""
        raise NotImplementedError

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State:
        """The state after a move."""
        raise NotImplementedError

    def _from(self, state: State | None) -> State:
        """A state of this game, the first one if there is none."""
        raise NotImplementedError

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
        from rulesengine.enumeration.layers import distinct

        start = self._from(state)
        return distinct(self, plies, start, symmetry=symmetry, memory=memory, job=job)
