"""Where learning keeps what in memory, in words.

The memory of one thread has a head, then for each ply of a game who was to see it and whether it
strayed, and from `entries_of` on the numbers of the entries that its state showed; those of ply -1
are of whatever is looked at in between. Another memory holds what is learned: the entries, then,
as long again each, what changes of each entry have come to and what all of them were by size.
"""

# Head. The first two words are those of a job's lane: what stops, and what is counted.
DONE = 1  # games played
WIDTH = 2  # entries that a state shows
SIZE = 3  # entries that there are
MOST = 4  # plies after which a game counts as drawn
HEAD = 8

OPENING = 8  # so many numbers of plies with which a game may begin at random
STRAY = 12  # one of so many moves is made at random
TRACE, WHOLE = 3, 4  # lambda: how much of what came of a game reaches the ply before
KNOWN = 10  # bits of how steady an entry is
FINE = 6  # bits that sums of changes leave out


def entries_of(ply: int, most: int, width: int) -> int:
    """Where the numbers of the entries that a ply showed stand."""
    return HEAD + 2 * most + (ply + 1) * width
