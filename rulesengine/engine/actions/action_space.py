"""The numbered actions of a game, and moves as paths through the tree of their steps.

See decision 069.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import overload

from rulesengine.engine.actions.step_list import (
    given_halves,
    given_steps,
    halves,
    is_split,
    numbered,
)
from rulesengine.engine.drivers.batch.placements import placing_group
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import LimitError, UsageError
from rulesengine.notation.move_text import Writer
from rulesengine.state import Move, State, Step
from rulesengine.support.limits import MAX_ACTIONS, MAX_MOVE_STEPS
from rulesengine.support.validate import check_kind, check_text, excerpt

Steps = tuple[Step, ...]
Path = tuple[int, ...]
Legal = Callable[[State], Sequence[Move]]

STOP = "stop"
TOO_MANY = f"more than {MAX_ACTIONS:,} steps can occur"


class Actions(Sequence[str]):
    """The names of the actions of a game, in the order of their numbers.

    An action is a step of a move.

    - `splits` is true if more steps can occur than there may be actions. Then a step from cell to
      cell is two actions: first the origin, then the target.
    - `stop` is the number of the action that ends a move which others continue, the last action;
      None if there is no such move.
    - `chains` is true if a move may have several actions; `longest` is the maximum number.
    - `cells` is the number of cells of the board if all moves are placements or passes, else 0.

    Numbers follow from the rules and the board alone: they are the same in every run, for every
    engine and for all sides. The argument `legal` lists the legal moves of a state. Raises
    LimitError if there are more than 65,536 actions.
    """

    def __init__(self, machine: Interpreter, writer: Writer, legal: Legal) -> None:
        self._machine, self._legal = machine, legal
        self._known: tuple[State, Mapping[Path, Move]] | None = None
        groups = machine.program.rules.groups
        stops = any(group.then and group.then.optional for group in groups)
        most = MAX_ACTIONS - int(stops)
        numbers_of_steps = numbered(given_steps(machine, most), most)
        self.splits = numbers_of_steps is None
        numbers = (
            numbered(given_halves(machine, most), most)
            if numbers_of_steps is None
            else numbers_of_steps
        )
        if numbers is None:
            raise LimitError(TOO_MANY)
        self._numbers, self.steps = numbers, tuple(numbers)
        self._split = frozenset(i for i, g in enumerate(groups) if self.splits and is_split(g))
        self._names = _named(self.steps, writer, self._split)
        self.stop: int | None = None
        steps = MAX_MOVE_STEPS if any(group.then for group in groups) else 1
        self.longest = steps * (1 + self.splits)
        self.chains = self.longest > 1
        self.cells = machine.program.topology.cells if self._are_placements() else 0
        if stops:
            self.stop = len(self._names)
            self._names.append(STOP)
        self._by_name = {name: number for number, name in enumerate(self._names)}

    def _are_placements(self) -> bool:
        return placing_group(self._machine.program) is not None

    def __repr__(self) -> str:
        return f"<{len(self):,} Actions>"

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        return self._names[number]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def number(self, name: str) -> int:
        """Return the number of an action by its name. Raises UsageError."""
        if check_text("action", name) not in self._by_name:
            raise UsageError(f"no action is called `{name[:40]}`")
        return self._by_name[name]

    def words(self) -> Iterator[tuple[int, int, int]]:
        """Yield (first word, second word, action) of each step, for every rule that generates it.

        A split step is yielded as its two halves.
        """
        steps = given_halves if self.splits else given_steps
        for step, words in steps(self._machine):
            yield *words, self._numbers[step]

    def legal(self, state: State, taken: Path = ()) -> Path:
        """Return the actions that may follow those taken, each once, in the order of legal moves.

        It is () if the actions taken are a whole move or begin no legal move.
        """
        paths, taken = self.paths(state), _path(taken)
        count = len(taken)
        following = (path[count] for path in paths if len(path) > count and path[:count] == taken)
        return tuple(dict.fromkeys(following))

    def action_of(self, state: State, move: Move) -> Path:
        """Return the actions of a legal move in order. Raises UsageError if it is not legal."""
        check_kind("a move", move, Move)
        for path, legal in self.paths(state).items():
            if legal.steps == move.steps:
                return path
        raise UsageError(f"`{move}` is not legal there")

    def move_of(self, state: State, taken: Path) -> Move | None:
        """Return the legal move of a sequence of actions; None if it is incomplete or not legal."""
        return self.paths(state).get(_path(taken))

    def paths(self, state: State) -> Mapping[Path, Move]:
        """Return the legal moves in order, keyed by their actions.

        Those of the last state are cached, because a walk through its tree queries each branch.
        """
        known = self._known
        if known is None or known[0] is not state:
            self._known = known = state, self._paths(state)
        return known[1]

    def _paths(self, state: State) -> Mapping[Path, Move]:
        moves = {self._numbered(move.steps): move for move in self._legal(state)}
        if self.stop is None:
            return moves
        prefixes = {path[:count] for path in moves for count in range(1, len(path))}
        stop = (self.stop,)
        return {path + stop if path in prefixes else path: move for path, move in moves.items()}

    def _numbered(self, steps: Steps) -> Path:
        if not self._split:
            return tuple(self._numbers[step] for step in steps)
        parts = (halves(step) if step.group in self._split else (step,) for step in steps)
        return tuple(self._numbers[part] for some in parts for part in some)


def _path(taken: Iterable[int]) -> Path:
    """Return a sequence of actions as a tuple. Raises UsageError."""
    try:
        return tuple(map(index, check_kind("a sequence of actions", taken, Iterable)))
    except TypeError:
        raise UsageError(f"expected a sequence of actions, found {excerpt(taken)}") from None


def _named(steps: Sequence[Step], writer: Writer, split: Collection[int]) -> list[str]:
    """Return the text of each step, with its kind or number in front or behind if it is ambiguous.

    For groups with split steps it is the text of a half.
    """
    texts = [
        _half_text(step, writer) if step.group in split else writer.step_text(step, False, False)
        for step in steps
    ]
    counts = Counter(texts)
    distinct = [
        f"{step.kind} {text}" if counts[text] > 1 else text
        for step, text in zip(steps, texts, strict=True)
    ]
    counts = Counter(distinct)
    return [
        f"{text} #{number}" if counts[text] > 1 else text for number, text in enumerate(distinct)
    ]


def _half_text(step: Step, writer: Writer) -> str:
    names = writer.program.topology.names
    if step.target < 0:
        return f"from {names[step.origin]}"
    return f"to {names[step.target]}{writer.choice_text(step)}"
