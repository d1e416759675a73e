"""A document to checked rules: names, types, and every finding at once."""

from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from rulesengine.board.topology import BoardError
from rulesengine.check.context import PLAYER, Context, View, error_op, is_error
from rulesengine.check.declarations import Declarations, board_form, drawing, notation
from rulesengine.check.effects import Effects
from rulesengine.check.expressions import Expressions
from rulesengine.check.reader import Reader, entries, get, items, text, text_slice
from rulesengine.check.script import Scripts
from rulesengine.diagnostic import Diagnostic, did_you_mean, in_order
from rulesengine.ir.layout import lay_out
from rulesengine.ir.ops import Op, make, reads
from rulesengine.ir.rules import BoardForm, End, Group, GroupKind, Rules, Statement, Strategy
from rulesengine.resources import read_text
from rulesengine.source import Slice, Span
from rulesengine.spec.document import Document, Mapping, Node, Scalar
from rulesengine.syntax import nodes as n
from rulesengine.syntax.expand import KEY_WORDS, expand_one
from rulesengine.syntax.script import parse_script

_NO_STEP: Table[str, Op] = MappingProxyType({})
_TAGS: tuple[GroupKind, ...] = ("place", "move", "select", "pass")
_NOT_BUILT = ("choose", "swap", "then", "as", "from", "choice")


@dataclass(frozen=True, slots=True)
class Checked:
    """Rules with the names of parameters and of the board in them, and where its sites stand."""

    rules: Rules
    spans: tuple[Span, ...]


def check(document: Document) -> tuple[Checked | None, tuple[Diagnostic, ...]]:
    """Check a document that fits the schema; findings come in the order of the text.

    The rules are None if there is an error.
    """
    return _Checker(document).check()


