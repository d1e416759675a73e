"""Warnings for names that are declared but never used, often by a typing error."""

from collections.abc import Iterator

from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import entries, text
from rulesengine.language.check.seats import PLAYER_KEYS
from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Mapping
from rulesengine.language.ir.drawn_sets import parts_of, rows_of
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import READ_BOARD, Rules, operations, statements
from rulesengine.language.ir.signature import Role
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Span

_REGISTERS: tuple[Role, ...] = ("register", "kind register", "cell register")


def unused(context: Context, root: Mapping, rules: Rules) -> Iterator[Diagnostic]:
    """Yield a warning for each unused name of this file; names of parents may be unused."""
    names = [*_declared(context, root), *_registers(root, rules), *_kinds(root, rules)]
    for name, span, usage in names:
        if span.source == root.span.source:
            message = f"{usage} `{name}` is never used"
            help = _without(root, span, f"leave `{name}` out, or use it")
            yield Diagnostic("unused-name", span, message, help, severity="warning")


def _without(root: Mapping, span: Span, help: str) -> str:
    """Return the help to remove a definition; other sections may refer to the name elsewhere."""
    for section in ("regions", "directions", "define", "effects", "tracks"):
        node = root.get(section)
        for entry in node if isinstance(node, Mapping) else ():
            if isinstance(node, Mapping) and entry.key_span == span and len(node.entries) > 1:
                where, write = without_entry(node, entry)
                return Suggestion(help, write, where)
    return help


def _declared(context: Context, root: Mapping) -> Iterator[tuple[str, Span, str]]:
    """Yield the unused names among those with all uses recorded in the context."""
    for name, span, _ in entries(root.get("parameters")):
        if name not in context.used:
            yield name, span, "the parameter"
    for definition in (*context.named.values(), *context.definitions.values()):
        if definition.name not in context.used:
            yield definition.name, definition.span, "the definition"
    for name, span, value in entries(root.get("regions")):
        parts = parts_of(name, rows_of(text(value)))
        if name in context.drawn and context.used.isdisjoint(parts):
            yield name, span, "the region"
    for name, span in context.kind_value_spans.items():
        if name not in context.used:
            yield name, span, "the value"
    for name, span, _ in entries(root.get("tracks")):
        if name not in context.used:
            yield name, span, "the track"
    for effect in context.effects.values():
        if effect.name not in context.used:
            yield effect.name, effect.span, "the effect"
    for template in context.strategy_templates.values():
        if f"{template.name}()" not in context.used:
            yield template.name, template.span, "the strategy"
    for _, _, value in entries(root.get("players"))[:1]:
        for name, span, _ in entries(value):
            if name not in PLAYER_KEYS and name not in context.used:
                yield name, span, "the value"


def _registers(root: Mapping, rules: Rules) -> Iterator[tuple[str, Span, str]]:
    """Yield registers that are never read, only set."""
    for name, span, _ in entries(root.get("registers")):
        drawn = any(f"{{{name}{end}" in rules.drawing.cell for end in ":}")
        if not drawn and not any(_reads(op, name) for op in operations(rules)):
            yield name, span, "the value of"


def _reads(op: Op, register: str) -> bool:
    """True if an operation reads a register."""
    registers = (inner.value for inner in walk(op) if has_role(inner, *_REGISTERS))
    return any(register == (name[0] if isinstance(name, tuple) else name) for name in registers)


def _kinds(root: Mapping, rules: Rules) -> Iterator[tuple[str, Span, str]]:
    """Yield kinds that no rule mentions and that are not in the start."""
    if any(statement.name in READ_BOARD for statement in statements(rules.script)):
        return
    drawn = set("".join(rules.diagram))
    named = {
        op.value
        for top in operations(rules)
        for op in walk(top)
        if op.type == "kind" and not op.args
    }
    symbols = {
        kind.name: (i, set(filter(None, kind.symbols))) for i, kind in enumerate(rules.kinds)
    }
    for name, span, _ in entries(root.get("pieces")):
        number, own = symbols.get(name, (-1, set()))
        if number >= 0 and number not in named and drawn.isdisjoint(own):
            yield name, span, "the kind"
