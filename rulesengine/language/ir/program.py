"""A program: rules lowered for one board, with every name resolved."""

from rulesengine.board.topology import Topology
from rulesengine.language.ir.hiding import HiddenInformation, hidden_in
from rulesengine.language.ir.rules import Rules, recalled
from rulesengine.state import Form
from rulesengine.support.frozen import record, replace


@record
class Route:
    """A track on one board: its cells; on a closed track the first cell follows the last."""

    cells: tuple[int, ...]
    closed: bool

    def place(self, cell: int) -> int:
        """Return the index of a cell, -1 for no cell (the position before the first), -2 off the
        track.
        """
        if cell < 0:
            return -1
        return self.cells.index(cell) if cell in self.cells else -2

    def further(self, cell: int, number: int) -> int:
        """Return the cell `number` steps on (or back if negative), or -1."""
        place = self.place(cell)
        if number == 0 or place == -2 or (place == -1 and number < 0):
            return cell if number == 0 and place != -2 else -1
        at = place + number
        if self.closed:
            return self.cells[at % len(self.cells)]
        return self.cells[at] if 0 <= at < len(self.cells) else -1

    def along(self, cell: int, number: int, skipped: int) -> list[int]:
        """Return the next `number` cells after one that are not in the mask `skipped`."""
        cells: list[int] = []
        if all(skipped >> c & 1 for c in self.cells):
            return cells
        while len(cells) < number:
            cell = self.further(cell, 1)
            if cell < 0:
                break
            cells += [] if skipped >> cell & 1 else [cell]
        return cells


@record
class Program:
    """Rules with their topology and tracks, and the values of the parameters.

    `slots` maps each register to its first index in a state's registers. The `keeps_` flags list
    further parts of a state that some rule reads. These are the side that moved last, the number of
    plies (the two registers at the end), and the history.
    """

    rules: Rules
    topology: Topology
    routes: tuple[Route, ...]
    parameters: tuple[tuple[str, int | str], ...]
    form: Form
    slots: tuple[tuple[str, int], ...]
    keeps_last: bool
    keeps_plies: bool
    keeps_history: bool

    def slots_of_moves(self) -> tuple[int, ...]:
        """Return the indices of the registers that live for a move."""
        rules, first = self.rules, dict(self.slots)
        return tuple(
            first[register.name] + place
            for register in rules.registers
            if register.lives == "move"
            for place in range(register.slots(len(rules.players)))
        )

    def slots_of_earlier_moves(self) -> tuple[int, ...]:
        """Return the slots of registers that depend on earlier moves."""
        count = len(self.form.starts)
        last = (slot for name, slot in self.slots if recalled(name))
        return (*last, *range(count - self.keeps_last - self.keeps_plies, count))

    @property
    def hiding(self) -> HiddenInformation:
        """Return the parts of a state that some players do not see."""
        return hidden_in(self.rules)

    def without_evaluation(self) -> "Program":
        """Return the program without the evaluation of the spec, which changes no exact value."""
        return replace(self, rules=replace(self.rules, evaluation=None))

    def without_claims(self) -> "Program":
        """Return the program without the ends that players claim; itself if there are none."""
        ends = tuple(end for end in self.rules.ends if not end.claim)
        if len(ends) == len(self.rules.ends):
            return self
        return replace(self, rules=replace(self.rules, ends=ends))
