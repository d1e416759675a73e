"""Parser of the expressions of a driver, with their kinds."""

import ast
from collections.abc import Sequence
from types import FunctionType, MappingProxyType
from typing import Any

from rulesengine.engine.kernel.translate.nodes import (
    Access,
    Call,
    Conditional,
    Constant,
    Expression,
    Function,
    GameQuery,
    IndexedMove,
    Kind,
    Name,
    Primitive,
    driver_error,
)
from rulesengine.engine.kernel.translate.operations import ACCESSES, INSTRUCTIONS, OPERATIONS
from rulesengine.engine.kernel.translate.scope import Scope
from rulesengine.engine.kernel.translate.source import Fields, Source, source_of
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_ARITHMETIC: MappingProxyType[type, str] = MappingProxyType(
    {
        ast.Add: "iadd",
        ast.Sub: "isub",
        ast.Mult: "imul",
        ast.FloorDiv: "cdiv",
        ast.Mod: "cmod",
        ast.LShift: "ishl",
        ast.RShift: "ishr",
        ast.BitAnd: "iand",
        ast.BitOr: "ior",
    }
)
# Instruction, a flag to swap the operands, a flag to negate the result.
_COMPARISONS: MappingProxyType[type, tuple[str, bool, bool]] = MappingProxyType(
    {
        ast.Eq: ("ieq", False, False),
        ast.NotEq: ("ieq", False, True),
        ast.Lt: ("ilt", False, False),
        ast.LtE: ("ile", False, False),
        ast.Gt: ("ilt", True, False),
        ast.GtE: ("ile", True, False),
    }
)
_WORDS: MappingProxyType[Kind, str] = MappingProxyType(
    {
        "int": "a number",
        "bool": "a flag",
        "word": "a word",
        "state": "a state",
        "moves": "moves",
        "move": "a move",
        "game": "a game",
        "memory": "memory",
    }
)


