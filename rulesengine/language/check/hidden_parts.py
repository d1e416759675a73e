"""Checks of the section `sees`, and of rules that would reveal a part that a player does not see.

See decision 144.
"""

from collections.abc import Iterator
from string import ascii_letters
from typing import cast

from rulesengine.language.check.context import Context, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.moves import view
from rulesengine.language.check.reader import Reader, entries, get, items, text
from rulesengine.language.check.suggestions import with_key
from rulesengine.language.document.edits import without_entry, without_item
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.hiding import UNSEEN, hiding_of
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import has_role, is_whole_board, reads_variable
from rulesengine.language.ir.rules import (
    Audience,
    Group,
    Register,
    Statement,
    Visibility,
    operations,
    statements,
)
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Span

_REVEALS = "a player would learn from it what is hidden"
_TRY = "let the player try: make the move legal, and decide in `do` with `if`"


class HiddenParts:
    """The checker of the observations of players, in a context."""

    def __init__(self, context: Context, reader: Reader, expressions: ExpressionChecker) -> None:
        self.context = context
        self.reader = reader
        self.expressions = expressions

    def visibility(self, node: Node | None, *, rounds: bool) -> Visibility | None:
        """Check the section `sees`, and record the hidden parts in the context.

        `rounds` is true if players choose moves together.
        """
        registers = self.context.registers
        for name, _, value in (
            entries(self.context.root.get("registers")) if self.context.root else ()
        ):
            if name in registers:
                self._check_seen(registers[name], get(value, "seen"))
        if node is None:
            self.context.hiding = hiding_of(registers.values(), None, rounds=rounds)
            return None
        cells, owners = self._cells(node, "cells"), self._cells(node, "owners")
        visibility = Visibility(cells, owners, cast(Audience, text(get(node, "moves"), "own")))
        if cells is not None and is_whole_board(cells):
            visibility = Visibility(None, None, visibility.moves)
        self.context.hiding = hiding_of(registers.values(), visibility, rounds=rounds)
        if self.context.hiding.pieces:
            self._check_symbols()
        return visibility

    def _check_symbols(self) -> None:
        """Report a symbol that is the sign of a cell that is not seen."""
        for symbol in _symbols(self.context.root.get("pieces") if self.context.root else None):
            if text(symbol) == UNSEEN:
                message = f"`{UNSEEN}` is the sign of a cell that a player does not see"
                used = {s for kind in self.context.kinds for s in kind.symbols}
                free = next(c for c in "xo" + ascii_letters if c not in used)
                help = Suggestion(f"choose another symbol, such as `{free}`", f'"{free}"')
                self.context.report("symbol-taken", symbol.span, message, help)

    def _cells(self, node: Node, key: str) -> Op | None:
        parsed = self.reader.parse(get(node, key))
        op = self.expressions.check(parsed, view("sees"), "cells") if parsed else None
        return None if op is None or is_error(op) else op

    def _check_seen(self, register: Register, node: Node | None) -> None:
        """Report a register that is seen by each player but has no value for each."""
        if node is None or register.seen != "own" or "player" in register.each.split():
            return
        message = f"`{register.name}` has no value for each player, so no player has an own one"
        help = Suggestion("write `nobody`, or give it `each: player`", "nobody")
        self.context.report("not-allowed-value", node.span, message, help)

    def check(self, rules: Node | None, strategies: Node | None, groups: tuple[Group, ...]) -> None:
        """Report the rules that would reveal something hidden."""
        if not self.context.hiding:
            return
        for holder in (rules, *_groups(rules)):
            if (ban := get(holder, "forbid")) is not None:
                message = f"`forbid` reads the position after the move: {_REVEALS}"
                if self.context.hiding.choices:
                    message = "`forbid` reads the position after the move, before others have moved"
                self.context.report(
                    "hidden-forbid", ban.span, message, _without(holder, "forbid", _TRY)
                )
        for group in _groups(rules):
            if get(group, "swap") is not None or text(group) == "swap":
                message = "players who change sides would exchange what they know"
                help = _without_item(get(rules, "moves"), group)
                self.context.report("hidden-swap", group.span, message, help)
        for item in items(get(rules, "keep")):
            if text(item).startswith("one of each"):
                message = f"`one of each result` reads the positions after the moves: {_REVEALS}"
                help = _without_item(get(rules, "keep"), item)
                self.context.report("hidden-read", item.span, message, help)
        self._check_audience(rules, groups)
        self._check_searches(strategies)
        self._check_chains(rules, groups)

    def _check_audience(self, rules: Node | None, groups: tuple[Group, ...]) -> None:
        """Report a text, told to all players, that shows the value of a hidden register."""
        usual = text(get(get(rules, "sees"), "moves"))
        hidden = self.context.hiding.own | self.context.hiding.nobody
        for node, group in zip(_groups(rules), groups, strict=False):
            shown = _shown(group)
            for effect in (inner for op in group.effects for inner in walk(op)):
                name = str(effect.value[0]) if isinstance(effect.value, tuple) else ""
                is_hidden = has_role(effect, "assignment") and name in hidden
                if (
                    (group.told or usual) == "all"
                    and is_hidden
                    and reads_variable(effect.args[0], *shown)
                ):
                    message = f"the text of this move shows the value of `{name}` to all players"
                    help = "let only the player who moves be told it"
                    if isinstance(node, Mapping) and get(node, "told") is None:
                        help = with_key(node, "told: own", help)
                    finding = Diagnostic(
                        "told-hidden", node.span, message, help, severity="warning"
                    )
                    self.context.findings.append(finding)
                    break

    def check_script(self, script: tuple[Statement, ...]) -> None:
        """Report a `print board` that shows hidden pieces."""
        for statement in statements(script) if self.context.hiding.pieces else ():
            span = self.context.spans[statement.site] if statement.site >= 0 else None
            if statement.name == "print_board" and span is not None:
                message = "`print board` prints the whole position, with what players do not see"
                help = "print what all players may know, such as registers or the move"
                if statement in script[1:]:  # a block that it alone makes up cannot lose it
                    help = Suggestion(help, "", _line_of(span))
                finding = Diagnostic("prints-hidden", span, message, help, severity="warning")
                self.context.findings.append(finding)

    def _check_searches(self, strategies: Node | None) -> None:
        """Report strategies that search; the keys after the search remain."""
        for name, _, strategy in entries(strategies):
            if (search := get(strategy, "search")) is not None:
                message = "a search reads the whole position, of which a player sees a part"
                keys = get(strategy, "then")
                write = keys.span.text if keys else "[leftmost]"
                help = Suggestion(f"choose by keys alone: `{name}: {write}`", write, strategy.span)
                self.context.report("hidden-read", search.span, message, help)

    def _check_chains(self, rules: Node | None, groups: tuple[Group, ...]) -> None:
        """Report moves of several steps whose later steps may depend on something hidden.

        The steps are chosen as one move, after the effects of the earlier ones.
        """
        hiding = self.context.hiding
        chained = {group.then.step for group in groups if group.then}
        for node, group in zip(_groups(rules), groups, strict=False):
            parts = operations((group.effects, group.then))
            reads = hiding.pieces or any(map(hiding.may_be_read_by, parts))
            if (reads or hiding.choices) and (group.then is not None or group.name in chained):
                then = get(node, "then")
                message = f"the next step of this move follows the whole position: {_REVEALS}"
                help = "make each step a move, and let `turn` give the player the next one"
                if hiding.choices:
                    message = "a move of several steps cannot be chosen together with others"
                    help = "make each step a move of its own round"
                help = _without(node, "then", help)
                self.context.report("hidden-steps", (then or node).span, message, help)


