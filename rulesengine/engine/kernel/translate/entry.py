"""Functions and entry points of a kernel module: each driver is compiled once per side to move."""

from collections.abc import Mapping, Sequence

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_choice import for_side, position_of
from rulesengine.engine.kernel.emit.move_list import LIST_TYPES, LISTS, new_lists
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.translate.bindings import Bound, bound_of, flat, types_of, zeros
from rulesengine.engine.kernel.translate.nodes import Driver, Function, Kind
from rulesengine.engine.kernel.translate.reader import read
from rulesengine.engine.kernel.translate.statements import Statements


def driver_entry(ctx: Context, function: Function, name: str) -> None:
    """Emit the entry point of a driver: its parameters without the game, with states as their
    values.

    The tables of a learned evaluation come last, if the code has one. The results are those of the
    driver, in the same form.
    """
    drivers = _Drivers(ctx)
    driver = drivers.driver(function)
    kinds = [kind for _, kind in driver.params]
    results = types_of(ctx, driver.results)
    types = types_of(ctx, kinds)
    with ctx.b.function(name, (*types, *ctx.weight_types), results, entry=True) as values:
        new_lists(ctx)
        ctx.weights = values[len(types) :]
        ctx.b.emit_return(*flat(drivers.call(function, bound_of(ctx, kinds, values[: len(types)]))))


class _Drivers:
    """The drivers called by the code of a module."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._read: dict[Function, Driver] = {}

    def driver(self, function: Function) -> Driver:
        if function not in self._read:
            self._read[function] = read(function)
        return self._read[function]

    def call(self, function: Function, args: Sequence[Bound]) -> tuple[Bound, ...]:
        """Emit a call of a driver, dispatched on the side to move; return its results."""
        driver, b = self.driver(function), self.ctx.b
        at = next((arg for arg in args if isinstance(arg, Position)), None)
        if at is None or at.side.constant is not None or not driver.is_sided:
            return bound_of(self.ctx, driver.results, self._called(driver, args))
        results = [b.let(value) for value in zeros(self.ctx, driver.results)]

        def work(side: Value) -> None:
            bindings = position_of(self.ctx, at.values(), side)
            values = self._called(driver, [bindings if arg is at else arg for arg in args])
            for var, value in zip(results, values, strict=True):
                b.set(var, value)

        for_side(self.ctx, at.side, work)
        return bound_of(self.ctx, driver.results, tuple(map(b.get, results)))

    def _called(self, driver: Driver, args: Sequence[Bound]) -> tuple[Value, ...]:
        sides = [arg.side for arg in args if isinstance(arg, Position) and driver.is_sided]
        names = (name for name, kind in driver.params if kind != "game")
        known = {
            name: bool(arg.constant)
            for name, arg in zip(names, args, strict=True)
            if name in driver.static_flags and isinstance(arg, Value) and arg.constant is not None
        }
        name = self._function(driver, sides[0] if sides else None, known)
        return self.ctx.b.call(name, *self.ctx.weights, *self.ctx.lists, *flat(args))

    def _function(self, driver: Driver, side: Value | None, known: Mapping[str, bool]) -> str:
        """Return the name of a driver's function for a side and for known flags; emit it on first
        use.
        """
        ctx, b = self.ctx, self.ctx.b
        name = driver.name if side is None else f"{driver.name}_{side.constant}"
        name += "".join(f"_{int(flag)}" for flag in known.values())
        if name in b.module.functions:
            return name
        kinds: list[Kind] = [kind for _, kind in driver.params]
        first = len(ctx.weight_types)
        types = (*ctx.weight_types, *LIST_TYPES, *types_of(ctx, kinds))
        outer = ctx.lists, ctx.weights
        b.declare(name, types, types_of(ctx, driver.results))
        with b.function(name, types, ()) as values:
            ctx.weights, values = values[:first], values[first:]
            ctx.lists = list(values[:LISTS])
            params = bound_of(ctx, kinds, values[LISTS:], side)
            names = (name for name, kind in driver.params if kind != "game")
            flags = {name: b.f(flag) for name, flag in known.items()}
            params = tuple(map(flags.get, names, params))
            Statements(ctx, self.call, driver).write(params)
        ctx.lists, ctx.weights = outer
        return name
