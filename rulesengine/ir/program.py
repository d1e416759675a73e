"""A program: rules lowered for one board, with nothing left to look up by name."""

from rulesengine.board.topology import Topology
from rulesengine.ir.rules import Rules
from rulesengine.record import record
from rulesengine.state import Form


@record
class Program:
    """Rules, the topology they speak of, and the values of the parameters.

    `slots` gives the first place of each register in a state's registers. `keeps_last`,
    `keeps_plies` and `keeps_history` tell what else a state holds because a rule reads it: the
    side that moved last and the number of plies (the two registers at the end), the history.
    """

    rules: Rules
    topology: Topology
    parameters: tuple[tuple[str, int | str], ...]
    form: Form
    slots: tuple[tuple[str, int], ...]
    keeps_last: bool
    keeps_plies: bool
    keeps_history: bool
