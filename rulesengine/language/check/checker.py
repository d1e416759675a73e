"""The checker of whole documents: names, types, and every finding at once."""

from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from rulesengine.board.topology import BoardError
from rulesengine.language.check.board_findings import (
    board_finding,
    check_cells,
    check_direction_texts,
    check_drawing,
    check_links,
    check_notation,
)
from rulesengine.language.check.board_form import board_form, is_expression
from rulesengine.language.check.checked_definitions import checked_definitions
from rulesengine.language.check.choices import last_step_choices
from rulesengine.language.check.clause_texts import clause_texts
from rulesengine.language.check.context import (
    PLAYER,
    Context,
    ExpressionContext,
    ParameterizedStrategy,
    error_op,
    is_error,
)
from rulesengine.language.check.declarations import Declarations, drawing, notation
from rulesengine.language.check.diagrams import drawn_on_one_line
from rulesengine.language.check.draw_section import DrawSection
from rulesengine.language.check.effects import EffectChecker, ResultName
from rulesengine.language.check.examples import TestSection
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.format_section import FormatSection
from rulesengine.language.check.hidden_parts import HiddenParts
from rulesengine.language.check.moves import FROM, TO, Moves, view
from rulesengine.language.check.playout_strategy import playouts
from rulesengine.language.check.reader import (
    Reader,
    entries,
    get,
    has_lines,
    items,
    text,
    text_slice,
)
from rulesengine.language.check.script import ScriptChecker
from rulesengine.language.check.seats import seats
from rulesengine.language.check.simultaneous import SimultaneousMoves
from rulesengine.language.check.stack_effects import check_stacks, stacks_of
from rulesengine.language.check.unused_names import unused
from rulesengine.language.document.nodes import Document, Node, Scalar
from rulesengine.language.ir.layout import lay_out
from rulesengine.language.ir.ops import Op, make, reads_parts
from rulesengine.language.ir.roles import constant, reads_role, reads_variable
from rulesengine.language.ir.rules import (
    BoardForm,
    Chance,
    End,
    Key,
    LookAhead,
    OneOfEach,
    Register,
    Rules,
    Statement,
    Strategy,
    recalling,
)
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.expand import KEY_WORDS, expand_one
from rulesengine.language.syntax.script import Line, parse_script
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean, in_order
from rulesengine.support.limits import MAX_SEARCH_PLIES
from rulesengine.support.resources import read_text
from rulesengine.support.source import Slice, Span

# The scripts of a spec without `io`: of perfect information, and of hidden information, which
# prints no board.
_STANDARD_IO = ("default.io", "hidden.io")
_STEP_MOVE: Table[str, Op] = MappingProxyType({"to": TO, "from": FROM})


@dataclass(frozen=True, slots=True)
class CheckedRules:
    """Rules with unresolved names of parameters and of the board, and the spans of their sites."""

    rules: Rules
    spans: tuple[Span, ...]


def check(document: Document) -> tuple[CheckedRules | None, tuple[Diagnostic, ...]]:
    """Check a document that fits the schema; findings are in the order of the text.

    The rules are None if there is an error.
    """
    return Checker(document).check()


