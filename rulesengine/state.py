"""States, moves and outcomes: the values that the public interface hands out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from rulesengine.errors import UsageError
from rulesengine.support.frozen import field, record
from rulesengine.support.words import DIRECTION, ORIGIN, STEP, TARGET, Packing

# What stands for a winner while a game goes on; -1 is nobody.
GOES_ON = -2
# How an ending is one number: that of the end times this, plus the winner's, plus one.
WINNERS = 16

Before = tuple[tuple[int, ...], int]
# Draws a state, as SVG.
Artist = Callable[["State"], str]


@record
class CellNumbers:
    """A register with a number at each cell: bit i of it is in the slot `first` + i, as a set.

    Sets tell how much a number is more than `low`.
    """

    name: str
    first: int
    bits: int
    low: int
    high: int

    def at(self, cell: int, registers: Sequence[int]) -> int:
        """The number at a cell."""
        planes = registers[self.first : self.first + self.bits]
        return self.low + sum((plane >> cell & 1) << i for i, plane in enumerate(planes))


@record
class Form:
    """What a state needs to be printed: the names and symbols of its game.

    `symbols` has a row for each plane; plane k * (players + 1) + s holds the pieces of kind k
    that belong to side s, neutral ones last. `registers` names each register's slots in
    order, `starts` their first values; `lines` are the cells of each printed line; `swaps` tells
    whether players may change sides; `numbers` are the registers with a number at each cell,
    `compared` the slots of those that make positions different; `hole` is the sign that may stand
    where there is no cell when a position is read; `limits` has for each plane how many pieces it
    can have, if kinds say so; `artist` is who can draw states, if anyone is known. `packing`
    follows from these.
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
    packing: Packing = field(init=False, repr=False, compare=False)
    artist: "Artist | None" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        packing = Packing(self.symbols, len(self.cells), self.types, self.swaps)
        object.__setattr__(self, "packing", packing)
        object.__setattr__(self, "artist", None)

    def drawn_by(self, artist: "Artist") -> None:
        """Let someone draw the states of this form, which is no part of what they are."""
        object.__setattr__(self, "artist", artist)

    def names_of(self, type: str) -> tuple[str, ...]:
        """The names by which a register of a type holds one thing or none; () for other types."""
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
    """A position with all that the rules read; compares and hashes by that.

    `planes` are masks of cells, none of which is in two of them, `side` is the number of the side
    to move, `registers` the values of the registers' slots. `history` has the earlier positions, if
    a rule reads them: planes, with the registers that are compared behind them, and side.
    `str(state)` is the board, then the mover and what is not at its start.

    A state that a kernel has made is no more than its form, the bytes in `packed` and the state
    `before` it if there is a history: its parts are found when they are looked at. `packed` is
    None where a piece has no symbol.
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
        """A part that is not there yet."""
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
        """The name of the player to move."""
        return self.player(self.side)

    def player(self, side: int) -> str:
        """The name of the player who plays a side."""
        return self.form.players[self.seats[side] if self.seats else side]

    def piece_at(self, cell: int | str) -> str | None:
        """The symbol of the piece on a cell, by its name or its number; None if it is empty.

        Raises UsageError for what is no cell of the board.
        """
        number = self.cell(cell)
        for plane, mask in enumerate(self.planes):
            if mask >> number & 1:
                return self.form.symbols[plane]
        return None

    def cell(self, name: int | str) -> int:
        """The number of a cell, which its number names too. Raises UsageError."""
        cells = self.form.cells
        if isinstance(name, str) and name in cells:
            return cells.index(name)
        if isinstance(name, int) and 0 <= name < len(cells):
            return int(name)
        raise UsageError(f"no cell {name!r:.40}: they are {cells[0]} to {cells[-1]}")

    def __repr__(self) -> str:
        taken = sum(mask.bit_count() for mask in self.planes)
        return f"<State: {self.mover} to move, {taken} of {len(self.form.cells)} cells taken>"

    def __str__(self) -> str:
        form = self.form
        rows = ["".join(self.symbol(cell) for cell in line) for line in form.lines]
        rows.append(f"mover: {self.form.players[self.side]}")
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
        """A picture for notebooks; None where no game is at hand that could draw it."""
        artist = self.form.artist
        return artist(self) if artist is not None else None

    def symbol(self, cell: int) -> str:
        """The symbol of the piece on a cell, or of an empty one."""
        for plane, mask in enumerate(self.planes):
            if mask >> cell & 1:
                return self.form.symbols[plane]
        return self.form.empty


_PARTS = ("planes", "side", "registers", "seats")
# The fields of a state may be filled in once: they never change.
_SET = MappingProxyType(
    {name: vars(State)[name].__set__ for name in (*_PARTS, "packed", "before", "history", "form")}
)
_is_known = vars(State)["history"].__get__


def packed_state(form: Form, packed: bytes, before: State | None = None) -> State:
    """The state of what a kernel gives; `before` is the one that it follows, if that matters."""
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
    """The state of these parts; `before` is the one that it follows, if that matters."""
    state = _new(State)
    parts = {"planes": planes, "side": side, "registers": registers, "seats": seats}
    for name, value in {**parts, "form": form, "before": before}.items():
        _SET[name](state, value)
    return state


_new = object.__new__
_set_form, _set_packed, _set_before = (_SET[name] for name in ("form", "packed", "before"))


def _history(state: State) -> tuple[Before, ...]:
    """The positions before a state, back to one whose own are known."""
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
    """What must be equal, beside the side to move, for two positions to be: planes, registers."""
    return (*planes, *(registers[slot] for slot in form.compared))


def registers_of(form: Form, position: tuple[int, ...]) -> tuple[int, ...]:
    """The registers of an earlier position, as far as they are compared; the others at start."""
    registers = list(form.starts)
    for slot, value in zip(form.compared, position[len(form.symbols) :], strict=True):
        registers[slot] = value
    return tuple(registers)


def shown_registers(form: Form, registers: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The registers of a state by name, as its text shows them.

    Numbers at cells come line by line as the board is printed, lines apart by ` / `.
    """
    planes = {n.first + i: n for n in form.numbers for i in range(n.bits)}
    for slot, (name, kind, value) in enumerate(
        zip(form.registers, form.types, registers, strict=True)
    ):
        if slot not in planes:
            yield name, _shown(form, kind, value)
        elif (numbers := planes[slot]).first == slot:
            lines = [[str(numbers.at(c, registers)) for c in line] for line in form.lines]
            yield numbers.name, " / ".join(map(" ".join, lines))


