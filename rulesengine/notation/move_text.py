"""Formatting of moves as text, by the templates of the spec."""

from collections.abc import Callable
from typing import Any

from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op, Type
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Group, Notation, TemplateField, choice_values
from rulesengine.state import Step

Values = Callable[[Op, dict[str, Any]], Any]

# The text of a value that a step does not have, such as the first cell of an empty set.
_UNKNOWN = "?"


class Writer:
    """Formats the moves of one game; `value` evaluates an operation for the variables of a step."""

    def __init__(self, program: Program, value: Values) -> None:
        self.program = program
        self._groups = program.rules.groups
        self._value = value

    def text(self, steps: tuple[Step, ...], takes: bool) -> str:
        """Return the notation of a move; `takes` is true if it captures.

        A step that continues from the target of the previous step adds the part of its template
        after `{from}`, as in `a1xc3xe5`. A cell selected after another step adds `x` and its name,
        `a1-a4xd7`; a cell placed on adds `/` and its name, `a1-a4/d7`. A choice is added as `=`,
        `d8=queen`. A step of a group with a notation of its own adds that text only.
        """
        text = ""
        for step in steps:
            text += self.step_text(step, takes, bool(text))
        return text

    def step_text(self, step: Step, takes: bool, goes_on: bool) -> str:
        """Return the text that a step adds to the notation of a move."""
        group = self._groups[step.group]
        if group.written is not None:
            parts = group.written.template.parts
            return "".join(p if isinstance(p, str) else self.field(p, step) for p in parts)
        return _step_text(self.program, step, takes, goes_on) + self.choice_text(step)

    def field(self, field: TemplateField, step: Step) -> str:
        """Return the text of a template field for a step."""
        variables = {"from": step.origin, "to": step.target, "choice": step.choice}
        return self.format_value(field.value, variables | {"direction": step.direction})

    def format_value(self, op: Op, variables: dict[str, Any]) -> str:
        """Return a value as formatted in the text of a move."""
        try:
            return self._named(op.type, self._value(op, variables))
        except EvaluationError:
            return _UNKNOWN

    def choice_text(self, step: Step) -> str:
        """Return every choice of a step as `=` and its value, `=queen=north`.

        A tile is its kind and, if it has several forms, the number of its form: `=bend-3`.
        """
        group = self._groups[step.group]
        if group.tiles:
            return self._tile_text(group, step.choice)
        if group.choices:
            ops = choice_values(group.choices, step.choice)
            return "".join("=" + self.format_value(op, {}) for op in ops)
        return f"={self._named(group.choice[0].type, step.choice)}" if group.choice else ""

    def _tile_text(self, group: Group, choice: int) -> str:
        tile = group.tiles[choice]
        has_forms = len({one.form for one in group.tiles if one.kind == tile.kind}) > 1
        name = self._named("kind", tile.kind) + (f"-{tile.form}" if has_forms else "")
        return "".join(f"={self.format_value(op, {})}" for op in tile.others) + f"={name}"

    def _named(self, type: Type, value: Any) -> str:
        program = self.program
        names = {
            "kind": tuple(kind.name for kind in program.rules.kinds),
            "side": program.form.players,
            "cell": program.topology.names,
            "direction": program.form.directions,
        }.get(type)
        if names is None:
            return str(value)
        return names[value] if value >= 0 else _UNKNOWN


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


def _carried(notation: Notation, origin: str, target: str, takes: bool, goes_on: bool) -> str:
    form = notation.capture if takes else notation.move
    if goes_on:
        form = form.partition("{from}")[2]
    return form.replace("{from}", origin).replace("{to}", target)