class Expressions:
    """A parser of expressions in a scope."""

    def __init__(self, source: Source, scope: Scope) -> None:
        self.source = source
        self.scope = scope
        self.records = {n: kind for n, kind in source.signature if isinstance(kind, Fields)}

    def refuse(self, node: ast.AST, text: str) -> Exception:
        return driver_error(self.source.place(node), text)

    def read(self, node: ast.expr, expected: Kind) -> Expression:
        """Parse an expression of a kind."""
        expression = self.any(node)
        if expected == "word" and isinstance(expression, Constant) and expression.kind == "int":
            if 0 <= expression.value < 1 << 64:
                return Constant("word", expression.value)
        elif expected == "bool" and expression.kind == "moves":
            return GameQuery("bool", "some", (expression,))
        if expression.kind != expected:
            raise self.refuse(node, f"expected {_WORDS[expected]}, found {_WORDS[expression.kind]}")
        if isinstance(expression, Constant) and not INTEGER_MIN <= expression.value <= INTEGER_MAX:
            raise self.refuse(node, "a number of more than 64 bits")
        return expression

    def any(self, node: ast.expr) -> Expression:
        """Parse an expression with one value."""
        match node:
            case ast.Constant(value=bool() | int() as value):
                return _constant(value)
            case ast.Name():
                return self.name(node)
            case ast.BinOp():
                return self.arithmetic(node, node.op, node.left, node.right)
            case ast.UnaryOp(op=ast.Not()):
                return Primitive("bool", "fnot", (self.read(node.operand, "bool"),))
            case ast.UnaryOp(op=ast.USub()):
                return _minus(self.read(node.operand, "int"))
            case ast.BoolOp():
                return self._joined(node.op, node.values)
            case ast.Compare():
                return self._compared(node)
            case ast.IfExp():
                return self._conditional(node)
            case ast.Subscript(value=ast.Name() as moves):
                return IndexedMove("move", self.moves(moves), self.read(node.slice, "int"))
            case ast.Attribute(value=ast.Name(id=record), attr=field) if record in self.records:
                return self._field(node, record, field)
            case ast.Call():
                return self._single(node)
            case _:
                raise self.refuse(node, f"{type(node).__name__} is no expression of a driver")

    def name(self, node: ast.Name) -> Expression:
        kind = self.scope.use(node.id)
        if kind is not None:
            return Name(kind, node.id)
        if node.id in self.scope.kinds:
            raise self.refuse(node, f"`{node.id}` may hold nothing here, or moves of an old state")
        value = self.source.globals.get(node.id)
        if not isinstance(value, int):
            raise self.refuse(node, f"`{node.id}` is no name of this driver and no constant")
        return _constant(value)

    def _field(self, node: ast.AST, record: str, field: str) -> Name:
        name = f"{record}.{field}"
        kind = self.scope.use(name)
        if kind is None:
            raise self.refuse(node, f"`{name}` is no field, or may hold nothing here")
        return Name(kind, name)

    def fields(self, node: ast.expr, expected: Fields) -> tuple[Expression, ...]:
        """Parse a record, by its name or its constructor, to the values of its fields."""
        match node:
            case ast.Name(id=name) if name in self.records:
                if self.records[name].type is expected.type:
                    return tuple(self._field(node, name, field) for field, _ in expected.kinds)
            case ast.Call(func=ast.Name(id=name)) if self.source.globals.get(name) is expected.type:
                return self._args(node, expected.kinds)
        raise self.refuse(node, f"expected a record of the class `{expected.type.__name__}`")

    def moves(self, node: ast.expr) -> Name:
        expression = self.any(node)
        if not isinstance(expression, Name) or expression.kind != "moves":
            raise self.refuse(node, "expected the name of moves")
        return expression

    def arithmetic(
        self, node: ast.AST, op: ast.operator, left: ast.expr, right: ast.expr
    ) -> Expression:
        name = _ARITHMETIC.get(type(op))
        if name is None:
            raise self.refuse(node, f"drivers have no {type(op).__name__}")
        return Primitive("int", name, (self.read(left, "int"), self.read(right, "int")))

    def _joined(self, op: ast.boolop, nodes: Sequence[ast.expr]) -> Expression:
        """Parse `and` or `or`, with short-circuit evaluation."""
        first = self.read(nodes[0], "bool")
        if len(nodes) == 1:
            return first
        rest = self._joined(op, nodes[1:])
        if isinstance(op, ast.And):
            return Conditional("bool", first, rest, Constant("bool", 0))
        return Conditional("bool", first, Constant("bool", 1), rest)

    def _compared(self, node: ast.Compare) -> Expression:
        form = _COMPARISONS.get(type(node.ops[0]))
        if form is None or len(node.ops) > 1:
            raise self.refuse(node, "a driver compares two numbers or flags")
        name, swapped, denied = form
        args = [self._number(operand) for operand in (node.left, node.comparators[0])]
        result = Primitive("bool", name, tuple(args[::-1] if swapped else args))
        return Primitive("bool", "fnot", (result,)) if denied else result

    def _number(self, node: ast.expr) -> Expression:
        """Parse a number, or a flag as 0 or 1."""
        expression = self.any(node)
        return (
            Primitive("int", "fint", (expression,))
            if expression.kind == "bool"
            else self.read(node, "int")
        )

    def _conditional(self, node: ast.IfExp) -> Expression:
        test, yes = self.read(node.test, "bool"), self.any(node.body)
        if yes.kind not in ("int", "bool", "word"):
            raise self.refuse(node, f"{_WORDS[yes.kind]} cannot be chosen by a condition")
        return Conditional(yes.kind, test, yes, self.read(node.orelse, yes.kind))

    # calls

    def _single(self, node: ast.Call) -> Expression:
        expression = self.call(node)
        if isinstance(expression, Call) and len(expression.kinds) > 1:
            raise self.refuse(node, f"expected one value, found {len(expression.kinds)}")
        return expression

    def call(self, node: ast.Call) -> Expression:
        """Parse a call, which may have several results."""
        match node.func:
            case ast.Attribute(value=ast.Name() as game, attr=operation):
                if self.name(game).kind != "game":
                    raise self.refuse(node, f"`{game.id}` is no game")
                return self._query(node, operation)
            case ast.Name(id="len"):
                (moves,) = self._args(node, (("", "moves"),))
                return GameQuery("int", "len", (moves,))
            case ast.Name(id=name):
                return self._called(node, self.source.globals.get(name, _BUILTINS.get(name)))
            case _:
                raise self.refuse(node, "a driver calls functions by their names")

    def _called(self, node: ast.Call, function: Any) -> Expression:
        if callable(function) and function in INSTRUCTIONS:
            row = INSTRUCTIONS[function]
            args = self._args(node, [("", kind) for kind in row.params])
            return Primitive(row.result, row.name, args)
        if callable(function) and function in ACCESSES:
            access = ACCESSES[function]
            if access.result is None:
                raise self.refuse(node, f"`{ast.unparse(node.func)}` gives nothing")
            return Access(access.result, function, self.access_args(node, function))
        if not isinstance(function, FunctionType):
            raise self.refuse(node, f"`{ast.unparse(node.func)}` is no function of a driver")
        return self._driver(node, function)

    def access_args(self, node: ast.Call, function: Function) -> tuple[Expression, ...]:
        return self._args(node, [("", kind) for kind in ACCESSES[function].params])

    def _driver(self, node: ast.Call, function: Function) -> Expression:
        callee = source_of(function)
        args = self._args(node, callee.signature)
        for (name, _), arg in zip(callee.params, args, strict=True):
            if name in callee.static_flags and not isinstance(arg, Constant):
                raise self.refuse(node, f"`{name}` is written as True or False")
        return Call(callee.results, function, args)

    def _query(self, node: ast.Call, operation: str) -> Expression:
        if operation in _OF_BOTH:
            state, move = self._args(node, (("", "state"), ("", "move")))
            self._must_be_of(node, state, move)
            if not isinstance(move, Name) and operation != "apply":
                raise self.refuse(node, f"`{operation}` applies to the move of a loop only")
            return GameQuery(_OF_BOTH[operation], operation, (state, move))
        if operation == "loaded":
            number: tuple[str, Kind] = ("", "int")
            line: tuple[tuple[str, Kind], ...] = (("", "memory"), number, number, number)
            args = self._args(node, (("", "memory"), number, *line))
            return GameQuery("state", operation, args)
        if operation == "made":
            args = self._args(node, (("", "state"), ("", "int"), ("", "int")))
            return GameQuery("state", operation, args)
        if operation == "placed":
            args = self._args(node, (("", "state"), ("", "int")))
            return GameQuery("state", operation, args)
        if operation == "passed":
            return GameQuery("state", operation, self._args(node, (("", "state"),)))
        if operation in _OF_STEPS:
            operands = self._args(node, (("", "move"), ("", "int")))
            if not isinstance(operands[0], Name):
                raise self.refuse(node, f"`{operation}` applies to the move of a loop only")
            return GameQuery("int", operation, operands)
        if operation in _OF_MOVES:
            (move,) = self._args(node, (("", "move"),))
            if not isinstance(move, Name):
                raise self.refuse(node, f"`{operation}` applies to the move of a loop only")
            return GameQuery(_OF_MOVES[operation], operation, (move,))
        if operation not in OPERATIONS:
            raise self.refuse(node, f"`{operation}` is no operation of an expression")
        row = OPERATIONS[operation]
        args = self._args(node, [("", kind) for kind in row.params])
        return GameQuery(row.result, operation, args)

    def _must_be_of(self, node: ast.AST, state: Expression, move: Expression) -> None:
        moves = move.moves if isinstance(move, IndexedMove) else move
        assert isinstance(moves, Name)
        if not isinstance(state, Name) or self.scope.sources[moves.name] != state.name:
            raise self.refuse(node, "this is no move of that state")

    def _args(
        self, node: ast.Call, params: Sequence[tuple[str, Kind | Fields]]
    ) -> tuple[Expression, ...]:
        if len(node.args) != len(params) or node.keywords:
            raise self.refuse(node, f"expected {len(params)} arguments by their places")
        expressions: list[Expression] = []
        for arg, (_, kind) in zip(node.args, params, strict=True):
            if isinstance(kind, Fields):
                expressions.extend(self.fields(arg, kind))
            else:
                expressions.append(self.read(arg, kind))
        return tuple(expressions)


_OF_MOVES: MappingProxyType[str, Kind] = MappingProxyType(
    {"is_pass": "bool", "key": "word", "target": "int"}
)
_OF_BOTH: MappingProxyType[str, Kind] = MappingProxyType(
    {"apply": "state", "parries": "bool", "captures": "bool"}
)
_OF_STEPS = ("step", "choice", "place")
_BUILTINS: MappingProxyType[str, Any] = MappingProxyType({"int": int, "min": min, "max": max})


def _constant(value: int) -> Constant:
    return Constant("bool" if isinstance(value, bool) else "int", int(value))


def _minus(number: Expression) -> Expression:
    if isinstance(number, Constant):
        return Constant("int", -number.value)
    return Primitive("int", "isub", (Constant("int", 0), number))
