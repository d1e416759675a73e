"""Checking of assignments: `set`, and `add` to a number."""

from rulesengine.language.check.context import (
    SHOWN_TYPES,
    Context,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.reader import get
from rulesengine.language.check.suggestions import declared, register_without_brackets, with_key
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.rules import Register
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion, did_you_mean


class AssignmentChecker:
    """The checker of effects that change a register."""

    def __init__(self, context: Context, expressions: ExpressionChecker) -> None:
        self.context = context
        self.expressions = expressions

    def effect(self, node: n.SetRegister, view: ExpressionContext) -> Op:
        """Return the operation of `set NAME to VALUE` or `add NUMBER to NAME`."""
        name = node.register
        target = name.name if isinstance(name, n.OfSide) else name
        owner = name.side if isinstance(name, n.OfSide) else None
        if isinstance(target, n.Name) and target.word in self.context.broken:
            self.expressions.infer(node.value, view)
            return error_op()
        if not isinstance(target, n.Name) or target.word not in self.context.registers:
            self._no_register(target)
            return error_op()
        self.context.used.add(target.word)
        register = self.context.registers[target.word]
        if node.adds and register.type != "number":
            return self._no_number(register, target)
        if register.each == "cell":
            return self._at_cells(node, target, owner, view)
        if register.each in ("kind", "player kind"):
            return self._of_kind(node, register, owner, view)
        side = self.expressions.check(owner, view, "side") if owner else None
        if side is not None and not register.each:
            message = f"`{register.name}` is one for all"
            help = "declare it with `each: player` to have one for each player"
            help = self._each_player(register.name, help)
            self.context.report("type-mismatch", target.span, message, help)
        value = self.expressions.check(node.value, view, register.type)
        sides = (side or view.side,) if register.each else ()
        if node.adds:
            old = make("register", *sides, value=register.name, type="number")
            value = self._sum(old, value, node)
        return make("set", value, *sides, value=self._place(register.name, node))

    def _of_kind(
        self,
        node: n.SetRegister,
        register: Register,
        owner: n.Node | None,
        view: ExpressionContext,
    ) -> Op:
        """Check an assignment to the register of a kind."""
        if owner is None:
            assert isinstance(node.register, n.Name)
            return self.expressions.of_no_kind(node.register)
        kind, sides = self.expressions.kind_and_side(register, owner, view)
        value = self.expressions.check(node.value, view, register.type)
        if is_error(kind) or is_error(value) or any(map(is_error, sides)):
            return error_op()
        name = "add_kind" if node.adds else "set_kind"
        return make(name, value, kind, *sides, value=self._place(register.name, node))

    def _at_cells(
        self, node: n.SetRegister, target: n.Name, cells: n.Node | None, view: ExpressionContext
    ) -> Op:
        """Check an assignment to the numbers of cells."""
        if cells is None:
            message = f"`{target.word}` is a number at each cell"
            help = Suggestion("say of which cells", f"{target.word} of to")
            self.context.report("type-mismatch", target.span, message, help)
            return error_op()
        value = self.expressions.check(node.value, view, "number")
        cells_op = self.expressions.check(cells, view, "cells")
        if is_error(value) or is_error(cells_op) or not node.adds:
            return make("set_at", value, cells_op, value=self._place(target.word, node))
        return self._added_at(node, target.word, value, cells_op)

    def _added_at(self, node: n.SetRegister, name: str, value: Op, cells: Op) -> Op:
        """Return the effect that adds a number, evaluated once, to the numbers of some cells."""
        place = self._place(name, node)
        number, cell = self.context.fresh("number"), self.context.fresh("cell")
        more = Op("variable", "number", (), number)
        at = Op("variable", "cell", (), cell)
        old = make("number_at", at, value=place)
        change = make("set_at", self._sum(old, more, node), make("single", at), value=place)
        loop = make("for", cells, change, value=("do", cell, "cells", place[1]))
        return make("bind", value, loop, value=("be", number))

    def _sum(self, old: Op, value: Op, node: n.SetRegister) -> Op:
        return make("add", old, value, value=self.context.site(node.span))

    def _place(self, name: str, node: n.Node) -> tuple[str, str]:
        """Return the name of a register with the site of the effect that changes it."""
        return name, str(self.context.site(node.span))

    def _no_number(self, register: Register, target: n.Name) -> Op:
        type_name = SHOWN_TYPES[register.type]
        message = f"`{register.name}` is {type_name}, and `add` changes a number"
        self.context.report("type-mismatch", target.span, message, "use `set … to …`")
        return error_op()

    def _each_player(self, name: str, help: str) -> str:
        registers = self.context.root.get("registers") if self.context.root else None
        return with_key(get(registers, name), "each: player", help)

    def _no_register(self, node: n.Node) -> None:
        word = node.word if isinstance(node, n.Name) else node.span.text
        names = list(self.context.registers)
        entry = f"{word}: {{type: number}}"
        help = did_you_mean(word, names)
        if isinstance(node, n.Call):
            help = register_without_brackets(node, self.context.registers)
        help = help or declared(
            self.context, "registers", entry, f"declare it: `registers: {{{entry}}}`"
        )
        self.context.report("unknown-name", node.span, f"no register `{word}`", help)
