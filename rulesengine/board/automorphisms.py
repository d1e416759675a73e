"""The automorphisms of a board: permutations of cells that preserve its structure."""

from collections.abc import Iterator, Sequence

from rulesengine.board.topology import Topology
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_AUTOMORPHISMS


@record
class Automorphism:
    """A permutation of cells and of directions: cell c is mapped to `cells[c]`."""

    cells: tuple[int, ...]
    directions: tuple[int, ...]

    def mask(self, cells: int) -> int:
        """Return the image of a set of cells."""
        return _moved(cells, self.cells)

    def direction_mask(self, directions: int) -> int:
        """Return the image of a set of directions."""
        return _moved(directions, self.directions)


def automorphisms(board: Topology) -> tuple[Automorphism, ...]:
    """Return all automorphisms of a board, the identity first.

    They preserve adjacency and lines, and map directions to directions. The search is backtracking
    within the classes of colour refinement (Weisfeiler and Leman, 1968). Cells are assigned one
    after the other, each to a cell with the same relations to those assigned before. After more
    than `MAX_AUTOMORPHISMS` automorphisms or `_MAX_ASSIGNMENTS` assignments only the identity is
    returned.
    """
    identity = Automorphism(tuple(range(board.cells)), tuple(range(len(board.directions))))
    by_cells = {identity.cells: identity}
    try:
        for cells in _Search(board).permutations():
            automorphism = _checked(board, cells)
            if automorphism:
                by_cells[cells] = automorphism
            if len(by_cells) > MAX_AUTOMORPHISMS:
                return (identity,)
    except _BudgetExceeded:
        return (identity,)
    return tuple(by_cells.values())


class _BudgetExceeded(Exception):
    pass


class _Search:
    """A backtracking search for permutations that preserve the relation of each pair of cells.

    The images of directions are fixed during the search. If a single direction leads from a cell to
    another, it must be mapped as the first such pair maps it.
    """

    def __init__(self, board: Topology) -> None:
        self.relations = _relations(board)
        self.ways = _unique_directions(board)
        self.colours = _refined(self.relations)
        self.order = _reading(self.relations, self.colours)
        self.left = _MAX_ASSIGNMENTS
        self.image: dict[int, int] = {}
        self.sent: dict[int, int] = {}  # images of directions

    def permutations(self) -> Iterator[tuple[int, ...]]:
        """Yield all permutations, without recursion: a board may have a thousand cells."""
        image, sent = self.image, self.sent
        iterators = [iter(self._candidates())]
        new: list[list[int]] = [[]]  # the directions with an image fixed by each cell
        while iterators:
            cell = self.order[len(iterators) - 1]
            image.pop(cell, None)
            for direction in new[-1]:
                del sent[direction]
            new[-1] = []
            target = next(iterators[-1], None)
            if target is None:
                iterators.pop()
                new.pop()
                continue
            self.left -= 1
            if self.left < 0:
                raise _BudgetExceeded
            image[cell] = target
            if not self._send(cell, new[-1]):
                continue
            if len(image) < len(self.order):
                iterators.append(iter(self._candidates()))
                new.append([])
                continue
            yield tuple(image[c] for c in range(len(image)))

    def _candidates(self) -> list[int]:
        """Return the candidates for the image of the next cell."""
        image = self.image
        cell, used = self.order[len(image)], set(image.values())
        known = [
            (other, relation) for other, relation in self.relations[cell].items() if other in image
        ]
        related = self.relations[image[known[0][0]]] if known else range(len(self.order))
        return [
            target
            for target in sorted(related)
            if target not in used
            and self.colours[target] == self.colours[cell]
            and all(
                self.relations[target].get(image[other]) == relation for other, relation in known
            )
        ]

    def _send(self, cell: int, new: list[int]) -> bool:
        """Map the directions at a cell with its image; False if one has another image already."""
        image, sent = self.image, self.sent
        for other in self.relations[cell]:
            if other not in image:
                continue
            for a, b in ((cell, other), (other, cell)):
                direction, target = self.ways.get((a, b)), self.ways.get((image[a], image[b]))
                if direction is None or target is None:
                    continue
                if direction not in sent and target not in sent.values():
                    sent[direction] = target
                    new.append(direction)
                if sent.get(direction) != target:
                    return False
        return True


def _unique_directions(board: Topology) -> dict[tuple[int, int], int]:
    """Return the direction between two cells, for pairs with exactly one."""
    by_delta: dict[tuple[int, int], list[int]] = {}
    for number, direction in enumerate(board.directions):
        for pair in enumerate(direction.targets):
            by_delta.setdefault(pair, []).append(number)
    return {pair: ways[0] for pair, ways in by_delta.items() if len(ways) == 1}


