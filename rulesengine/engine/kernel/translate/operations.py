"""Code for the functions that drivers call: instructions, memory accesses, operations of a game."""

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType

from rulesengine.engine.drivers import memory, protocol, random
from rulesengine.engine.drivers.batch.placements import placing_group
from rulesengine.engine.drivers.history import CACHED, FIRST_ENTRY, OWN, entry_words
from rulesengine.engine.drivers.search.monotone_counts import lasting, vacant
from rulesengine.engine.drivers.search.pattern_layout import MASK_WORDS, OWNERS
from rulesengine.engine.kernel.analysis.optional_results import Components, SafeMoves
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import HistoryFormat, Type, Value
from rulesengine.engine.kernel.emit.chance import (
    Branches,
    is_chance,
    takes_no_ply,
    with_branches,
)
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.move_choice import position_of
from rulesengine.engine.kernel.emit.outcomes import decide
from rulesengine.engine.kernel.emit.patterns import (
    correction,
    factor,
    learned,
    store_shown,
    weighed,
)
from rulesengine.engine.kernel.emit.payoffs import payoff
from rulesengine.engine.kernel.emit.placement_targets import legal_targets
from rulesengine.engine.kernel.emit.state_values import Environment, Position
from rulesengine.engine.kernel.emit.tactics import is_threatened, may_pass, risk
from rulesengine.engine.kernel.emit.threats import parries, threats, urgent
from rulesengine.engine.kernel.emit.values import case_value, position_word
from rulesengine.engine.kernel.entries.canonical_key import canonical
from rulesengine.engine.kernel.entries.playout_ply import fold_position, fold_state, seat_of
from rulesengine.engine.kernel.entries.rollouts import rollouts
from rulesengine.engine.kernel.passes.threats import Threats
from rulesengine.engine.kernel.translate.nodes import Function, Kind
from rulesengine.engine.patterns import MovePatterns
from rulesengine.language.ir.ops import Op
from rulesengine.support.frozen import record

TYPES: MappingProxyType[Kind, Type] = MappingProxyType(
    {"int": "i", "bool": "f", "word": "u", "memory": "a"}
)


@record
class Instruction:
    """A function that compiles to one instruction, with its kinds."""

    name: str
    params: tuple[Kind, ...]
    result: Kind


@record
class MemoryAccess:
    """A function that reads or writes memory, or polls, with its kinds."""

    params: tuple[Kind, ...]
    result: Kind | None
    emit: Callable[[Builder, Sequence[Value]], Value | None]


@record
class Operation:
    """An operation of a game on a state; `emit` receives the state and the other arguments."""

    params: tuple[Kind, ...]
    result: Kind
    emit: Callable[[Context, Position, Sequence[Value]], Value]


INSTRUCTIONS: MappingProxyType[Function, Instruction] = MappingProxyType(
    {
        random.word: Instruction("ubits", ("int",), "word"),
        random.wrap_add: Instruction("uadd", ("word", "word"), "word"),
        random.wrap_mul: Instruction("umul", ("word", "word"), "word"),
        random.wrap_xor: Instruction("uxor", ("word", "word"), "word"),
        random.high_word: Instruction("uhigh", ("word", "int"), "int"),
        random.popcount: Instruction("ucount", ("word",), "int"),
        random.lowest_bit: Instruction("ufirst", ("word",), "int"),
        random.mix: Instruction("umix", ("word",), "word"),
        random.fold: Instruction("ufold", ("word", "int"), "word"),
        memory.signed: Instruction("usign", ("word",), "int"),
        memory.words_equal: Instruction("ueq", ("word", "word"), "bool"),
        int: Instruction("fint", ("bool",), "int"),
        min: Instruction("imin", ("int", "int"), "int"),
        max: Instruction("imax", ("int", "int"), "int"),
    }
)


def _place(b: Builder, args: Sequence[Value]) -> tuple[Value, Value]:
    """Return a memory and a byte address in it."""
    return args[0], b.op("ishl", args[1], b.i(3))


def _loaded(b: Builder, args: Sequence[Value]) -> Value:
    return b.read("load64", *_place(b, args))


def _stored(b: Builder, args: Sequence[Value]) -> None:
    b.write("store64", *_place(b, args), args[2])


def _stored_number(b: Builder, args: Sequence[Value]) -> None:
    _stored(b, (*args[:2], b.op("ubits", args[2])))


def _added(b: Builder, args: Sequence[Value]) -> Value:
    place = _place(b, args)
    return b.op("usign", b.read("atomic_add", *place, b.op("ubits", args[2])))


