"""Memory layout of temporal-difference learning, in words.

The memory of a thread has a head. For each ply of a game its viewer follows (the player for whom
the features are computed), and a flag for a random move. From `entries_of` on it has the weight
indices of each ply's features; those of ply -1 are of positions inspected by the one-ply search.
Another memory has the weights, then from `WAYS` on for each weight the sum of its changes, then the
sum of their absolute values.

A batch of games is played with the same weights, before any of them is learned from. Then the words
of plies, from `HEAD` on, are in a memory of records instead, where each game of the batch has its
own `record_words`. The first words of a record are its length plus one, 0 while it is not played,
its winner and the value of its end.

A fit adds the weights to the evaluation of the rules. The lead of the viewer by that evaluation is
then stored for each ply, as a sum of weights, from the address in `LEADS` on.
"""

# Head. The first two words are the shared words of a job: stop flag and counter.
DONE = 1  # games played
WIDTH = 2  # weight indices of a state
SIZE = 3  # number of weights
MOST = 4  # plies after which a game is broken off
PAYS = 5  # 1 if the payoffs of a single player are learned, else 0
LAST = 6  # the value of the end of the last game of a single player
EXPLORES = 7  # 1 if some moves are random; 0 where chance leads to enough positions
UNIT = 8  # the lead by the evaluation of the rules that counts as one weight `ONE`; 0 without it
SLOW = 9  # changes of weights are divided by this power of two
LEADS = 10  # address of the leads; they are stored only with a `UNIT`
PLIES = 11  # plies of the last game
WINNER = 12  # its winner, as the outcome of a search states it
WAYS = 13  # address of the sums of changes
POSITIONS = 14  # positions evaluated to choose moves
BASE = 15  # address of the record of a game; 0 if it is in this memory
BATCH = 16  # number of the first game in the records of a batch
FIRST, GAMES = 17, 18  # number of the first game of a call, and its number of games
HEAD = 19

# A record of a game; its plies follow from `HEAD` on.
LENGTH, WON_BY, END = 0, 1, 2

OPENING = 8  # exclusive bound of the random plies at the start of a game
EXPLORATION_INTERVAL = 12  # one in so many moves is random
TRACE, WHOLE = 3, 4  # lambda, as a fraction
KNOWN = 10  # bits of the coherence of a weight
FINE = 6  # low bits dropped in the sums of changes
FARTHEST = 1 << 30  # leads are clamped to this
LONGEST = 1 << 52  # beyond this the sums of changes are halved


def entries_of(ply: int, most: int, width: int) -> int:
    """Return the address of the weight indices of a ply."""
    return HEAD + 2 * most + (ply + 1) * width


def record_words(most: int, width: int) -> int:
    """Return the words of a record of a game of so many plies at most, with leads."""
    return entries_of(most, most, width) + most
