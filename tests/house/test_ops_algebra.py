"""The algebraic columns of operations, checked by evaluation with random operands."""

import random
from collections.abc import Callable
from functools import cache

import pytest

from rulesengine.board.automorphisms import Automorphism, automorphisms
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.language.ir.ops import OPS, Op, Type, Value, bound, is_loop, literal, make
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_by_side,
    is_conditional,
    is_constant,
    is_filter,
    is_reflexive,
    is_single,
    is_variable,
    parts_of,
    reads_role,
    reads_variable,
    role_of,
)
from rulesengine.language.ir.signature import ALL, ROLES, TRAITS, Law, Role, Signature, Trait
from rulesengine.support.frozen import replace
from tests.helpers.rule_games import make as small_game

ROUNDS = 120
NUMBERS = range(-2, 5)
# Operations on plain values: of the rest, loops have a body and others read the state.
PLAIN = {
    name: row
    for name, row in OPS.items()
    if not row.reads | row.changes and row.args and row.result != "effect"
    if not {"binds"} & row.laws and not {"track"} & set(row.args) and name != "range"
}
# Values of this type for arguments of any type.
ANY: Type = "cells"

# The values of operations that need one of a certain form.
VALUES: dict[str, Value] = {
    "best": ("most", "2"),
    "components": "several",
    "large_groups": ("joined", "3"),
    "tally": ("1 2", "2", "2", "0"),
}


@cache
def machine() -> Interpreter:
    rules = "moves: [{place: man, to: empty}]\nend: [{when: none(empty), result: draw}]"
    return Interpreter(small_game(4, 4, rules).program)


def whole(type: str) -> int:
    topology = machine().program.topology
    return (1 << (len(topology.directions) if type == "directions" else topology.cells)) - 1


def drawn(draw: random.Random, type: str) -> int:
    topology = machine().program.topology
    values: dict[str, Callable[[], int]] = {
        "cells": lambda: draw.getrandbits(topology.cells) & draw.getrandbits(topology.cells),
        "directions": lambda: draw.getrandbits(len(topology.directions)),
        "cell": lambda: draw.randrange(topology.cells),
        "direction": lambda: draw.randrange(len(topology.directions)),
        "flag": lambda: draw.randrange(2),
        "side": lambda: draw.randrange(2),
        "kind": lambda: draw.randrange(2),
        "number": lambda: draw.choice(NUMBERS),
    }
    return values[type]()


def types_of(row: Signature) -> list[Type]:
    """The types of some operands; one that may repeat comes twice."""
    found: list[str] = []
    for arg in row.args:
        plain = arg.rstrip("*?") or "*"
        again = arg.endswith("*") and plain != "*"
        found += [ANY if plain in ("T", "*") else plain] * (2 if again else 1)
    return found  # type: ignore[return-value]


def operands(name: str, draw: random.Random) -> list[int]:
    values = [drawn(draw, type) for type in types_of(OPS[name])]
    if name in ("chosen", "by_side", "by_kind"):
        values[0] = draw.randrange(2)
    return values


def value(name: str, values: list[int]) -> int:
    row = OPS[name]
    result: Type = ANY if row.result == "T" else row.result  # type: ignore[assignment]
    args = tuple(literal(t, v) for t, v in zip(types_of(row), values, strict=True))
    op = Op(name, result, args, VALUES.get(name, 0))
    found = int(machine().value(op, Frame(machine().initial_state(), {"player": 0})))
    return found & whole(result) if result in ("cells", "directions") else found


def at_most(name: str, one: int, other: int) -> bool:
    """True if a result is at most another: a subset, or a number that is not greater."""
    sets = OPS[name].result in ("cells", "directions", "T")
    return not one & ~other if sets else one <= other


def breaks(name: str, trait: Trait, number: int) -> bool:
    """True if random operands refute a trait of the argument of this number."""
    draw = random.Random(f"{name} {trait} {number}")
    type = types_of(OPS[name])[number]
    for _ in range(ROUNDS):
        values = operands(name, draw)
        less = [*values]
        if type in ("cells", "directions"):
            less[number] = values[number] & draw.getrandbits(whole(type).bit_length())
        elif type in ("number", "flag"):
            less[number] = min(values[number], drawn(draw, type))
        small, large = value(name, less), value(name, values)
        others = [*values]
        others[number] = values[number] & ~less[number]
        nothing = [*values]
        nothing[number] = 0
        holds = {
            "monotone": lambda: at_most(name, small, large),  # noqa: B023
            "antitone": lambda: at_most(name, large, small),  # noqa: B023
            "contains": lambda: not large & ~values[number],  # noqa: B023
            "additive": lambda: (
                large == small | value(name, others) and value(name, nothing) == 0  # noqa: B023
            ),
        }
        if not holds[trait]():
            return True
    return False


