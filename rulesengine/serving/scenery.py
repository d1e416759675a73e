"""What the pictures of a game have in common: the board, and where its cells lie."""

from functools import cached_property

from rulesengine.drawing import Ground
from rulesengine.drawing.svg import UNIT
from rulesengine.ir.program import Program

Table = dict[str, object]


class Scenery:
    """The board of a program as pages show it, made when it is first wanted."""

    def __init__(self, program: Program) -> None:
        self._names = program.form.cells
        self.ground = Ground(program)

    @cached_property
    def cells(self) -> list[tuple[int, Table]]:
        """Each cell with its name and its place in the measure of the picture."""
        return [
            (
                place.cell,
                {
                    "name": self._names[place.cell],
                    "at": _scaled(place.at),
                    "outline": [_scaled(point) for point in place.outline],
                },
            )
            for place in self.ground.board.places
        ]


def _scaled(point: tuple[float, float]) -> list[float]:
    """A point in the measure of a picture."""
    return [round(part * UNIT, 1) for part in point]
