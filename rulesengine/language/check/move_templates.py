"""The notation of a group's moves: a template over the fields of the step alone."""

import re
from collections.abc import Mapping as Table
from types import MappingProxyType

from rulesengine.language.check.choices import ChoiceTable
from rulesengine.language.check.context import (
    PLAYER,
    SHOWN_TYPES,
    Context,
    ExpressionContext,
    is_error,
)
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.suggestions import with_key
from rulesengine.language.document.nodes import Node, Scalar
from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.language.ir.roles import reads_variable, selector_type
from rulesengine.language.ir.rules import (
    Choice,
    Group,
    MoveTemplate,
    Template,
    TemplateField,
    operations,
)
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.parse import parse_template
from rulesengine.support.diagnostic import Diagnostic, Suggestion

_SHOWN = frozenset({"number", "side", "text", "cell", "kind", "direction"})
_PIECE = re.compile(r"\{[^{}]*\}|\s+")


class NotationChecker:
    """The checker of `written` of groups."""

    def __init__(self, context: Context, expressions: ExpressionChecker) -> None:
        self.context = context
        self.expressions = expressions

    def shows_choices(self, node: Node | None, group: Group) -> None:
        """Warn about a notation without the choice, if each value always gives a move."""
        if group.written is None or node is None or group.when or group.forbid:
            return
        fields = operations(group.written)
        shown = {
            inner.value for op in fields for inner in walk(op) if selector_type(inner) == "number"
        }
        named = group.choices or (Choice("choice", group.choice),)
        if not group.choices and any(reads_variable(op, "choice") for op in fields):
            return
        many = [choice.name for choice in named if len(choice.values) > 1]
        for name in many:
            if name not in shown:
                message = f"moves with another {name} are written the same"
                help = f"show it by `{{{name}}}`"
                warning = Diagnostic("ambiguous-move", node.span, message, help, severity="warning")
                self.context.findings.append(warning)

    def check(self, node: Node | None, step: Table[str, Op]) -> MoveTemplate | None:
        """Check the notation of a step with these names; None if the spec has none."""
        if not isinstance(node, Scalar) or node.value is None:
            return None
        parsed, findings = parse_template(node.text)
        self.context.findings += findings
        if parsed is None:
            return None
        plain = "".join(part for part in parsed.parts if isinstance(part, str))
        if not parsed.parts or any(map(str.isspace, plain)):
            self._one_word(node, "{to}" if "to" in step else "word")
        at = ExpressionContext(
            "written", PLAYER, MappingProxyType({}), MappingProxyType(dict(step))
        )
        return MoveTemplate(
            node.text.text, Template(tuple(self._part(p, at) for p in parsed.parts))
        )

    def default_notation(self, node: Node, chosen: ChoiceTable) -> MoveTemplate | None:
        """Return the default notation of a branch without cells, which consists of its choices."""
        if not chosen.names:
            if "choice" not in self.context.broken:
                message = "a branch without cells and without a choice is written by a word"
                help = with_key(node, "written: heads", "add such as `written: heads`")
                self.context.report("missing-key", node.span, message, help)
            return None
        parts: list[str | TemplateField] = []
        for op in chosen.names.values():
            parts += ["-", TemplateField(op, 0)]
        return MoveTemplate(
            "-".join(f"{{{name}}}" for name in chosen.names), Template(tuple(parts[1:]))
        )

    def _one_word(self, node: Scalar, usual: str) -> None:
        """Report blanks in a notation; scripts, tests and records separate moves by blanks."""
        write = _PIECE.sub(lambda m: m[0] if m[0][0] == "{" else "-", node.span.text)
        write = write if node.text.text else f'"{usual}"'
        message = "a move is written as one word, without blanks"
        help = Suggestion(f"write `{write}`", write)
        self.context.report("not-allowed-value", node.span, message, help)

    def _part(self, part: str | n.Field, at: ExpressionContext) -> str | TemplateField:
        if isinstance(part, str):
            return part
        op = self.expressions.infer(part.value, at)
        if not is_error(op):
            self._field(part, op, "to" in at.step)
        return TemplateField(op, 0)

    def _field(self, field: n.Field, op: Op, has_target: bool) -> None:
        if op.type not in _SHOWN:
            message = f"{SHOWN_TYPES[op.type]} cannot be part of how a move is written"
            help = "write a number, a text, a player, a kind, a cell or a direction"
            help = Suggestion(help, "to", field.value.span) if has_target else help
            self.context.report("type-mismatch", field.span, message, help)
        elif field.format:
            value = field.value.span.text
            message = "a field of a move has no width, which could put blanks into it"
            self.context.report(
                "syntax", field.span, message, Suggestion(f"write `{value}`", value)
            )
        elif any(_reads_position(inner) for inner in walk(op)):
            message = f"`{{{field.value.span.text}}}` does not follow from the move alone"
            help = "use `from`, `to`, `direction`, what is chosen, the board and parameters"
            help = Suggestion(help, "to", field.value.span) if has_target else help
            self.context.report("not-here", field.span, message, help)
        elif any(_has_blank(inner) for inner in walk(op)):
            message = "this text has blanks, a move is written as one word"
            self.context.report("not-allowed-value", field.span, message)


def _reads_position(op: Op) -> bool:
    """True if an operation reads the position or the side to move."""
    beyond = OPS[op.name].reads - {"names", "variables"} if op.name in OPS else frozenset()
    return bool(beyond) or op == PLAYER


def _has_blank(op: Op) -> bool:
    return op.type == "text" and isinstance(op.value, str) and any(map(str.isspace, op.value))
