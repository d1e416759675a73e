"""The features of moves in games of placements: neighbourhoods, groups and the last placement.

See decision 193.
"""

from collections.abc import Iterator

from rulesengine.board.automorphisms import automorphisms
from rulesengine.engine.drivers.search.pattern_layout import MOST_CELLS, MOST_WAYS
from rulesengine.engine.drivers.search.tree_settings import is_target_unique
from rulesengine.engine.patterns.larger_patterns import EXCHANGED, LargerPatterns
from rulesengine.engine.patterns.side_exchange import exchange_of
from rulesengine.engine.symmetry import symmetries
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, reads_role
from rulesengine.support.frozen import field, record, replace

_PAIR = 2


@record
class MovePatterns:
    """The directions of a neighbourhood and its symmetries.

    - `ways` are indices of directions, those to adjacent cells first; `adjacent` is their number.
    - `near` has for each cell the next cell of each direction, -1 off the board.
    - `images` are symmetries: a place for each direction, and True if the sides are exchanged.
    - `liberties` is true if the rules remove or forbid groups without empty neighbours.
    - `larger` are the patterns of these cells and the cells around them.
    """

    ways: tuple[int, ...]
    adjacent: int
    near: tuple[tuple[int, ...], ...]
    images: tuple[tuple[tuple[int, ...], bool], ...]
    liberties: bool
    larger: LargerPatterns = field(compare=False)

    def classes(self, side: int, code: int) -> set[tuple[int, int]]:
        """Return the equivalent sides and codes, this one included."""
        contents = [code >> 2 * place & 3 for place in range(len(self.ways))]
        pairs = set()
        for places, exchanges in self.images:
            image = 0
            for place, content in zip(places, contents, strict=True):
                image |= (EXCHANGED[content] if exchanges else content) << 2 * place
            pairs.add((1 - side if exchanges else side, image))
        return pairs


def move_patterns_of(program: Program) -> MovePatterns | None:
    """Return the features of moves; None for other games and boards."""
    board, rules = program.topology, program.rules
    if len(rules.players) != _PAIR or rules.chance is not None or not is_target_unique(program):
        return None
    if not 0 < len(board.directions) <= MOST_WAYS or board.cells >= MOST_CELLS:
        return None
    if board.joins:
        return None
    adjacent = [
        direction for direction in range(len(board.directions)) if _is_adjacent(program, direction)
    ]
    directions = (
        *adjacent,
        *(direction for direction in range(len(board.directions)) if direction not in adjacent),
    )
    if not adjacent:
        return None
    near = tuple(
        tuple(board.directions[direction].targets[cell] for direction in directions)
        for cell in range(board.cells)
    )
    images = tuple(dict.fromkeys(_images(program, directions)))
    # Larger patterns are rare: both sides share them, even if only the scores differ.
    unscored = replace(program, rules=replace(program.rules, score=None))
    larger = LargerPatterns(
        near, len(adjacent), tuple(dict.fromkeys(_images(unscored, directions)))
    )
    return MovePatterns(directions, len(adjacent), near, images, _has_liberties(program), larger)


def _is_adjacent(program: Program, direction: int) -> bool:
    board = program.topology
    pairs = [(c, t) for c, t in enumerate(board.directions[direction].targets) if t >= 0]
    return bool(pairs) and all(board.adjacency[c] >> t & 1 for c, t in pairs)


def _images(
    program: Program, directions: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], bool]]:
    group = symmetries(program)
    turned = exchange_of(program, automorphisms(program.topology))
    for own in group:
        yield tuple(directions.index(own.directions[direction]) for direction in directions), False
        if turned is not None:
            yield (
                tuple(
                    directions.index(turned.directions[own.directions[direction]])
                    for direction in directions
                ),
                True,
            )


def _has_liberties(program: Program) -> bool:
    """True if placements remove or forbid groups that no empty cell adjoins."""
    groups = (group for tier in program.rules.tiers for group in tier)
    return any(
        has_role(op, "closure") and reads_role(op.args[0], "vacancy")
        for group in groups
        for root in (*_roots(group.forbid), *group.effects)
        for op in walk(root)
    )


def _roots(op: Op | None) -> tuple[Op, ...]:
    return () if op is None else (op,)
