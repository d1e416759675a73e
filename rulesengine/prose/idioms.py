"""Recognition of common patterns in expressions: enemies, groups, jumps, connections."""

from rulesengine.language.ir.ops import Op
from rulesengine.support.limits import MAX_STACK

Match = tuple[Op, ...] | None


def enemy_of(op: Op, neutral: int) -> Op | None:
    """Match the enemies of a side: cells neither its own, neutral nor empty; return the side."""
    match op:
        case Op(
            name="minus",
            args=(
                Op(name="not", args=(Op(name="empty"),)),
                Op(
                    name="or", args=(Op(name="owned", args=(side,)), Op(name="owned", args=(none,)))
                ),
            ),
        ) if none.name == "literal" and none.value == neutral:
            return side
    return None


def adjacent_groups(op: Op) -> tuple[Op, Op, bool] | None:
    """Match the groups of a set with a cell adjacent to another set, or (False) without one."""
    match op:
        case Op(name="minus", args=(cells, Op(name="fill") as fill)):
            inner = adjacent_groups(fill)
            if inner and inner[0] == cells:
                return cells, inner[1], False
        case Op(
            name="fill", args=(Op(name="and", args=(cells, Op(name="neighbours", args=(a,)))), w)
        ):
            if cells == w:
                return cells, a, True
    return None


def groups_for_which(op: Op) -> Op | None:
    """Match `union(g in groups(S), if C then g else nowhere)` and return C."""
    if op.name != "each" or not isinstance(op.value, tuple):
        return None
    function, name, domain = op.value[:3]
    match op.args[1]:
        case Op(name="if", args=(test, Op(name="variable", value=then), Op(value="nowhere"))):
            return test if (function, domain, then) == ("union", "groups", name) else None
    return None


def furthest(op: Op) -> Op | None:
    """Match the last cell of a straight path, `S minus shift(S, opposite)`; return S."""
    match op:
        case Op(
            name="minus", args=(cells, Op(name="shift", args=(same, Op(name="just", args=(way,)))))
        ) if cells == same and way.name == "opposite":
            return cells
        case Op(name="minus", args=(cells, Op(name="shift", args=(same, Op(name="opposite"))))):
            return cells if cells == same else None
    return None


def connection(op: Op) -> Match:
    """Match a set that joins two others, `any(fill(S and A, S) and B)`; return S, A, B."""
    match op:
        case Op(
            name="and",
            args=(Op(name="fill", args=(Op(name="and", args=(cells, start)), within)), end),
        ) if cells == within:
            return cells, start, end
    return None


def unjoined(op: Op) -> Op | None:
    """Match `S minus fill(first(S), S)`, which is empty if S is connected; return S."""
    match op:
        case Op(
            name="minus",
            args=(
                cells,
                Op(
                    name="fill",
                    args=(Op(name="single", args=(Op(name="first", args=(same,)),)), within),
                ),
            ),
        ) if cells == same == within:
            return cells
    return None


def at_distance_two(op: Op) -> Op | None:
    """Match the cells at distance two from a set; return the set."""
    match op:
        case Op(
            name="minus",
            args=(
                Op(
                    name="minus",
                    args=(
                        Op(name="neighbours", args=(Op(name="neighbours", args=(a,)),)),
                        Op(name="neighbours", args=(b,)),
                    ),
                ),
                c,
            ),
        ) if a == b == c:
            return a
    return None


def beyond(op: Op) -> Match:
    """Match the step beyond a slide, `shift(X or slide(X, d, S), d)`; return X, d, S."""
    match op:
        case Op(name="shift", args=(Op(name="or", args=(a, b)), way)):
            start, ray = (b, a) if a.name == "slide" else (a, b)
            if ray.name == "slide" and ray.args[0] == start and ray.args[1] == way:
                return start, way, ray.args[2]
    return None


def leap(op: Op) -> Match:
    """Match a jump over a set, `shift(shift(X, d) and S, d)`; return X, d, S."""
    match op:
        case Op(
            name="shift",
            args=(
                Op(name="and", args=(Op(name="shift", args=(start, first)), *over)),
                second,
            ),
        ) if first == second and len(over) == 1:
            return start, first, over[0]
    return None


def is_whole_stack(number: Op) -> bool:
    """True if a number of pieces is that of an effect without `taking`."""
    return number.name == "literal" and number.value == MAX_STACK


def is_step_of_stack(op: Op) -> bool:
    """True if an effect carries pieces from the origin of a step to its target."""
    match op:
        case Op(name="carry_stack", args=(_, Op(value="from"), Op(value="to"))):
            return True
    return False
