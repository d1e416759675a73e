"""Analysis of a script: the moves that an input value can select, and the values that end it."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.roles import has_role, is_constant, is_variable
from rulesengine.language.ir.rules import (
    ExactChoice,
    Statement,
    StrategyWithArguments,
    Template,
    TemplateField,
)
from rulesengine.support.frozen import record

# Statements that neither read nor leave their block; a loop of them needs no rounds.
_SILENT = frozenset(
    {
        *("print", "prompt", "print_board", "print_moves", "print_each", "prompt_moves"),
        *("prompt_each", "play_word", "play_text", "play_where", "play_pass", "play_chance"),
        *(
            "play_one",
            "play_all",
            "play_many",
            "choose",
            "solve",
            "let",
            "append",
            "put_symbols",
            "set_parameter",
            "effect",
        ),
        *("start_anew", "take_back", "take_back_all", "replay", "replay_all"),
        *("if", "repeat", "repeat_from", "repeat_in"),
    }
)
_ENDS = frozenset({"stop", "leave", "forfeit", "fail"})


@record
class ReadAnalysis:
    """The uses of a script's input values, by name.

    `plays` maps a name to the statements that play the move it selects. `constants` are the numbers
    that a name is compared with, and their neighbours, `texts` the texts. `ending` are the values
    after which the script or a loop ends.
    """

    plays: Mapping[str, tuple[Statement, ...]]
    constants: Mapping[str, tuple[int, ...]]
    texts: Mapping[str, tuple[str, ...]]
    ending: frozenset[tuple[str, int | str]]


def reads_of(script: tuple[Statement, ...]) -> ReadAnalysis:
    """Analyse the uses of input values in a script."""
    plays: dict[str, tuple[Statement, ...]] = {}
    constants: dict[str, set[int]] = {}
    texts: dict[str, tuple[str, ...]] = {}
    ending: set[tuple[str, int | str]] = set()
    for statement in statements(script):
        for name in _played(statement):
            plays[name] = (*plays.get(name, ()), statement)
        for op in _ops(statement):
            for name, value in _compared(op):
                if isinstance(value, int):
                    constants.setdefault(name, set()).update((value - 1, value, value + 1))
                elif value not in texts.get(name, ()):
                    texts[name] = (*texts.get(name, ()), value)
                if statement.name == "if" and has_role(op, "equality") and ends(statement.body):
                    ending.add((name, value))
    numbers_of_names = {name: tuple(sorted(numbers)) for name, numbers in constants.items()}
    maps = (MappingProxyType(plays), MappingProxyType(numbers_of_names), MappingProxyType(texts))
    return ReadAnalysis(*maps, frozenset(ending))


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yield all statements of a block, nested ones included."""
    for statement in block:
        yield statement
        yield from statements(statement.body)
        yield from statements(statement.otherwise)


def ends(block: tuple[Statement, ...]) -> bool:
    """True if a block has a statement that ends the script or a loop."""
    return any(statement.name in _ENDS for statement in block)


def is_silent(block: tuple[Statement, ...]) -> bool:
    """True if a block neither reads nor leaves a block, so that its rounds need no input."""
    return all(statement.name in _SILENT for statement in statements(block))


def refuses(block: tuple[Statement, ...]) -> bool:
    """True if a block rejects the input: it begins with or leads to `fail`."""
    return any(statement.name == "fail" for statement in block)


def is_refused(play: Statement) -> bool:
    """True if the script rejects the input where a statement finds no legal move."""
    return not play.otherwise or refuses(play.otherwise)


def endless_rounds(script: tuple[Statement, ...]) -> frozenset[int]:
    """Return the sites at which the rounds of loops begin that only the end of input ends."""
    loops = (s for s in statements(script) if s.name == "repeat" and s.operands[:2] == (None, None))
    return frozenset(
        loop.body[0].site
        for loop in loops
        if not any(s.name in ("stop", "leave") for s in statements(loop.body))
    )


def equalities(op: Op) -> Iterator[tuple[str, Op]]:
    """Yield the names that a condition requires to be equal to an expression."""
    if has_role(op, "meet"):
        for arg in op.args:
            yield from equalities(arg)
    elif has_role(op, "equality"):
        for named, other in (op.args, op.args[::-1]):
            if is_variable(named):
                yield str(named.value), other


def fields(template: Template) -> Iterator[str | None]:
    """Yield the names in the text of a move, None for a value that does not depend on one name."""
    for part in template.parts:
        if isinstance(part, TemplateField):
            yield _only_name(part.value)


def _only_name(op: Op) -> str | None:
    """Return the name that an operation reads, or the only name of a text in it."""
    if is_variable(op):
        return str(op.value)
    names = {str(inner.value) for inner in walk(op) if is_variable(inner) and inner.type == "text"}
    return names.pop() if len(names) == 1 else None


def _played(statement: Statement) -> set[str]:
    """Return the names that select the move of a statement by their values."""
    operand = statement.operands[0] if statement.operands else None
    match statement.name:
        case "play_word":
            return {statement.words[0]}
        case "play_where" if isinstance(operand, Op):
            return {name for name, _ in equalities(operand)} - {"from", "to"}
        case "play_text" if isinstance(operand, Template):
            return {name for name in fields(operand) if name}
    return set()


def _compared(op: Op) -> Iterator[tuple[str, int | str]]:
    """Yield the names that an operation compares with a constant, a number or a text."""
    if has_role(op, "equality", "order"):
        for named, other in (op.args, op.args[::-1]):
            if named.type in ("number", "text") and is_variable(named) and is_constant(other):
                assert isinstance(other.value, int | str)
                yield str(named.value), other.value


def _ops(statement: Statement) -> Iterator[Op]:
    for operand in statement.operands:
        if isinstance(operand, Op):
            yield from _below(operand)
        elif isinstance(operand, ExactChoice):
            yield from _below(operand.nodes)
        elif isinstance(operand, StrategyWithArguments):
            for value in operand.values:
                yield from _below(value)


def _below(op: Op) -> Iterator[Op]:
    yield op
    for arg in op.args:
        yield from _below(arg)
