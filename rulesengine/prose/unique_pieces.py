"""Kinds of piece of which a side has one, such as kings."""

from collections import Counter

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.rules import Rules

# The number that represents all kinds.
_ANY = -1


def unique_kinds(rules: Rules) -> frozenset[int]:
    """Return the kinds of which each side has at most one piece, placed before the game."""
    drawn = Counter("".join(rules.diagram))
    put = [op for root in rules.start for op in walk(root) if has_role(op, "placement")]
    kinds = _made_in_play(rules)
    return frozenset(
        number
        for number, kind in enumerate(rules.kinds)
        if number not in kinds and _ANY not in kinds and _is_one(number, kind.symbols, drawn, put)
    )


def _is_one(kind: int, symbols: tuple[str, ...], drawn: Counter[str], put: list[Op]) -> bool:
    """True if a diagram or single placements give each side at most one piece, and one at least."""
    if drawn:
        counts = [drawn[symbol] for symbol in symbols if symbol]
        return max(counts, default=0) == 1
    own = [op for op in put if constant(op.args[0]) in (kind, None)]
    sides = [op.args[1] for op in own]
    lone = all(has_role(op.args[2], "singleton") for op in own)
    return bool(own) and lone and len({str(side) for side in sides}) == len(sides)


def _made_in_play(rules: Rules) -> set[int]:
    """Return the kinds that moves place, put or promote to; `_ANY` for an unknown one."""
    groups = rules.groups
    roots = [op for group in groups for op in group.effects]
    kinds = [group.piece for group in groups if group.piece]
    for root in (*roots, *rules.effects):
        for op in walk(root):
            if has_role(op, "placement", "promotion"):
                kinds.append(next(arg for arg in op.args if arg.type == "kind"))
    chosen = {constant(value) for group in groups for value in group.choice}
    made_kinds: set[int] = set()
    for kind in kinds:
        inner = {constant(op) for op in walk(kind) if op.type == "kind"} - {None}
        made_kinds |= {number for number in inner or chosen or {_ANY} if number is not None}
    return made_kinds
