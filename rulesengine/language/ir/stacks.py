"""The layout of stacks in states: the height of each, and the pieces below the upper one.

The planes of a state have the upper pieces. Registers with a number at each cell have the rest:
level n the code of the piece n places below the upper one. A code is an index into the planes of
the kinds that may have pieces on them. See decision 163.
"""

from collections.abc import Iterator

from rulesengine.language.ir.ops import literal
from rulesengine.language.ir.rules import Kind, Register, Rules, Stacks
from rulesengine.state import CellNumbers, StackForm

# No spec can use these names.
HEIGHT = "stack height"
_LEVEL = "stack level"


def covered_planes(kinds: tuple[Kind, ...], stacks: Stacks) -> tuple[int, ...]:
    """Return the planes of the pieces that may be below others."""
    allowed = stacks.covered or range(len(kinds))
    return tuple(
        number * len(kinds[number].symbols) + owner
        for number in allowed
        for owner, symbol in enumerate(kinds[number].symbols)
        if symbol
    )


def stack_registers(rules: Rules) -> Iterator[Register]:
    """Yield the registers of the stacks of rules with a constant height."""
    if rules.stacks is None:
        return
    height = int(str(rules.stacks.height.value))
    zero, last = literal("number", 0), len(covered_planes(rules.kinds, rules.stacks)) - 1
    yield Register(HEIGHT, "number", 0, height, zero, "cell", "game", compared=True)
    for level in range(1, height) if last else ():
        name = f"{_LEVEL} {level}"
        yield Register(name, "number", 0, last, zero, "cell", "game", compared=True)


def stack_form(rules: Rules, numbers: tuple[CellNumbers, ...]) -> StackForm | None:
    """Return the layout of the stacks in the states of lowered rules."""
    if rules.stacks is None:
        return None
    height = next(n for n in numbers if n.name == HEIGHT)
    levels = tuple(n for n in numbers if n.name.startswith(_LEVEL))
    return StackForm(height, levels, covered_planes(rules.kinds, rules.stacks))
