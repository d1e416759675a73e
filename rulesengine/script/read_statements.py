"""Script statements that read words, and statements that filter words."""

from rulesengine.language.ir.rules import Statement
from rulesengine.script.runtime import ScriptState, StatementError, shortened, to_pairs
from rulesengine.script.tokens import bounded, number
from rulesengine.state import State
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN


def read_number(stage: ScriptState, statement: Statement) -> None:
    bounds = _bounds(stage, statement)
    for name in statement.words:
        stage.variables[name] = _number(name, stage.word(), bounds)


def read_numbers(stage: ScriptState, statement: Statement) -> None:
    name, bounds = statement.words[0], _bounds(stage, statement)
    words = bounded(stage.words_of_line())
    stage.variables[name] = tuple(_number(name, word, bounds) for word in words)


def read_some_numbers(stage: ScriptState, statement: Statement) -> None:
    name, bounds = statement.words[0], _bounds(stage, statement)
    words = bounded(stage.word() for _ in range(stage.value(statement.operands[0])))
    stage.variables[name] = tuple(_number(name, word, bounds) for word in words)


def read_word(stage: ScriptState, statement: Statement) -> None:
    for name in statement.words:
        stage.variables[name] = stage.word()


def read_words(stage: ScriptState, statement: Statement) -> None:
    stage.variables[statement.words[0]] = tuple(bounded(stage.words_of_line()))


def read_some_words(stage: ScriptState, statement: Statement) -> None:
    count = stage.value(statement.operands[0])
    stage.variables[statement.words[0]] = tuple(bounded(stage.word() for _ in range(count)))


def read_line(stage: ScriptState, statement: Statement) -> None:
    stage.variables[statement.words[0]] = stage.words.line()


def read_cell(stage: ScriptState, statement: Statement) -> None:
    for name in statement.words:
        stage.variables[name] = _cell(stage, stage.word())
        stage.on_board.add(name)


def read_cells(stage: ScriptState, statement: Statement) -> None:
    name, cells = statement.words[0], 0
    for word in stage.words_of_line():
        cells |= 1 << _cell(stage, word)
    stage.variables[name] = cells
    stage.on_board.add(name)


def read_mover(stage: ScriptState, statement: Statement) -> None:
    word, pairs = stage.word(), to_pairs(statement.words)
    if word not in pairs:
        raise StatementError(f"expected {' or '.join(pairs)}, found `{shortened(word)}`")
    state = stage.state
    stage.state = State(
        state.planes,
        int(pairs[word]),
        state.registers,
        state.history,
        state.form,
        state.seats,
    )


def read_parameter(stage: ScriptState, statement: Statement) -> None:
    """Bind a parameter to the word that is read, and lower the rules again. See decision 009."""
    word, name = stage.word(), statement.words[0]
    pairs = to_pairs(statement.words[1:])
    if pairs and word not in pairs:
        raise StatementError(f"{name}: expected {' or '.join(pairs)}, found `{shortened(word)}`")
    stage.bind(**{name: pairs.get(word, word)})


def accept_numbers(stage: ScriptState, statement: Statement) -> None:
    stage.accepted = _bounds(stage, statement)


def accept_all(stage: ScriptState, statement: Statement) -> None:
    stage.accepted = None


def layout(stage: ScriptState, statement: Statement) -> None:
    stage.words.layout(statement.name)


def _number(name: str, word: str, bounds: tuple[int, int]) -> int:
    value = number(word)
    if value is None or not bounds[0] <= value <= bounds[1]:
        raise StatementError(f"{name}: expected {_numbers(*bounds)}, found `{shortened(word)}`")
    return value


def _cell(stage: ScriptState, word: str) -> int:
    cells = stage.state.form.cells
    if word not in cells:
        raise StatementError(f"expected a cell such as `{cells[0]}`, found `{shortened(word)}`")
    return cells.index(word)


def _bounds(stage: ScriptState, statement: Statement) -> tuple[int, int]:
    low, high = statement.operands[-2:]
    least = INTEGER_MIN if low is None else stage.value(low)
    return least, INTEGER_MAX if high is None else stage.value(high)


def _numbers(low: int, high: int) -> str:
    if low == INTEGER_MIN and high == INTEGER_MAX:
        return "a number"
    if high == INTEGER_MAX:
        return f"a number of at least {low}"
    return f"a number from {low} to {high}"
