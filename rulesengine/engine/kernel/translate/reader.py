"""Parser of drivers: from source to typed nodes; constructs outside the subset are rejected by
line.
"""

import ast
from collections.abc import Iterator, Sequence

from rulesengine.engine.kernel.translate.expressions import Expressions
from rulesengine.engine.kernel.translate.line_of_play import check_walks
from rulesengine.engine.kernel.translate.nodes import (
    Assign,
    Block,
    Call,
    Driver,
    Expression,
    Fail,
    ForMoves,
    ForRange,
    Function,
    If,
    IndexedMove,
    Jump,
    Kind,
    LegalMoves,
    MemoryCall,
    Name,
    Return,
    Statement,
    While,
    ends,
)
from rulesengine.engine.kernel.translate.operations import ACCESSES
from rulesengine.engine.kernel.translate.scope import Scope
from rulesengine.engine.kernel.translate.source import Fields, Source, fields_of, source_of


def read(function: Function) -> Driver:
    """Parse a driver. Raises InternalError with the file and line of an unsupported construct."""
    source = source_of(function)
    reader = _Reader(source)
    body = reader.block(source.tree.body)
    if not ends(body):
        raise reader.refuse(source.tree, f"`{source.tree.name}` may end without a result")
    module = function.__module__.replace(".", "_")
    name = f"{module}_{source.tree.name}"
    check_walks(source.place(source.tree), source.params, body)
    variables = reader.scope.variables()
    return Driver(name, source.params, source.results, body, variables, source.static_flags)


