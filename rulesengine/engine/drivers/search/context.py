"""Records of parameters that search drivers share; the translator replaces them by their fields."""

from rulesengine.engine.drivers.memory import Memory
from rulesengine.support.frozen import record


@record
class SearchContext:
    """The constant parameters of a search.

    - `sides` is the number of players.
    - `own` is the memory of the thread, in the format of `layout`.
    - `table` is the transposition table.
    """

    sides: int
    own: Memory
    table: Memory


@record
class TreeContext:
    """The constant parameters of a Monte-Carlo tree search.

    - `sides` is the number of players.
    - `own` is the memory of the thread.
    - `pool` is the memory of the tree, which threads share.
    """

    sides: int
    own: Memory
    pool: Memory


@record
class SearchNode:
    """The parameters of a node of alpha-beta search.

    - `depth` is the remaining depth in plies.
    - `alpha` and `beta` are the window, from the view of the team to move.
    - `ply` is the distance from the root.
    - `base` is the address of the free memory for ordered moves.
    """

    depth: int
    alpha: int
    beta: int
    ply: int
    base: int
