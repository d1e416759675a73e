"""Enumeration of the reachable states by ply: breadth-first search. See decision 037."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.search.enumeration.packed_states import Records
from rulesengine.search.enumeration.sorted_runs import LayerRecords, RunFolder
from rulesengine.state import Move, State
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_MOVES

# Default bytes of memory for records.
MEMORY = 2**30
_MOST_LAYERS = 20  # more layers are worth every kernel


class Enumerable(Protocol):
    """The interface of a game for the enumeration of its states."""

    @property
    def program(self) -> Program: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...

    def expect(self, plies: Mapping[str, float]) -> None: ...


@record
class Layer:
    """Statistics of the states after a number of plies.

    - `states` is the number of distinct states.
    - `games` is the number of move sequences that lead to them.
    - `finished` is the number of states without a legal move; later layers do not include them.
    - `ended` is the number of games that lead to these.
    - `values` are the values of an expression, each with the number of its states.
    - `positions` is the number of distinct positions, if these are counted.
    """

    ply: int
    states: int
    games: int
    finished: int
    ended: int
    values: tuple[tuple[int, int], ...] = ()
    positions: int | None = None

    @property
    def least(self) -> int | None:
        """Return the least value; None without values."""
        return self.values[0][0] if self.values else None

    @property
    def greatest(self) -> int | None:
        """Return the greatest value; None without values."""
        return self.values[-1][0] if self.values else None

    @property
    def total(self) -> int:
        """Return the sum of the values over all states."""
        return sum(value * states for value, states in self.values)


def layers(
    game: Enumerable,
    plies: int,
    start: State,
    *,
    symmetry: bool = False,
    value: Callable[[State], int] | None = None,
    compared: bool = False,
    memory: int = MEMORY,
    job: Job | None = None,
    last: bool = True,
) -> Iterator[Layer]:
    """Yield the layers from a state up to a number of plies, as they are found.

    A pass takes a ply. States are equal if all that the rules read is equal, which may include
    earlier positions. With `symmetry`, states that are equivalent under a symmetry of the game are
    equal too. With `compared`, layers have the number of positions as `position_repeats` identifies
    them; `states` stays the same. Memory of about `memory` bytes is used before temporary files.
    Without `last` no moves are generated in the last layer, and its `finished` and `ended` are 0. A
    job counts states. Raises the errors of the rules, Stopped, and LimitError if the disk is full.
    """
    records, job = Records(game.program, symmetry=symmetry), job or Job()
    with RunFolder(memory) as folder:
        first = records.record(start)
        gathered, games = _gathered(folder, records, len(first), 1), 1
        gathered.pending[first] = 1
        for ply in range(plies):
            walk = _Walk(game, records, value, job, _positions(folder, records, compared))
            size = len(first) + records.growth * (ply + 1)
            following = _gathered(folder, records, size, games * MAX_MOVES)
            walk.expand(gathered, following)
            gathered.drop()
            gathered, games = following, walk.following
            if coming := walk.coming_plies(plies - ply - 1, visits=last):
                game.expect({"singles": coming})
            yield walk.layer(ply)
        walk = _Walk(game, records, value, job, _positions(folder, records, compared))
        walk.visit(gathered, moves=last)
        yield walk.layer(plies)


def _positions(folder: RunFolder, records: Records, wanted: bool) -> LayerRecords | None:
    """Return the positions of a ply, still empty; None if they are not counted."""
    return LayerRecords(folder, records.width, 1, records.canonical) if wanted else None


def _gathered(folder: RunFolder, records: Records, size: int, heaviest: int) -> LayerRecords:
    return LayerRecords(folder, size, heaviest, records.canonical)


class _Walk:
    """A traversal of one layer, with its counts."""

    def __init__(
        self,
        game: Enumerable,
        records: Records,
        value: Callable[[State], int] | None,
        job: Job,
        positions: LayerRecords | None,
    ) -> None:
        self.game, self.records, self.value, self.job = game, records, value, job
        self.states = self.games = self.finished = self.ended = self.following = self.moves = 0
        self.values: Counter[int] = Counter()
        self.positions = positions

    def expand(self, layer: LayerRecords, following: LayerRecords) -> None:
        """Visit a layer and collect the successors of its states."""
        game, records, pending, most = self.game, self.records, following.pending, following.most
        for row, state, games in self._states(layer):
            moves = game.legal_moves(state)
            self._count(games, len(moves))
            apply, behind = game.apply, records.behind(state, row)
            for move in moves:
                packed = apply(state, move).packed
                assert packed is not None
                after = packed + behind
                pending[after] = pending.get(after, 0) + games
            if len(pending) >= most:
                following.spill_if_large()
        following.finish()

    def visit(self, layer: LayerRecords, *, moves: bool) -> None:
        """Visit a layer, and generate its moves if `moves` is set."""
        for _, state, games in self._states(layer):
            if moves:
                self._count(games, len(self.game.legal_moves(state)))

    def coming_plies(self, layers: int, *, visits: bool) -> float:
        """Return the estimated plies of the next layers, which grow by the branching factor.

        A state counts as half a ply, and each of its moves as another half. If it `visits` a
        further layer, the moves of its states are generated but not made.
        """
        branching, layers = self.moves / max(self.states, 1), min(layers, _MOST_LAYERS)
        growth = sum(branching**number for number in range(layers))
        visited = branching**layers if visits else 0
        return self.moves * ((1 + branching) * growth + visited) / 2

    def layer(self, ply: int) -> Layer:
        """Return the statistics."""
        values, positions = tuple(sorted(self.values.items())), None
        if self.positions is not None:
            self.positions.finish()
            positions = sum(1 for _ in self.positions)
            self.positions.drop()
        return Layer(ply, self.states, self.games, self.finished, self.ended, values, positions)

    def _states(self, layer: LayerRecords) -> Iterator[tuple[bytes, State, int]]:
        revived, value, job = self.records.state, self.value, self.job
        positions = self.positions
        for row, games in layer:
            job.raise_if_stopped()
            job.advance(1)
            self.states += 1
            self.games += games
            state = revived(row)
            if value:
                self.values[value(state)] += 1
            if positions is not None:
                positions.pending[self.records.position(state)] = 1
                if len(positions.pending) >= positions.most:
                    positions.spill_if_large()
            yield row, state, games

    def _count(self, games: int, moves: int) -> None:
        """Count a state with a number of moves."""
        self.following += games * moves
        self.moves += moves
        if not moves:
            self.finished += 1
            self.ended += games


def distinct(
    game: Enumerable,
    plies: int,
    start: State,
    *,
    symmetry: bool = False,
    compared: bool = False,
    memory: int | None = None,
    job: Job | None = None,
) -> tuple[int, ...]:
    """Return the numbers of distinct states after 0, 1, … plies; see `layers`.

    With `compared` they are numbers of positions.

    Raises UsageError for an invalid number of plies or bytes.
    """
    _require(0, plies, "the number of plies")
    room = MEMORY if memory is None else memory
    _require(1, room, "the number of bytes")
    all_layers = layers(
        game, plies, start, symmetry=symmetry, compared=compared, memory=room, job=job, last=False
    )
    return tuple(
        layer.states if layer.positions is None else layer.positions for layer in all_layers
    )


def _require(least: int, number: int, quantity: str) -> None:
    if not isinstance(number, int) or number < least:
        raise UsageError(f"{quantity} is a whole number from {least} on, found {number!r:.40}")