def _line_of(span: Span) -> Span:
    """Return the span from the end of the line before a statement to the end of the statement."""
    source = span.source
    line, _ = source.position(span.start)
    return Span(source, source.offset(line, 1) - 1, span.end)


def _shown(group: Group) -> tuple[str, ...]:
    """Return the variables of a step that the text of its moves shows."""
    if group.written is None:
        return () if group.kind in ("pass", "swap", "chance") else ("to", "from")
    fields = operations(group.written)
    names = ("to", "from", "choice", "direction")
    return tuple(name for name in names if any(reads_variable(op, name) for op in fields))


def _without(holder: Node | None, key: str, help: str) -> str:
    """Suggest to leave a key out, with the help on what replaces it."""
    entry = holder.entry(key) if isinstance(holder, Mapping) else None
    if not isinstance(holder, Mapping) or entry is None:
        return help
    span, write = without_entry(holder, entry)
    return Suggestion(help, write, span)


def _without_item(node: Node | None, item: Node) -> str:
    if not isinstance(node, Sequence):
        return ""
    span, write = without_item(node, item)
    return Suggestion("leave it out", write, span)


def _symbols(pieces: Node | None) -> Iterator[Node]:
    """Yield the nodes of the symbols of pieces, and of empty cells."""
    for name, _, value in entries(pieces):
        if name == "empty":
            yield value
        yield from (node for _, _, node in entries(value) if isinstance(node, Scalar))


def _groups(rules: Node | None) -> Iterator[Node]:
    """Yield the nodes of the groups of moves and steps, in the order of their numbers."""
    for item in (*items(get(rules, "moves")), *items(get(rules, "steps"))):
        if text(item) != "otherwise":
            yield item