class Checker:
    """A checker of one document, used once."""

    def __init__(self, document: Document) -> None:
        self.root = document.root
        self.context = Context(root=document.root)
        self.reader = Reader(self.context)
        self.expressions = ExpressionChecker(self.context)
        self.effects = EffectChecker(self.context, self.expressions)
        self.moves = Moves(self.context, self.reader, self.expressions, self.effects)

    def check(self) -> tuple[CheckedRules | None, tuple[Diagnostic, ...]]:
        """Return the rules (None after an error) and the findings in the order of the text."""
        root, context = self.root, self.context
        declarations = Declarations(context, self.reader)
        declarations.read(root)
        context.stacks = get(root.get("board"), "stacks") is not None
        board = board_form(root.get("board"), self.reader, self.expressions)
        stacks = stacks_of(get(root.get("board"), "stacks"), context, self.reader, self.expressions)
        signs = notation(root.get("notation"))
        check_cells(context, root.get("board"))
        check_links(context, root.get("board"))
        check_notation(context, root.get("notation"))
        check_drawing(context, root.get("drawing"))
        self._lay_out(replace(board, regions=(), joins=()), signs)
        board = self._adjacent(board, signs)
        board = self._holed(board, signs)
        check_direction_texts(context, root.get("notation"))
        declarations.tracks.check()
        declarations.register_starts(root.get("registers"))
        rules = root.get("rules")
        context.score = self.reader.parse(get(rules, "score"))
        self._name_strategies(root.get("strategies"))
        simultaneous = SimultaneousMoves(context, self.reader, self.expressions)
        together = simultaneous.together(rules)
        hidden = HiddenParts(context, self.reader, self.expressions)
        visibility = hidden.visibility(get(rules, "sees"), rounds=together is not None)
        check_stacks(context, root)
        start, diagram = self._start(root.get("start"))
        following, alternates = self._next(get(rules, "turn"))
        chance = self._chance(get(rules, "chance"))
        made = Rules(
            text(root.get("name")),
            tuple(context.parameters.values()),
            seats(root.get("players"), context, self.reader, self.expressions),
            context.kinds,
            text(get(root.get("pieces"), "empty"), "."),
            tuple(context.registers.values()),
            tuple(context.tracks.values()),
            board,
            signs,
            drawing(root.get("drawing")),
            start,
            diagram,
            self.moves.tiers(get(rules, "moves"), get(rules, "forbid")),
            self.moves.steps(get(rules, "steps"), get(rules, "forbid")),
            self._keep(get(rules, "keep")),
            self.moves.do(get(rules, "do"), view("effects", _STEP_MOVE)),
            following,
            alternates,
            self._score(),
            self._ends(get(rules, "end")),
            _is_true(get(rules, "misere")),
            self._strategies(root.get("strategies")),
            self._script(root.get("io")),
            (),
        )
        look = DrawSection(context, self.reader, self.expressions).check(
            root.get("draw"), root.get("picture")
        )
        formats = FormatSection(
            context, self.reader, self.expressions, made, root.span.source
        ).check(root.get("formats"))
        evaluation = self._evaluation(get(rules, "evaluate"))
        drawn_by = playouts(context, get(rules, "playouts"), made.strategies)
        definitions = checked_definitions(context, self.expressions, self.effects)
        made = replace(
            made, evaluation=evaluation, playouts=drawn_by, look=look, definitions=definitions
        )
        made = replace(made, formats=formats, sees=visibility, together=together, stacks=stacks)
        outs = self._outs(get(rules, "end"), made)
        made = replace(made, texts=clause_texts(root, context))
        sites = tuple(context.sites)
        made = self._recalling(replace(made, outs=outs, chance=chance, sites=sites))
        self.moves.check_names(rules, made.groups)
        hidden.check(rules, root.get("strategies"), made.groups)
        hidden.check_script(made.script)
        simultaneous.check(rules, made)
        self._turn_without_circle(get(rules, "turn"), made)
        self._unused_definitions()
        if not any(f.severity == "error" for f in context.findings):
            context.findings += unused(context, root, made)
        else:
            # A clause with an error changes once more before its text can be confirmed.
            context.findings = [f for f in context.findings if f.code != "stale-text"]
        wrong = any(f.severity == "error" for f in context.findings)
        # An error in a test does not concern the game, which can still be played.
        examples = TestSection(context, signs, made)
        examples.check(root.get("tests"))
        examples.check_picture(root.get("picture"))
        findings = in_order(context.findings)
        return (None if wrong else CheckedRules(made, tuple(context.spans))), findings

    def _recalling(self, rules: Rules) -> Rules:
        """Add registers, and effects that set them, for the changes that ends read."""
        words = sorted(self.context.recalled)
        nowhere = Op("region", "cells", (), "nowhere")
        names = [recalling(word) for word in words]
        more = tuple(Register(name, "cells", 0, 0, nowhere, "", "game") for name in names)
        added_effects = tuple(
            make("set", make("record", value=word), value=(name, "0"))
            for word, name in zip(words, names, strict=True)
        )
        registers, effects = (*rules.registers, *more), (*rules.effects, *added_effects)
        return replace(rules, registers=registers, effects=effects)

    def _lay_out(self, board: BoardForm, signs: Any) -> None:
        """Lay out the board for the default parameters, which gives the rules its names."""
        if any(is_error(op) for _, op in board.numbers):
            return
        defaults = {p.name: p.default for p in self.context.parameters.values()}
        try:
            self.context.topology = lay_out(board, signs, defaults)
        except BoardError as error:
            codes = {finding.code for finding in self.context.findings}
            known = error.key == "notation" or {"unknown-field", "bad-board"} & codes
            if not known:  # the causing word has been reported already
                self.context.findings.append(board_finding(error, str(error), self.root))

    def _adjacent(self, board: BoardForm, signs: Any) -> BoardForm:
        """Return the board with the adjacency of the spec, which may name board directions."""
        node = get(self.root.get("board"), "adjacency")
        if node is None or self.context.topology is None:
            return board
        along = self._optional(node, view("board"), "directions")
        board = replace(board, adjacency=along)
        if along is not None and not is_error(along):
            self._lay_out(replace(board, regions=(), joins=()), signs)
        return board

    def _holed(self, board: BoardForm, signs: Any) -> BoardForm:
        """Return the board with the expression for its holes, which is over the whole board."""
        node = get(self.root.get("board"), "holes")
        if self.context.topology is None:
            return board
        if is_expression(node, self.context):
            missing = self._optional(node, view("board"), "cells")
            if missing is None or is_error(missing):
                return board
            board = replace(board, missing=missing)
        if board.missing or board.regions or board.joins:
            self._lay_out(board, signs)
        return board

    def _start(self, node: Node | None) -> tuple[tuple[Op, ...], tuple[str, ...]]:
        if isinstance(node, Scalar) and (node.style == "folded" or has_lines(node)):
            gap = " " if self.context.stacks else ""
            lines = (gap.join(line.split()) for line in node.text.text.splitlines())
            return (), tuple(line for line in lines if line)
        if node is not None and (finding := drawn_on_one_line(self.context, node, self.root)):
            self.context.findings.append(finding)
            return (), ()
        return self.moves.do(node, view("start")), ()

    # rules

    def _optional(self, node: Node | None, at: ExpressionContext, expected: str) -> Op | None:
        parsed = self.reader.parse(node)
        return self.expressions.check(parsed, at, expected) if parsed else None

    def _next(self, node: Node | None) -> tuple[Op, bool]:
        alternate = make("next", PLAYER)
        if node is None or text(node) == "alternate":
            return alternate, True
        op = self._optional(node, view("turn", _STEP_MOVE), "side")
        return op or alternate, False

    def _turn_without_circle(self, node: Node | None, rules: Rules) -> None:
        if node is not None:
            self._without_circle(node, rules.next, "turn", rules)

    def _without_circle(self, node: Node, op: Op, key: str, rules: Rules) -> None:
        """Report `can_move` or `can_act` in the turn if moves have a `forbid`.

        A `forbid` reads the state after the turn.
        """
        if reads_parts(op, "moves") and any(group.forbid for group in rules.groups):
            word = "can_act" if reads_role(op, "activity") else "can_move"
            message = f"`{word}` cannot be read in `{key}` where moves have a `forbid`"
            self.context.report("not-here", node.span, message)

    def _chance(self, node: Node | None) -> Chance | None:
        """Check the section `chance`: its condition, its branches and the next side."""
        if node is None:
            return None
        when = self._optional(get(node, "when"), view(self.context.free_slot), "flag")
        branches = self.moves.branches(get(node, "branches"))
        following = self._optional(get(node, "turn"), view("turn", _STEP_MOVE), "side")
        site = self.context.sites[self.context.site(node.span)]
        counts = _is_true(get(node, "counts"))
        return Chance(when or error_op(), branches, following or PLAYER, counts, site)

    def _score(self) -> Op | None:
        if self.context.score is None:
            return None
        return self.expressions.check(self.context.score, view("score"), "number")

    def _evaluation(self, node: Node | None) -> Op | None:
        """Check the evaluation of a position for a player that searches use."""
        parsed = self.reader.parse(node)
        return self.expressions.check(parsed, view("evaluate"), "number") if parsed else None

    def _ends(self, node: Node | None) -> tuple[End, ...]:
        own = [item for item in items(node) if get(item, "out") is None]
        for number, item in enumerate(own):
            self.context.clauses["end", str(number)] = item
        return tuple(end for item in own if (end := self._end(item)))

    def _outs(self, node: Node | None, rules: Rules) -> tuple[End, ...]:
        """Check the conditions under which a player leaves, evaluated after the effects like
        `turn`.
        """
        outs: list[End] = []
        for item in (item for item in items(node) if get(item, "out") is not None):
            when, side = (
                self._optional(get(item, key), view("turn", _STEP_MOVE), expected)
                for key, expected in (("when", "flag"), ("out", "side"))
            )
            if when is None or side is None:
                continue
            each = any(reads_variable(op, "player") for op in (when, side))
            self.context.clauses["out", str(len(outs))] = item
            outs.append(End(when, "out", side, text(get(item, "reason")), each))
            self._without_circle(item, when, "out", rules)
            if (claim := get(item, "claim")) is not None:
                message = "a player leaves by the rules: `claim` is for ends of the whole game"
                self.context.report("not-here", claim.span, message)
        return tuple(outs)

    def _end(self, node: Node) -> End | None:
        at = view("end")
        when = self._optional(get(node, "when"), at, "flag")
        payoffs = get(node, "payoffs")
        pays = self._optional(payoffs, at, "number") if payoffs else None
        parsed = self.reader.parse(get(node, "result"), "result")
        if when is None or (parsed is None and pays is None):
            return None
        result: ResultName = "pays"
        side: Op | None = None
        if parsed is not None:
            result, side = self.effects.result(parsed, at)
        condition = get(node, "when")
        shown = " ".join(text(condition).split()) if condition else ""
        each = any(reads_variable(op, "player") for op in (when, side) if op is not None)
        reason, claim = text(get(node, "reason"), shown), _is_true(get(node, "claim"))
        return End(when, result, side, reason, each, pays, claim)

    def _strategies(self, node: Node | None) -> tuple[Strategy, ...]:
        at = view("strategy", {**last_step_choices(self.moves.chosen), **_STEP_MOVE})
        return tuple(
            self._strategy(name, value, at)
            for name, _, value in entries(node)
            if name in self.context.strategies
        )

    def _strategy(self, name: str, node: Node, at: ExpressionContext) -> Strategy:
        search = get(node, "search")
        if search is None:
            return Strategy(name, self._keys(node, at))
        seconds, evaluation = text(get(search, "seconds")), text(get(search, "evaluation"))
        nodes, playouts = (self._budget(get(search, key)) for key in ("nodes", "playouts"))
        look = LookAhead(seconds, self._depth(get(search, "plies")), nodes, playouts, evaluation)
        return Strategy(name, self._keys(get(node, "then"), at), look)

    def _budget(self, node: Node | None) -> Op | None:
        """Check a limit of a search, a number over parameters."""
        parsed = self.reader.parse(node)
        return self.expressions.check(parsed, view("board"), "number") if parsed else None

    def _depth(self, node: Node | None) -> Op | None:
        """Check the limit of plies of a search."""
        limit = self._budget(node)
        if node is not None and limit is not None and (constant(limit) or 0) > MAX_SEARCH_PLIES:
            message = f"a search goes at most {MAX_SEARCH_PLIES} plies deep, found {limit.value}"
            help = Suggestion(f"write `{MAX_SEARCH_PLIES}`", str(MAX_SEARCH_PLIES))
            self.context.report("not-allowed-value", node.span, message, help)
        return limit

    def _name_strategies(self, node: Node | None) -> None:
        """Separate the strategies with parameters from the others."""
        named = [key for key, _, _ in entries(node) if "(" not in key]
        self.context.strategies = tuple(named)
        for key, span, value in entries(node):
            if "(" in key:
                name, arguments = self.reader.head(key, span)
                self.context.strategy_templates[name] = ParameterizedStrategy(
                    name, arguments, value, span
                )

    def _keys(self, node: Node | None, at: ExpressionContext) -> tuple[Key, ...]:
        parsed = [self.reader.parse(item, "key") for item in items(node)]
        keys = [self._key(p) for p in parsed if p is not None]
        return tuple(self.effects.key(k, at) for k in keys if k is not None)

    def _keep(self, node: Node | None) -> tuple[Key | OneOfEach, ...]:
        """Check the filters of legal moves: keys as in strategies, and `one of each result`."""
        keys: list[Key | OneOfEach] = []
        for item in items(node):
            parsed = self.reader.parse(item, "key")
            if isinstance(parsed, n.OneOfEach):
                keys.append(OneOfEach())
            elif parsed is not None and (key := self._key(parsed)):
                step = {**last_step_choices(self.moves.chosen), **_STEP_MOVE}
                keys.append(self.effects.key(key, view("keep", step)))
        return tuple(keys)

    def _key(self, node: n.Node) -> n.Key | None:
        if isinstance(node, n.OneOfEach):
            message = "`one of each result` is no key of a strategy"
            help = "it decides which moves are legal: write it in `rules: keep`"
            self.context.report("not-here", node.span, message, help)
            return None
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
        script = text_slice(node)
        standard = _STANDARD_IO[self.context.hiding.hides_position]
        lines, findings = parse_script(script) if script else _default_script(standard)
        self.context.findings += findings
        return ScriptChecker(self.context, self.expressions, self.effects, self._keys).check(lines)

    def _unused_definitions(self) -> None:
        """Check unused definitions without arguments, too."""
        at = view("script", _STEP_MOVE)
        for name, definition in self.context.definitions.items():
            if name not in self.context.used and not definition.arguments:
                self.expressions.infer(definition.body, at)
        for name, effect in self.context.effects.items():
            if name not in self.context.used and not effect.arguments:
                for node in effect.body:
                    self.effects.effect(node, view("effects", _STEP_MOVE))


@cache
def _default_script(name: str) -> tuple[tuple[Line, ...], list[Diagnostic]]:
    return parse_script(Slice.of(read_text(f"grammars/{name}"), name))


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True
