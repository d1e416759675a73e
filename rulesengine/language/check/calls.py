"""Checking of calls: functions of the table, look-ahead with `after` and `replies`, and `each`."""

import re
from collections.abc import Callable
from functools import reduce
from typing import cast

from rulesengine.language.check.builtin_row import Builtin
from rulesengine.language.check.builtins import (
    ALONG,
    DOMAINS,
    EACH,
    FUNCTIONS,
    NAMES,
    OTHER_FORMS,
    REPLIES,
)
from rulesengine.language.check.context import (
    LAST_STEP,
    SHOWN_TYPES,
    ExpressionContext,
    error_op,
    is_error,
)
from rulesengine.language.check.domains import domain_finding
from rulesengine.language.check.kind_values import KindChecker
from rulesengine.language.check.names import argument_count
from rulesengine.language.check.script_builtins import SCRIPTED
from rulesengine.language.check.suggestions import (
    register_without_brackets,
    suggest_word,
    with_key,
)
from rulesengine.language.ir.ops import OPS, Op, Type, literal, make
from rulesengine.language.ir.roles import has_role, is_constant
from rulesengine.language.ir.rules import ANSWERS
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.limits import MAX_AFTER_DEPTH
from rulesengine.support.source import Span

# Forms with a set of cells as their domain.
_OF_CELLS = ("where", "reach")
# Names of steps, which take no brackets either.
_OF_STEPS = ("from", "to", "direction", "it")