DECLARED = [
    (name, trait, number)
    for name, row in PLAIN.items()
    for number in range(len(types_of(row)))
    for trait in sorted(TRAITS)
    if row.has(trait, number)  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("name", "trait", "number"), DECLARED)
def test_a_trait_holds_for_random_operands(name: str, trait: Trait, number: int) -> None:
    assert not breaks(name, trait, number)


def test_every_trait_is_declared_of_an_operation_that_is_checked() -> None:
    declared = {name for name, row in OPS.items() if any(row.traits)}
    assert {name for name, _, _ in DECLARED} == declared
    assert {trait for _, trait, _ in DECLARED} == TRAITS


@pytest.mark.parametrize(
    ("name", "trait", "number"),
    [
        ("line", "monotone", 0),
        ("not", "monotone", 0),
        ("or", "additive", 0),
        ("or", "contains", 0),
        ("minus", "monotone", 1),
        ("run", "monotone", 1),
        ("count", "antitone", 0),
        ("multiply", "monotone", 0),
    ],
)
def test_a_trait_that_does_not_hold_is_found(name: str, trait: Trait, number: int) -> None:
    assert breaks(name, trait, number)


def with_law(law: Law) -> list[str]:
    return sorted(name for name, row in PLAIN.items() if law in row.laws)


def two(name: str, draw: random.Random, count: int) -> list[int]:
    return [drawn(draw, types_of(OPS[name])[0]) for _ in range(count)]


@pytest.mark.parametrize("name", with_law("commutative"))
def test_commutative_operations_commute(name: str) -> None:
    draw = random.Random(name)
    for _ in range(ROUNDS):
        a, b = two(name, draw, 2)
        assert value(name, [a, b]) == value(name, [b, a])


@pytest.mark.parametrize("name", with_law("associative"))
def test_associative_operations_associate(name: str) -> None:
    draw = random.Random(name)
    for _ in range(ROUNDS):
        a, b, c = two(name, draw, 3)
        assert value(name, [value(name, [a, b]), c]) == value(name, [a, value(name, [b, c])])


@pytest.mark.parametrize("name", sorted(n for n, row in OPS.items() if row.identity is not None))
def test_an_identity_changes_no_operand(name: str) -> None:
    draw, identity = random.Random(name), element(name, OPS[name].identity)
    for a in (two(name, draw, 1)[0] for _ in range(ROUNDS)):
        assert value(name, [a, identity]) == value(name, [identity, a]) == a


@pytest.mark.parametrize("name", sorted(n for n, row in OPS.items() if row.absorbing is not None))
def test_an_absorbing_element_is_the_result(name: str) -> None:
    draw, absorbing = random.Random(name), element(name, OPS[name].absorbing)
    for a in (two(name, draw, 1)[0] for _ in range(ROUNDS)):
        assert value(name, [a, absorbing]) == value(name, [absorbing, a]) == absorbing


def element(name: str, found: int | None) -> int:
    assert found is not None
    return whole(types_of(OPS[name])[0]) if found == ALL else found


@pytest.mark.parametrize("name", with_law("pointwise"))
def test_pointwise_operations_go_by_one_cell(name: str) -> None:
    draw = random.Random(name)
    for _ in range(ROUNDS):
        values, mask = operands(name, draw), drawn(draw, "cells")
        within = [cells & mask for cells in values]
        assert value(name, within) & mask == value(name, values) & mask


@pytest.mark.parametrize("name", with_law("reflexive"))
def test_reflexive_comparisons_hold_for_equal_operands(name: str) -> None:
    draw = random.Random(name)
    assert all(value(name, two(name, draw, 1) * 2) for _ in range(ROUNDS))


def test_another_comparison_does_not_hold_for_equal_operands() -> None:
    assert value("less", [3, 3]) == 0
    assert not is_reflexive(make("less", literal("number", 3), literal("number", 3)))


def with_role(role: Role) -> list[str]:
    return sorted(name for name, row in PLAIN.items() if row.role == role)


def below(name: str, a: int, b: int) -> int:
    """A value that is at most each of two, less than their bounds now and then."""
    is_set = OPS[name].result in ("cells", "directions")
    return a & b & random.Random(a + b).getrandbits(16) if is_set else min(a, b)


