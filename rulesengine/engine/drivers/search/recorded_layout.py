"""Memory layout of games that searches play for training, in words.

After the head there is a row for each ply: the number of the move, the value of the search for the
player to move (`NONE` for a random move), and the lead of that player by the rules.
"""

# The first two words are the shared words of a job: stop flag and counter.
PLIES = 1  # of the last game
WINNER = 2  # of the last game; negative without one
NODES_EACH = 3  # positions of a search
LONGEST = 4  # maximum plies; a longer game is a draw
FAR = 5  # a value at which the game ends as won
HEAD = 6

ROW = 3  # words of a ply
NONE = 1 << 60  # value of a random move
OPENING = 10  # exclusive bound of the random plies at the start
EXPLORATION_INTERVAL = 25  # one in so many later moves is random
AGREED = 4  # plies with a value of at least `FAR` in a row, at which a game ends
