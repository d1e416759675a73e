"""Settings of the Monte-Carlo tree search, derived from the rules of a game."""

from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search.tree_layout import (
    BIAS,
    EXPLORE,
    GAIN,
    GAMES,
    MAXIMISES,
    MOST_SLOTS,
    REFERENCE,
    SLOTS,
    WIDE,
)
from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

_ONE = 1 << 16
_SPARSE = 4  # slots per cell in AMAF tables with collisions
_WIDE = 128  # moves
_SMALL = 50  # cells; on smaller boards plain UCT is better than AMAF statistics
_STAYS = ("place", "pass", "swap")


def keeps_pieces(program: Program) -> bool:
    """True if pieces are placed and not moved, so that a move may be good at any time."""
    kinds = {group.kind for tier in program.rules.tiers for group in tier}
    return kinds <= {*_STAYS} and kinds != {"pass"}


def is_target_unique(program: Program) -> bool:
    """True if the target cell alone identifies a move of a player."""
    groups = [group for tier in program.rules.tiers for group in tier]
    return keeps_pieces(program) and not any(group.then or group.choice for group in groups)


def suggested_method(program: Program) -> str:
    """Return the kind of tree search that suits the rules."""
    has_room = program.topology.cells >= _SMALL
    return "grave" if has_room and keeps_pieces(program) else "uct"


@record
class TreeSettings:
    """Settings of a tree search.

    - `games`: playouts per leaf.
    - `slots`: words of a node's AMAF statistics, 0 for none.
    - `reference`: visits from which on a node has them.
    - `bias`: their maximum weight, in playouts of the move itself.
    - `explore`: the exploration constant, times 2**16.
    - `wide`: with more moves than this, nodes use progressive widening; 0 for never.
    - `gain`: such a node gets a child when `gain` times its visits exceeds the square of its number
      of children.
    - `maximises`: 1 if a single player searches for the greatest payoff, until chance is to move in
      the tree.
    """

    games: int = 2
    slots: int = 0
    reference: int = 50
    bias: int = 1000
    explore: int = _ONE
    wide: int = 0
    gain: int = 16
    maximises: int = 0

    @property
    def head(self) -> dict[int, int]:
        """Return the settings by their addresses in the head of a search's memory."""
        head = {GAMES: self.games, SLOTS: self.slots, REFERENCE: self.reference}
        head |= {BIAS: self.bias, EXPLORE: self.explore, MAXIMISES: self.maximises}
        return head | {WIDE: self.wide, GAIN: self.gain}

    def write(self, memory: Memory) -> None:
        """Write the settings to a search's memory."""
        for at, number in self.head.items():
            memory.numbers[at] = number


def tree_settings_of(program: Program, method: str = "mcts") -> TreeSettings:
    """Return the settings for a game: with AMAF statistics (`grave`), without (`uct`), or as suits
    it.

    With AMAF statistics there is no exploration term. One player has plain UCT without progressive
    widening, one playout per leaf.
    """
    if len(program.rules.players) == 1:
        return TreeSettings(games=1, maximises=1)
    if (suggested_method(program) if method == "mcts" else method) == "uct":
        return TreeSettings(wide=_WIDE)
    cells, sides = program.topology.cells, len(program.rules.players)
    places = cells + 1 if is_target_unique(program) else _SPARSE * cells
    return TreeSettings(games=4, slots=min(places, MOST_SLOTS // sides) * sides, explore=0)
