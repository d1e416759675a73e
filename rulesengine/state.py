"""States, moves and outcomes: the values of the public interface."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from rulesengine.errors import UsageError
from rulesengine.support.frozen import field, record
from rulesengine.support.validate import check_number
from rulesengine.support.words import DIRECTION, ORIGIN, STEP, TARGET, Packing

# The winner code of a game that is not over; -1 is a draw or no winner.
GOES_ON = -2
# An ending as one number: the index of the end times this, plus the winner's number plus one.
WINNERS = 16

Before = tuple[tuple[int, ...], int]
# A function that draws a state as SVG.
Artist = Callable[["State"], str]


@record
class CellNumbers:
    """A register with a number at each cell, stored as bit planes.

    Bit i of the number minus `low` is in the slot `first` + i, a mask of cells. Numbers are in
    `low` to `high`.
    """

    name: str
    first: int
    bits: int
    low: int
    high: int

    def at(self, cell: int, registers: Sequence[int]) -> int:
        """Return the number at a cell."""
        planes = registers[self.first : self.first + self.bits]
        return self.low + sum((plane >> cell & 1) << i for i, plane in enumerate(planes))

    def put(self, registers: list[int], cell: int, number: int) -> None:
        """Set the number at a cell; it must be in the range."""
        for i in range(self.bits):
            plane = registers[self.first + i] & ~(1 << cell)
            registers[self.first + i] = plane | (number - self.low >> i & 1) << cell


@record
class StackForm:
    """The stacks of a game, bit-sliced as numbers at cells.

    Level n of `levels`, from 1, has the code of the piece n places below the upper one, an index
    into `codes`, which are planes. There are no levels if a single piece may be covered.
    """

    height: CellNumbers
    levels: tuple[CellNumbers, ...]
    codes: tuple[int, ...]

    @property
    def slots(self) -> range:
        """Return the slots of the registers that hold the stacks."""
        last = self.levels[-1] if self.levels else self.height
        return range(self.height.first, last.first + last.bits)

    def under(self, cell: int, registers: Sequence[int]) -> tuple[int, ...]:
        """Return the planes of the pieces below the upper one, from the bottom to the top."""
        below = self.height.at(cell, registers) - 1
        if not self.levels:
            return self.codes * max(below, 0)
        levels = self.levels[: max(below, 0)]
        return tuple(self.codes[level.at(cell, registers)] for level in reversed(levels))

    def write(self, registers: list[int], cell: int, column: Sequence[int]) -> None:
        """Set the pieces on a cell, from the bottom to the top; the planes are not changed."""
        self.height.put(registers, cell, len(column))
        under = column[-2::-1]
        for place, level in enumerate(self.levels):
            code = self.codes.index(under[place]) if place < len(under) else 0
            level.put(registers, cell, code)


@record
class Form:
    """The names, symbols and memory layout that all states of a game share.

    - `symbols` has an entry for each plane. Plane k * (players + 1) + s holds the pieces of kind k
      of side s; neutral pieces come last.
    - `lines` has the cells of each printed line.
    - `registers` names the slots of the registers in order, `types` has their types, `starts` their
      initial values.
    - `swaps` is true if players may exchange sides.
    - `numbers` has the registers with a number at each cell.
    - `compared` has the slots of the registers that distinguish positions.
    - `hole` is a sign that may replace a missing cell when a position is read.
    - `limits` has the maximum number of pieces of each plane, if kinds limit them.
    - `stacks` is the layout of stacks, None if a cell holds one piece.
    - `artist` draws states as SVG, or is None.
    - `packing` is the layout of packed states; it follows from the other fields.
    """

    players: tuple[str, ...]
    symbols: tuple[str, ...]
    empty: str
    lines: tuple[tuple[int, ...], ...]
    cells: tuple[str, ...]
    registers: tuple[str, ...]
    types: tuple[str, ...]
    starts: tuple[int, ...]
    directions: tuple[str, ...]
    swaps: bool
    kinds: tuple[str, ...]
    numbers: tuple[CellNumbers, ...] = ()
    compared: tuple[int, ...] = ()
    hole: str = ""
    limits: tuple[int, ...] = ()
    stacks: StackForm | None = None
    packing: Packing = field(init=False, repr=False, compare=False)
    artist: "Artist | None" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        packing = Packing(self.symbols, len(self.cells), self.types, self.swaps)
        object.__setattr__(self, "packing", packing)
        object.__setattr__(self, "artist", None)

    def length_problem(self, number: int, count: int) -> str:
        """Return the message on a row with another number of signs than cells; rows count from 1.

        A row as long as the longest one seems to be written with its holes.
        """
        expected, most = len(self.lines[number - 1]), max(map(len, self.lines))
        note = ": its holes are left out" if expected < count == most else ""
        return f"row {number} has {expected} cells, found {count}{note}"

    def piece_of(self, symbol: str) -> tuple[int, int]:
        """Return the kind and the owner of the pieces with a symbol; -1 if there is none."""
        if not symbol or symbol not in self.symbols:
            return -1, -1
        kind, owner = divmod(self.symbols.index(symbol), len(self.players) + 1)
        return kind, -1 if owner == len(self.players) else owner

    def drawn_by(self, artist: "Artist") -> None:
        """Set the function that draws states of this form; it is no part of comparisons."""
        object.__setattr__(self, "artist", artist)

    def names_of(self, type: str) -> tuple[str, ...]:
        """Return the names of the values of a register of a type; () for types without names."""
        match type:
            case "cell":
                return self.cells
            case "side":
                return self.players
            case "direction":
                return self.directions
            case "kind":
                return self.kinds
        return ()


@record
class State:
    """A position with everything that the rules read; compares and hashes by that.

    - `planes` are masks of cells; no cell is in two of them.
    - `side` is the number of the side to move.
    - `registers` has the values of the slots of the registers.
    - `history` has the earlier positions if a rule reads them: (planes and compared registers,
      side) each.
    - `seats` has the player of each side after a swap, else it is ().
    - `packed` has the state as bytes; None if a piece has no symbol.

    `str(state)` is the board, then the player to move, the player of each side after a swap, and
    the registers that differ from their initial values.

    A state made by a kernel holds its form, the bytes in `packed` and, if there is a history, the
    state `before` it. Its other parts are decoded on first use.
    """

    planes: tuple[int, ...]
    side: int
    registers: tuple[int, ...]
    history: tuple[Before, ...]
    form: Form = field(compare=False, repr=False)
    seats: tuple[int, ...] = ()
    packed: bytes | None = field(init=False, compare=False, repr=False)
    before: "State | None" = field(init=False, compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        """Compute a missing part on first use."""
        match name:
            case "planes" | "side" | "registers" | "seats":
                assert self.packed is not None
                parts = self.form.packing.unpack(self.packed)
                for part, value in zip(_PARTS, parts, strict=True):
                    _SET[part](self, value)
            case "packed":
                pack = self.form.packing.pack
                _SET[name](self, pack(self.planes, self.side, self.registers, self.seats))
            case "history":
                _SET[name](self, _history(self))
            case "before":
                _SET[name](self, None)
            case _:
                raise AttributeError(f"a state has no `{name}`")
        return getattr(self, name)

    @property
    def mover(self) -> str:
        """Return the name of the player to move."""
        return self.player(self.side)

    def player(self, side: int) -> str:
        """Return the name of the player of a side."""
        check_number("side", side, 0, len(self.form.players) - 1)
        return self.form.players[self.seats[side] if self.seats else side]

    def piece_at(self, cell: int | str) -> str | None:
        """Return the symbol of the piece on a cell; None if it is empty.

        `cell` is the name of a cell or its number in reading order. Raises UsageError for any other
        value.
        """
        number = self.cell(cell)
        for plane, mask in enumerate(self.planes):
            if mask >> number & 1:
                return self.form.symbols[plane]
        return None

    def cell(self, name: int | str) -> int:
        """Return the number of a cell, given by its name or number. Raises UsageError."""
        cells = self.form.cells
        if isinstance(name, str) and name in cells:
            return cells.index(name)
        if isinstance(name, int) and 0 <= name < len(cells):
            return int(name)
        raise UsageError(f"no cell {name!r:.40}: they are {cells[0]} to {cells[-1]}")

    def __repr__(self) -> str:
        occupied_count = sum(mask.bit_count() for mask in self.planes)
        return (
            f"<State: {self.mover} to move, {occupied_count} of {len(self.form.cells)} cells taken>"
        )

    def __str__(self) -> str:
        form = self.form
        gap = " " if form.stacks else ""
        rows = [gap.join(self.stack(cell) or form.empty for cell in line) for line in form.lines]
        rows.append(f"mover: {self.mover}")
        if self.seats:
            rows.append("seats: " + " ".join(self.form.players[seat] for seat in self.seats))
        at_start = dict(shown_registers(form, form.starts))
        for name, value in shown_registers(form, self.registers):
            if value != at_start[name]:
                rows.append(f"{name}: {value}")
        for planes, side in self.history:
            masks = ",".join(format(mask, "x") for mask in planes)
            rows.append(f"before: {masks} {form.players[side]}")
        return "\n".join(rows)

    def _repr_svg_(self) -> str | None:
        """Return the state as an SVG element for notebooks; None if its form has no artist."""
        artist = self.form.artist
        return artist(self) if artist is not None else None

    def stack(self, cell: int) -> str:
        """Return the symbols of the pieces on a cell from the bottom to the top; "" if empty."""
        form, cell = self.form, self.cell(cell)
        upper = next(
            (form.symbols[p] for p, mask in enumerate(self.planes) if mask >> cell & 1), ""
        )
        if form.stacks is None or not upper:
            return upper
        return "".join(form.symbols[p] for p in form.stacks.under(cell, self.registers)) + upper

    def symbol(self, cell: int) -> str:
        """Return the symbol of the piece on a cell, or that of an empty cell. Raises UsageError."""
        return self.piece_at(cell) or self.form.empty


_PARTS = ("planes", "side", "registers", "seats")
# Setters that bypass the immutability, to fill in each field once.
_SET = MappingProxyType(
    {name: vars(State)[name].__set__ for name in (*_PARTS, "packed", "before", "history", "form")}
)
_is_known = vars(State)["history"].__get__


def packed_state(form: Form, packed: bytes, before: State | None = None) -> State:
    """Return the state that a kernel wrote as bytes; `before` is the previous state if needed."""
    state = _new(State)
    _set_form(state, form)
    _set_packed(state, packed)
    if before is not None:
        _set_before(state, before)
    return state


def following(
    form: Form,
    planes: tuple[int, ...],
    side: int,
    registers: tuple[int, ...],
    seats: tuple[int, ...],
    before: State | None,
) -> State:
    """Return the state of these parts; `before` is the previous state if needed."""
    state = _new(State)
    parts = {"planes": planes, "side": side, "registers": registers, "seats": seats}
    for name, value in {**parts, "form": form, "before": before}.items():
        _SET[name](state, value)
    return state


_new = object.__new__
_set_form, _set_packed, _set_before = (_SET[name] for name in ("form", "packed", "before"))


def _history(state: State) -> tuple[Before, ...]:
    """Return the positions before a state, computed back to a state with a known history."""
    line: list[State] = []
    at: State | None = state.before
    while at is not None:
        line.append(at)
        try:
            known: tuple[Before, ...] = _is_known(at)
            break
        except AttributeError:
            at = at.before
    else:
        known = ()
    return (
        *known,
        *((compared(at.form, at.planes, at.registers), at.side) for at in reversed(line)),
    )


def compared(form: Form, planes: Sequence[int], registers: Sequence[int]) -> tuple[int, ...]:
    """Return the planes and registers by which positions of one side are compared."""
    return (*planes, *(registers[slot] for slot in form.compared))


def registers_of(form: Form, position: tuple[int, ...]) -> tuple[int, ...]:
    """Return the registers of an earlier position; those not compared have their initial values."""
    registers = list(form.starts)
    for slot, value in zip(form.compared, position[len(form.symbols) :], strict=True):
        registers[slot] = value
    return tuple(registers)


def shown_registers(form: Form, registers: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the registers of a state as (name, text).

    Numbers at cells are grouped by the printed lines of the board, separated by ` / `.
    """
    hidden = form.stacks.slots if form.stacks else range(0)
    planes = {n.first + i: n for n in form.numbers for i in range(n.bits)}
    for slot, (name, kind, value) in enumerate(
        zip(form.registers, form.types, registers, strict=True)
    ):
        if slot in hidden:
            continue
        if slot not in planes:
            yield name, register_text(form, kind, value)
        elif (numbers := planes[slot]).first == slot:
            lines = [[str(numbers.at(c, registers)) for c in line] for line in form.lines]
            yield numbers.name, " / ".join(map(" ".join, lines))