_MAX_ASSIGNMENTS = 150_000  # assignments; the 968 automorphisms of a torus of 11 x 11 take 117,128
# The relation of two cells: adjacency, and the numbers of directions there and back.
_Relation = tuple[bool, int, int]


def _relations(board: Topology) -> list[dict[int, _Relation]]:
    """Return the relation of each cell to the cells that it is connected to."""
    relations: list[dict[int, _Relation]] = [{} for _ in range(board.cells)]
    for direction in board.directions:
        for cell, target in enumerate(direction.targets):
            if target >= 0:
                adjacent, there, back = relations[cell].get(target, (False, 0, 0))
                relations[cell][target] = adjacent, there + 1, back
                adjacent, there, back = relations[target].get(cell, (False, 0, 0))
                relations[target][cell] = adjacent, there, back + 1
    for cell, mask in enumerate(board.adjacency):
        for other in range(board.cells):
            if mask >> other & 1:
                relations[cell][other] = True, *relations[cell].get(other, (False, 0, 0))[1:]
    return relations


def _refined(relations: Sequence[dict[int, _Relation]]) -> list[int]:
    """Return a colour for each cell; automorphisms map each colour to itself."""
    colours, count = [0] * len(relations), 1
    while True:
        seen = [
            (colours[cell], tuple(sorted((relation, colours[o]) for o, relation in others.items())))
            for cell, others in enumerate(relations)
        ]
        numbers = {row: i for i, row in enumerate(sorted(set(seen)))}
        if len(numbers) == count:
            return colours
        colours, count = [numbers[row] for row in seen], len(numbers)


def _reading(relations: Sequence[dict[int, _Relation]], colours: Sequence[int]) -> list[int]:
    """Return the cells in breadth-first order, cells of rare colours first."""
    sizes = [colours.count(colour) for colour in colours]
    order: dict[int, None] = {}
    for start in sorted(range(len(relations)), key=lambda cell: (sizes[cell], cell)):
        queue = [start] if start not in order else []
        order |= dict.fromkeys(queue)
        for cell in queue:
            new = [other for other in sorted(relations[cell]) if other not in order]
            order |= dict.fromkeys(new)
            queue += new
    return list(order)


def _checked(board: Topology, cells: tuple[int, ...]) -> Automorphism | None:
    """Return the automorphism of a permutation; None if it maps a direction or a line to none."""
    if _lines(board, cells) != _lines(board, range(board.cells)):
        return None
    alike = _directions_by_table(board)
    directions = []
    for number, direction in enumerate(board.directions):
        own, other = alike[direction.targets], alike.get(_carried(direction.targets, cells), [])
        if len(own) != len(other):
            return None
        directions.append(other[own.index(number)])
    joins = {(cells[a], directions[i], cells[b], directions[j]) for a, i, b, j in board.joins}
    if joins != {(a, i, b, j) for a, i, b, j in board.joins}:
        return None
    opposites = [board.directions[i].opposite for i in directions]
    mapped = [directions[d.opposite] if d.opposite >= 0 else -1 for d in board.directions]
    return Automorphism(cells, tuple(directions)) if opposites == mapped else None


def _directions_by_table(board: Topology) -> dict[tuple[int, ...], list[int]]:
    """Return the directions by target table; on narrow boards several may have the same table."""
    by_table: dict[tuple[int, ...], list[int]] = {}
    for number, direction in enumerate(board.directions):
        by_table.setdefault(direction.targets, []).append(number)
    return by_table


def _carried(targets: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
    """Return a target table under a permutation of the cells."""
    image = [-1] * len(cells)
    for cell, target in enumerate(targets):
        image[cells[cell]] = cells[target] if target >= 0 else -1
    return tuple(image)


def _lines(board: Topology, cells: Sequence[int]) -> list[tuple[tuple[int, ...], bool]]:
    """Return the lines under a permutation, each in a canonical orientation, sorted."""
    return sorted(
        (_one_way([cells[c] for c in line], cyclic), cyclic)
        for line, cyclic in zip(board.lines, board.cyclic, strict=True)
    )


def _one_way(line: list[int], cyclic: bool) -> tuple[int, ...]:
    if not cyclic:
        return tuple(min(line, line[::-1]))
    at = line.index(min(line))
    turned = line[at:] + line[:at]
    return tuple(min(turned, turned[:1] + turned[:0:-1]))


def _moved(mask: int, places: Sequence[int]) -> int:
    image = 0
    while mask:
        lowest = mask & -mask
        image |= 1 << places[lowest.bit_length() - 1]
        mask ^= lowest
    return image
