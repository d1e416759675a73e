"""Lowering for one set of parameter values and one board: names replaced by their values."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from rulesengine.board.coordinates import nearest_cell
from rulesengine.board.topology import BoardError, Topology
from rulesengine.language.ir.json_table import with_shared_parts
from rulesengine.language.ir.layout import lay_out, with_named_holes
from rulesengine.language.ir.ops import Op, literal, reads_parts
from rulesengine.language.ir.program import Program, Route
from rulesengine.language.ir.roles import constant, has_role, is_variable
from rulesengine.language.ir.rules import (
    Register,
    Rules,
    Track,
    operations,
    rewrite,
    without_effect,
)
from rulesengine.language.ir.signature import Part
from rulesengine.language.ir.stack_text import StackTextError, read_columns
from rulesengine.language.ir.stacks import stack_form
from rulesengine.language.ir.verify import verify
from rulesengine.language.lower.chance import with_chance
from rulesengine.language.lower.cost import Clause, check_cost, clauses
from rulesengine.language.lower.elimination import with_departures
from rulesengine.language.lower.filter_elision import unranked
from rulesengine.language.lower.kind_registers import with_kind_registers
from rulesengine.language.lower.kind_selection import hoist
from rulesengine.language.lower.picture_sets import evaluated_look
from rulesengine.language.lower.piece_bounds import limit_of
from rulesengine.language.lower.piece_limits import with_constant_limits, with_piece_limits
from rulesengine.language.lower.problem import LoweringError
from rulesengine.language.lower.repetition import without_vain_repetition
from rulesengine.language.lower.seats import with_seats
from rulesengine.language.lower.simplify import NOTHING, simplify
from rulesengine.language.lower.simultaneous import with_rounds
from rulesengine.language.lower.stacks import with_stacks
from rulesengine.language.lower.tiles import with_tiles
from rulesengine.language.lower.views import cells_seen, with_views
from rulesengine.state import CellNumbers, Form
from rulesengine.support.frozen import replace

Parameters = Mapping[str, int | str]


def lower(rules: Rules, parameters: Parameters) -> Program:
    """Return the program of a spec for values of all its parameters; raises LoweringError.

    Equal operations are one object, as in a program from the cache: passes and code generation
    memoise by object, so the code would depend on it.
    """
    lowered, board = _lowered(rules, parameters)
    check_cost(lowered, board)
    ops = operations(replace(lowered, formats=()))
    keeps_plies = _look_at(ops, "plies")
    layout = _form(lowered, board, keeps_plies)
    _check_diagram(lowered, layout)
    slots, at = [], 0
    for register in lowered.registers:
        slots.append((register.name, at))
        at += register.slots(len(lowered.players))
    program = Program(
        with_shared_parts(lowered),
        board,
        tuple(Route(_cells(track, board), track.closed) for track in lowered.tracks),
        tuple(parameters.items()),
        layout,
        tuple(slots),
        keeps_last=not lowered.alternates,
        keeps_plies=keeps_plies,
        keeps_history=_look_at(ops, "history"),
    )
    verify(program)
    return program


def costs(rules: Rules, parameters: Parameters) -> tuple[Clause, ...]:
    """Return the worst costs of the rules by clause, without a limit; raises LoweringError."""
    return clauses(*_lowered(rules, parameters))


def _lowered(rules: Rules, parameters: Parameters) -> tuple[Rules, Topology]:
    """Return the rules without names, and their board."""
    rules, board = make_explicit(rules, parameters)
    rules = with_kind_registers(rules)
    lowered = without_effect(rewrite(rules, Lowering(rules, board, parameters).lower), NOTHING)
    limited = with_piece_limits(replace(lowered, unranked=unranked(lowered)), board)
    shown = with_tiles(with_views(limited, board), board)
    return without_vain_repetition(shown, board), board


def make_explicit(rules: Rules, parameters: Parameters) -> tuple[Rules, Topology]:
    """Return the rules with implicit parts made explicit but names unresolved, and their board."""
    try:
        form = with_named_holes(rules.board, rules.notation, parameters)
        board = lay_out(form, rules.notation, parameters)
    except BoardError as error:
        raise LoweringError(
            -1,
            "bad-board",
            str(error),
            error.row,
            error.sign,
            key=error.key,
            word=error.word,
            expected=error.expected,
            nearest=error.nearest,
        ) from None
    rules = replace(rules, board=form, definitions=(), texts=())
    rules = with_constant_limits(with_seats(rules, board, parameters), parameters)
    rules = with_stacks(rules, parameters)
    rules = replace(rules, look=evaluated_look(rules, board, parameters))
    return with_rounds(with_departures(with_chance(rules))), board


def _check_diagram(rules: Rules, form: Form) -> None:
    """Raise LoweringError unless the start diagram fits the board."""
    rows = rules.diagram
    if rows and form.stacks:
        _check_stacks(rows, form)
        return
    if rows and len(rows) != len(form.lines):
        message = f"the board has {len(form.lines)} rows, the start {len(rows)}"
        raise LoweringError(-1, "bad-start", message, expected=len(form.lines))
    for number, (row, cells) in enumerate(zip(rows, form.lines, strict=False), start=1):
        if len(row) != len(cells):
            message = form.length_problem(number, len(row))
            raise LoweringError(-1, "bad-start", message, number, expected=len(cells))
        for column, symbol in enumerate(row, start=1):
            if symbol != form.empty and symbol not in form.symbols:
                message = f"row {number}, column {column}: no piece `{symbol}`"
                raise LoweringError(-1, "bad-start", message, number, column)
    drawn = "".join(rows)
    for symbol, limit in zip(form.symbols, form.limits, strict=False):
        if symbol and drawn.count(symbol) > limit:
            message = f"there can be at most {limit} `{symbol}`, found {drawn.count(symbol)}"
            raise LoweringError(-1, "bad-start", message)


def _check_stacks(rows: tuple[str, ...], form: Form) -> None:
    """Raise LoweringError unless a start diagram of stacks fits the board."""
    try:
        for _ in read_columns(form, rows):
            pass
    except StackTextError as error:
        words = rows[error.row - 1].split()[: max(error.place - 1, 0)] if error.row else []
        sign = sum(map(len, words)) + error.at + 1 if error.place else 0
        expected = len(form.lines[error.row - 1]) if error.row else len(form.lines)
        raise LoweringError(
            -1, "bad-start", str(error), error.row, sign, expected=expected
        ) from None


class Lowering:
    """A pass that resolves names in operations; shared operations stay shared."""

    def __init__(self, rules: Rules, board: Topology, parameters: Parameters) -> None:
        self.rules = rules
        self.board = board
        self.parameters = parameters
        self._memo: dict[int, tuple[Op, Op]] = {}
        # The cells that a side sees, by the variable or the identity of the side.
        self._seen_cells: dict[tuple[object, str], tuple[Op, Op]] = {}

    def lower(self, op: Op) -> Op:
        """Return the operation without names, simplified."""
        if id(op) not in self._memo:
            args = tuple(self.lower(a) for a in op.args)
            plain = self._symbol(op) or Op(op.name, op.type, args, op.value)
            simple = simplify(plain, self.board)
            self._memo[id(op)] = op, hoist(simple) or simple
        return self._memo[id(op)][1]

    def _symbol(self, op: Op) -> Op | None:
        if has_role(op, "activity"):
            return self._can_act(op)
        lower_symbol = SYMBOLS.get(op.name)
        return lower_symbol(self, op) if lower_symbol else None

    def _players(self, op: Op) -> Op:
        return literal("number", len(self.rules.players))

    def _region(self, op: Op) -> Op:
        masks = {"all": self.board.mask, "nowhere": 0, **dict(self.board.regions)}
        return self._index_of(masks, op, str(op.value), "region")

    def _seen(self, op: Op) -> Op:
        side, part = op.args[0], str(op.value)
        key = (side.value if is_variable(side) else id(side), part)
        if key not in self._seen_cells:
            self._seen_cells[key] = side, self.lower(cells_seen(self.rules.sees, side, part))
        return self._seen_cells[key][1]

    def _named_cell(self, op: Op) -> Op:
        assert isinstance(op.value, tuple)
        name, site = op.value
        return literal("cell", _cell(str(name), int(site), self.board))

    def _track(self, op: Op) -> Op:
        names = [track.name for track in self.rules.tracks]
        return literal("track", names.index(str(op.value)))

    def _parameter(self, op: Op) -> Op:
        value = self.parameters[str(op.value)]
        if op.type == "side":
            names = [p.name for p in self.rules.players]
            return literal("side", names.index(value) if value in names else -1)
        return literal(op.type, value)

    def _direction(self, op: Op) -> Op:
        if op.type == "direction":
            indices = {d.name: i for i, d in enumerate(self.board.directions)}
            return self._index_of(indices, op, str(op.value), "direction")
        sets = {name: sum(1 << i for i in members) for name, members in self.board.direction_sets}
        return self._index_of(sets, op, str(op.value), "directions")

    def _can_act(self, op: Op) -> Op:
        """Return `can_move` if the rules have no pass: the values are equal."""
        passes = any(group.kind == "pass" for group in self.rules.groups)
        name = op.name if passes else "can_move"
        return Op(name, op.type, (self.lower(op.args[0]),), op.value)

    def _index_of(self, values: dict[str, int], op: Op, name: str, subject: str) -> Op:
        if name not in values:
            raise LoweringError(-1, "bad-board", f"no {subject} `{name}` on this board")
        return literal(op.type, values[name])


def _cells(track: Track, board: Topology) -> tuple[int, ...]:
    return tuple(_cell(name, track.site, board) for name in track.cells)


def _cell(name: str, site: int, board: Topology) -> int:
    """Return the cell of a name; raises LoweringError if the board has no such cell."""
    # Names in expressions are lower case; cell names of a board may be upper case.
    known = next((n for n in (name, name.upper()) if n in board.names), "")
    if not known:
        message = f"no cell `{name}` on this board, it has {board.names[0]} to {board.names[-1]}"
        nearest = nearest_cell(name, board.names)
        raise LoweringError(site, "bad-cell", message, nearest=nearest)
    return board.names.index(known)


def _form(rules: Rules, board: Topology, keeps_plies: bool) -> Form:
    lines: dict[int, list[int]] = {}
    for cell, (line, _) in enumerate(board.screen):
        lines.setdefault(line, []).append(cell)
    names: list[str] = []
    types: list[str] = []
    starts: list[int] = []
    numbers: list[CellNumbers] = []
    compared: list[int] = []
    for register in rules.registers:
        start = _start(register)
        if register.compared:
            first = len(names)
            compared += range(first, first + register.slots(len(rules.players)))
        if register.each == "cell":
            bits = register.slots(0)
            numbers.append(
                CellNumbers(register.name, len(names), bits, register.low, register.high)
            )
            names += [f"{register.name}/{i}" for i in range(bits)]
            types += ["cells"] * bits
            starts += [board.mask if start - register.low >> i & 1 else 0 for i in range(bits)]
            continue
        owners = [f" of {p.name}" for p in rules.players] if register.each else [""]
        for owner in owners:
            names.append(register.name + owner)
            types.append(register.type)
            starts.append(start)
    if not rules.alternates:
        names, types, starts = [*names, "last mover"], [*types, "side"], [*starts, -1]
    if keeps_plies:
        names, types, starts = [*names, "plies"], [*types, "number"], [*starts, 0]
    return Form(
        tuple(p.name for p in rules.players),
        tuple(s for kind in rules.kinds for s in kind.symbols),
        rules.empty_symbol,
        tuple(tuple(cells) for _, cells in sorted(lines.items())),
        board.names,
        tuple(names),
        tuple(types),
        tuple(starts),
        tuple(dict(rules.notation.directions).get(d.name, d.name) for d in board.directions),
        any(group.kind == "swap" for group in rules.groups),
        tuple(kind.name for kind in rules.kinds),
        tuple(numbers),
        tuple(compared),
        rules.drawing.hole.strip(),
        _limits(rules, board.cells),
        stack_form(rules, tuple(numbers)),
    )


def _limits(rules: Rules, cells: int) -> tuple[int, ...]:
    """Return the greatest number of pieces on each plane; empty if no kind has a limit."""
    if not any(kind.limit for kind in rules.kinds):
        return ()
    return tuple(limit_of(kind, cells) for kind in rules.kinds for _ in kind.symbols)


def _start(register: Register) -> int:
    """Return the first value of a register; raises LoweringError unless it is constant and in
    range.
    """
    value = constant(register.start)
    if value is None:
        message = (
            f"the start of `{register.name}` must follow from numbers, cells and regions alone"
        )
        raise LoweringError(-1, "bad-start", message)
    if register.type == "number" and not register.low <= value <= register.high:
        message = f"`{register.name}` is {register.range}, it starts at {value}"
        raise LoweringError(-1, "bad-start", message)
    return value


def _look_at(ops: Iterable[Op], part: Part) -> bool:
    return any(reads_parts(op, part) for op in ops)


# The values of the operations that read names.
SYMBOLS: MappingProxyType[str, Callable[[Lowering, Op], Op]] = MappingProxyType(
    {
        "parameter": Lowering._parameter,
        "players": Lowering._players,
        "region": Lowering._region,
        "seen": Lowering._seen,
        "named_cell": Lowering._named_cell,
        "named_direction": Lowering._direction,
        "track": Lowering._track,
    }
)
