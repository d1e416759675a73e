"""Kernel code for the entries of a learned evaluation: `patterns.active_entries`, and their sum."""

from collections.abc import Iterator, Sequence

from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.drivers.search.layout import STAKE
from rulesengine.engine.drivers.search.payoff_scale import FARTHEST, FRACTION
from rulesengine.engine.drivers.search.sigmoid import FLAT, ONE
from rulesengine.engine.kernel.code.form import Table, Value, Window
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.king_relative import total_of, word_at
from rulesengine.engine.kernel.emit.move_choice import position_of
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.patterns.alphabets import Seen, Stack
from rulesengine.engine.patterns.distances import Distance
from rulesengine.engine.patterns.king_relative import KingRelative
from rulesengine.engine.patterns.network import Network, Pattern
from rulesengine.language.ir.score_decided import SCALE, points_of

_PLACE = WORD.bit_length() - 1  # the shift from a word index to a byte offset


def store_shown(ctx: Context, at: Position, memory: Value, place: Value) -> None:
    """Write the indices of all table entries of a state to memory.

    The side to move must be constant.
    """
    b, name = ctx.b, f"shown_{at.side.constant}"
    if name not in b.module.functions:
        with b.function(name, ("a", "i", *ctx.layout.types), ("i",)) as values:
            _store(ctx, position_of(ctx, values[2:], at.side), *values[:2])
            b.emit_return(b.i(_network(ctx).width))
    b.call(name, memory, place, *at.values())


def _store(ctx: Context, at: Position, memory: Value, place: Value) -> None:
    b = ctx.b
    for number, entry in enumerate(_entries(ctx, at)):
        offset = b.op("ishl", b.op("iadd", place, b.i(number)), b.i(_PLACE))
        b.write("store64", memory, offset, b.op("ubits", entry))


def weighed(ctx: Context, at: Position, memory: Value) -> Value:
    """Return the sum of the table entries of a state in memory.

    The side to move must be constant.
    """
    b, name = ctx.b, f"weighed_{at.side.constant}"
    if name not in b.module.functions:
        with b.function(name, ("a", *ctx.layout.types), ("i",)) as values:
            tables, *state = values
            b.emit_return(_total(ctx, position_of(ctx, tuple(state), at.side), tables))
    (total,) = b.call(name, memory, *at.values())
    return total


def learned(ctx: Context, at: Position) -> Value:
    """Return the evaluation of a state for its side to move, a constant, by the caller's tables."""
    b, name = ctx.b, f"learned_{at.side.constant}"
    if name not in b.module.functions:
        with b.function(name, (*ctx.weight_types, *ctx.layout.types), ("i",)) as values:
            weights, *state = values
            b.emit_return(_sum_of_weights(ctx, position_of(ctx, tuple(state), at.side), weights))
    (total,) = b.call(name, *ctx.weights, *at.values())
    return total


def _sum_of_weights(ctx: Context, at: Position, weights: Value) -> Value:
    total = _total(ctx, at, weights)
    single_pays = ctx.sides == 1 and points_of(ctx.rules)
    return _thousandths(ctx, total) if single_pays else _sigmoid(ctx, total)


def correction(ctx: Context, at: Position) -> Value:
    """Implement `LearnedWeights.correction`: the side to move must be constant."""
    b, name = ctx.b, f"correction_{at.side.constant}"
    if name not in b.module.functions:
        with b.function(name, (*ctx.weight_types, *ctx.layout.types), ("i",)) as values:
            weights, *state = values
            total = _corrections(ctx, position_of(ctx, tuple(state), at.side), weights)
            clamped = b.op("imax", b.i(-FLAT), b.op("imin", b.i(FLAT), total))
            unit = word_at(ctx, weights, b.i(_size(ctx)))
            b.emit_return(b.op("ishr", b.op("imul", clamped, unit), b.i(ONE.bit_length() - 1)))
    (weight,) = b.call(name, *ctx.weights, *at.values())
    return weight


def factor(ctx: Context) -> Value:
    """Return the factor of values of the rules, which follows the weights and the unit."""
    (weights,) = ctx.weights
    return word_at(ctx, weights, ctx.b.i(_size(ctx) + 1))


def _corrections(ctx: Context, at: Position, weights: Value) -> Value:
    """Return the sum of the weights of a state that correct the rules."""
    tables = ctx.optional(KingRelative)
    return total_of(ctx, at, weights, tables) if tables else weighed(ctx, at, weights)


def _size(ctx: Context) -> int:
    tables = ctx.optional(KingRelative)
    return tables.size if tables else _network(ctx).size


def _total(ctx: Context, at: Position, weights: Value) -> Value:
    total = ctx.b.i(0)
    for entry in _entries(ctx, at):
        total = ctx.b.op("iadd", total, word_at(ctx, weights, entry))
    return total


def _thousandths(ctx: Context, total: Value) -> Value:
    """Implement `search.payoff_scale.in_thousandths`."""
    b = ctx.b
    clamped = b.op("imax", b.i(-FARTHEST), b.op("imin", b.i(FARTHEST), total))
    return b.op("ishr", b.op("imul", clamped, b.i(SCALE)), b.i(FRACTION))


def _sigmoid(ctx: Context, total: Value) -> Value:
    """Implement `search.sigmoid.apply_sigmoid`."""
    b = ctx.b
    clamped = b.op("imax", b.i(-FLAT), b.op("imin", b.i(FLAT), total))
    size = b.op("imax", clamped, b.op("isub", b.i(0), clamped))
    above = b.op("imul", clamped, b.i(STAKE))
    return b.op("cdiv", above, b.op("iadd", b.i(ONE), size))


