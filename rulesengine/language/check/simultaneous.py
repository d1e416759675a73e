"""Checks of `together`: simultaneous moves, chosen by all players before any is carried out.

See decision 161.
"""

import re

from rulesengine.language.check.context import Context, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.moves import view
from rulesengine.language.check.reader import Reader, get, items
from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Mapping, Node
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import has_role, is_constant, reads_variable
from rulesengine.language.ir.rules import Rules, SimultaneousChoices, is_always_together
from rulesengine.support.diagnostic import Suggestion

_ONCE = "comes once for all players here"
_SAY = "name a player, or loop over `players`"


class SimultaneousMoves:
    """The checker of `together` in a context."""

    def __init__(self, context: Context, reader: Reader, expressions: ExpressionChecker) -> None:
        self.context = context
        self.reader = reader
        self.expressions = expressions

    def together(self, rules: Node | None) -> SimultaneousChoices | None:
        """Check the condition; None if there is none or it never holds."""
        node = get(rules, "together")
        parsed = self.reader.parse(node)
        if node is None or parsed is None:
            return None
        when = self.expressions.check(parsed, view("chance"), "flag")
        if is_error(when) or is_constant(when, 0):
            return None
        if len(self.context.players) < 2:
            message = "`together` needs two players, there is 1"
            self.context.report("not-here", node.span, message, _without(rules, "together"))
        self._check_readers(node, when)
        return SimultaneousChoices(when, self.context.site(node.span))

    def _check_readers(self, node: Node, when: Op) -> None:
        """Report a condition that depends on one player, or on registers of a turn or move."""
        if reads_variable(when, "player") or any(has_role(op, "mover") for op in walk(when)):
            message = "`together` is read for all players at once"
            write = f"any(p in players, as(p, {node.span.text}))"
            help = Suggestion("say for which players it is to hold", write)
            is_mover = any(has_role(op, "mover") for op in walk(when))
            self.context.report("together-player", node.span, message, _SAY if is_mover else help)
        for name in dict.fromkeys(str(op.value) for op in walk(when) if has_role(op, "register")):
            register = self.context.registers.get(name)
            if register is not None and register.lives != "game":
                message = f"`together` reads `{name}`, which does not last from move to move"
                self.context.report("not-here", node.span, message, self._without_lives(name))

    def _without_lives(self, name: str) -> str:
        """Suggest to leave `lives` of a register out."""
        root = self.context.root
        register = get(root.get("registers"), name) if root else None
        return _without(
            register, "lives", f"leave `lives` of `{name}` out, and set it back in `do`"
        )

    def check(self, node: Node | None, rules: Rules) -> None:
        """Report rules that depend on one player where all players always move together."""
        if not is_always_together(rules):
            return
        if (turn := get(node, "turn")) is not None:
            message = "`turn` chooses no player where all players always move together"
            self.context.report("together-player", turn.span, message, _without(node, "turn"))
        for item, effect in zip(items(get(node, "do")), rules.effects, strict=False):
            if reads_variable(effect, "player", "to", "from") or _reads_mover(effect):
                message = f"`rules: do` {_ONCE}"
                self.context.report("together-player", item.span, message, _SAY)
        ends = [item for item in items(get(node, "end")) if get(item, "out") is None]
        for item, end in zip(ends, rules.ends, strict=False):
            if any(_reads_mover(op) for op in (end.when, end.side) if op is not None):
                location = get(item, "when" if _reads_mover(end.when) else "result") or item
                message = "`mover` is no player where all players move together"
                write = re.sub(r"\bmover\b", "player", item.span.text)
                help = Suggestion("write `player`: the end is read for each", write, item.span)
                self.context.report("together-player", location.span, message, help)


def _reads_mover(op: Op) -> bool:
    return any(has_role(inner, "mover") for inner in walk(op))


def _without(holder: Node | None, key: str, help: str = "leave it out") -> str:
    """Suggest to leave a key out."""
    entry = holder.entry(key) if isinstance(holder, Mapping) else None
    if not isinstance(holder, Mapping) or entry is None:
        return help
    span, write = without_entry(holder, entry)
    return Suggestion(help, write, span)
