"""Kernel code that plays the move of a notation: a text in memory."""

from collections.abc import Callable

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.make_move import Record, make_move
from rulesengine.engine.kernel.emit.move_list import listed_move_result, target_in, word_of
from rulesengine.engine.kernel.emit.move_sets import ListedMoves, MovesInSets
from rulesengine.engine.kernel.emit.step_sets import StepSet, step_of
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.moves import (
    NotedMove,
    Parts,
    each_notation,
    has_origins,
    is_written,
    move_texts,
    parts_of,
    takes_in,
)
from rulesengine.engine.kernel.scripts.plays import (
    Continuation,
    Steps,
    ends_of,
    play_first,
    require_representable,
)
from rulesengine.engine.kernel.scripts.texts import drafted
from rulesengine.engine.kernel.scripts.words import index_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.moves import shows_captures
from rulesengine.language.ir.rules import Statement, Template
from rulesengine.support.words import GROUPS


def play_word(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    """Play the first legal move with the notation that a variable holds."""
    _play_written(code, lambda: code.text(statement.words[0]), then, other)


def play_text(
    code: ScriptCode, statement: Statement, then: Continuation, other: Continuation
) -> None:
    """Play the first legal move with the notation that a text has."""
    text = statement.operands[0]
    assert isinstance(text, Template)
    _play_written(code, lambda: drafted(code, text), then, other)


def _play_written(
    code: ScriptCode,
    text: Callable[[], tuple[Value, Value]],
    then: Continuation,
    other: Continuation,
) -> None:
    """Play the first legal move with a notation in memory."""
    if code.ctx.rules.keep:
        raise Unsupported("moves that replace others")
    require_representable(code)
    if has_origins(code.ctx):
        _play_spelled(code, text(), then, other)
    else:
        _play_numbered(code, text(), then, other)


def _play_spelled(
    code: ScriptCode, text: tuple[Value, Value], then: Continuation, other: Continuation
) -> None:
    """Play the first legal move with a text as its notation, which the cells of each move give."""
    ctx, b = code.ctx, code.ctx.b

    def in_sets(moves: MovesInSets, values: tuple[Value, ...], play: Steps) -> None:
        memory, *text = values
        for part in moves.parts:

            def test_part(cell: Value, part: StepSet = part) -> None:
                step = step_of(ctx, part, cell)
                word, forms = word_of(ctx, step), _forms(ctx, part.group)
                are_written = [is_written(ctx, memory, word, form, text) for form in forms]
                record = lambda: make_move(ctx, moves.at, (step,), moves.side)[1]  # noqa: E731
                _if_written(ctx, are_written, record, lambda: play(step))

            if part.flag is not None:
                b.when(part.flag, lambda test_part=test_part: test_part(b.i(-1)))  # type: ignore[misc]
            else:
                ctx.each_cell(part.cells, test_part)

    def is_listed(moves: ListedMoves, start: Value, end: Value, values: tuple[Value, ...]) -> Value:
        memory, *text = values
        word, good = ends_of(code, start, end)[0], b.let(b.f(False))
        result = listed_move_result(ctx, moves.at, moves.side, ctx.lists[1], start, end)
        are_written = []
        for takes in dict.fromkeys((False, any(shows_captures(ctx.rules)))):
            flag = b.let(b.f(False))
            each_notation(
                ctx,
                NotedMove(word, b.f(takes)),
                lambda parts, flag=flag: b.set(flag, is_written(ctx, memory, word, parts, text)),  # type: ignore[misc]
            )
            are_written.append(b.get(flag))
        record = lambda: result(moves.side)[1]  # noqa: E731
        _if_written(ctx, are_written, record, lambda: b.set(good, b.f(True)))
        return b.get(good)

    play_first(code, (code.memory, *text), in_sets, is_listed, then, other)


def _forms(ctx: Context, group: int) -> list[Parts]:
    """Return the notation of a group's steps, and of those that capture if it is another."""
    return list(dict.fromkeys(parts_of(ctx, group, takes) for takes in (False, True)))


def _if_written(
    ctx: Context, are_written: list[Value], record: Callable[[], Record], play: Callable[[], None]
) -> None:
    """Call `play` where a text denotes a move.

    `are_written` has a flag for the notation, and another for that of a capture if it differs. The
    record of the move is only computed if one of them is true.
    """
    b = ctx.b
    if len(are_written) == 1:
        b.when(are_written[0], play)
        return
    plain, capture = are_written

    def compare() -> None:
        good = b.op("pick", takes_in(ctx, record()), b.op("fint", capture), b.op("fint", plain))
        b.when(b.op("ieq", good, b.i(1)), play)

    b.when(b.op("for", plain, capture), compare)


def _play_numbered(
    code: ScriptCode, text: tuple[Value, Value], then: Continuation, other: Continuation
) -> None:
    """Play the placement with a text as its notation, if it is legal."""
    ctx, b = code.ctx, code.ctx.b
    numbers, width = _numbers_of_texts(ctx)
    number = index_of(code, "move", numbers, *text)
    known = b.op("ile", b.i(0), number)
    group = b.op("pick", known, b.op("cdiv", number, b.i(width)), b.i(-1))
    target = b.op("isub", number, b.op("iadd", b.op("imul", group, b.i(width)), b.i(1)))

    def in_sets(moves: MovesInSets, values: tuple[Value, ...], play: Steps) -> None:
        group, target = values
        for part in moves.parts:
            own = b.op("ieq", group, b.i(part.group))
            if part.flag is not None:
                step = step_of(ctx, part, b.i(-1))
                b.when(b.op("fand", own, part.flag), lambda step=step: play(step))  # type: ignore[misc]
                continue

            def test_part(part: StepSet = part) -> None:
                cell = b.op("mand", part.cells, b.op("mcell", target))
                b.when(b.op("many", cell), lambda: play(step_of(ctx, part, b.op("mfirst", cell))))

            b.when(own, test_part)

    def is_listed(moves: ListedMoves, start: Value, end: Value, values: tuple[Value, ...]) -> Value:
        first, _ = ends_of(code, start, end)
        own = b.op("ieq", b.op("iand", first, b.i(GROUPS)), values[0])
        return b.op("fand", own, b.op("ieq", target_in(ctx, first), values[1]))

    play_first(code, (group, target), in_sets, is_listed, then, other)


def _numbers_of_texts(ctx: Context) -> tuple[dict[str, int], int]:
    """Return the number of each notation of placements, and the numbers of a group."""
    texts, width = move_texts(ctx), ctx.program.topology.cells + 1
    numbers: dict[str, int] = {}
    for place, rule in enumerate(ctx.rules.groups):
        for cell in range(1, width) if rule.target is not None else range(1):
            written = texts[place * width + cell]
            if written in numbers:
                raise Unsupported("moves with equal notations")
            numbers[written] = place * width + cell
    return numbers, width
