"""Validation of a driver's states: it may follow one line of play at a time.

Kernels store the history of one line of play: continuing from a state overwrites its previous
continuation. A parameter and the states one move after it remain valid. Any other state advances
the line: a driver may have one name for it, and nothing else may continue from a state meanwhile.
"""

from collections.abc import Iterator

from rulesengine.engine.kernel.translate.nodes import (
    Assign,
    Block,
    Call,
    Expression,
    GameQuery,
    Kind,
    Name,
    Statement,
    driver_error,
    expressions,
    statements,
)


def check_walks(place: str, params: tuple[tuple[str, Kind], ...], body: Block) -> None:
    """Raise InternalError if a driver follows two lines of play."""
    assigned = {n for s in statements(body) if isinstance(s, Assign) for n in s.names}
    roots = {name for name, kind in params if kind == "state"} - assigned
    walkers = sorted({n for s in statements(body) for n in _walking(s, roots)})
    if len(walkers) > 1:
        raise driver_error(place, f"two lines of play: {' and '.join(walkers)}")
    for statement in statements(body) if walkers else ():
        names = statement.names if isinstance(statement, Assign) else ()
        for base, is_move in _continued_states(statement):
            if base not in walkers and not (is_move and base in roots) and walkers[0] not in names:
                raise driver_error(place, f"a line of play in addition to `{walkers[0]}`")


def _walking(statement: Statement, roots: set[str]) -> Iterator[str]:
    """Yield the names assigned a state that is not one move after a parameter."""
    if not isinstance(statement, Assign):
        return
    for name, value in _pairs(statement):
        match value:
            case GameQuery(operation="apply", args=(Name(name=base), _)) if base in roots:
                pass
            case _:
                yield name


def _pairs(statement: Assign) -> Iterator[tuple[str, Expression]]:
    """Yield the assigned names of states with their expressions."""
    for i, name in enumerate(statement.names):
        spread = len(statement.values) < len(statement.names)
        value = statement.values[0 if spread else i]
        kind = value.kinds[i] if spread and isinstance(value, Call) else value.kind
        if kind == "state":
            yield name, value


def _continued_states(statement: Statement) -> Iterator[tuple[str, bool]]:
    """Yield the names of states that a statement continues from, with True for a single move."""
    for expression in expressions(statement):
        match expression:
            case GameQuery(operation="apply", args=(Name(name=base), _)):
                yield base, True
            case Call(args=args):
                yield from ((_base(arg), False) for arg in args if arg.kind == "state")


def _base(state: Expression) -> str:
    """Return the name of a state, or of the state one move before it; empty for any other."""
    match state:
        case Name(name=name) | GameQuery(operation="apply", args=(Name(name=name), _)):
            return name
        case _:
            return ""
