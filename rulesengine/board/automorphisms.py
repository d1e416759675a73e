"""The automorphisms of a board: permutations of its cells after which it lies as before."""

from collections.abc import Iterator, Sequence

from rulesengine.board.topology import Topology
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_AUTOMORPHISMS


@record
class Automorphism:
    """Where each cell goes, and where each direction does: `cells[c]` is the new place of c."""

    cells: tuple[int, ...]
    directions: tuple[int, ...]

    def mask(self, cells: int) -> int:
        """A set of cells in its new place."""
        return _moved(cells, self.cells)

    def direction_mask(self, directions: int) -> int:
        """A set of directions in its new place."""
        return _moved(directions, self.directions)


def automorphisms(board: Topology) -> tuple[Automorphism, ...]:
    """All automorphisms of a board, the identity first; that alone where there are too many.

    They keep adjacency and lines, and map each direction to one. Cells are assigned one after
    the other, each to a cell that lies to those before it as it does: backtracking over classes
    of cells that colour refinement has made (Weisfeiler and Leman, 1968). Too many are more than
    `MAX_AUTOMORPHISMS`, and so many ways to try that they would not be through in good time.
    """
    identity = Automorphism(tuple(range(board.cells)), tuple(range(len(board.directions))))
    found = {identity.cells: identity}
    try:
        for cells in _Search(board).permutations():
            automorphism = _checked(board, cells)
            if automorphism:
                found[cells] = automorphism
            if len(found) > MAX_AUTOMORPHISMS:
                return (identity,)
    except _TooManyWays:
        return (identity,)
    return tuple(found.values())


class _TooManyWays(Exception):
    pass


class _Search:
    """Permutations that keep, for each two cells, how these lie to each other.

    What directions lead from a cell to another is settled on the way: where it is one alone, that
    one has to go where the first such pair has sent it.
    """

    def __init__(self, board: Topology) -> None:
        self.relations = _relations(board)
        self.ways = _ways(board)
        self.colours = _refined(self.relations)
        self.order = _reading(self.relations, self.colours)
        self.left = _TRIES
        self.image: dict[int, int] = {}
        self.sent: dict[int, int] = {}  # directions

    def permutations(self) -> Iterator[tuple[int, ...]]:
        """Without recursion: a board may have a thousand cells."""
        image, sent = self.image, self.sent
        ways = [iter(self._candidates())]
        new: list[list[int]] = [[]]  # the directions that each cell has sent
        while ways:
            cell = self.order[len(ways) - 1]
            image.pop(cell, None)
            for direction in new[-1]:
                del sent[direction]
            new[-1] = []
            target = next(ways[-1], None)
            if target is None:
                ways.pop()
                new.pop()
                continue
            self.left -= 1
            if self.left < 0:
                raise _TooManyWays
            image[cell] = target
            if not self._send(cell, new[-1]):
                continue
            if len(image) < len(self.order):
                ways.append(iter(self._candidates()))
                new.append([])
                continue
            yield tuple(image[c] for c in range(len(image)))

    def _candidates(self) -> list[int]:
        """The cells to which the next one may go."""
        image = self.image
        cell, taken = self.order[len(image)], set(image.values())
        known = [(other, how) for other, how in self.relations[cell].items() if other in image]
        near = self.relations[image[known[0][0]]] if known else range(len(self.order))
        return [
            target
            for target in sorted(near)
            if target not in taken
            and self.colours[target] == self.colours[cell]
            and all(self.relations[target].get(image[other]) == how for other, how in known)
        ]

    def _send(self, cell: int, new: list[int]) -> bool:
        """Send the directions to and from a cell after it; False if one has gone elsewhere."""
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


def _ways(board: Topology) -> dict[tuple[int, int], int]:
    """The direction from a cell to another, where it is one alone."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, direction in enumerate(board.directions):
        for pair in enumerate(direction.targets):
            found.setdefault(pair, []).append(number)
    return {pair: ways[0] for pair, ways in found.items() if len(ways) == 1}


_TRIES = 150_000  # cells; the 968 automorphisms of a torus of 11 x 11 take 117,128
# How a cell lies to another: whether beside it, and by how many directions it leads there and back.
_Relation = tuple[bool, int, int]


def _relations(board: Topology) -> list[dict[int, _Relation]]:
    """For each cell those that something joins it to, and how."""
    found: list[dict[int, _Relation]] = [{} for _ in range(board.cells)]
    for direction in board.directions:
        for cell, target in enumerate(direction.targets):
            if target >= 0:
                beside, there, back = found[cell].get(target, (False, 0, 0))
                found[cell][target] = beside, there + 1, back
                beside, there, back = found[target].get(cell, (False, 0, 0))
                found[target][cell] = beside, there, back + 1
    for cell, mask in enumerate(board.adjacency):
        for other in range(board.cells):
            if mask >> other & 1:
                found[cell][other] = True, *found[cell].get(other, (False, 0, 0))[1:]
    return found


def _refined(relations: Sequence[dict[int, _Relation]]) -> list[int]:
    """A colour for each cell: cells of two colours are never mapped to each other."""
    colours, count = [0] * len(relations), 1
    while True:
        seen = [
            (colours[cell], tuple(sorted((how, colours[o]) for o, how in others.items())))
            for cell, others in enumerate(relations)
        ]
        numbers = {row: i for i, row in enumerate(sorted(set(seen)))}
        if len(numbers) == count:
            return colours
        colours, count = [numbers[row] for row in seen], len(numbers)


def _reading(relations: Sequence[dict[int, _Relation]], colours: Sequence[int]) -> list[int]:
    """The cells in an order in which most are beside one before them, rare ones first."""
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
    """The automorphism of a permutation; None if a direction or a line is not mapped to one."""
    if _lines(board, cells) != _lines(board, range(board.cells)):
        return None
    alike = _alike(board)
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


def _alike(board: Topology) -> dict[tuple[int, ...], list[int]]:
    """The directions by their tables: on a narrow board several may lead nowhere, or one way."""
    found: dict[tuple[int, ...], list[int]] = {}
    for number, direction in enumerate(board.directions):
        found.setdefault(direction.targets, []).append(number)
    return found


def _carried(targets: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
    """A table of targets when all cells have gone to their new places."""
    found = [-1] * len(cells)
    for cell, target in enumerate(targets):
        found[cells[cell]] = cells[target] if target >= 0 else -1
    return tuple(found)


def _lines(board: Topology, cells: Sequence[int]) -> list[tuple[tuple[int, ...], bool]]:
    """The lines in their new places, each read the one way that comes first."""
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
    found = 0
    while mask:
        lowest = mask & -mask
        found |= 1 << places[lowest.bit_length() - 1]
        mask ^= lowest
    return found
