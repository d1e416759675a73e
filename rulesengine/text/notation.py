"""Moves as text, by the templates of the spec."""

from rulesengine.ir.program import Program
from rulesengine.state import Step


def move_text(program: Program, steps: tuple[Step, ...], takes: bool) -> str:
    """The notation of a move; `takes` tells whether it removes a piece of another side."""
    notation, names = program.rules.notation, program.topology.names
    first, last = steps[0], steps[-1]
    if first.kind == "pass":
        return notation.pass_
    if first.origin < 0:
        return notation.place.replace("{to}", names[last.target])
    form = notation.capture if takes else notation.move
    return form.replace("{from}", names[first.origin]).replace("{to}", names[last.target])