class CallChecker(KindChecker):
    """A layer of the expression checker for calls and loops over a domain."""

    def _call(self, node: n.Call, view: ExpressionContext) -> Op:
        """Return the operation of a call.

        A definition of the spec replaces a function of that name. See decision 183.
        """
        word = node.function
        definition = self.context.definitions.get(word)
        if definition:
            self.context.used.add(word)
            return self._use(definition, node.arguments, node, view)
        if word == "as":
            return self._as(node, view)
        if word == "after":
            return self._after(node, view)
        if word == "before":
            return self.before(node, view) if self._count(node, 1) else error_op()
        if word in ("below", "height") and not self.context.stacks:
            return self._without_stacks(node)
        if word == "below":
            return self._below(node, view)
        if word in REPLIES and node.arguments and _is_name(node.arguments[0], "replies"):
            return self._replies(node, view)
        scripted = view.slot == "script" and word in SCRIPTED
        if word == "cell" and not (scripted and _is_made(node)):
            return self._cell_named(node)
        if scripted:
            return self._scripted(node, view)
        row = FUNCTIONS.get(word)
        if row is None:
            return self._unknown_function(node)
        if not self._allowed(word, node, view):
            return error_op()
        return self._builtin_call(row, node, view)

    def _scripted(self, node: n.Call, view: ExpressionContext) -> Op:
        """Check a function that only scripts have."""
        raise NotImplementedError

    def _unknown_function(self, node: n.Call) -> Op:
        if node.function in self.context.broken:
            return error_op()
        if node.function in DOMAINS:
            board = self.context.topology
            sets = [name for name, _ in board.direction_sets] if board else []
            self.context.report(*domain_finding(node, sets))
            return error_op()
        names = [*FUNCTIONS, *EACH, "as", "after", "before", "below", *self.context.definitions]
        help = did_you_mean(node.function, names) or suggest_word(node.function, names)
        if node.function in SCRIPTED:
            help = help or f"`{node.function}` is known in `io` alone"
        if node.function in EACH:
            help = _each_fix(node)
        if node.function in (*NAMES, *_OF_STEPS, *self.context.attributes):
            help = _no_brackets(node)
        help = register_without_brackets(node, self.context.registers) or help
        self.context.report(
            "unknown-function", node.name_span, f"unknown function `{node.function}`", help=help
        )
        return error_op()

    def _cell_named(self, node: n.Call) -> Op:
        """Check `cell("centre")`, a cell with a name that is not one of the language."""
        match node.arguments:
            case (n.Text(parts=(str(name),)),) if not node.named:
                return Op("named_cell", "cell", (), (name, str(self.context.site(node.span))))
        help = 'write the name of a cell in quotation marks: `cell("a1")`'
        self.context.report("argument-count", node.span, "`cell` takes the name of a cell", help)
        return error_op()

    def _as(self, node: n.Call, view: ExpressionContext) -> Op:
        if not self._count(node, 2):
            return error_op()
        reader, body = node.arguments
        word = body.word if isinstance(body, n.Name) else ""
        register = self.context.registers.get(word)
        if register and register.each == "cell":
            return self.number_at(register.name, reader, node.span, view)
        if register and register.each in ("kind", "player kind"):
            return self.register_of_kind(register, reader, node.span, view)
        if word in self.context.kind_values:
            return self.value_of_kind(word, reader, node.span, view)
        owner = self.infer(reader, view)
        if is_error(owner):
            self.infer(body, view)
            return owner
        if owner.type == "cell" and word in ("row", "column"):
            return make(f"{word}_label", owner, value=self.context.site(node.span))
        return self.infer(body, view.by(self.coerce(owner, "side", reader)))

    def _after(self, node: n.Call, view: ExpressionContext) -> Op:
        if not self._count(node, 1) or not self._allowed("after", node, view):
            return error_op()
        if view.step is LAST_STEP:
            message = "there is no move here that `after` could be about"
            help = "use it in `play move where …`, in `print moves` or in a strategy"
            self.context.report("not-here", node.name_span, message, help)
            return error_op()
        body = self.infer(node.arguments[0], self._further(node, view))
        return body if is_error(body) else make("after", view.side, body, type=body.type)

    def _without_stacks(self, node: n.Call) -> Op:
        """Report a word for stacks on a board without them."""
        message = f"`{node.function}` needs a board with stacks"
        help = "add `stacks: {height: 8}` to `board`"
        board = self.context.root.get("board") if self.context.root else None
        help = with_key(board, "stacks: {height: 8}", help)
        self.context.report("not-here", node.name_span, message, help)
        return error_op()

    def _below(self, node: n.Call, view: ExpressionContext) -> Op:
        """Check `below(NUMBER, VALUE)`, a value without so many upper pieces of each stack."""
        if not self._count(node, 2):
            return error_op()
        number = self.check(node.arguments[0], view, "number")
        body = self.infer(node.arguments[1], view)
        return body if is_error(body) else make("below", number, body, type=body.type)

    def _replies(self, node: n.Call, view: ExpressionContext) -> Op:
        if not self._count(node, 2) or not self._allowed("replies", node, view):
            return error_op()
        expected = REPLIES[node.function]
        body = self.check(node.arguments[1], self._further(node, view), expected)
        result = "number" if node.function == "count" else expected
        return make("replies", body, value=node.function, type=cast(Type, result))

    def _further(self, node: n.Call, view: ExpressionContext) -> ExpressionContext:
        if view.ahead >= MAX_AFTER_DEPTH:
            message = f"this looks more than {MAX_AFTER_DEPTH} moves ahead"
            value = node.arguments[0].span.text if node.function == "after" else ""
            help = Suggestion("leave one `after` out", value, node.span) if value else ""
            self.context.report("too-expensive", node.name_span, message, help)
        return view.further()

    def _count(self, node: n.Call, wanted: int) -> bool:
        if len(node.arguments) == wanted and not node.named:
            return True
        message = f"`{node.function}` takes {argument_count(wanted)}, found {len(node.arguments)}"
        replies = "replies" if node.function in REPLIES else node.function
        help = OTHER_FORMS.get(replies, "")
        if node.function == "as" and len(node.arguments) == 1 and help:
            help = Suggestion(help, f"as({node.arguments[0].span.text}, own)", node.span)
        self.context.report("argument-count", node.span, message, help)
        return False

    def _builtin_call(self, row: Builtin, node: n.Call, view: ExpressionContext) -> Op:
        arguments = self._matched(row, node)
        if arguments is None:
            return error_op()
        args: list[Op] = []
        across = self._goes_across(row, arguments)
        for parameter in row.parameters:
            values = arguments.get(parameter.name, [])
            kind = parameter.type.rstrip("*?")
            if parameter.type == "range?" and not across:
                continue
            if kind == "range":
                bounds = n.Range(node.span, None, None) if not values else values[0]
                args += self.range(bounds, view, parameter.low)
            else:
                args += [self.check(v, view, kind) for v in values]
        if any(is_error(a) for a in args):
            return error_op()
        site = self.context.site(node.span) if OPS[row.op].value == "site" else None
        if view.slot == "forbid" and "moves" in OPS[row.op].reads:
            return make(row.op, *args, value=ANSWERS, type=cast(Type, row.result))
        op = row.across if across else row.op
        if row.word == "turned" and has_role(args[0], "singleton"):
            return make("turned_one", args[0].args[0], args[1])
        return make(op, *args, value=site, type=cast(Type, row.result))

    def _goes_across(self, row: Builtin, arguments: dict[str, list[n.Node]]) -> bool:
        """True if a word follows the joins of the board; report `joins` if the board has none."""
        board = self.context.topology
        has_joins = board is not None and bool(board.joins)
        if "joins" in arguments and row.across and not has_joins:
            message = "the board has no joins"
            self.context.report("not-here", arguments["joins"][0].span, message, help=_shape(row))
        return bool(row.across) and has_joins

    def _matched(self, row: Builtin, node: n.Call) -> dict[str, list[n.Node]] | None:
        """Match the arguments with the parameters, by position and by name."""
        names = [p.name for p in row.parameters]
        arguments: dict[str, list[n.Node]] = {}
        for i, value in enumerate(node.arguments):
            if i < len(names) or (row.parameters and row.parameters[-1].type.endswith("*")):
                arguments.setdefault(names[min(i, len(names) - 1)], []).append(value)
            else:
                message = (
                    f"`{row.word}` takes {argument_count(len(names))}, found {len(node.arguments)}"
                )
                help = _surplus(row, node, names)
                self.context.report("argument-count", value.span, message, help)
                return None
        for name, value in node.named:
            if name not in names or name in arguments:
                known = name in names
                message = f"`{name}` is given twice" if known else f"`{row.word}` has no `{name}`"
                help = _shape(row) if known else did_you_mean(name, names) or _shape(row)
                span = _argument_span(node, name, value)
                help = _left_out(help, span, value) if known else help
                self.context.report("argument-name", span, message, help=help)
                return None
            arguments[name] = [value]
        for p in row.parameters:
            optional = p.type.endswith("?") or p.low is not None
            if p.name not in arguments and not optional:
                message = f"`{row.word}` needs {SHOWN_TYPES[p.type.rstrip('*')]}: `{p.name}`"
                help = Suggestion(_shape(row), row.example)
                self.context.report("argument-count", node.span, message, help)
                return None
        return arguments

    # each

    def _each_form(self, node: n.Each, view: ExpressionContext) -> Op:
        row = EACH.get(node.function)
        if row is None:
            return self._unknown_each(node)
        kinds = self.kinds_in(node.domain, view)
        if kinds is not None:
            return self._over_kinds(node, kinds, view)
        domain = self.domain(node.domain, view)
        if domain is None:
            return error_op()
        name, kind, op = domain
        expected, result, _ = row
        if node.function in _OF_CELLS and name != "cells":
            return self._no_cells(op, node, "players" if name == "sides" else name)
        variable = self.context.fresh(node.variable)
        inner = view.with_variable(node.variable, Op("variable", cast(Type, kind), (), variable))
        body = self.check(node.body, inner, expected)
        if is_error(body) or is_error(op):
            return error_op()
        site = str(self.context.site(node.span))
        value = (node.function, variable, name, site)
        return make("each", op, body, value=value, type=cast(Type, result))

    def kinds_in(self, node: n.Node, view: ExpressionContext) -> tuple[Op, ...] | None:
        """Return the kinds of the domain `kinds(tall)`; None for another domain."""
        match node:
            case n.Call(function="kinds", arguments=(of,)) if not self.context.definitions.get(
                "kinds"
            ):
                op = self.infer(of, view)
            case _:
                return None
        if is_constant(op) and op.type == "kind":
            return (op,)
        if is_constant(op) and op.type == "kinds":
            assert isinstance(op.value, int)
            numbers = range(len(self.context.kinds))
            return tuple(literal("kind", i) for i in numbers if op.value >> i & 1)
        if not is_error(op):
            self._not_in_common(op, of)
        return ()

    def _not_in_common(self, op: Op, of: n.Node) -> None:
        """Report an argument of `kinds` that is not an attribute of kinds."""
        type_name = SHOWN_TYPES[op.type]
        message = f"expected {SHOWN_TYPES['kinds']}, found {type_name}"
        word = next(iter(self.context.kinds_by_attribute), "")
        help = "give kinds of piece a word in common, `is: tall`"
        help = Suggestion(f"write what kinds have in common: `{word}`", word) if word else help
        self.context.report("type-mismatch", of.span, message, help, label=type_name)

    def _over_kinds(self, node: n.Each, kinds: tuple[Op, ...], view: ExpressionContext) -> Op:
        """Expand a loop over kinds to one body for each kind."""
        expected, _, _ = EACH[node.function]
        bodies = self.of_each(
            node.variable, kinds, view, lambda inner: self.check(node.body, inner, expected)
        )
        if node.function in _OF_CELLS:
            self._mismatch(kinds[0] if kinds else error_op(), "cells", node.domain)
            return error_op()
        if not bodies or any(map(is_error, bodies)):
            return error_op()
        return joined(node.function, bodies, self.context.site(node.span))

    def of_each(
        self,
        word: str,
        kinds: tuple[Op, ...],
        view: ExpressionContext,
        value_of: Callable[[ExpressionContext], Op],
    ) -> list[Op]:
        """Check a body once for each kind, with the word bound to the kind.

        A definition with this word as its argument differs from kind to kind. Therefore it is not
        recorded as a `CheckedDefinition`.
        """
        self._open.append("")
        answers = [value_of(view.with_variable(word, kind)) for kind in kinds]
        self._open.pop()
        return answers

    def _no_cells(self, op: Op, node: n.Each, type_name: str) -> Op:
        """Report a domain of other values where only cells are allowed."""
        if node.function == "reach":
            help = Suggestion("`union` joins the cells of each", "union", node.name_span)
            type_name = "along" if type_name == "track" else type_name
            message = f"`reach` goes from cell to cell, found {type_name}"
            self.context.report("type-mismatch", node.domain.span, message, help, type_name)
        else:
            self._mismatch(op, "cells", node.domain)
        return error_op()

    def _no_kinds(self, node: n.Call) -> None:
        """Report `kinds` with a wrong number of arguments, or in a loop of a script."""
        message = "`kinds` takes kinds of piece that have something in common: `kinds(tall)`"
        help = ""
        if len(node.arguments) == 1:
            message, of = "a script cannot go through kinds", node.arguments[0].span.text
            help = Suggestion(f"go through the cells of their pieces: `{of}`", of)
        self.context.report("not-here", node.span, message, help)

    def _unknown_each(self, node: n.Each) -> Op:
        help = did_you_mean(node.function, list(EACH)) or suggest_word(node.function, list(EACH))
        help = help or "use " + ", ".join(EACH)
        message = f"`{node.function}` cannot go through a set"
        self.context.report("unknown-function", node.name_span, message, help=help)
        return error_op()

    def domain(self, node: n.Node, view: ExpressionContext) -> tuple[str, str, Op] | None:
        match node:
            case n.Name(word="players"):
                return "sides", "side", make("players")
            case n.Call(function="groups", arguments=(cells,)):
                return "groups", "cells", self.check(cells, view, "cells")
            case n.Call(function="numbers", arguments=(bounds,)):
                low, high = self.range(bounds, view, None)
                return "numbers", "number", make("range", low, high)
            case n.Call(function="kinds") if "kinds" not in self.context.definitions:
                self._no_kinds(node)
                return None
            case n.Call(function="along") if "along" not in self.context.definitions:
                op = self._builtin_call(ALONG, node, view)
                return None if is_error(op) else ("track", "cell", op)
        op = self.infer(node, view)
        if is_error(op):
            return None
        if op.type in ("numbers", "texts"):
            return "list", op.type.removesuffix("s"), op
        if op.type in ("direction", "directions"):
            return "directions", "direction", self.coerce(op, "directions", node)
        return "cells", "cell", self.coerce(op, "cells", node)


