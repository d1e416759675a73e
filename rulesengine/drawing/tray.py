"""Registers next to the board: dice, numbers, and pieces that are not on it."""

from collections.abc import Collection, Sequence
from typing import Final, Literal

from rulesengine.drawing.appearance import PieceStyle
from rulesengine.drawing.counters import NUMBER, pips_of
from rulesengine.drawing.labels import half_width
from rulesengine.drawing.layout import PIT, Layout
from rulesengine.drawing.scene import Figure, Label, Point
from rulesengine.language.ir.hiding import UNSEEN
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Appearance
from rulesengine.state import Form
from rulesengine.support.frozen import record, replace

Span = tuple[float, float, float, float]
TrayForm = Literal["die", "kind", "text", "seeds", "unseen"]

_NAME, _VALUE = 0.36, 0.9  # height of a name, width of a value
_GAP, _ROW = 0.3, 1.05
_DIE, _PIECE = 0.8, 0.8
SIDES = 2
_STORE_NAME = 0.73  # from a board of pits to the names below it
_NARROWEST = 4.0  # width of a tray below a narrow board
_NO_APPEARANCE: Final = Appearance()


@record
class TrayItem:
    """A register that is shown at a place: its slot, its type and its form."""

    slot: int
    type: str
    form: TrayForm
    at: Point


@record
class Store:
    """A number of a player as a pit at an end of the board."""

    slot: int
    at: Point
    player: str


@record
class Tray:
    """The registers next to the board, the names next to them, and the area of all."""

    items: tuple[TrayItem, ...] = ()
    labels: tuple[Label, ...] = ()
    span: Span | None = None

    def without(self, slots: Collection[int]) -> "Tray":
        """Return the tray without the values of some registers."""
        items = (replace(i, form="unseen") if i.slot in slots else i for i in self.items)
        return replace(self, items=tuple(items))


def tray_of(program: Program, layout: Layout, style: str, around: Sequence[Label]) -> Tray:
    """Return the tray: on the middle of a board of triangles, else in rows below the board."""
    look = program.rules.look or _NO_APPEARANCE
    dice = [slot for name in look.dice for slot in _slots(program, name)]
    others = [slot for name in look.registers for slot in _slots(program, name)]
    items, labels = list[TrayItem](), list[Label]()
    if style == "triangles":
        left, right = (f(x for x, _ in layout.points) for f in (min, max))
        middle = sum(f(y for _, y in layout.points) for f in (min, max)) / 2
        centre = left + (right - left) * 0.72
        for i, slot in enumerate(dice):
            at = (centre + (i - (len(dice) - 1) / 2) * (_DIE + 0.25), middle)
            items.append(TrayItem(slot, program.form.types[slot], "die", at))
        dice = []
    for store in stores_of(program, layout, style):
        items.append(TrayItem(store.slot, program.form.types[store.slot], "seeds", store.at))
        bottom = max(y for outline in layout.outlines for _, y in outline) + _STORE_NAME
        labels.append(Label((store.at[0], bottom), store.player, _NAME, "label"))
        others = [slot for slot in others if slot != store.slot]
    if not dice and not others:
        return Tray(tuple(items), tuple(labels))
    return _below(program.form, dice, others, _room(layout, around), items, labels)


def stores_of(program: Program, layout: Layout, style: str) -> tuple[Store, ...]:
    """Return the stores at the ends of a board of pits: a number of each of two players.

    The store of the first player, in front of the board, is at the right end.
    """
    look, players = program.rules.look or _NO_APPEARANCE, program.form.players
    registers = {one.name: one for one in program.rules.registers}
    stores = [
        name
        for name in look.registers
        if registers[name].each == "player" and registers[name].type == "number"
    ]
    if style != "pits" or len(players) != SIDES or len(stores) != 1:
        return ()
    left, right = (f(x for x, _ in layout.points) for f in (min, max))
    middle = sum(f(y for _, y in layout.points) for f in (min, max)) / 2
    places = ((right + PIT, middle), (left - PIT, middle))
    return tuple(
        Store(slot, at, player)
        for slot, at, player in zip(_slots(program, stores[0]), places, players, strict=True)
    )


def _room(layout: Layout, around: Sequence[Label]) -> tuple[float, float, float]:
    """Return the left and the right end of the board, and the bottom of it and its labels."""
    every = [*layout.points, *(point for outline in layout.outlines for point in outline)]
    every += [(x, y + 0.5) for x, y in layout.points]
    bottom = max([y for _, y in every] + [label.at[1] + label.size / 2 for label in around])
    return min(x for x, _ in every) - 0.4, max(x for x, _ in every) + 0.4, bottom


def _below(
    form: Form,
    dice: Sequence[int],
    others: Sequence[int],
    room: tuple[float, float, float],
    items: list[TrayItem],
    labels: list[Label],
) -> Tray:
    left, right, bottom = room
    right = max(right, left + _NARROWEST)
    x, y = left, bottom + 0.9
    for slot in (*dice, *others):
        is_die, name = slot in dice, "" if slot in dice else _name(form.registers[slot])
        wide = 2 * half_width(name, _NAME) + (_GAP if name else 0.0)
        if x > left and x + wide + _VALUE > right:
            x, y = left, y + _ROW
        if name:
            labels.append(Label((x + half_width(name, _NAME), y), name, _NAME, "label"))
        at = (x + wide + _VALUE / 2, y)
        kind = form.types[slot]
        shown: TrayForm = "die" if is_die else "kind" if kind == "kind" else "text"
        items.append(TrayItem(slot, kind, shown, at))
        x += wide + _VALUE + _GAP
    return Tray(tuple(items), tuple(labels), (left, bottom, right, y + 0.5))


def _name(register: str) -> str:
    return register.replace("_", " ")


def _slots(program: Program, name: str) -> tuple[int, ...]:
    """Return the slots of a register: one, or one for each player."""
    names = program.form.registers
    return tuple(
        i for i, other in enumerate(names) if other == name or other.startswith(f"{name} of ")
    )


def tray_figure(
    item: TrayItem, value: int, appearances: Sequence[PieceStyle], form: Form
) -> Figure | None:
    """Return the die or the piece that shows a value; None if it shows none."""
    if item.form == "die":
        mark = pips_of(value)
        if not value:
            return None
        text = "" if mark else str(value)
        return Figure(-1, item.at, _DIE, "die", "white", text, 0, (mark,) if mark else ())
    if item.form != "kind" or value < 0:
        return None
    piece_style = appearances[_plane(form, value)]
    return Figure(
        -1,
        item.at,
        _PIECE,
        piece_style.shape,
        piece_style.colour,
        piece_style.text,
        0,
        piece_style.marks,
        piece_style.height,
    )


def _plane(form: Form, kind: int) -> int:
    """Return the plane of the neutral pieces of a kind, or of the first player who has some."""
    owners = len(form.players) + 1
    planes = range((kind + 1) * owners - 1, kind * owners - 1, -1)
    return next((plane for plane in planes if form.symbols[plane]), planes[0])


def tray_text(item: TrayItem, value: int, form: Form) -> Label | None:
    """Return the text that shows a value, `?` if it is not seen; None if it shows none."""
    if item.form == "unseen":
        return Label(item.at, UNSEEN, NUMBER, "value")
    if item.form != "text":
        return None
    if names := form.names_of(item.type):
        text = names[value] if value >= 0 else ""
    else:
        text = ("yes" if value else "no") if item.type == "flag" else str(value)
    return Label(item.at, text, min(NUMBER, 1.6 / max(1, len(text))), "value") if text else None