def _narrow(op: str, b: Builder, args: Sequence[Value]) -> Value | None:
    """Emit an access of 8 or 16 bits at a byte address."""
    if op.startswith("load"):
        return b.read(op, *args)
    b.write(op, *args)
    return None


def _polled(b: Builder, args: Sequence[Value]) -> None:
    b.write("poll", args[0], b.i(memory.STOP))


ACCESSES: MappingProxyType[Function, MemoryAccess] = MappingProxyType(
    {
        memory.load: MemoryAccess(
            ("memory", "int"), "int", lambda b, args: b.op("usign", _loaded(b, args))
        ),
        memory.add_shared: MemoryAccess(("memory", "int", "int"), "int", _added),
        memory.load_word: MemoryAccess(("memory", "int"), "word", _loaded),
        memory.store: MemoryAccess(("memory", "int", "int"), None, _stored_number),
        memory.store_word: MemoryAccess(("memory", "int", "word"), None, _stored),
        memory.load_byte: MemoryAccess(("memory", "int"), "int", partial(_narrow, "load8")),
        memory.load_half: MemoryAccess(("memory", "int"), "int", partial(_narrow, "load16")),
        memory.store_byte: MemoryAccess(("memory", "int", "int"), None, partial(_narrow, "store8")),
        memory.store_half: MemoryAccess(
            ("memory", "int", "int"), None, partial(_narrow, "store16")
        ),
        memory.poll: MemoryAccess(("memory",), None, _polled),
    }
)