def joined(word: str, values: list[Op], site: int) -> Op:
    """Combine the values of the members of a domain that is known in advance."""
    match word:
        case "any":
            return make("either", *values)
        case "every":
            return make("both", *values)
        case "none":
            return make("deny", make("either", *values))
        case "union":
            return make("or", *values)
        case "count":
            one, zero = literal("number", 1), literal("number", 0)
            values = [make("if", value, one, zero, type="number") for value in values]
    return reduce(lambda so_far, value: _both_numbers(word, so_far, value, site), values)


def _both_numbers(word: str, one: Op, other: Op, site: int) -> Op:
    """Return the sum, the lesser or the greater of two numbers."""
    if word not in ("least", "most"):
        return make("add", one, other, value=site)
    pair = (one, other) if word == "least" else (other, one)
    return make("if", make("at_most", *pair), one, other, type="number")


def _is_made(node: n.Call) -> bool:
    """True if the name of a cell is computed."""
    match node.arguments:
        case (n.Text(parts=(str(),)),):
            return False
    return bool(node.arguments)


def _is_name(node: n.Node, word: str) -> bool:
    return isinstance(node, n.Name) and node.word == word


def _shape(row: Builtin) -> str:
    shown = ", ".join(p.name + ("?" if p.type.endswith("?") else "") for p in row.parameters)
    return f"write `{row.word}({shown})`, for example `{row.example}`"


