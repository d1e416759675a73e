"""The sets of cells that pictures of a board show, evaluated for one set of parameter values."""

from collections.abc import Mapping

from rulesengine.board.topology import Topology
from rulesengine.language.ir.constants import NotConstant
from rulesengine.language.ir.ops import Op, literal
from rulesengine.language.ir.rules import Appearance, Rules
from rulesengine.language.ir.static_values import StaticEvaluator
from rulesengine.support.frozen import replace


def evaluated_look(
    rules: Rules, board: Topology, parameters: Mapping[str, int | str]
) -> Appearance | None:
    """Return the appearance of a game with its sets evaluated.

    A set that cannot be evaluated on this board, for example one with a cell of a larger board, is
    empty. An error in a picture must not prevent play.
    """
    if rules.look is None:
        return None
    known = StaticEvaluator(board, parameters)

    def cells(op: Op) -> Op:
        try:
            return literal("cells", known.value(op))
        except NotConstant:
            return literal("cells", 0)

    def by_name(sets: tuple[tuple[str, Op], ...]) -> tuple[tuple[str, Op], ...]:
        return tuple((name, cells(op)) for name, op in sets)

    look = rules.look
    return replace(
        look,
        cells=by_name(look.cells),
        edges=by_name(look.edges),
        stars=cells(look.stars) if look.stars else None,
        lines=by_name(look.lines),
        gaps=by_name(look.gaps),
        thick=by_name(look.thick),
    )
