"""Uses of definitions are found by matching: sides, constants and loops included."""

import pytest

from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.rules import CheckedDefinition
from rulesengine.prose.matching import match

PLAYER = Op("variable", "side", (), "player")
OPPONENT = make("next", PLAYER)
CELLS = Op("variable", "cells", (), "c")
EMPTY = Op("empty", "cells")
TOP, BOTTOM = (Op("region", "cells", (), name) for name in ("top", "bottom"))
NEAR_ENEMY = CheckedDefinition(
    "held", make("and", make("neighbours", CELLS), make("owned", OPPONENT)), ("c",)
)
HOME = Op("by_side", "cells", (PLAYER, TOP, BOTTOM))


def held(cells: Op, enemy: Op) -> Op:
    return make("and", make("neighbours", cells), make("owned", enemy))


@pytest.mark.parametrize(
    ("enemy", "side"),
    [
        (OPPONENT, PLAYER),
        (PLAYER, OPPONENT),
        (make("next", make("mover")), make("mover")),
        (Op("literal", "side", (), 1), Op("literal", "side", (), 0)),
    ],
)
def test_a_use_by_any_side_is_found(enemy: Op, side: Op) -> None:
    assert match(NEAR_ENEMY, held(EMPTY, enemy), 2) == {"c": EMPTY, "player": side}


def test_an_argument_has_one_value() -> None:
    twice = CheckedDefinition("twice", make("minus", make("neighbours", CELLS), CELLS), ("c",))
    assert match(twice, make("minus", make("neighbours", TOP), TOP), 2) == {"c": TOP}
    assert match(twice, make("minus", make("neighbours", TOP), BOTTOM), 2) is None


def test_a_value_of_a_known_side_is_one_of_that_side() -> None:
    definition = CheckedDefinition("own_home", make("and", EMPTY, HOME))
    assert match(definition, make("and", EMPTY, BOTTOM), 2) == {
        "player": Op("literal", "side", (), 1)
    }
    assert match(CheckedDefinition("home", HOME, is_attribute=True), BOTTOM, 2) is None


def loop(name: str, test: Op) -> Op:
    return Op("each", "cells", (EMPTY, test), ("where", name, "cells", "0"))


def test_bound_variables_may_have_other_names() -> None:
    def test(name: str) -> Op:
        return make("member", Op("variable", "cell", (), name), CELLS)

    definition = CheckedDefinition("inside", loop("it_1", test("it_1")), ("c",))
    used = loop("it_9", make("member", Op("variable", "cell", (), "it_9"), TOP))
    assert match(definition, used, 2) == {"c": TOP}
    own = make("single", Op("variable", "cell", (), "it_9"))
    captured = loop("it_9", make("member", Op("variable", "cell", (), "it_9"), own))
    assert match(definition, captured, 2) is None


def test_sites_do_not_matter() -> None:
    one, other = (Op("named_cell", "cell", (), ("a1", site)) for site in ("3", "7"))
    definition = CheckedDefinition("corner", make("and", EMPTY, make("single", one)))
    assert match(definition, make("and", EMPTY, make("single", other)), 2) == {}
