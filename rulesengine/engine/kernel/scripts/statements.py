"""The table of statements with kernel code; each goes on with `then`, or `other` if it fails."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.draft import begin_draft
from rulesengine.engine.kernel.emit.effects import emit_effect
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.scripts import boards, listings, notation_plays, plays, texts
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.numbers import NUMBER, parsed
from rulesengine.engine.kernel.scripts.words import index_of, is_text, read_word
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import ON_BOARD, Op
from rulesengine.language.ir.roles import reads_role
from rulesengine.language.ir.rules import Statement
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

Continuation = Callable[[], None]
Emission = Callable[[ScriptCode, Statement, Continuation, Continuation], None]


def emit(code: ScriptCode, statement: Statement, then: Continuation, other: Continuation) -> None:
    """Emit a statement. Raises Unsupported."""
    emission = _EMIT.get(statement.name)
    if emission is None:
        raise Unsupported(f"the statement {statement.name}")
    emission(code, statement, then, other)


def _printing(end: str) -> Emission:
    def emission(
        code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
    ) -> None:
        texts.print_text(code, statement.operands[0], end)
        then()

    return emission


def _listing(end: str) -> Emission:
    def emission(
        code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
    ) -> None:
        listings.print_moves(code, statement, end)
        then()

    return emission


def _listing_of_values(end: str) -> Emission:
    def emission(
        code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
    ) -> None:
        listings.print_each(code, statement, end)
        then()

    return emission


def _print_board(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    boards.print_board(code)
    then()


def _read_board(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    boards.read_board(code, statement)
    then()


def _read_number(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    b = code.ctx.b
    low, high = _bounds(code, statement)
    values = []
    for name in statement.words:
        status, value = parsed(code, *read_word(code))
        code.leave_if(b.op("fnot", b.op("ieq", status, b.i(NUMBER))))
        code.leave_if(b.op("for", b.op("ilt", value, low), b.op("ilt", high, value)))
        values.append((name, value))
    for name, value in values:
        code.assign(name, value)
    then()


def _bounds(code: ScriptCode, statement: Statement) -> tuple[Value, Value]:
    low, high = statement.operands[-2:]
    b = code.ctx.b
    least = b.i(INTEGER_MIN) if low is None else code.number(low)
    return least, b.i(INTEGER_MAX) if high is None else code.number(high)


def _read_word(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    words = [(name, *read_word(code)) for name in statement.words]
    for name, start, size in words:
        code.assign_text(name, start, size)
    then()


def _read_cell(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    _require_one_board(code)
    b, named_cells = code.ctx.b, []
    names = {name: cell for cell, name in enumerate(code.ctx.program.form.cells)}
    for name in statement.words:
        cell = index_of(code, "cell", names, *read_word(code))
        code.leave_if(b.op("ilt", cell, b.i(0)))
        named_cells.append((name, cell))
    for name, cell in named_cells:
        code.assign(name, cell)
    then()


def _read_mover(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    b = code.ctx.b
    start, size = read_word(code)
    side = b.i(-1)
    for word, number in zip(statement.words[::2], statement.words[1::2], strict=True):
        side = b.op("pick", is_text(code, start, size, word), b.i(int(number)), side)
    code.leave_if(b.op("ilt", side, b.i(0)))
    code.set(f"state.{len(code.ctx.layout.planes)}", side)
    code.here = None
    then()


def _accept_numbers(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    low, high = _bounds(code, statement)
    code.set("accepts", 1)
    code.set("low", low)
    code.set("high", high)
    then()


def _accept_all(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    code.set("accepts", 0)
    then()


def _nothing(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    """Emit nothing for a layout, which only the generator of judged input reads."""
    then()


def _play_by(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    plays.play_by(code, statement, plays.times_of(code, statement))
    then()


def _let(code: ScriptCode, statement: Statement, then: Continuation, other: Continuation) -> None:
    op = statement.operands[0]
    if isinstance(op, Op) and op.type in ON_BOARD:
        _require_one_board(code)
    if isinstance(op, Op) and op.type == "text":
        texts.assign_drafted(code, statement.words[0], op)
    else:
        code.assign(statement.words[0], code.value(op))
    then()


def _start_new_game(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    code.begin(tuple(code.starting_values()))
    then()


def _effect(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    """Change the position by an effect, and begin a game there."""
    ctx, op = code.ctx, statement.operands[0]
    assert isinstance(op, Op)
    if reads_role(op, "record") or ctx.layout.incremental:
        raise Unsupported("the record of an earlier move")
    op, values = code.without_texts(code, op)
    variables = {**code.typed(op, code.variables_of(op)), **values}
    after = emit_effect(
        ctx, op, Environment(begin_draft(ctx, code.position()), variables)
    ).at.settled()
    registers = list(after.registers)
    for slot in ctx.program.slots_of_earlier_moves():
        at = len(ctx.layout.planes) + 1 + slot
        registers[slot] = code.starting_values()[at]
    code.begin(replace(after, registers=tuple(registers)).values())
    then()


def _forfeit(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    b, is_of_two = code.ctx.b, len(code.ctx.program.form.players) == 2
    winner = b.op("isub", b.i(1), code.position().side) if is_of_two else b.i(-1)
    code.set("decided", winner)
    then()


def _require_one_board(code: ScriptCode) -> None:
    """Raise Unsupported if the script changes its board: values of a board are then dropped."""
    names = {node.statement.name for node in code.flow.nodes}
    if names & {"read_parameter", "set_parameter", "read_whole_board"}:
        raise Unsupported("values of a board in a script that changes it")


_EMIT: MappingProxyType[str, Emission] = MappingProxyType(
    {
        "print": _printing("\n"),
        "prompt": _printing(""),
        "print_board": _print_board,
        "print_moves": _listing("\n"),
        "prompt_moves": _listing(""),
        "print_each": _listing_of_values("\n"),
        "prompt_each": _listing_of_values(""),
        "read_number": _read_number,
        "read_word": _read_word,
        "read_cell": _read_cell,
        "read_mover": _read_mover,
        "read_board": _read_board,
        "accept_numbers": _accept_numbers,
        "accept_all": _accept_all,
        "layout_lines": _nothing,
        "layout_line": _nothing,
        "layout_blank": _nothing,
        "play_where": plays.play_where,
        "play_pass": plays.play_pass,
        "play_word": notation_plays.play_word,
        "play_text": notation_plays.play_text,
        "play_one": _play_by,
        "play_all": _play_by,
        "play_many": _play_by,
        "let": _let,
        "start_anew": _start_new_game,
        "effect": _effect,
        "forfeit": _forfeit,
    }
)
