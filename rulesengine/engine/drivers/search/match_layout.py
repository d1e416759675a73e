"""Memory layout of a match of weights against the evaluation of the rules, in words."""

# The first two words are the shared words of a job: stop flag and counter.
PLAYED = 1  # games played
GAMES = 2  # games of the match
NODES_EACH = 3  # positions of a search
OPENING = 4  # random plies at the start
LONGEST = 5  # maximum plies; a longer game is a draw
TAIL = 6  # address of the unit of corrections among the weights
UNIT = 7  # that unit, where the weights play
POINTS = 8  # points of the weights: two for a win, one for a draw
HEAD = 9