@pytest.mark.parametrize("name", with_role("meet"))
def test_a_meet_is_the_greatest_lower_bound(name: str) -> None:
    draw = random.Random(name)
    for _ in range(ROUNDS):
        a, b = two(name, draw, 2)
        found = value(name, [a, b])
        assert at_most(name, found, a)
        assert at_most(name, found, b)
        assert at_most(name, below(name, a, b), found)


@pytest.mark.parametrize("name", with_role("join"))
def test_a_join_is_the_least_upper_bound(name: str) -> None:
    draw = random.Random(name)
    for _ in range(ROUNDS):
        a, b, c = two(name, draw, 3)
        found = value(name, [a, b])
        assert at_most(name, a, found)
        assert at_most(name, b, found)
        above = a | b | c if OPS[name].result in ("cells", "directions") else max(a, b, c)
        assert at_most(name, found, above)


# The results of roles for sets of the cells 0 to 3, worked out by hand.
BY_HAND: tuple[tuple[Role, list[int], dict[str, int]], ...] = (
    ("complement", [0b1], {"not": 0b1111_1111_1111_1110, "deny": 0}),
    ("difference", [0b110, 0b011], {"minus": 0b100}),
    ("singleton", [2], {"single": 0b100, "just": 0b100}),
    ("nonempty", [0b110], {"any": 1}),
    ("nonempty", [0], {"any": 0}),
    ("void", [0b110], {"none": 0}),
    ("void", [0], {"none": 1}),
    ("size", [0b1110], {"count": 3}),
    ("element", [0b110], {"first": 1, "last": 2}),
    ("membership", [1, 0b10], {"member": 1, "has_direction": 1}),
    ("membership", [0, 0b10], {"member": 0, "has_direction": 0}),
    ("inclusion", [0b10, 0b11], {"inside": 1}),
    ("inclusion", [0b11, 0b10], {"inside": 0}),
    ("equality", [1, 2], {"equal": 0}),
    ("order", [1, 2], {"less": 1, "at_most": 1}),
    ("order", [2, 1], {"less": 0, "at_most": 0}),
    ("turn", [0b11, 3], {"turned": 0b11000, "turned_one": 6}),
    ("successor", [0], {"next": 1}),
    ("successor", [1], {"next": 0}),
    ("sum", [5, 2], {"add": 7, "subtract": 3}),
    ("product", [5, 2], {"multiply": 10}),
    ("quotient", [5, 2], {"divide": 2}),
    ("remainder", [5, 2], {"modulo": 1}),
)


@pytest.mark.parametrize(("role", "values", "expected"), BY_HAND)
def test_operations_of_a_role_have_its_meaning(
    role: Role, values: list[int], expected: dict[str, int]
) -> None:
    assert with_role(role) == sorted(expected)
    assert {name: value(name, values) for name in expected} == expected


@pytest.mark.parametrize("name", with_role("selection"))
def test_a_selection_returns_the_operand_that_the_first_one_selects(name: str) -> None:
    found = {value(name, [first, 1, 2]) for first in (0, 1)}
    assert found == {1, 2}


def test_every_role_is_that_of_an_operation() -> None:
    assert {row.role for row in OPS.values() if row.role} == ROLES


def test_operations_of_one_role_have_the_same_number_of_operands() -> None:
    by_role: dict[str, set[tuple[str, ...]]] = {}
    for row in OPS.values():
        marks = tuple(arg[-1] if arg[-1] in "*?" and len(arg) > 1 else "" for arg in row.args)
        by_role.setdefault(row.role, set()).add(marks)
    unequal = {role for role, marks in by_role.items() if len(marks) > 1}
    assert unequal == {"", "selection"}


def in_state(op: Op) -> int:
    """The value of an operation after one move, the man of the first player on a1."""
    when = "plies > 9 or board_repeats > 9 or position_age > 9"
    rules = f"moves: [{{place: man, to: empty}}]\nend: [{{when: {when}, result: draw}}]"
    game = Interpreter(small_game(4, 4, rules).program)
    state = game.apply(game.initial_state(), game.legal(game.initial_state())[0])
    return int(game.value(op, Frame(state, {"player": 0})))


def test_roles_of_the_state_have_their_meaning() -> None:
    first, second = literal("side", 0), literal("side", 1)
    corner = literal("cell", machine().program.topology.names.index("a1"))
    one = value("single", [int(str(corner.value))])
    expected: dict[Role, list[tuple[Op, int]]] = {
        "mover": [(make("mover"), 1)],
        "vacancy": [(make("empty"), whole("cells") & ~one)],
        "pieces": [
            (make("owned", first), one),
            (make("owned", second), 0),
            (make("of_kind", literal("kind", 0)), one),
        ],
        "attribute": [(make("owner", corner), 0), (make("kind_at", corner), 0)],
        "clock": [(make("plies"), 1)],
        "mobility": [(make("can_move", second), 1)],
        "activity": [(make("can_act", second), 1)],
        "repetition": [(make("repeats", value="board"), 0)],
        "age": [(make("age"), 0)],
        "winner": [(make("winner"), -1)],
    }
    for role, ops in expected.items():
        assert {op.name for op, _ in ops} == {n for n, row in OPS.items() if row.role == role}
        assert [in_state(op) for op, _ in ops] == [found for _, found in ops]


