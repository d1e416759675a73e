"""Sequences of legal moves that decode a move from packed words on access."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, takewhile
from struct import pack, unpack_from
from threading import Lock
from typing import Any, overload

from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.errors import RulesError, UsageError
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules
from rulesengine.language.ir.steps import StepMaker
from rulesengine.notation.move_text import Writer
from rulesengine.state import Move, Record, State, Step, step_words
from rulesengine.support.words import CELLS, GROUPS, ORIGIN, STEP, TARGET, step_parts

Steps = tuple[Step, ...]
Play = Callable[[State, Steps, int], tuple[State, Record]]
Listing = Callable[[State], tuple[bytes, bytes]]

_STEP = STEP.size
_END = 8
# The number of moves that are cached for reuse; most games have fewer.
_MOST_KEPT = 1 << 16
_MOST_READY = 1 << 12
_SHOWN = 8


class MoveFactory:
    """Creates the moves of one game from the packed words of their steps.

    - `play` applies steps, if the notation depends on captures.
    - `alone` is true if every move is one step.
    - `cache` has the moves that are the same in every state, by their words.
    - `listed` returns the words of all legal moves of a state.
    - `nth` returns the move of an index, from a state and the words or stems of its moves; None
      without a kernel for that.
    """

    def __init__(self, program: Program, play: Play, listed: Listing) -> None:
        self.program = program
        self.alone = not any(group.then for group in program.rules.groups)
        self.cache: dict[bytes, Move] = {}
        self.listed = listed
        self.nth: Callable[[State, bytes, Any], Move | None] = _none
        self._play = play
        self.writer = Writer(program, Fields(program).value)
        self._maker = StepMaker(program.rules)
        self._steps: dict[bytes, Step] = {}
        self._takes = shows_captures(program.rules)
        self._is_cached = self.alone and not any(self._takes)
        self._every: tuple[tuple[Move, ...], ...] | None = None
        self._making = Lock()

    def move(self, words: bytes, state: State | None) -> Move:
        """Return the move with these words that is legal in a state."""
        move = _new(Move)
        _set_words(move, words)
        _set_made(move, self)
        if not self._is_cached:
            _set_at(move, state)
            return move
        _set_at(move, None)
        if len(self.cache) >= _MOST_KEPT:
            self.cache.clear()
        self.cache[words] = move
        return move

    def every(self) -> tuple[tuple[Move, ...], ...]:
        """Return all possible moves, by group and by target + 1; () if moves depend on more.

        All callers get the same objects, also kernels that are compiled in the background.
        """
        with self._making:
            if self._every is None:
                self._every = self._all()
            return self._every

    def _all(self) -> tuple[tuple[Move, ...], ...]:
        groups, cells = self.program.rules.groups, self.program.topology.cells
        plain = not any(g.origin or g.along or g.choice for g in groups)
        if not (self._is_cached and plain and len(groups) * cells < _MOST_READY):
            return ()
        return tuple(
            tuple(self._ready(group, target) for target in range(-1, cells))
            for group in range(len(groups))
        )

    def _ready(self, group: int, target: int) -> Move:
        step = self._maker.step(group, -1, -1, target, -1)
        return self.move(STEP.pack(*step_words(step)), None)

    def steps(self, words: bytes) -> Steps:
        """Return the steps of the words of a move."""
        return tuple(self._step(words[i : i + _STEP]) for i in range(0, len(words), _STEP))

    def text(self, move: Move) -> str:
        """Return the notation of a move."""
        steps = move.steps
        may_capture = self._takes[steps[0].group]
        takes = may_capture and move.at is not None and self._is_capture(move.at, steps)
        return self.writer.text(steps, takes)

    def _step(self, word: bytes) -> Step:
        step = self._steps.get(word)
        if step is None:
            bits, choice = STEP.unpack(word)
            group, direction, origin, target = step_parts(bits)
            step = self._maker.step(group, direction, origin, target, choice)
            self._steps[word] = step
        return step

    def _is_capture(self, state: State, steps: Steps) -> bool:
        """True if the carried pieces capture; captures of later selections do not count.

        False if an effect fails: the error is raised when the move is made.
        """
        carried = tuple(takewhile(lambda step: step.origin >= 0, steps))
        try:
            record = self._play(state, carried, state.side)[1]
        except RulesError:
            return False
        return bool(record.captured & record.removed)


def shows_captures(rules: Rules) -> tuple[bool, ...]:
    """Return for each group if the text of a move that begins with it shows captures."""
    plain = rules.notation.move == rules.notation.capture
    return tuple(group.kind == "move" and not plain for group in rules.groups)


def _none(*_: object) -> None:
    """Return None; used until a kernel is loaded."""


_new = object.__new__
_set_words, _set_made, _set_at = (vars(Move)[name].__set__ for name in ("words", "made", "at"))


class Moves(Sequence[Move]):
    """The legal moves of a state in order: a sequence that creates a move on access.

    It is equal to a tuple of the same moves; a slice of it is a tuple.
    """

    __slots__ = ("_ends", "_maker", "_state", "_words")

    def __init__(self, maker: MoveFactory, state: State, words: bytes, ends: bytes) -> None:
        self._maker = maker
        self._state = state
        self._words = words
        self._ends = ends  # kernels omit it if every move is one step

    def __len__(self) -> int:
        if self._maker.alone:
            return len(self._words) // _STEP
        return len(self._ends) // _END

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        # Moves of several steps are found by their stems, which only `Branches` has.
        move = self._maker.nth(self._state, self._words, index) if self._maker.alone else None
        return move or self._item(index)

    def _item(self, index: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(index, slice):
            return tuple(map(self._at, range(*index.indices(len(self)))))
        try:
            return self._at(range(len(self))[index])
        except IndexError:
            raise IndexError(f"there are {len(self)} legal moves") from None

    def has(self, move: Move, state: State) -> bool:
        """True if a move of one step is in this list and the list belongs to this state object."""
        is_one = self._maker.alone and len(move.words) == _STEP
        return self._state is state and is_one and self.lists(move)

    def _at(self, index: int) -> Move:
        if self._maker.alone:
            words = self._words[_STEP * index : _STEP * index + _STEP]
        else:
            first, end = self._bounds(index)
            words = self._words[first:end]
        return self._maker.cache.get(words) or self._maker.move(words, self._state)

    def _bounds(self, index: int) -> tuple[int, int]:
        """Return the byte offsets of the words of a move."""
        if index == 0:
            return 0, 8 * int(unpack_from("<q", self._ends)[0])
        first, end = unpack_from("<qq", self._ends, _END * (index - 1))
        return 8 * first, 8 * end

    def among(self, cells: Sequence[tuple[int, int]]) -> Iterator[Move]:
        """Yield the moves with the first origin and the last target in the masks of their groups.

        `cells` has a mask of origins and one of targets for each group. A step without an origin or
        target matches.
        """
        known = [(origins << 1 | 1, targets << 1 | 1) for origins, targets in cells]
        count = len(self._words) // 8
        words = unpack_from(f"<{count}q", self._words)
        ends = range(2, count + 2, 2) if self._maker.alone else self._all_ends()
        first = 0
        for index, end in enumerate(ends):
            begins, ends_with = words[first], words[end - 2]
            first = end
            origins, targets = known[begins & GROUPS][0], known[ends_with & GROUPS][1]
            if origins >> (begins >> ORIGIN & CELLS) & targets >> (ends_with >> TARGET & CELLS) & 1:
                yield self._at(index)

    def lists(self, move: Move) -> bool:
        """True if a move of a single step by the same rule is in this list."""
        at = self._words.find(move.words)
        while at % _STEP and at > 0:
            at = self._words.find(move.words, at + 1)
        return at >= 0

    def _all_ends(self) -> Sequence[int]:
        """Return the end of the words of each move, counted in words."""
        return unpack_from(f"<{len(self)}q", self._ends)

    def __iter__(self) -> Iterator[Move]:
        return map(self._at, range(len(self)))

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and any(move == own for own in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Moves | tuple):
            return len(self) == len(other) and all(map(Move.__eq__, self, other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, other: Sequence[Move]) -> tuple[Move, ...]:
        return (*self, *other)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

    def __repr__(self) -> str:
        shown = [str(move) for move in self[:_SHOWN]]
        more = ["…"] if len(self) > _SHOWN else []
        return f"<{len(self)} moves: {' '.join(shown + more)}>" if shown else "<no moves>"


class Branches(Moves):
    """Legal moves of several steps, with the words of the first steps only until all are needed.

    `stems` has the words of these first steps, each with the cumulative number of moves up to it;
    `count` is the number of moves.
    """

    __slots__ = ("_count", "_stems")

    def __len__(self) -> int:
        count: int = self._count
        return count

    def __getitem__(self, index: int | slice) -> Any:
        return self._maker.nth(self._state, self._stems, index) or self._item(index)

    def __getattr__(self, name: str) -> Any:
        """Compute the words of all moves on first use."""
        if name not in ("_words", "_ends"):
            raise AttributeError(f"moves have no `{name}`")
        self._words, self._ends = self._maker.listed(self._state)
        return getattr(self, name)


def packed_moves(moves: Sequence[Steps]) -> tuple[bytes, bytes]:
    """Return the words of moves as bytes, and the end of each move, counted in words."""
    words = [word for steps in moves for step in steps for word in step_words(step)]
    return packed_words(words), packed_words(list(accumulate(2 * len(m) for m in moves)))


def packed_words(words: Sequence[int]) -> bytes:
    return pack(f"<{len(words)}q", *words)


def own_state(program: Program, state: State, name: str) -> State:
    """Return a state if it belongs to the named game of a program. Raises UsageError."""
    if not isinstance(state, State):
        raise UsageError(f"expected a state, found {state!r:.60}")
    if state.form is not program.form and state.form != program.form:
        raise UsageError(f"this state belongs to another game than {name}")
    return state


def own_move(program: Program, move: object, name: str) -> Move:
    """Return a move if it belongs to the named game of a program. Raises UsageError."""
    if not isinstance(move, Move):
        help = ": `game.move(text, state)` returns the move" if isinstance(move, str) else ""
        raise UsageError(f"expected a move, found {move!r:.60}{help}")
    if isinstance(move.made, MoveFactory) and move.made.program.form != program.form:
        raise UsageError(f"the move {move} belongs to another game than {name}")
    return move
