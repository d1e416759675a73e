"""Code generation for the statements of drivers: assignments, branches, loops, moves."""

from collections.abc import Callable

from rulesengine.engine.kernel.analysis.end_conditions import ends_query_moves
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_choice import (
    compute_forbid_early,
    for_side,
    position_of,
    with_moves,
    with_numbered_moves,
)
from rulesengine.engine.kernel.emit.move_sets import (
    CandidateMove,
    ListedMoves,
    MovesInSets,
    NumberedMoves,
)
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.translate.bindings import (
    Bindings,
    Bound,
    Loop,
    NoMoves,
    StoredMoves,
    Variable,
    flat,
    zeros,
)
from rulesengine.engine.kernel.translate.nodes import (
    Assign,
    Block,
    Driver,
    Fail,
    ForMoves,
    ForRange,
    If,
    Jump,
    LegalMoves,
    MemoryCall,
    Return,
    Statement,
    While,
    ends,
    jumps,
    statements,
)
from rulesengine.engine.kernel.translate.values import Caller, Values

# The signature of `with_moves`.
MoveGeneration = Callable[
    [Context, Position, Value, Callable[[NumberedMoves], None], Callable[[], None]], None
]


class Statements(Values):
    """A code generator for the body of one driver."""

    def __init__(self, ctx: Context, call: Caller, driver: Driver) -> None:
        super().__init__(ctx, call)
        self.driver = driver

    def write(self, params: tuple[Bound, ...]) -> None:
        names = [name for name, kind in self.driver.params if kind != "game"]
        bound: dict[str, Bound] = dict(zip(names, params, strict=True))
        for name, kind in self.driver.variables:
            first = flat((bound[name],)) if name in bound else zeros(self.ctx, (kind,))
            bound[name] = Variable(kind, tuple(map(self.b.let, first)))
        self.block(self.driver.body, Bindings(bound))

    def block(self, block: Block, bindings: Bindings) -> bool:
        """Emit a block; True if its end is reachable."""
        for i, statement in enumerate(block):
            if isinstance(statement, LegalMoves):
                return self._emit_moves(statement, block[i + 1 :], bindings)
            after = self.statement(statement, bindings)
            if after is None:
                return False
            bindings = after
        return True

    def statement(self, statement: Statement, bindings: Bindings) -> Bindings | None:
        """Emit a statement; return the bindings after it, or None if nothing follows."""
        match statement:
            case Assign(names=names, values=values):
                return self._assigned(names, self.all(values, bindings), bindings)
            case If():
                return self._branched(statement, bindings)
            case While():
                return self._repeated(statement, bindings)
            case ForRange():
                return self._counted(statement, bindings)
            case ForMoves():
                return self._for_each(statement, bindings)
            case MemoryCall(function=function, args=args):
                self.accessed(function, args, bindings)
                return bindings
            case Jump(to=to):
                self._jump(to, bindings)
            case Return(values=values):
                given = flat(self.all(values, bindings))
                _drop(bindings.lists)
                self.b.emit_return(*given)
            case Fail():
                self.b.fail()
                self.b.emit_return(*zeros(self.ctx, self.driver.results))
        return None

    def _assigned(
        self, names: tuple[str, ...], values: tuple[Bound, ...], bindings: Bindings
    ) -> Bindings:
        fixed: dict[str, Bound] = {}
        for name, value in zip(names, values if names else (), strict=True):
            current = bindings.names.get(name)
            if isinstance(current, Variable):
                for var, part in zip(current.vars, flat((value,)), strict=True):
                    self.b.set(var, part)
            else:
                fixed[name] = value
        return bindings.with_(**fixed)

    def _branched(self, statement: If, bindings: Bindings) -> Bindings | None:
        went: list[bool] = []
        self.b.when(
            self.value(statement.test, bindings),
            lambda: went.append(self.block(statement.then, bindings)),
            lambda: went.append(self.block(statement.orelse, bindings)),
        )
        return bindings if any(went) else None

    # moves

    def _emit_moves(self, find: LegalMoves, rest: Block, bindings: Bindings) -> bool:
        """Emit the rest of a block for each form of the moves of a state, and for no moves."""
        state, went = self.any(find.state, bindings), [False]
        assert isinstance(state, Position)
        some = None if ends(rest) else self.b.let(self.b.f(False))

        def use(moves: NumberedMoves) -> None:
            if some is not None:
                self.b.set(some, self.b.f(True))
            lists = (*bindings.lists, moves) if isinstance(moves, StoredMoves) else bindings.lists
            inside = Bindings({**bindings.names, find.name: moves}, lists, bindings.loop)
            if self.block(rest, inside):
                _drop(lists[len(bindings.lists) :])
                went.append(True)

        def none() -> None:
            went.append(self.block(rest, bindings.with_(**{find.name: NoMoves()})))

        needed = self._needed_moves(find, rest)
        for_side(self.ctx, state.side, lambda side: self._legal(state, side, needed, use))
        if some is None:
            none()
        else:
            self.b.when(self.b.op("fnot", self.b.get(some)), none)
        return any(went)

    def _needed_moves(self, find: LegalMoves, rest: Block) -> MoveGeneration:
        """Return the move generation needed: moves that are not iterated need no list."""
        each = (s.moves.name for s in statements(rest) if isinstance(s, ForMoves))
        return with_moves if find.name in each else with_numbered_moves

    def _legal(
        self,
        state: Position,
        side: Value,
        needed: MoveGeneration,
        use: Callable[[NumberedMoves], None],
    ) -> None:
        at = position_of(self.ctx, state.values(), side)
        if self.ctx.analysis(ends_query_moves):
            compute_forbid_early(self.ctx, at, side, counts=needed is with_numbered_moves)
        goes_on = self.b.op("fnot", is_over(self.ctx, at))
        self.b.when(goes_on, lambda: needed(self.ctx, at, side, use, lambda: None))

    def _for_each(self, each: ForMoves, bindings: Bindings) -> Bindings:
        moves = self._moves(each.moves, bindings)
        if isinstance(moves, NoMoves):
            return bindings
        assert isinstance(moves, MovesInSets | ListedMoves)
        loop = self._loop(each.body, bindings, bool(jumps(each.body)))

        def one(move: CandidateMove) -> None:
            inside = bindings.with_(**{each.name: move})
            broken = self.b.get(loop.broken) if loop.broken else self.b.f(False)
            goes_on = self.b.op("fnot", broken)
            self.b.when(goes_on, lambda: self._round(each.body, loop, inside))

        moves.each_candidate(one)
        return bindings

    # loops

    def _loop(self, body: Block, bindings: Bindings, wrapped: bool) -> Loop:
        is_left = wrapped and "break" in jumps(body)
        broken = self.b.let(self.b.f(False)) if is_left else None
        return Loop(len(bindings.lists), wrapped, broken)

    def _round(self, body: Block, loop: Loop, bindings: Bindings) -> None:
        """Emit one iteration of a loop, in an inner loop if it is `wrapped`."""
        inside = Bindings(bindings.names, bindings.lists, loop)
        if not loop.wrapped:
            self.block(body, inside)
            return

        def once() -> None:
            if self.block(body, inside):
                self.b.leave()

        self.b.loop(once)

    def _plain_round(self, body: Block, loop: Loop, bindings: Bindings) -> None:
        """Emit one iteration of a code loop, which ends at a `break`."""
        self._round(body, loop, bindings)
        if loop.broken is not None:
            self.b.when(self.b.get(loop.broken), self.b.leave)

    def _jump(self, to: str, bindings: Bindings) -> None:
        """Emit `continue`, which ends the iteration, or `break`, which also ends the loop."""
        loop = bindings.loop
        assert loop is not None
        _drop(bindings.lists[loop.lists :])
        if to == "break" and loop.broken is not None:
            self.b.set(loop.broken, self.b.f(True))
        self.b.leave()

    def _repeated(self, statement: While, bindings: Bindings) -> Bindings | None:
        loop = self._loop(statement.body, bindings, "continue" in jumps(statement.body))

        def body() -> None:
            test = self.value(statement.test, bindings)
            self.b.when(self.b.op("fnot", test), self.b.leave)
            self._plain_round(statement.body, loop, bindings)

        self.b.loop(body)
        return None if ends((statement,)) else bindings

    def _counted(self, statement: ForRange, bindings: Bindings) -> Bindings:
        loop = self._loop(statement.body, bindings, "continue" in jumps(statement.body))

        def body(index: Value) -> None:
            inside = self._assigned((statement.name,), (index,), bindings)
            self._plain_round(statement.body, loop, inside)

        low, high = (self.value(bound, bindings) for bound in (statement.low, statement.high))
        self.b.range(low, high, body)
        return bindings


def _drop(lists: tuple[StoredMoves, ...]) -> None:
    """Pop moves from the move lists, the latest first."""
    for moves in reversed(lists):
        moves.drop()