X = Op("variable", "cell", (), "x")


def test_nodes_are_recognised_by_their_roles() -> None:
    two, text = literal("number", 2), literal("text", "two")
    assert (constant(two), constant(text), constant(X)) == (2, None, None)
    assert is_constant(two, 1, 2)
    assert is_constant(text)
    assert not is_constant(two, 1)
    assert is_variable(X)
    assert is_variable(X, "y", "x")
    assert not is_variable(X, "y")
    single = make("single", X)
    assert is_single(single, "x")
    assert not is_single(single, "y")
    assert not is_single(X)
    assert reads_variable(make("any", single), "x")
    assert not reads_variable(single, "y")
    assert reads_role(single, "variable")
    assert not reads_role(single, "meet")
    assert role_of(Op("no such operation", "cells")) == ""
    assert not has_role(make("over"), "meet", "join")


def test_parts_and_alternatives_follow_from_roles() -> None:
    a, b, c = (literal("cells", mask) for mask in (1, 2, 4))
    assert list(parts_of(make("and", make("and", a, b), c), "meet")) == [a, b, c]
    assert list(parts_of(make("or", a, b), "meet")) == [make("or", a, b)]
    by_flag = make("if", make("over"), a, b, type="cells")
    by_side = make("by_side", make("mover"), a, b, type="cells")
    assert alternatives(by_flag) == alternatives(by_side) == (a, b)
    assert alternatives(make("or", a, b)) == ()
    assert is_conditional(by_flag)
    assert not is_conditional(by_side)
    assert is_by_side(by_side)
    assert not is_by_side(by_flag)


@pytest.mark.parametrize(
    ("function", "domain", "expected"),
    [("where", "cells", True), ("where", "directions", False), ("union", "cells", False)],
)
def test_a_loop_that_selects_cells_is_a_filter(function: str, domain: str, expected: bool) -> None:
    test = make("member", X, literal("cells", 1))
    loop = make("each", literal("cells", 3), test, value=(function, "x", domain, "0"), type="cells")
    assert is_filter(loop) == expected


def moved(automorphism: Automorphism, type: str, found: int) -> int:
    match type:
        case "cells":
            return automorphism.mask(found)
        case "cell":
            return automorphism.cells[found] if found >= 0 else found
        case "directions":
            return automorphism.direction_mask(found)
        case "direction":
            return automorphism.directions[found]
    return found


def is_equivariant(name: str) -> bool:
    draw, result = random.Random(name), OPS[name].result
    types = types_of(OPS[name])
    for automorphism in automorphisms(machine().program.topology):
        for _ in range(ROUNDS // 6):
            values = operands(name, draw)
            images = [moved(automorphism, t, v) for t, v in zip(types, values, strict=True)]
            expected = moved(automorphism, ANY if result == "T" else result, value(name, values))
            if value(name, images) != expected:
                return False
    return True


FAILING = frozenset({"divide", "modulo"})  # by zero


@pytest.mark.parametrize("name", sorted({*with_law("equivariant")} - FAILING))
def test_equivariant_operations_commute_with_automorphisms(name: str) -> None:
    assert is_equivariant(name)


@pytest.mark.parametrize("name", ["rows", "columns"])
def test_an_operation_that_goes_by_numbers_of_rows_is_not_equivariant(name: str) -> None:
    assert "equivariant" not in OPS[name].laws
    assert not is_equivariant(name)


def test_loops_bind_the_variable_that_their_value_names() -> None:
    binding = {name for name, row in OPS.items() if "the variable" in row.value}
    assert {name for name, row in OPS.items() if "binds" in row.laws} == binding
    for name in OPS:
        op = Op(name, "effect", (), ("done", "word", "", ""))
        assert bound(op) == ("word" if name in binding else "")
        assert is_loop(op) == ("loops" in OPS[name].laws)
        assert not is_loop(op) or bound(op)


def test_a_copy_of_a_row_is_checked_as_the_row_is() -> None:
    with pytest.raises(ValueError, match="more traits"):
        replace(OPS["count"], traits=(frozenset({"monotone"}),) * 2)