def _entries(ctx: Context, at: Position) -> Iterator[Value]:
    """Yield the indices of the entries, in the order of `patterns.active_entries`."""
    b, network = ctx.b, _network(ctx)
    side = at.side.constant
    assert side is not None
    base = _base(ctx, at, network, side)
    for pattern in network.patterns:
        yield b.op("iadd", base, b.op("iadd", b.i(pattern.table), _entry(ctx, at, pattern, side)))
    for count in network.counts:
        cells = b.op("mcount", _set(ctx, at, count.set, side))
        yield b.op("iadd", base, b.op("iadd", b.i(count.table), cells))
    for number in network.numbers:
        low, high = b.i(number.low), b.i(number.low + number.size - 1)
        value = _register(ctx, at, number.slot, side)
        value = b.op("isub", b.op("imin", high, b.op("imax", low, value)), low)
        yield b.op("iadd", base, b.op("iadd", b.i(number.table), value))
    for distance in network.distances:
        for entry in _distance_entries(ctx, at, distance, side):
            yield b.op("iadd", base, entry)


def _network(ctx: Context) -> Network:
    network = ctx.optional(Network)
    assert network is not None
    return network


def _base(ctx: Context, at: Position, network: Network, side: int) -> Value:
    """Return the offset of the block of the current phase."""
    b = ctx.b
    first = b.i(network.block * network.phases * side * network.apart)
    if network.phases == 1:
        return first
    cells = ctx.program.topology.cells
    phases = Table("i", tuple(n * network.phases // (cells + 1) for n in range(cells + 1)))
    occupied = b.m(0)
    for plane in at.planes:
        occupied = b.op("mor", occupied, plane)
    phase = b.op("ilook", b.op("mcount", occupied), detail=phases)
    return b.op("iadd", first, b.op("imul", phase, b.i(network.block)))


def _entry(ctx: Context, at: Position, pattern: Pattern, side: int) -> Value:
    """Return the number with the digits of a pattern's cells."""
    b, alphabet, cells = ctx.b, pattern.alphabet, pattern.cells[side]
    window = Window(tuple(sorted(cells)))
    powers = _powers(alphabet.base, [cells.index(cell) for cell in window.cells])
    entry = b.i(0)
    for weight, piece in alphabet.sets:
        mask = _set(ctx, at, piece, side)
        if mask.constant != 0:
            bits = b.op("mgather", mask, detail=window)
            part = b.op("ilook", bits, detail=powers)
            entry = b.op("iadd", entry, b.op("imul", b.i(weight), part))
    return entry


def _powers(base: int, places: Sequence[int]) -> Table:
    """Return a table that maps a bit mask to the number with a digit 1 at the place of each set
    bit.
    """
    return Table(
        "i",
        tuple(
            sum(base**place for bit, place in enumerate(places) if number >> bit & 1)
            for number in range(1 << len(places))
        ),
    )


def _distance_entries(
    ctx: Context, at: Position, distance: Distance, side: int
) -> tuple[Value, Value]:
    """Return the indices of both entries of distances, as `Distance.pair` and `Distance.lead`."""
    b = ctx.b
    own, other = (_steps(ctx, at, distance, player) for player in (side, 1 - side))
    unit = b.i(distance.unit)
    row = b.op("imul", b.op("cdiv", own, unit), b.i(distance.side))
    pair = b.op("iadd", b.i(distance.table), b.op("iadd", row, b.op("cdiv", other, unit)))
    even = b.i(distance.lead(0, 0))
    return pair, b.op("iadd", even, b.op("isub", own, other))


def _steps(ctx: Context, at: Position, distance: Distance, side: int) -> Value:
    """Return the sum of steps of a side's pieces, as `Distance.sums`."""
    b, total = ctx.b, ctx.b.i(0)
    plane = _set(ctx, at, distance.plane, side)
    for bit, slot in enumerate(distance.bits):
        pieces = b.op("mand", plane, _register(ctx, at, (slot, slot), side))
        for power, cells in enumerate(distance.weights[side]):
            count = b.op("mcount", b.op("mand", pieces, b.m(cells)))
            total = b.op("iadd", total, b.op("ishl", count, b.i(bit + power)))
    return b.op("imin", total, b.i(distance.most))


def _set(ctx: Context, at: Position, piece: Seen | Stack, side: int) -> Value:
    """Return a plane, empty if it has no symbol, a stack, or a register that is a set."""
    if isinstance(piece, Stack):
        return _stack(ctx, at, piece, side)
    number = piece[side]
    if number >= len(ctx.program.form.symbols):
        return _register(ctx, at, piece, side)
    planes = ctx.layout.planes
    return at.planes[planes.index(number)] if number in planes else ctx.b.m(0)


def _stack(ctx: Context, at: Position, stack: Stack, side: int) -> Value:
    """Implement `Stack.mask`."""
    b, enough = ctx.b, ctx.b.m((1 << ctx.program.topology.cells) - 1)
    for bit, slot in enumerate(stack.bits):
        number = _register(ctx, at, (slot, slot), side)
        enough = b.op("mand" if stack.least >> bit & 1 else "mor", number, enough)
    return b.op("mand", _set(ctx, at, stack.plane, side), enough)


def _register(ctx: Context, at: Position, register: Seen, side: int) -> Value:
    return at.registers[register[side] - len(ctx.program.form.symbols)]
