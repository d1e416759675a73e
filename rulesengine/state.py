"""States, moves and outcomes: the values that the public interface hands out."""

from collections.abc import Mapping

from rulesengine.record import field, record


@record
class Form:
    """What a state needs to be printed: the names and symbols of its game.

    `symbols` has a row for each plane; plane k * (players + 1) + s holds the pieces of kind k
    that belong to side s, neutral ones last. `registers` names each register's slots in
    order, `starts` their first values; `lines` are the cells of each printed line.
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


@record
class State:
    """A position with all that the rules read; compares and hashes by that.

    `planes` are masks of cells, none of which is in two of them, `side` is the number of the side
    to move, `registers` the values of the registers' slots, `history` the planes and sides of the
    earlier positions if a rule reads them. `str(state)` is the board, then the mover and what is
    not at its start.
    """

    planes: tuple[int, ...]
    side: int
    registers: tuple[int, ...]
    history: tuple[tuple[tuple[int, ...], int], ...]
    form: Form = field(compare=False, repr=False)
    seats: tuple[int, ...] = ()

    @property
    def mover(self) -> str:
        """The name of the player to move."""
        return self.player(self.side)

    def player(self, side: int) -> str:
        """The name of the player who plays a side."""
        return self.form.players[self.seats[side] if self.seats else side]

    def __str__(self) -> str:
        form = self.form
        rows = ["".join(self.symbol(cell) for cell in line) for line in form.lines]
        rows.append(f"mover: {self.form.players[self.side]}")
        if self.seats:
            rows.append("seats: " + " ".join(self.form.players[seat] for seat in self.seats))
        for name, kind, start, value in zip(
            form.registers, form.types, form.starts, self.registers, strict=True
        ):
            if value != start:
                rows.append(f"{name}: {show_value(form, kind, value)}")
        for planes, side in self.history:
            masks = ",".join(format(mask, "x") for mask in planes)
            rows.append(f"before: {masks} {form.players[side]}")
        return "\n".join(rows)

    def symbol(self, cell: int) -> str:
        """The symbol of the piece on a cell, or of an empty one."""
        for plane, mask in enumerate(self.planes):
            if mask >> cell & 1:
                return self.form.symbols[plane]
        return self.form.empty


def show_value(form: Form, kind: str, value: int) -> str:
    """A register's value as the text of a state shows it."""
    if kind == "cells":
        names = [name for i, name in enumerate(form.cells) if value >> i & 1]
        return " ".join(names) or "none"
    if kind == "flag":
        return "yes" if value else "no"
    if value < 0 and kind in ("cell", "side", "direction"):
        return "none"
    if kind == "cell":
        return form.cells[value]
    if kind == "side":
        return form.players[value]
    return form.directions[value] if kind == "direction" else str(value)


@record
class Step:
    """One action of a move; -1 where it has no such part.

    `group` and `direction` tell which rule gave the step; they do not count in a comparison.
    """

    kind: str
    origin: int
    target: int
    choice: int
    group: int = field(compare=False)
    direction: int = field(compare=False)


@record
class Move:
    """One step, or several by the same side; `str(move)` is the game's own notation."""

    steps: tuple[Step, ...]
    text: str = field(compare=False)

    def __str__(self) -> str:
        return self.text


@record
class Outcome:
    """How a game has ended: the winner's name or None, the reason, scores by player if any."""

    winner: str | None
    reason: str
    scores: Mapping[str, int] = field(default_factory=dict)


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