def register_text(form: Form, kind: str, value: int) -> str:
    """Return the value of a register as printed in the text of a state."""
    if kind == "cells":
        names = [name for i, name in enumerate(form.cells) if value >> i & 1]
        return " ".join(names) or "none"
    if kind == "flag":
        return "yes" if value else "no"
    if known := form.names_of(kind):
        return known[value] if value >= 0 else "none"
    return str(value)


@record
class Step:
    """One action of a move; -1 where it has no such part.

    `origin` and `target` are cell numbers. `group` and `direction` identify the rule that generated
    the step; comparisons ignore them. `written` identifies the notation form of the group, with the
    direction if the form shows it; 0 is the notation of the game.
    """

    kind: str
    origin: int
    target: int
    choice: int
    group: int = field(compare=False)
    direction: int = field(compare=False)
    written: int = 0


def step_words(step: Step) -> tuple[int, int]:
    """Return the two words of a step, in the layout of `support/words.py`."""
    word = step.group | step.direction + 1 << DIRECTION
    return word | step.origin + 1 << ORIGIN | step.target + 1 << TARGET, step.choice


class MoveMaker(Protocol):
    """The object that listed a move and can decode its parts."""

    def steps(self, words: bytes) -> tuple[Step, ...]: ...

    def text(self, move: "Move") -> str: ...


