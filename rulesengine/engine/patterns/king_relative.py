"""King-relative tables: the weights of a piece by its cell, and by the cells of royal pieces.

Each piece has a weight for its cell in each phase of the game. It has another weight for each pair
of its cell and the cell of a royal piece of either side. The second side sees the board by a
symmetry that exchanges the initial positions of the sides. See decision 196.
"""

from collections.abc import Iterator, Sequence

from rulesengine.board.automorphisms import automorphisms
from rulesengine.board.geometry import bits
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.patterns.alphabets import Seen, pieces_of
from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

PHASES = 4
_PAIR = 2


@record
class KingRelative:
    """The tables of a game of two players, each with one royal piece at the start.

    - `royal` has the royal pieces, own ones first, and `pieces` all kinds of piece.
    - `turned` has the cell that the second side sees in the place of each cell.
    - `taken` is the number of pieces at the start, from which the phases count.
    """

    royal: Seen
    pieces: tuple[Seen, ...]
    turned: tuple[int, ...]
    taken: int

    @property
    def row(self) -> int:
        """Return the number of entries of a phase, or of a cell of a royal piece."""
        return len(self.pieces) * len(self.turned)

    @property
    def size(self) -> int:
        """Return the number of entries of all tables: places, then cells of both royal pieces."""
        return (PHASES + _PAIR * len(self.turned)) * self.row

    @property
    def width(self) -> int:
        """Return the number of active entries of the initial position."""
        return (1 + _PAIR) * self.taken

    def phase(self, count: int) -> int:
        """Return the phase of a position with so many pieces."""
        return min(PHASES - 1, count * PHASES // (self.taken + 1))

    def relative(self, player: int) -> int:
        """Return the start of the table of a royal piece: of the viewer (0) or the other (1)."""
        return (PHASES + player * len(self.turned)) * self.row

    def entries(self, sets: Sequence[int], side: int) -> Iterator[int]:
        """Yield the entries of the pieces of a state: of their cells, and of each royal piece.

        The last royal piece of a side counts. Without one, it counts as if at the first cell.
        """
        cells = self.turned if side else range(len(self.turned))
        planes = [sets[piece[side]] for piece in self.pieces]
        rows = [self.phase(sum(plane.bit_count() for plane in planes)) * self.row]
        for player in range(_PAIR):
            royal = (sets[self.royal[side ^ player]] | 1).bit_length() - 1
            rows.append(self.relative(player) + cells[royal] * self.row)
        for number, plane in enumerate(planes):
            for cell in bits(plane):
                yield from (row + number * len(cells) + cells[cell] for row in rows)


def king_relative_of(program: Program) -> KingRelative | None:
    """Return the king-relative tables of a game; None if they do not apply."""
    kinds, sides = royal_kinds(program), len(program.rules.players)
    if len(kinds) != 1 or sides != _PAIR or program.rules.stacks or program.form.swaps:
        return None
    state = Interpreter(program).initial_state()
    first = (sides + 1) * min(kinds)
    royal = first, first + 1
    if any(state.planes[plane].bit_count() != 1 for plane in royal):
        return None
    pieces = pieces_of(program)
    for turned in automorphisms(program.topology):
        images = [(turned.mask(state.planes[own]), state.planes[other]) for own, other in pieces]
        if all(image == plane for image, plane in images):
            taken = sum(plane.bit_count() for plane in state.planes)
            return KingRelative(royal, tuple(pieces), turned.cells, taken)
    return None
