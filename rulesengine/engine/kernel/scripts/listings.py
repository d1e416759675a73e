"""Kernel code that prints a text for each legal move, or for each cell of a set."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rulesengine.engine.kernel.code.form import Type, Value, Var
from rulesengine.engine.kernel.emit.make_move import Record, make_move
from rulesengine.engine.kernel.emit.move_choice import for_side, position_of, with_moves
from rulesengine.engine.kernel.emit.move_list import (
    LIST_TYPES,
    LISTS,
    listed_move_result,
    origin_in,
    target_in,
    word_of,
)
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MoveSet, MovesInSets
from rulesengine.engine.kernel.emit.outcomes import is_over
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.step_sets import StepSet, step_of
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import fixed_text
from rulesengine.engine.kernel.scripts.moves import (
    NotedMove,
    has_origins,
    is_pass,
    require_plain_moves,
    takes_in,
)
from rulesengine.engine.kernel.scripts.texts import TextWriter, finish, output_writer
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.moves import shows_captures
from rulesengine.language.ir.ops import reads_parts, walk
from rulesengine.language.ir.roles import is_variable, reads_role
from rulesengine.language.ir.rules import Statement, Template, operations
from rulesengine.state import GOES_ON

_I: Type = "i"
_F: Type = "f"
_A: Type = "a"
_ROOM = 8192  # bytes of a listing, after which it is left to the caller
Texts = dict[str, tuple[Value, Value]]  # offset and size of the texts of variables


def print_moves(code: ScriptCode, statement: Statement, end: str) -> None:
    """Print a text for each legal move but passes, in order."""
    template, separator = _parts(statement.operands, end)
    if any(reads_parts(op, "future") or reads_role(op, "record") for op in operations(template)):
        raise Unsupported("moves with their results")
    if has_origins(code.ctx):
        require_plain_moves(code.ctx)
    _Listing(code, template, separator, end).print()


def print_each(code: ScriptCode, statement: Statement, end: str) -> None:
    """Print a text for each cell of a set, in order."""
    name, kind = statement.words
    domain, *rest = statement.operands
    template, separator = _parts(tuple(rest), end)
    if kind != "cells":
        raise Unsupported("a text for each of other values")
    ctx, b = code.ctx, code.ctx.b
    cells, variables = (
        code.value(domain),
        code.typed(template, code.variables_of(template, (name,))),
    )
    texts, before = _texts_of(code, template), _before(code)
    end_of_output = output_writer(code)
    place, some, longest = code.vars["out"], b.let(b.f(False)), 0
    last = b.op("iadd", b.get(place), b.i(_ROOM))

    def put(cell: Value) -> None:
        nonlocal longest
        scene = Environment(code.position(), {**variables, name: cell})
        writer = TextWriter(
            code, code.memory, place, lambda op: ctx.value(op, scene), _no_move, texts
        )
        b.when(b.get(some), lambda: writer.literal(separator))
        b.set(some, b.f(True))
        writer.template(template)
        longest = writer.bound

    ctx.each_cell(cells, lambda cell: b.when(b.op("ile", b.get(place), last), lambda: put(cell)))
    code.leave_if(b.op("ilt", last, b.get(place)))
    code.bound += min(longest * ctx.program.topology.cells, _ROOM + longest)
    _close(code, b.get(some), end_of_output, end, before)


def _parts(operands: tuple[object, ...], end: str) -> tuple[Template, str]:
    """Return the template and the separator of a listing. Raises Unsupported."""
    *keys, template, between = operands
    separator = end if between is None else fixed_text(between)
    if keys or separator is None or not isinstance(template, Template):
        raise Unsupported("values in another order, or with a separator that varies")
    return template, separator


def _texts_of(code: ScriptCode, template: Template) -> Texts:
    """Return the texts of variables in a template, which do not change during a listing."""
    read = (op for root in operations(template) for op in walk(root) if is_variable(op))
    names = {str(op.value) for op in read if op.type == "text"} - {"move"}
    return {name: code.text(name) for name in sorted(names)}


def _no_move() -> NotedMove:
    raise Unsupported("the last move for each value")


def _before(code: ScriptCode) -> dict[str, Value]:
    """Return the fields that a listing without a line leaves unchanged."""
    return {field: code.get(field) for field in ("out", "separator", "printed")}


def _close(
    code: ScriptCode, some: Value, writer: TextWriter, end: str, before: dict[str, Value]
) -> None:
    """Print the end of a listing, or restore the output if it has no line."""

    def undo() -> None:
        for field, value in before.items():
            code.set(field, value)

    code.ctx.b.when(some, lambda: writer.literal(end), undo)
    finish(code, writer)


class _Listing:
    """The code of a text for each legal move, as a function of the module."""

    def __init__(self, code: ScriptCode, template: Template, separator: str, end: str) -> None:
        self.code, self.ctx, self.b = code, code.ctx, code.ctx.b
        self._template, self._separator, self._end = template, separator, end
        variables = code.typed(template, code.variables_of(template, ("from", "to")))
        self._values = {name: value for name, value in variables.items() if name != "player"}
        self._texts = _texts_of(code, template)
        self._longest: list[int] = []

    def print(self) -> None:
        code, ctx = self.code, self.ctx
        before, writer = _before(code), output_writer(code)
        texts = (value for text in self._texts.values() for value in text)
        extra = (code.memory, code.get("out"), *texts, *self._values.values())
        state = code.position().values()
        params = (*LIST_TYPES, *ctx.layout.types, *(value.type for value in extra))
        name = f"moves_{code.current}"
        stop, some = code.call(name, params, (_I, _F), (*ctx.lists, *state, *extra), self._body)
        for list_ in ctx.lists:
            self.b.effect("cut", list_, self.b.i(0))
        code.leave_if(self.b.op("ilt", stop, self.b.i(0)))
        if self._longest:
            code.cached_facts[name] = min(
                max(self._longest) * self._most(), _ROOM + max(self._longest)
            )
        code.bound += int(str(code.cached_facts[name]))
        if code.has_forfeits:
            some = self.b.op("fand", some, self.b.op("ieq", code.get("decided"), self.b.i(GOES_ON)))
        self.b.when(some, lambda: code.set("out", stop))
        _close(code, some, writer, self._end, before)

    def _most(self) -> int:
        """Return the greatest number of moves."""
        cells, groups = self.ctx.program.topology.cells, self.ctx.rules.groups
        moves = sum(group.kind != "pass" for group in groups) * cells
        return moves * cells if has_origins(self.ctx) else moves

    def _body(self, values: tuple[Value, ...]) -> None:
        b, ctx = self.b, self.ctx
        outer, ctx.lists = ctx.lists, list(values[:LISTS])
        size = LISTS + len(ctx.layout.types)
        state, (memory, start, *more) = values[LISTS:size], values[size:]
        pairs = [(more[i], more[i + 1]) for i in range(0, 2 * len(self._texts), 2)]
        lines = _Lines(
            memory,
            start,
            b.let(start),
            b.let(b.f(False)),
            dict(zip(self._texts, pairs, strict=True)),
        )
        variables = dict(zip(self._values, more[2 * len(pairs) :], strict=True))
        none = lambda: b.emit_return(start, b.f(False))  # noqa: E731

        def work(side: Value) -> None:
            at = position_of(ctx, state, side)
            b.when(is_over(ctx, at), none)
            scene = Environment(at, {"player": side, **variables})
            ctx.listed = b.let(b.i(0))
            with_moves(ctx, at, side, partial(self._use, lines, scene), none)
            ctx.listed = None

        for_side(ctx, position_of(ctx, state).side, work)
        b.emit_return(b.get(lines.place), b.get(lines.some))
        ctx.lists = outer

    def _use(self, lines: "_Lines", scene: Environment, moves: MoveSet) -> None:
        if isinstance(moves, MovesInSets):
            for part in moves.parts:
                if part.flag is None:
                    put = partial(self._put_cell, lines, scene, part)
                    self.ctx.each_cell(part.cells, put)
        elif isinstance(moves, ListedMoves):
            moves.each_bounds(partial(self._put_listed, lines, scene, moves))

    def _put_cell(self, lines: "_Lines", scene: Environment, part: StepSet, cell: Value) -> None:
        step = step_of(self.ctx, part, cell)
        here = scene.with_(
            from_=step.origin, to=step.target, choice=step.choice, direction=step.direction
        )
        side = scene.variables["player"]
        record = lambda: make_move(self.ctx, scene.at, (step,), side)[1]  # noqa: E731
        self._put(lines, here, word_of(self.ctx, step), record)

    def _put_listed(
        self, lines: "_Lines", scene: Environment, moves: ListedMoves, start: Value, end: Value
    ) -> None:
        """Print the text of a listed move of one step, unless it is a pass."""
        ctx = self.ctx
        require_plain_moves(ctx)
        word = self.b.result("item", _I, ctx.lists[1], start)
        here = scene.with_(from_=origin_in(ctx, word), to=target_in(ctx, word))
        result = listed_move_result(ctx, scene.at, moves.side, ctx.lists[1], start, end)
        record = lambda: result(moves.side)[1]  # noqa: E731
        is_move = self.b.op("fnot", is_pass(ctx, word))
        self.b.when(is_move, lambda: self._put(lines, here, word, record))

    def _put(
        self, lines: "_Lines", scene: Environment, word: Value, record: Callable[[], Record]
    ) -> None:
        b = self.b
        tells = any(shows_captures(self.ctx.rules))
        writer = TextWriter(
            self.code,
            lines.memory,
            lines.place,
            lambda op: self.ctx.value(op, scene),
            lambda: NotedMove(word, takes_in(self.ctx, record()) if tells else b.f(False)),
            lines.texts,
        )
        size = b.op("isub", b.get(lines.place), lines.start)
        b.when(b.op("ilt", b.i(_ROOM), size), lambda: b.emit_return(b.i(-1), b.f(False)))
        b.when(b.get(lines.some), lambda: writer.literal(self._separator))
        b.set(lines.some, b.f(True))
        writer.template(self._template)
        self._longest.append(writer.bound)


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a listing while they are printed.

    - `start`: the offset of the first line.
    - `place`: the offset of the next text.
    - `some`: true if there is a line.
    - `texts`: the texts of variables.
    """

    memory: Value
    start: Value
    place: Var
    some: Var
    texts: Texts
