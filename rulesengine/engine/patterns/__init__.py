"""The features of a learned evaluation: patterns that follow from the board and the rules.

An n-tuple network (Bledsoe and Browning, 1959; Lucas, 2007), used for game evaluation by Buro
(1997). A pattern is some cells; their contents are the index of an entry in a table.
"""

from rulesengine.engine.patterns.king_relative import KingRelative, king_relative_of
from rulesengine.engine.patterns.move_patterns import MovePatterns, move_patterns_of
from rulesengine.engine.patterns.network import Network, active_entries, network_of

__all__ = [
    "KingRelative",
    "MovePatterns",
    "Network",
    "active_entries",
    "king_relative_of",
    "move_patterns_of",
    "network_of",
]