class _Checker:
    def __init__(self, document: Document) -> None:
        self.root = document.root
        self.context = Context()
        self.reader = Reader(self.context)
        self.expressions = Expressions(self.context)
        self.effects = Effects(self.context, self.expressions)

    def check(self) -> tuple[Checked | None, tuple[Diagnostic, ...]]:
        root, context = self.root, self.context
        declarations = Declarations(context, self.reader)
        declarations.read(root)
        board = board_form(root.get("board"), self.reader, self.expressions)
        signs = notation(root.get("notation"))
        self._lay_out(board, signs)
        board = self._adjacent(board, signs)
        declarations.register_starts(root.get("registers"))
        rules = root.get("rules")
        context.score = self.reader.parse(get(rules, "score"))
        context.strategies = tuple(key for key, _, _ in entries(root.get("strategies")))
        start, diagram = self._start(root.get("start"))
        following, alternates = self._next(get(rules, "turn"))
        made = Rules(
            text(root.get("name")),
            tuple(context.parameters.values()),
            context.players,
            context.kinds,
            text(get(root.get("pieces"), "empty"), "."),
            tuple(context.registers.values()),
            board,
            signs,
            drawing(root.get("drawing")),
            start,
            diagram,
            self._tiers(get(rules, "moves"), get(rules, "forbid")),
            self._effects(get(rules, "do"), self._view("effects", _STEP_MOVE)),
            following,
            alternates,
            self._score(),
            self._ends(get(rules, "end")),
            _is_true(get(rules, "misere")),
            self._strategies(root.get("strategies")),
            self._script(root.get("io")),
            tuple(context.sites),
        )
        self._unused_definitions()
        findings = in_order(context.findings)
        if any(f.severity == "error" for f in findings):
            return None, findings
        return Checked(made, tuple(context.spans)), findings

    def _view(self, slot: str, step: Table[str, Op] = _NO_STEP) -> View:
        return View(slot, PLAYER, MappingProxyType({}), MappingProxyType(dict(step)))

    def _lay_out(self, board: BoardForm, signs: Any) -> None:
        """The board for the default parameters: its names are known to the rules."""
        defaults = {p.name: p.default for p in self.context.parameters.values()}
        try:
            self.context.topology = lay_out(board, signs, defaults)
        except BoardError as error:
            node = self.root.get("board")
            span = node.span if node else self.root.span
            self.context.report("bad-board", span, str(error))

    def _adjacent(self, board: BoardForm, signs: Any) -> BoardForm:
        """The board with the adjacency of the spec, which may name the board's directions."""
        node = get(self.root.get("board"), "adjacency")
        if node is None or self.context.topology is None:
            return board
        along = self._optional(node, self._view("board"), "directions")
        board = replace(board, adjacency=along)
        if along is not None and not is_error(along):
            self._lay_out(board, signs)
        return board

    def _start(self, node: Node | None) -> tuple[tuple[Op, ...], tuple[str, ...]]:
        if isinstance(node, Scalar) and node.style in ("literal", "folded"):
            lines = ("".join(line.split()) for line in node.text.text.splitlines())
            return (), tuple(line for line in lines if line)
        return self._effects(node, self._view("start")), ()

    # rules

    def _tiers(self, node: Node | None, forbid: Node | None) -> tuple[tuple[Group, ...], ...]:
        tiers: list[list[Group]] = [[]]
        for item in items(node):
            word = text(item) if isinstance(item, Scalar) else ""
            if word == "otherwise":
                tiers.append([])
            else:
                tiers[-1].append(self._group(item, forbid, sum(map(len, tiers))))
        if any(not tier for tier in tiers) and node is not None:
            message = "`otherwise` stands between two groups of moves"
            self.context.report("empty-tier", node.span, message)
        return tuple(tuple(tier) for tier in tiers)

    def _group(self, node: Node, forbid: Node | None, number: int) -> Group:
        self._not_built(node)
        kind: GroupKind = next((tag for tag in _TAGS if get(node, tag) is not None), "pass")
        name = text(get(node, "name"), f"{kind}{number + 1}")
        site = self.context.site(node.span)
        step: dict[str, Op] = {}
        view = self._view("moves", step)
        along = self._optional(get(node, "along"), view, "directions")
        if along is not None:
            step["direction"] = Op("variable", "direction", (), "direction")
        origin = self._origin(kind, node, self._view("moves", step))
        if origin is not None:
            step["from"] = Op("variable", "cell", (), "from")
        target = self._target(kind, node, self._view("moves", step))
        if target is not None:
            step["to"] = Op("variable", "cell", (), "to")
        piece, side = self._piece(kind, node, self._view("moves", step))
        when = self._optional(get(node, "when"), self._view("moves", step), "flag")
        effects = self._effects(get(node, "do"), self._view("effects", step))
        forbid = get(node, "forbid") or forbid
        forbidden = self._optional(forbid, self._view("forbid", step), "flag")
        return Group(
            name, kind, piece, side, along, origin, target, when, effects, forbidden,
            self.context.sites[site],
        )  # fmt: skip

    def _not_built(self, node: Node) -> None:
        """Report keys that the schema keeps for later: nothing may be passed over in silence."""
        given = [(key, span) for key, span, _ in entries(node) if key in _NOT_BUILT]
        if text(node) == "swap":
            given = [("swap", node.span)]
        for key, span in given:
            message = f"`{key}` is not built yet"
            self.context.report("not-built", span, message, "say it with registers and `when`")

    def _origin(self, kind: GroupKind, node: Node, view: View) -> Op | None:
        return self._optional(get(node, "move"), view, "cells") if kind == "move" else None

    def _target(self, kind: GroupKind, node: Node, view: View) -> Op | None:
        if kind == "pass":
            return None
        if kind == "select":
            return self._optional(get(node, "select"), view, "cells")
        target = self._optional(get(node, "to"), view, "cells")
        if target is None and isinstance(node, Mapping):
            message = f"`{kind}` needs the cells that it may go to"
            self.context.report("missing-key", node.span, message, help="add `to: empty`")
        return target

    def _piece(self, kind: GroupKind, node: Node, view: View) -> tuple[Op | None, Op | None]:
        if kind != "place":
            return None, None
        piece = self.reader.parse(get(node, "place"))
        return self.effects.piece(piece, view) if piece else (error_op(), error_op())

    def _optional(self, node: Node | None, view: View, want: str) -> Op | None:
        parsed = self.reader.parse(node)
        return self.expressions.check(parsed, view, want) if parsed else None

    def _effects(self, node: Node | None, view: View) -> tuple[Op, ...]:
        parsed = [self.reader.parse(item, "effect") for item in items(node)]
        return tuple(self.effects.effect(p, view) for p in parsed if p is not None)

    def _next(self, node: Node | None) -> tuple[Op, bool]:
        alternate = make("next", PLAYER)
        if node is None or text(node) == "alternate":
            return alternate, True
        op = self._optional(node, self._view("turn", _STEP_MOVE), "side")
        return op or alternate, False

    def _score(self) -> Op | None:
        if self.context.score is None:
            return None
        return self.expressions.check(self.context.score, self._view("score"), "number")

    def _ends(self, node: Node | None) -> tuple[End, ...]:
        return tuple(end for item in items(node) if (end := self._end(item)))

    def _end(self, node: Node) -> End | None:
        view = self._view("end")
        when = self._optional(get(node, "when"), view, "flag")
        parsed = self.reader.parse(get(node, "result"), "result")
        if when is None or parsed is None:
            return None
        result, side = self.effects.result(parsed, view)
        condition = get(node, "when")
        shown = " ".join(text(condition).split()) if condition else ""
        each = reads(when, "variable", "player") or (
            side is not None and reads(side, "variable", "player")
        )
        return End(when, result, side, text(get(node, "reason"), shown), each)

    def _strategies(self, node: Node | None) -> tuple[Strategy, ...]:
        view = self._view("strategy", _STEP_MOVE)
        made = []
        for name, _, value in entries(node):
            parsed = [self.reader.parse(item, "key") for item in items(value)]
            keys = [self._key(p) for p in parsed if p is not None]
            made.append(
                Strategy(name, tuple(self.effects.key(k, view) for k in keys if k is not None))
            )
        return tuple(made)

    def _key(self, node: n.Node) -> n.Key | None:
        if isinstance(node, n.KeyWord):
            if node.word not in KEY_WORDS:
                help = did_you_mean(node.word, [*KEY_WORDS, "most", "least", "prefer"])
                help = help or "begin with `most`, `least` or `prefer`"
                self.context.report("unknown-name", node.span, f"no key `{node.word}`", help)
                return None
            node = expand_one(node)
        assert isinstance(node, n.Key)
        return node

    def _script(self, node: Node | None) -> tuple[Statement, ...]:
        given = text_slice(node) or _default_script()
        lines, findings = parse_script(given)
        self.context.findings += findings
        return Scripts(self.context, self.expressions).check(lines)

    def _unused_definitions(self) -> None:
        """A definition without arguments that nothing uses is checked all the same."""
        view = self._view("script", _STEP_MOVE)
        for name, definition in self.context.definitions.items():
            if name not in self.context.used and not definition.arguments:
                self.expressions.infer(definition.body, view)


_STEP_MOVE = MappingProxyType(
    {
        "to": Op("variable", "cell", (), "to"),
        "from": Op("variable", "cell", (), "from"),
    }
)


def _default_script() -> Slice:
    return Slice.of(read_text("grammars/default.io"), "default.io")


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True
