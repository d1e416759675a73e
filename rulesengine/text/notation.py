"""Moves as text, by the templates of the spec."""

from rulesengine.ir.program import Program
from rulesengine.ir.rules import Notation
from rulesengine.state import Step


def move_text(program: Program, steps: tuple[Step, ...], takes: bool) -> str:
    """The notation of a move; `takes` tells whether it removes a piece of another side.

    A step that goes on from where the one before ended adds what follows `{from}` in its form,
    `a1xc3xe5`; a cell selected after another step adds `x` and its name, `a1-a4xd7`, one placed
    on adds `/` and its name, `a1-a4/d7`. A choice is added as `=`, `d8=queen`.
    """
    text = ""
    for step in steps:
        text += _step_text(program, step, takes, bool(text)) + _choice_text(program, step)
    return text


def _step_text(program: Program, step: Step, takes: bool, goes_on: bool) -> str:
    notation, names = program.rules.notation, program.topology.names
    target = names[step.target] if step.target >= 0 else ""
    match step.kind:
        case "pass":
            return notation.pass_
        case "swap":
            return notation.swap
        case "move":
            return _carried(notation, names[step.origin], target, takes, goes_on)
    if goes_on:
        return f"x{target}" if step.kind == "select" else f"/{target}"
    return notation.place.replace("{to}", target)


def _choice_text(program: Program, step: Step) -> str:
    choices = program.rules.groups[step.group].choice
    if not choices:
        return ""
    names = {
        "kind": tuple(kind.name for kind in program.rules.kinds),
        "side": program.form.players,
        "cell": program.topology.names,
    }.get(choices[0].type)
    return f"={names[step.choice] if names else step.choice}"


def _carried(notation: Notation, origin: str, target: str, takes: bool, goes_on: bool) -> str:
    form = notation.capture if takes else notation.move
    if goes_on:
        form = form.partition("{from}")[2]
    return form.replace("{from}", origin).replace("{to}", target)
