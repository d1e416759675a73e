"""Joins: connections from one edge of the board to another cell, maybe in another direction.

See decision 028.
"""

from collections.abc import Sequence

from rulesengine.board.coordinates import nearest_cell
from rulesengine.board.topology import BoardError, Topology
from rulesengine.support.frozen import replace

# A cell, the direction that leaves it, the cell behind the join and the direction there, by name.
NamedJoin = tuple[str, str, str, str]


def with_joins(board: Topology, joins: Sequence[NamedJoin]) -> Topology:
    """Return the board with these joins, each in both directions.

    Raises BoardError for an unknown cell or direction, a join where the board continues, and a
    second join at one place.
    """
    neighbours: dict[tuple[int, int], tuple[int, int]] = {}
    for start, ahead, end, onward in joins:
        way, back = _end(board, start, ahead, back=False), _end(board, end, onward, back=True)
        for exit, entry in ((way, _turned(board, back)), (back, _turned(board, way))):
            if neighbours.setdefault(exit, entry) != entry:
                shown = f"{board.names[exit[0]]} {board.directions[exit[1]].name}"
                raise BoardError(f"two joins begin at `{shown}`", "joins", board.names[exit[0]])
    return replace(board, joins=tuple((*exit, *entry) for exit, entry in neighbours.items()))


def _end(board: Topology, name: str, word: str, *, back: bool) -> tuple[int, int]:
    """Return a cell and the direction off the board; `back` is opposite to the named one."""
    cell, way = board.cell(name), board.direction(word)
    if cell is None:
        meant = nearest_cell(name, board.names)
        raise BoardError(f"no cell `{name}` on this board", "joins", name, nearest=meant)
    if way is None:
        from rulesengine.support.diagnostic import (
            nearest,  # imported here, because only an error needs it
        )

        known = [direction.name for direction in board.directions]
        meant = nearest(word, known)
        raise BoardError(f"no direction `{word}` on this board", "joins", word, nearest=meant)
    way = board.directions[way].opposite if back else way
    if board.directions[way].targets[cell] >= 0:
        shown = board.directions[way].name
        message = f"a join begins and ends where the board does: {shown} of `{name}` is a cell"
        raise BoardError(message, "joins", name)
    return cell, way


def _turned(board: Topology, end: tuple[int, int]) -> tuple[int, int]:
    cell, way = end
    return cell, board.directions[way].opposite
