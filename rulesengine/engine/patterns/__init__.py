"""What an evaluation that is learned looks at: patterns that follow from the board and the rules.

An n-tuple network (Bledsoe and Browning, 1959; Lucas, 2007), as Buro (1997) had it for one game:
each pattern is some cells, and what stands on them is the number of an entry of a table.
"""

from rulesengine.engine.patterns.network import Network, network_of, shown

__all__ = ["Network", "network_of", "shown"]
