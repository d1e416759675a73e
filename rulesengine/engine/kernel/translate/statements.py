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
    Bound,
    Loop,
    NoMoves,
    Place,
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
        held: dict[str, Bound] = dict(zip(names, params, strict=True))
        for name, kind in self.driver.variables:
            first = flat((held[name],)) if name in held else zeros(self.ctx, (kind,))
            held[name] = Variable(kind, tuple(map(self.b.let, first)))
        self.block(self.driver.body, Place(held))

    def block(self, block: Block, here: Place) -> bool:
        """Emit a block; True if its end is reachable."""
        for i, statement in enumerate(block):
            if isinstance(statement, LegalMoves):
                return self._emit_moves(statement, block[i + 1 :], here)
            after = self.statement(statement, here)
            if after is None:
                return False
            here = after
        return True

    def statement(self, statement: Statement, here: Place) -> Place | None:
        """Emit a statement; return the bindings after it, or None if nothing follows."""
        match statement:
            case Assign(names=names, values=values):
                return self._assigned(names, self.all(values, here), here)
            case If():
                return self._branched(statement, here)
            case While():
                return self._repeated(statement, here)
            case ForRange():
                return self._counted(statement, here)
            case ForMoves():
                return self._for_each(statement, here)
            case MemoryCall(function=function, args=args):
                self.accessed(function, args, here)
                return here
            case Jump(to=to):
                self._jump(to, here)
            case Return(values=values):
                given = flat(self.all(values, here))
                _drop(here.lists)
                self.b.emit_return(*given)
            case Fail():
                self.b.fail()
                self.b.emit_return(*zeros(self.ctx, self.driver.results))
        return None

    def _assigned(self, names: tuple[str, ...], values: tuple[Bound, ...], here: Place) -> Place:
        fixed: dict[str, Bound] = {}
        for name, value in zip(names, values if names else (), strict=True):
            held = here.names.get(name)
            if isinstance(held, Variable):
                for var, part in zip(held.vars, flat((value,)), strict=True):
                    self.b.set(var, part)
            else:
                fixed[name] = value
        return here.with_(**fixed)

    def _branched(self, statement: If, here: Place) -> Place | None:
        went: list[bool] = []
        self.b.when(
            self.value(statement.test, here),
            lambda: went.append(self.block(statement.then, here)),
            lambda: went.append(self.block(statement.orelse, here)),
        )
        return here if any(went) else None

    # moves

    def _emit_moves(self, find: LegalMoves, rest: Block, here: Place) -> bool:
        """Emit the rest of a block for each form of the moves of a state, and for no moves."""
        state, went = self.any(find.state, here), [False]
        assert isinstance(state, Position)
        some = None if ends(rest) else self.b.let(self.b.f(False))

        def use(moves: NumberedMoves) -> None:
            if some is not None:
                self.b.set(some, self.b.f(True))
            lists = (*here.lists, moves) if isinstance(moves, StoredMoves) else here.lists
            inside = Place({**here.names, find.name: moves}, lists, here.loop)
            if self.block(rest, inside):
                _drop(lists[len(here.lists) :])
                went.append(True)

        def none() -> None:
            went.append(self.block(rest, here.with_(**{find.name: NoMoves()})))

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

    def _for_each(self, each: ForMoves, here: Place) -> Place:
        moves = self._moves(each.moves, here)
        if isinstance(moves, NoMoves):
            return here
        assert isinstance(moves, MovesInSets | ListedMoves)
        loop = self._loop(each.body, here, bool(jumps(each.body)))

        def one(move: CandidateMove) -> None:
            inside = here.with_(**{each.name: move})
            broken = self.b.get(loop.broken) if loop.broken else self.b.f(False)
            goes_on = self.b.op("fnot", broken)
            self.b.when(goes_on, lambda: self._round(each.body, loop, inside))

        moves.each_candidate(one)
        return here

    # loops

    def _loop(self, body: Block, here: Place, wrapped: bool) -> Loop:
        is_left = wrapped and "break" in jumps(body)
        broken = self.b.let(self.b.f(False)) if is_left else None
        return Loop(len(here.lists), wrapped, broken)

    def _round(self, body: Block, loop: Loop, here: Place) -> None:
        """Emit one iteration of a loop, in an inner loop if it is `wrapped`."""
        inside = Place(here.names, here.lists, loop)
        if not loop.wrapped:
            self.block(body, inside)
            return

        def once() -> None:
            if self.block(body, inside):
                self.b.leave()

        self.b.loop(once)

    def _plain_round(self, body: Block, loop: Loop, here: Place) -> None:
        """Emit one iteration of a code loop, which ends at a `break`."""
        self._round(body, loop, here)
        if loop.broken is not None:
            self.b.when(self.b.get(loop.broken), self.b.leave)

    def _jump(self, to: str, here: Place) -> None:
        """Emit `continue`, which ends the iteration, or `break`, which also ends the loop."""
        loop = here.loop
        assert loop is not None
        _drop(here.lists[loop.lists :])
        if to == "break" and loop.broken is not None:
            self.b.set(loop.broken, self.b.f(True))
        self.b.leave()

    def _repeated(self, statement: While, here: Place) -> Place | None:
        loop = self._loop(statement.body, here, "continue" in jumps(statement.body))

        def body() -> None:
            test = self.value(statement.test, here)
            self.b.when(self.b.op("fnot", test), self.b.leave)
            self._plain_round(statement.body, loop, here)

        self.b.loop(body)
        return None if ends((statement,)) else here

    def _counted(self, statement: ForRange, here: Place) -> Place:
        loop = self._loop(statement.body, here, "continue" in jumps(statement.body))

        def body(index: Value) -> None:
            inside = self._assigned((statement.name,), (index,), here)
            self._plain_round(statement.body, loop, inside)

        low, high = (self.value(bound, here) for bound in (statement.low, statement.high))
        self.b.range(low, high, body)
        return here


def _drop(lists: tuple[StoredMoves, ...]) -> None:
    """Pop moves from the move lists, the latest first."""
    for moves in reversed(lists):
        moves.drop()
