"""The rows of the tables of words: a word, its parameters, and its operation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; `type` ends in `?` if the argument is optional and in `*` if it may repeat."""

    name: str
    type: str
    low: int | None = None


@dataclass(frozen=True, slots=True)
class Builtin:
    word: str
    parameters: tuple[Parameter, ...]
    result: str
    op: str
    meaning: str
    example: str
    since: int = 1
    across: str = ""  # its operation on a board with joins


def word(
    head: str,
    result: str,
    meaning: str,
    example: str,
    op: str = "",
    since: int = 1,
    across: str = "",
) -> Builtin:
    """Make a row; `head` is the word with its parameters, `line(cells: cells, length: range)`."""
    named, _, rest = head.partition("(")
    parameters = []
    for part in rest.rstrip(")").split(", ") if rest else []:
        name, _, kind = part.partition(": ")
        kind, _, low = kind.partition(" = ")
        parameters.append(Parameter(name, kind, int(low) if low else None))
    return Builtin(named, tuple(parameters), result, op or named, meaning, example, since, across)
