"""Code generation for the expressions of drivers."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rulesengine.engine.kernel.analysis.optional_results import LivePieces
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_list import target_in
from rulesengine.engine.kernel.emit.move_sets import CandidateMove, NumberedMoves
from rulesengine.engine.kernel.emit.placement_targets import after_placement, after_step
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.tactics import is_capture, passed
from rulesengine.engine.kernel.translate.bindings import (
    Bindings,
    Bound,
    MoveAt,
    NoMoves,
    Variable,
    bound_of,
    zeros,
)
from rulesengine.engine.kernel.translate.nodes import (
    Access,
    Call,
    Conditional,
    Constant,
    Expression,
    Function,
    GameQuery,
    IndexedMove,
    Name,
    Primitive,
)
from rulesengine.engine.kernel.translate.operations import (
    ACCESSES,
    OPERATIONS,
    TYPES,
    loaded,
    parried,
)

Caller = Callable[[Function, Sequence[Bound]], tuple[Bound, ...]]


class Values:
    """A code generator for expressions; `call` emits the call of a driver."""

    def __init__(self, ctx: Context, call: Caller) -> None:
        self.ctx, self.b = ctx, ctx.b
        self.call = call

    def all(self, expressions: Iterable[Expression], bindings: Bindings) -> tuple[Bound, ...]:
        """Emit expressions; return the values of each, in order."""
        values: list[Bound] = []
        for expression in expressions:
            if isinstance(expression, Call):
                args = [arg for arg in expression.args if not _is_game(arg)]
                values.extend(self.call(expression.function, self.all(args, bindings)))
            else:
                values.append(self.any(expression, bindings))
        return tuple(values)

    def any(self, expression: Expression, bindings: Bindings) -> Bound:
        match expression:
            case Constant(kind=kind, value=value):
                return self.b.const(TYPES[kind], value)
            case Name(name=name):
                return self.read(bindings.names[name])
            case Primitive(instruction=instruction, args=args):
                return self.b.op(instruction, *(self.value(arg, bindings) for arg in args))
            case Conditional():
                return self.b.choose(
                    self.value(expression.test, bindings),
                    lambda: self.value(expression.yes, bindings),
                    lambda: self.value(expression.no, bindings),
                )
            case IndexedMove():
                return MoveAt(
                    self._moves(expression.moves, bindings), self.value(expression.index, bindings)
                )
            case GameQuery():
                return self._emit_query(expression, bindings)
            case Access(function=function, args=args):
                bound = self.accessed(function, args, bindings)
                assert bound is not None
                return bound
            case Call():
                (only,) = self.all((expression,), bindings)
                return only

    def value(self, expression: Expression, bindings: Bindings) -> Value:
        """Emit a number, flag or word."""
        value = self.any(expression, bindings)
        assert isinstance(value, Value)
        return value

    def accessed(
        self, function: Function, args: Sequence[Expression], bindings: Bindings
    ) -> Value | None:
        """Emit a memory access; return its value, or None for a write."""
        return ACCESSES[function].emit(self.b, [self.value(arg, bindings) for arg in args])

    def read(self, bound: Bound) -> Bound:
        """Return the current value of a binding."""
        if not isinstance(bound, Variable):
            return bound
        values = [self.b.get(var) for var in bound.vars]
        (value,) = bound_of(self.ctx, (bound.kind,), values)
        return value

    def _moves(self, name: Name, bindings: Bindings) -> NumberedMoves | NoMoves:
        moves = bindings.names[name.name]
        assert not isinstance(moves, Value | Position | MoveAt | CandidateMove | Variable)
        return moves

    def _emit_query(self, query: GameQuery, bindings: Bindings) -> Bound:
        match query.operation, query.args:
            case "len", (Name() as moves,):
                listed = self._moves(moves, bindings)
                return self.b.i(0) if isinstance(listed, NoMoves) else listed.count
            case "some", (Name() as moves,):
                return self.b.f(not isinstance(self._moves(moves, bindings), NoMoves))
            case "apply", (_, move):
                return self._after(self.any(move, bindings))
            case "is_pass" | "key" | "target" as operation, (move,):
                candidate = self.any(move, bindings)
                assert isinstance(candidate, CandidateMove)
                if operation == "target":
                    return target_in(self.ctx, candidate.step(self.b.i(0))[0])
                return candidate.key() if operation == "key" else candidate.is_pass()
            case "place", (move, places):
                candidate = self.any(move, bindings)
                assert isinstance(candidate, CandidateMove)
                return candidate.place(self.value(places, bindings))
            case "step" | "choice" as operation, (move, index):
                candidate = self.any(move, bindings)
                assert isinstance(candidate, CandidateMove)
                return candidate.step(self.value(index, bindings))[operation == "choice"]
            case "parries", (state, move):
                return self._parries(self.any(state, bindings), self.any(move, bindings))
            case "captures", (state, move):
                return self._captures(self.any(state, bindings), self.any(move, bindings))
            case "passed", (state,):
                before = self.any(state, bindings)
                assert isinstance(before, Position)
                return passed(self.ctx, before)
            case "made", (state, step, choice):
                words = self.value(step, bindings), self.value(choice, bindings)
                return self._changed(state, bindings, partial(after_step, self.ctx, words))
            case "placed", (state, cell):
                target = self.value(cell, bindings)
                return self._changed(state, bindings, partial(after_placement, self.ctx, target))
            case "loaded", all_:
                own, place, *line = (self.value(arg, bindings) for arg in all_)
                return loaded(self.ctx, own, place, line)
        args = self.all(query.args, bindings)
        (at,) = (arg for arg in args if isinstance(arg, Position))
        values = [arg for arg in args if isinstance(arg, Value)]
        return OPERATIONS[query.operation].emit(self.ctx, at, values)

    def _changed(
        self,
        state: Expression,
        bindings: Bindings,
        make: Callable[[Position, Callable[[Position], None]], None],
    ) -> Position:
        """Return the state that `make` computes from a state."""
        before = self.any(state, bindings)
        assert isinstance(before, Position)
        return self._joined(partial(make, before))

    def _parries(self, at: Bound, move: Bound) -> Value:
        assert isinstance(at, Position)
        assert isinstance(move, CandidateMove)
        word, _ = move.step(self.b.i(0))
        return parried(self.ctx, at, target_in(self.ctx, word))

    def _captures(self, at: Bound, move: Bound) -> Value:
        assert isinstance(at, Position)
        assert isinstance(move, CandidateMove)
        word, _ = move.step(self.b.i(0))
        return is_capture(self.ctx, at, word)

    # states after moves

    def _after(self, move: Bound) -> Position:
        """Return the state after a move, without dead pieces if the program has that analysis."""
        after, live = self._state_after(move), self.ctx.optional(LivePieces)
        if live is None:
            return after
        cells = self.ctx.value(live.cells, Environment(after, {}))
        planes = [self.b.op("mand", plane, cells) for plane in after.planes]
        other_values, known = after.values()[len(planes) :], after.side.constant is not None
        return Position.of(self.ctx.layout, (*planes, *other_values), after.side if known else None)

    def _state_after(self, move: Bound) -> Position:
        if isinstance(move, CandidateMove):
            return move.after()
        assert isinstance(move, MoveAt)
        moves, index = move.moves, move.index
        if isinstance(moves, NoMoves):
            self.b.fail()
            return Position.of(self.ctx.layout, zeros(self.ctx, ("state",)))
        return self._joined(lambda use: moves.nth(index, lambda chosen: use(chosen.after())))

    def _joined(self, make: Callable[[Callable[[Position], None]], None]) -> Position:
        """Emit the state that one of several branches computes, with its side if all agree."""
        b = self.b
        vars_ = [b.let(value) for value in zeros(self.ctx, ("state",))]
        results: list[tuple[object, Position]] = []

        def use(after: Position) -> None:
            results.append((b.scope(), after))
            for var, value in zip(vars_, after.values(), strict=True):
                b.set(var, value)

        make(use)
        scope, only = results[0]
        if len(results) == 1 and b.reaches(scope):
            return only
        sides = {after.side for _, after in results if after.side.constant is not None}
        known = sides.pop() if len(sides) == 1 and _all_known(results) else None
        return Position.of(self.ctx.layout, tuple(map(b.get, vars_)), known)


def _all_known(results: Sequence[tuple[object, Position]]) -> bool:
    return all(after.side.constant is not None for _, after in results)


def _is_game(expression: Expression) -> bool:
    return isinstance(expression, Name) and expression.kind == "game"