class _Reader(Expressions):
    """A parser of the statements of a function."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, Scope(source.params))
        self.loops = 0

    def block(self, nodes: Sequence[ast.stmt]) -> Block:
        return tuple(statement for node in nodes for statement in self.statement(node))

    def statement(self, node: ast.stmt) -> Iterator[Statement]:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call):
                yield self._statement_of_call(call, name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield self._assigned(node, name, node.value)
            case ast.Assign(targets=[ast.Tuple(elts=targets)]):
                yield self._spread(node, targets, node.value)
            case ast.AugAssign(target=ast.Name(id=name) as target):
                read = ast.copy_location(ast.Name(name), target)
                value = self.arithmetic(node, node.op, read, node.value)
                self._assign(node, name, value.kind)
                yield Assign((name,), (value,))
            case ast.If():
                yield self._branched(node)
            case ast.While(orelse=[]):
                yield self._repeated(node)
            case ast.For(target=ast.Name(id=name), orelse=[]):
                yield self._looped(node, name)
            case ast.Break() | ast.Continue() if self.loops:
                yield Jump("break" if isinstance(node, ast.Break) else "continue")
            case ast.Return(value=ast.expr() as value):
                yield Return(self._results(node, value))
            case ast.Raise():
                yield Fail()
            case _:
                raise self.refuse(node, f"{type(node).__name__} is no statement of a driver")

    def _statement_of_call(self, node: ast.Call, name: str) -> Statement:
        function = self.source.globals.get(name)
        if callable(function) and function in ACCESSES and ACCESSES[function].result is None:
            return MemoryCall(function, self.access_args(node, function))
        expression = self.call(node)
        if not isinstance(expression, Call):
            raise self.refuse(node, f"`{name}` changes nothing")
        return Assign((), (expression,))

    # assignments

    def _assign(self, node: ast.AST, name: str, kind: Kind, source: str = "") -> None:
        if name in self.records or not self.scope.assign(name, kind, source):
            raise self.refuse(node, f"`{name}` holds values of two kinds")

    def _assigned(self, node: ast.stmt, name: str, value: ast.expr) -> Statement:
        record = self._record(value)
        if record is not None:
            return self._constructed(node, name, value, record)
        state = self._state_of_moves(value)
        if state is not None:
            self._assign(node, name, "moves", state.name)
            return LegalMoves(name, state)
        expression = self.any(value)
        if expression.kind in ("moves", "game", "memory") or self._is_copy(expression):
            raise self.refuse(node, "games and moves keep their names")
        if expression.kind == "int":
            expression = self.read(value, self.scope.kinds.get(name, "int"))
        source = ""
        if isinstance(expression, IndexedMove):
            source = self.scope.sources[expression.moves.name]
        self._assign(node, name, expression.kind, source)
        return Assign((name,), (expression,))

    def _record(self, node: ast.expr) -> Fields | None:
        """Return the fields of a constructor of a record; None for another expression."""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return fields_of(self.source.globals.get(name))
        return None

    def _constructed(self, node: ast.stmt, name: str, value: ast.expr, record: Fields) -> Statement:
        values = self.fields(value, record)
        if name in self.scope.kinds or self.records.setdefault(name, record).type != record.type:
            raise self.refuse(node, f"`{name}` holds values of two kinds")
        for field, kind in record.kinds:
            self._assign(node, f"{name}.{field}", kind)
        return Assign(tuple(f"{name}.{field}" for field, _ in record.kinds), values)

    def _is_copy(self, expression: Expression) -> bool:
        return isinstance(expression, Name) and expression.kind == "move"

    def _state_of_moves(self, node: ast.expr) -> Name | None:
        """Return the state of a `game.legal(state)` expression; None for another expression."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name() as game, attr="legal")):
                if self.name(game).kind != "game":
                    raise self.refuse(node, f"`{game.id}` is no game")
                (state,) = self._args(node, (("", "state"),))
                if isinstance(state, Name):
                    return state
                raise self.refuse(node, "moves are generated for a named state only")
        return None

    def _spread(self, node: ast.stmt, targets: list[ast.expr], value: ast.expr) -> Statement:
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        values = self._values(value)
        kinds = [kind for v in values for kind in (v.kinds if isinstance(v, Call) else (v.kind,))]
        if not len(names) == len(targets) == len(kinds) or len(set(names)) < len(names):
            raise self.refuse(node, f"expected {len(kinds)} names for as many values")
        for name, kind in zip(names, kinds, strict=True):
            if kind not in ("int", "bool", "word", "state"):
                raise self.refuse(node, "games and moves keep their names")
            self._assign(node, name, kind)
        return Assign(tuple(names), values)

    def _values(self, node: ast.expr) -> tuple[Expression, ...]:
        if isinstance(node, ast.Tuple):
            return tuple(self.read(part, self.any(part).kind) for part in node.elts)
        return (self.call(node) if isinstance(node, ast.Call) else self.any(node),)

    def _results(self, node: ast.stmt, value: ast.expr) -> tuple[Expression, ...]:
        expected = self.source.results
        if isinstance(value, ast.Tuple) and len(value.elts) == len(expected):
            return tuple(map(self.read, value.elts, expected))
        if len(expected) == 1:
            return (self.read(value, expected[0]),)
        expression = self.call(value) if isinstance(value, ast.Call) else None
        if not isinstance(expression, Call) or expression.kinds != expected:
            raise self.refuse(node, f"expected {len(expected)} results, as the annotation says")
        return (expression,)

    # branches and loops

    def _branched(self, node: ast.If) -> Statement:
        test = self.read(node.test, "bool")
        blocks, known = [], []
        for body in (node.body, node.orelse):
            with self.scope.block():
                blocks.append(self.block(body))
            if not ends(blocks[-1]):
                known.append(self.scope.block_end)
        self.scope.join(known)
        return If(test, *blocks)

    def _repeated(self, node: ast.While) -> Statement:
        with self.scope.loop(_given_in(node)):
            test = self.read(node.test, "bool")
            body = self._body(node.body)
        return While(test, body)

    def _looped(self, node: ast.For, name: str) -> Statement:
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=[*bounds]) if 1 <= len(bounds) <= 2:
                numbers = [self.read(bound, "int") for bound in bounds]
                low = numbers[0] if len(numbers) == 2 else self.any(ast.Constant(0))
                with self.scope.loop(_given_in(node)):
                    self._assign(node, name, "int")
                    return ForRange(name, low, numbers[-1], self._body(node.body))
            case ast.Name() as moves:
                moves_name = self.moves(moves)
                changed = _given_in(node)
                if self.scope.sources[moves_name.name] in changed:
                    raise self.refuse(node, "the state changes while its moves are gone through")
                with self.scope.loop(changed):
                    self._assign(node, name, "move", self.scope.sources[moves_name.name])
                    return ForMoves(name, moves_name, self._body(node.body))
            case _:
                raise self.refuse(node, "a loop goes over a range or over moves")

    def _body(self, nodes: Sequence[ast.stmt]) -> Block:
        self.loops += 1
        body = self.block(nodes)
        self.loops -= 1
        return body


def _given_in(loop: ast.stmt) -> list[str]:
    """Return the names that a loop assigns."""
    return [
        node.id
        for node in ast.walk(loop)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
