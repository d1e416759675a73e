"""How a tree search goes about a game: what its memory is told before it begins."""

from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search.tree_layout import (
    BIAS,
    EXPLORE,
    GAIN,
    GAMES,
    MOST_SLOTS,
    REFERENCE,
    SLOTS,
    WIDE,
)
from rulesengine.language.ir.program import Program
from rulesengine.support.frozen import record

_ONE = 1 << 16
_SPARSE = 4  # so many places for each cell in statistics of moves that share places
_WIDE = 128  # moves
_SMALL = 50  # cells: on a smaller board to play on tells more than to count
_STAYS = ("place", "pass", "swap")


def may_stay(program: Program) -> bool:
    """Whether moves put pieces where they stay, so that a move may be good at any time."""
    kinds = {group.kind for tier in program.rules.tiers for group in tier}
    return kinds <= {*_STAYS} and kinds != {"pass"}


def goes_by_target(program: Program) -> bool:
    """Whether the target alone tells the moves of a player apart."""
    groups = [group for tier in program.rules.tiers for group in tier]
    return may_stay(program) and not any(group.then or group.choice for group in groups)


def suggested(program: Program) -> str:
    """The kind of tree search that the rules suggest."""
    has_room = program.topology.cells >= _SMALL
    return "grave" if has_room and may_stay(program) else "uct"


@record
class Manner:
    """`games` are played from each place. `slots` is how many words a node's statistics of moves
    take, 0 without any; nodes have some from `reference` visits on, which count as `bias` games
    of a move itself at most. `explore` is added for what was visited seldom, times 2**16. Of
    more than `wide` moves, if that is not 0, not all are made at once, since nothing would tell
    which of them to visit first: a node gets one more whenever `gain` times its visits exceed the
    square of its children.
    """

    games: int = 2
    slots: int = 0
    reference: int = 50
    bias: int = 1000
    explore: int = _ONE
    wide: int = 0
    gain: int = 16

    @property
    def head(self) -> dict[int, int]:
        """What stands in the head of a search's memory, place by place."""
        head = {GAMES: self.games, SLOTS: self.slots, REFERENCE: self.reference}
        head |= {BIAS: self.bias, EXPLORE: self.explore}
        return head | {WIDE: self.wide, GAIN: self.gain}

    def write(self, memory: Memory) -> None:
        """Tell a search's memory."""
        for at, number in self.head.items():
            memory.numbers[at] = number


def manner_of(program: Program, method: str = "mcts") -> Manner:
    """How to search a game: with statistics of moves (`grave`), without (`uct`), or as suits it.

    They tell so much that nothing need be added for what was visited seldom.
    """
    if (suggested(program) if method == "mcts" else method) == "uct":
        return Manner(wide=_WIDE)
    cells, sides = program.topology.cells, len(program.rules.players)
    places = cells + 1 if goes_by_target(program) else _SPARSE * cells
    return Manner(games=4, slots=min(places, MOST_SLOTS // sides) * sides, explore=0)
