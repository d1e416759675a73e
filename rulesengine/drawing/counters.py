"""Numbers at cells in a picture: as texts, as seeds in pits, as stacks of pieces, or as pips."""

from typing import Final

from rulesengine.drawing.glyphs import MOST_PIPS
from rulesengine.drawing.scene import Label, Point
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Appearance
from rulesengine.state import CellNumbers
from rulesengine.support.frozen import record

NUMBER = 0.42  # the height of a number on a cell
_SMALL = 0.27  # the height of a number below seeds
_BELOW = 0.31  # from the centre of a pit to the number below its seeds
MOST_SEEDS = 24  # seeds of a pit that are drawn
MOST_STACKED = 5  # pieces of a stack that are drawn
STACK_STEP: Final[Point] = (0.0, -0.12)


@record
class Counter:
    """A register with a number at each cell, and the form in which pictures show it."""

    number: CellNumbers
    form: str


def counters(program: Program) -> tuple[Counter, ...]:
    """Return the numbers that pictures show: those of `draw` and those of the printed board."""
    template = program.rules.drawing.cell
    forms = {n.name: "text" for n in program.form.numbers if f"{{{n.name}" in template}
    forms |= dict((program.rules.look or Appearance()).numbers)
    return tuple(
        Counter(number, form)
        for number in program.form.numbers
        if (form := forms.get(number.name, "hidden")) != "hidden"
    )


def number_label(form: str, text: str, ink: str) -> Label:
    """Return a number around (0, 0) of its cell."""
    if form == "seeds":
        return Label((0.0, _BELOW), text, _SMALL, "cell")
    return Label((0.0, 0.0), text, NUMBER, ink)


def pips_of(value: int) -> str:
    """Return the mark that shows a number as the face of a die does; empty if there is none."""
    return f"pips{value}" if 0 < value <= MOST_PIPS else ""