@record
class Move:
    """A move: one step, or several by the same side. `str(move)` is the notation of the game.

    A move listed by a game holds the `words` of its steps and the maker (`made`) that decodes them.
    If it is legal in one state only, it also holds that state (`at`). Steps and text are decoded on
    first use.
    """

    steps: tuple[Step, ...]
    text: str = field(compare=False)
    words: bytes = field(init=False, compare=False, repr=False)
    made: MoveMaker | None = field(init=False, compare=False, repr=False)
    at: "State | None" = field(init=False, compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        """Compute a missing part on first use."""
        match name:
            case "steps" if self.made:
                value: Any = self.made.steps(self.words)
            case "text" if self.made:
                value = self.made.text(self)
            case "words":
                value = b"".join(STEP.pack(*step_words(step)) for step in self.steps)
            case "made" | "at":
                value = None
            case _:
                raise AttributeError(f"a move has no `{name}`")
        object.__setattr__(self, name, value)
        return value

    def __repr__(self) -> str:
        return f"<Move {self.text}>"

    def __str__(self) -> str:
        return self.text


@record
class Outcome:
    """The outcome of a game that is over.

    - `winner` is the name of a player; None for a draw or no winner.
    - `reason` is the end of the spec that applied.
    - `scores` has the scores by player, if the rules have scores.
    - `payoffs` has a whole number for each player; more is better. They follow from the rules and
      are no part of comparisons.
    """

    winner: str | None
    reason: str
    scores: Mapping[str, int] = field(default_factory=dict)
    payoffs: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def ranks(self) -> dict[str, int]:
        """Return the rank of each player by payoff, from 1; players with equal payoffs share a
        rank.
        """
        paid = self.payoffs
        return {name: 1 + sum(own < p for p in paid.values()) for name, own in paid.items()}

    def __hash__(self) -> int:
        return hash((self.winner, self.reason, tuple(sorted(self.scores.items()))))


def by_name(state: State, numbers: Sequence[int]) -> dict[str, int]:
    """Return numbers of the sides keyed by the names of their players, in the order of play."""
    named = {state.player(side): number for side, number in enumerate(numbers)}
    return {name: named[name] for name in state.form.players if named}


@record
class Record:
    """The changes of a move, as masks of cells."""

    placed: int = 0
    moved: int = 0
    flipped: int = 0
    removed: int = 0
    captured: int = 0


@record
class Playouts:
    """The results of random games.

    - `games` is the number of games.
    - `wins` has the number of wins of each player.
    - `draws` and `unfinished` are numbers of games.
    - `mean_length` is the mean number of plies.
    - `checksum` covers the final position, length and winner of every game.
    """

    games: int
    wins: Mapping[str, int]
    draws: int
    unfinished: int
    mean_length: float
    checksum: int