def _shown(form: Form, kind: str, value: int) -> str:
    """A register's value as the text of a state shows it."""
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

    `group` and `direction` tell which rule gave the step; they do not count in a comparison, but
    for the form that its group is `written` in, with the direction where that shows it; 0 is the
    game's notation.
    """

    kind: str
    origin: int
    target: int
    choice: int
    group: int = field(compare=False)
    direction: int = field(compare=False)
    written: int = 0


def step_words(step: Step) -> tuple[int, int]:
    """The two words of a step, as `packing` lays them out."""
    word = step.group | step.direction + 1 << DIRECTION
    return word | step.origin + 1 << ORIGIN | step.target + 1 << TARGET, step.choice


class MoveMaker(Protocol):
    """Who has listed a move, and knows its parts."""

    def steps(self, words: bytes) -> tuple[Step, ...]: ...

    def text(self, move: "Move") -> str: ...


@record
class Move:
    """One step, or several by the same side; `str(move)` is the game's own notation.

    A move that a game has listed holds the `words` of its steps, who has `made` it and the state
    that it is legal `at`, where it is a move of that alone; steps and text are found when they are
    looked at.
    """

    steps: tuple[Step, ...]
    text: str = field(compare=False)
    words: bytes = field(init=False, compare=False, repr=False)
    made: MoveMaker | None = field(init=False, compare=False, repr=False)
    at: "State | None" = field(init=False, compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        """A part that is not there yet."""
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
    """How a game has ended: the winner's name or None, the reason, scores by player if any.

    `payoffs` are what each player gets, by name: whole numbers, more is better. They follow from
    the rules and are no part of a comparison.
    """

    winner: str | None
    reason: str
    scores: Mapping[str, int] = field(default_factory=dict)
    payoffs: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def ranks(self) -> dict[str, int]:
        """The place of each player by payoff, from 1; those who get the same share a place."""
        paid = self.payoffs
        return {name: 1 + sum(own < p for p in paid.values()) for name, own in paid.items()}

    def __hash__(self) -> int:
        return hash((self.winner, self.reason, tuple(sorted(self.scores.items()))))


def by_name(state: State, numbers: Sequence[int]) -> dict[str, int]:
    """Numbers of the sides by the names of those who play them, in the players' order."""
    named = {state.player(side): number for side, number in enumerate(numbers)}
    return {name: named[name] for name in state.form.players if named}


@record
class Record:
    """What a move changed, as masks of cells."""

    placed: int = 0
    moved: int = 0
    flipped: int = 0
    removed: int = 0
    captured: int = 0


@record
class Playouts:
    """The results of random games; `checksum` covers every final position, length and winner."""

    games: int
    wins: Mapping[str, int]
    draws: int
    unfinished: int
    mean_length: float
    checksum: int