def _argument_span(node: n.Call, name: str, value: n.Node) -> Span:
    """Return the span of the name before a value: `along` of `along: north`."""
    source, start = node.span.source, node.name_span.end
    before = source.text[start : value.span.start]
    match = re.search(rf"({re.escape(name)})\s*:[\s(]*$", before)
    if match is None:
        return value.span
    return Span(source, start + match.start(1), start + match.end(1))


def _left_out(help: str, span: Span, value: n.Node) -> str:
    """Suggest to remove an argument and the comma before it."""
    before = re.search(r",\s*$", span.source.text[: span.start])
    start = before.start() if before else span.start
    return Suggestion(help, "", Span(span.source, start, value.span.end))


def _surplus(row: Builtin, node: n.Call, names: list[str]) -> str:
    """Suggest a call with fewer arguments: one intersection of sets, or without the last ones."""
    arguments = node.arguments
    if len(names) == 1 and row.parameters[0].type == "cells":
        joined = " and ".join(a.span.text for a in arguments)
        span = arguments[0].span.to(arguments[-1].span)
        return Suggestion(
            f"write `{row.word}({' '.join(joined.split())})` for what is in both", joined, span
        )
    if not names:
        return _no_brackets(node)
    last = arguments[len(names) - 1].span
    return Suggestion(_shape(row), "", Span(last.source, last.end, arguments[-1].span.end))


def _no_brackets(node: n.Call) -> str:
    word, arguments = node.function, node.arguments
    argument = arguments[0].span.text if len(arguments) == 1 else ""
    if arguments and isinstance(arguments[0], n.Operation | n.Where | n.Conditional):
        argument = f"({argument})"
    write = f"{word} and {argument}" if argument else word
    return Suggestion(f"`{word}` takes no brackets: `{' '.join(write.split())}`", write, node.span)


def _each_fix(node: n.Call) -> str:
    """Suggest `every(x in own, …)` for `every(own)`; any condition would be a constant one."""
    word = node.function
    domain = node.arguments[0].span.text if node.arguments else "own"
    help = f"write `{word}(x in {domain}, …)`"
    if EACH[word][0] == "flag":
        return help
    body = "1" if EACH[word][0] == "number" else "own"
    return Suggestion(help, f"{word}(x in {domain}, {body})", node.span)