def _winner(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return seat_of(ctx, at, _of_side(ctx, at, lambda position: decide(ctx, position)))


def _of_side(ctx: Context, at: Position, make: Callable[[Position], Value]) -> Value:
    """Emit a number that depends on the side to move, for each side if it is unknown."""
    if at.side.constant is not None:
        return make(at)
    sides = [position_of(ctx, at.values(), ctx.b.i(side)) for side in range(ctx.sides)]
    *cases, last = [partial(make, position) for position in sides]
    return case_value(ctx, at.side, cases, last, "i")


def _folded(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return fold_state(ctx, args[0], at)


def _canonical(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return canonical(ctx, args[0], at)


def _players(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.i(len(ctx.program.form.players))


def _cells(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.i(ctx.layout.cells)


def _places(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(placing_group(ctx.program) is not None)


def _targets(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    def of_side(position: Position) -> Value:
        cells, passes = legal_targets(ctx, position)
        ctx.b.write("store_set", *_place(ctx.b, args), cells)
        return passes

    return _of_side(ctx, at, of_side)


def _nth_target(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    cells = ctx.b.read("load_set", *_place(ctx.b, args))
    return ctx.b.op("mnth", cells, args[2])


def _mover(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    seat = seat_of(ctx, at, at.side)
    if ctx.rules.chance is None:
        return seat
    by_chance = ctx.b.op("ieq", _is_of_chance(ctx, at), ctx.b.i(1))
    return ctx.b.op("pick", by_chance, ctx.b.i(-1), seat)


def _score(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    if ctx.sides == 1:
        return _payoff(ctx, at, args)
    return _number_of_side(ctx, at, args[0], ctx.rules.score)


def _is_single(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.sides == 1)


def _estimate(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    if ctx.corrects:
        return _corrected(ctx, at, args[0], ctx.rules.evaluation)
    if ctx.weights:
        return _of_side(ctx, at, lambda position: _learned(ctx, position, args[0]))
    return _number_of_side(ctx, at, args[0], ctx.rules.evaluation)


def _by_rules(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _number_of_side(ctx, at, args[0], ctx.rules.evaluation)


def _exchange(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    if ctx.corrects and ctx.tactics is not None:
        return _scaled(ctx, _number_of_side(ctx, at, args[0], ctx.exchange))
    if ctx.weights or ctx.tactics is None:
        return _estimate(ctx, at, args)
    return _number_of_side(ctx, at, args[0], ctx.exchange)


def _learned(ctx: Context, at: Position, player: Value) -> Value:
    """Emit the learned evaluation for the player to move, 0 for the opponent."""
    is_own = ctx.b.op("ieq", seat_of(ctx, at, at.side), player)
    return ctx.b.choose(is_own, lambda: learned(ctx, at), lambda: ctx.b.i(0))


def _corrected(ctx: Context, at: Position, player: Value, evaluation: Op | None) -> Value:
    """Emit the evaluation of the rules with the correction for the player to move."""
    is_own = ctx.b.op("ieq", seat_of(ctx, at, at.side), player)
    base = _scaled(ctx, _number_of_side(ctx, at, player, evaluation))

    def of_side(position: Position) -> Value:
        return ctx.b.choose(is_own, lambda: correction(ctx, position), lambda: ctx.b.i(0))

    return ctx.b.op("iadd", base, _of_side(ctx, at, of_side))


def _scaled(ctx: Context, value: Value) -> Value:
    """Emit a value of the rules in the finer unit of corrections."""
    return ctx.b.op("imul", value, factor(ctx))


def _store_entries(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    memory, place = args

    def of_side(position: Position) -> Value:
        store_shown(ctx, position, memory, place)
        return seat_of(ctx, position, position.side)

    return _of_side(ctx, at, of_side)


def _weigh(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_side(ctx, at, lambda position: weighed(ctx, position, args[0]))


def _viewer(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return seat_of(ctx, at, at.side)


def _urgent(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_side(ctx, at, partial(urgent, ctx))


def parried(ctx: Context, at: Position, cell: Value) -> Value:
    """Emit a flag that is true if a first step to a cell may parry the threat."""
    answer = _of_side(ctx, at, lambda position: parries(ctx, position, cell))
    return ctx.b.op("ieq", answer, ctx.b.i(1))


def _threats(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_side(ctx, at, partial(threats, ctx))


def _has_urgent(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.optional(Threats) is not None)


def _has_threats(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    urgency = ctx.optional(Threats)
    return ctx.b.f(urgency is not None and urgency.threats is not None)


def _vacant(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    cells = vacant(ctx.program)
    return ctx.value(cells, Environment(at, {})) if cells else ctx.b.i(protocol.ENDLESS)


def _has_safe_moves(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.optional(SafeMoves) is not None)


def _has_captures(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.tactics is not None)


def _forces_captures(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.tactics is not None and ctx.tactics.forces)


def _risk(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_side(ctx, at, lambda position: risk(ctx, position, args[0]))


def _threatened(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    answer = _of_side(ctx, at, lambda position: ctx.b.op("fint", is_threatened(ctx, position)))
    return ctx.b.op("ieq", answer, ctx.b.i(1))


def _has_null_moves(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.null_moves is not None)


def _may_pass(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    answer = _of_side(ctx, at, lambda position: ctx.b.op("fint", may_pass(ctx, position)))
    return ctx.b.op("ieq", answer, ctx.b.i(1))


def _placeable(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    reserves = ctx.optional(SafeMoves)
    ops = (reserves.cells, reserves.cells) if reserves else None
    return _of_side(
        ctx, at, lambda position: _stored_by_side(ctx, position, ops, args, position.side)
    )


def _contents(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    b, (memory, place) = ctx.b, args
    planes = dict(zip(ctx.layout.planes, at.planes, strict=True))
    for owner in range(OWNERS):
        cells = b.m(0)
        for plane in range(owner, len(ctx.program.form.symbols), OWNERS):
            cells = b.op("mor", cells, planes.get(plane, b.m(0)))
        address = b.op("iadd", place, b.i(owner * MASK_WORDS))
        b.write("store_set", *_place(b, (memory, address)), cells)
    return at.side


def _has_patterns(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.optional(MovePatterns) is not None)


def _has_components(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.optional(Components) is not None)


def _pieces(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    parts = ctx.optional(Components)
    ops = parts.pieces if parts else None
    return _of_side(ctx, at, lambda position: _stored_by_side(ctx, position, ops, args, args[1]))


def _reads_history(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.layout.history)


def _recorded(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return fold_position(ctx, args[0], at)


def _lasting(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    number = lasting(ctx.program)
    return ctx.value(number, Environment(at, {})) if number else ctx.b.i(0)


def _stored_by_side(
    ctx: Context, at: Position, ops: tuple[Op, Op] | None, args: Sequence[Value], result: Value
) -> Value:
    """Emit stores of a mask for the player to move and one for the opponent, if there are masks."""
    b, side, (memory, place) = ctx.b, at.side.constant, args
    if ops is not None and side is not None:
        for number, owner in enumerate((side, 1 - side)):
            cells = ctx.value(ops[owner], Environment(at, {"player": b.i(owner)}))
            b.write("store_set", *_place(b, (memory, b.op("iadd", place, b.i(number)))), cells)
    return result


def _number_of_side(ctx: Context, at: Position, player: Value, op: Op | None) -> Value:
    """Emit an expression for the side of a player; 0 if there is none."""
    if op is None:
        return ctx.b.i(0)
    side = seat_of(ctx, at, player)
    return _of_side(ctx, at, lambda position: _value_for_side(ctx, position, side, op))


def _value_for_side(ctx: Context, at: Position, side: Value, op: Op) -> Value:
    scenes = [Environment(at, {"player": ctx.b.i(number)}) for number in range(ctx.sides)]
    return case_value(ctx, side, [partial(ctx.value, op, scene) for scene in scenes], None, "i")


def _below(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    """Emit -1: kernels have no other counts."""
    return ctx.b.i(-1)


def _weight(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_branches(ctx, at, 0, lambda branches: branches.weight())


def _branch(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_branches(ctx, at, -1, lambda branches: branches.branch_of(args[0]))


def _share(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return _of_branches(ctx, at, -1, lambda branches: branches.share(args[0]))


def _of_branches(
    ctx: Context, at: Position, other: int, make: Callable[[Branches], Value]
) -> Value:
    """Emit a number that depends on the chance moves; another one if chance is not to move."""
    b = ctx.b
    if ctx.rules.chance is None:
        return b.i(other)

    def of_side(position: Position) -> Value:
        value = b.let(b.i(other))

        def use(branches: Branches) -> None:
            b.set(value, make(branches))
            branches.drop()

        by_chance = is_chance(ctx, position, position.side)
        b.when(by_chance, lambda: with_branches(ctx, position, position.side, use))
        return b.get(value)

    return _of_side(ctx, at, of_side)


def _is_free(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    if ctx.rules.together is not None:
        return ctx.b.op(
            "ieq", _of_side(ctx, at, lambda position: _takes_no_ply(ctx, position)), ctx.b.i(1)
        )
    if not ctx.rules.has_free_chance:
        return ctx.b.f(False)
    return ctx.b.op("ieq", _is_of_chance(ctx, at), ctx.b.i(1))


def _takes_no_ply(ctx: Context, at: Position) -> Value:
    """Emit 1 if the moves of a state take no ply, else 0."""
    is_free = takes_no_ply(ctx, at, of_chance=False)
    if ctx.rules.has_free_chance:
        is_free = ctx.b.op("for", is_chance(ctx, at, at.side), is_free)
    return ctx.b.op("fint", is_free)


def _is_of_chance(ctx: Context, at: Position) -> Value:
    """Emit 1 if chance is to move, else 0."""
    return _of_side(
        ctx, at, lambda position: ctx.b.op("fint", is_chance(ctx, position, position.side))
    )


def _payoff(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    side = seat_of(ctx, at, args[0])

    def of_side(position: Position) -> Value:
        cases = [partial(payoff, ctx, position, number) for number in range(ctx.sides)]
        return case_value(ctx, side, cases, None, "i")

    return _of_side(ctx, at, of_side)


def _chains(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    return ctx.b.f(ctx.splits or any(group.then for group in ctx.rules.groups))


def _splits(ctx: Context, at: Position, args: Sequence[Value]) -> Value:
    if not ctx.splits or ctx.rules.chance is None:
        return ctx.b.f(ctx.splits)
    return ctx.b.op("ieq", _is_of_chance(ctx, at), ctx.b.i(0))


def loaded(ctx: Context, own: Value, at: Value, line: Sequence[Value]) -> Position:
    """Emit the state at an address of memory, in the layout of `Packing`.

    `line` has the history before it: memory, address, first entry and end.
    """
    b, values = ctx.b, list[Value]()
    for type_ in ctx.layout.types:
        if type_ == "h":
            values.append(_loaded_history(ctx, line))
            continue
        place = _place(b, (own, at))
        if type_ == "m":
            values.append(b.read("load_set", *place))
        else:
            values.append(b.op("usign", b.read("load64", *place)))
        at = b.op("iadd", at, b.i(_words(ctx, type_)))
    return Position.of(ctx.layout, tuple(values))


def _loaded_history(ctx: Context, line: Sequence[Value]) -> Value:
    lines, at, first, end = line
    entries = HistoryFormat(entry_words(ctx.program.form), len(ctx.layout.planes))
    return ctx.b.result(
        "load_history", "h", *_place(ctx.b, (lines, at)), first, end, detail=entries
    )


def _noted(ctx: Context, state: Position, args: Sequence[Value]) -> Value:
    """Emit the append of a state to a history; return the new length."""
    b, (lines, line, count) = ctx.b, args
    if not ctx.layout.history:
        return b.i(0)
    cached = b.op("iadd", line, b.i(CACHED))
    known = b.op("usign", _loaded(b, (lines, cached)))
    _stored_number(b, (lines, cached, b.op("imin", known, count)))
    place = b.op("imul", count, b.i(entry_words(ctx.program.form)))
    at = b.op("iadd", b.op("iadd", line, b.i(FIRST_ENTRY)), place)
    for value in (*[b.i(0)] * OWN, position_word(ctx, state)):
        _stored_number(b, (lines, at, value))
        at = b.op("iadd", at, b.i(1))
    _saved(ctx, state, (lines, at))
    return b.op("iadd", count, b.i(1))


def _saved(ctx: Context, state: Position, args: Sequence[Value]) -> Value:
    b, (own, at) = ctx.b, args
    for value in state.values():
        if value.type == "h":
            continue
        if value.type == "m":
            b.write("store_set", *_place(b, (own, at)), value)
        else:
            _stored_number(b, (own, at, value))
        at = b.op("iadd", at, b.i(_words(ctx, value.type)))
    return at


def _words(ctx: Context, type_: Type) -> int:
    return (ctx.layout.cells + 63) // 64 if type_ == "m" else 1


# Operations on moves, `legal`, `apply` and `loaded` have no rows: their results or arguments are no
# plain values.
OPERATIONS: MappingProxyType[str, Operation] = MappingProxyType(
    {
        "winner": Operation(("state",), "int", _winner),
        "folded": Operation(("word", "state"), "word", _folded),
        "canonical": Operation(("word", "state"), "word", _canonical),
        "below": Operation(("state", "int"), "int", _below),
        "weight": Operation(("state",), "int", _weight),
        "branch": Operation(("state", "int"), "int", _branch),
        "share": Operation(("state", "int"), "int", _share),
        "is_free": Operation(("state",), "bool", _is_free),
        "mover": Operation(("state",), "int", _mover),
        "score": Operation(("state", "int"), "int", _score),
        "estimate": Operation(("state", "int"), "int", _estimate),
        "by_rules": Operation(("state", "int"), "int", _by_rules),
        "exchange": Operation(("state", "int"), "int", _exchange),
        "payoff": Operation(("state", "int"), "int", _payoff),
        "players": Operation(("state",), "int", _players),
        "cells": Operation(("state",), "int", _cells),
        "places": Operation(("state",), "bool", _places),
        "targets": Operation(("state", "memory", "int"), "int", _targets),
        "nth_target": Operation(("state", "memory", "int", "int"), "int", _nth_target),
        "chains": Operation(("state",), "bool", _chains),
        "splits": Operation(("state",), "bool", _splits),
        "saved": Operation(("state", "memory", "int"), "int", _saved),
        "noted": Operation(("state", "memory", "int", "int"), "int", _noted),
        "threats": Operation(("state",), "int", _threats),
        "has_urgent": Operation(("state",), "bool", _has_urgent),
        "has_threats": Operation(("state",), "bool", _has_threats),
        "vacant": Operation(("state",), "int", _vacant),
        "has_captures": Operation(("state",), "bool", _has_captures),
        "forces_captures": Operation(("state",), "bool", _forces_captures),
        "risk": Operation(("state", "int"), "int", _risk),
        "threatened": Operation(("state",), "bool", _threatened),
        "has_null_moves": Operation(("state",), "bool", _has_null_moves),
        "may_pass": Operation(("state",), "bool", _may_pass),
        "placeable": Operation(("state", "memory", "int"), "int", _placeable),
        "has_safe_moves": Operation(("state",), "bool", _has_safe_moves),
        "contents": Operation(("state", "memory", "int"), "int", _contents),
        "has_patterns": Operation(("state",), "bool", _has_patterns),
        "pieces": Operation(("state", "memory", "int"), "int", _pieces),
        "has_components": Operation(("state",), "bool", _has_components),
        "reads_history": Operation(("state",), "bool", _reads_history),
        "recorded": Operation(("word", "state"), "word", _recorded),
        "lasting": Operation(("state",), "int", _lasting),
        "urgent": Operation(("state",), "int", _urgent),
        "is_single": Operation(("state",), "bool", _is_single),
        "rollouts": Operation(
            ("state", "word", "int", "int", "int", "memory", "int"), "int", rollouts
        ),
        "weigh": Operation(("state", "memory"), "int", _weigh),
        "viewer": Operation(("state",), "int", _viewer),
        "active_entries": Operation(("state", "memory", "int"), "int", _store_entries),
    }
)
