"""Count the move sequences of some games (perft) and compare them with published numbers.

    python examples/perft.py

perft(d) is the number of sequences of exactly d legal moves. A program that generates one move too
many or too few has other numbers, so perft is the usual test of a move generator.
"""

import rulesengine

# Chess and Othello: tables of the Chess Programming Wiki and of Othello programmers. Connect Four:
# no column is full and no game is won in six plies, so perft(d) is 7 to the power d. Tic-tac-toe:
# permutations of the nine cells, less the games that end early.
PUBLISHED = {
    "chess": (20, 400, 8902),
    "othello": (4, 12, 56, 244, 1396, 8200),
    "connect-four": (7, 49, 343, 2401, 16807, 117649),
    "tic-tac-toe": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
}


def main() -> None:
    """Print one line for each game, then the size of the game tree of tic-tac-toe."""
    for name, published in PUBLISHED.items():
        game = rulesengine.load(name)
        counted = tuple(game.perft(depth) for depth in range(1, len(published) + 1))
        verdict = "as published" if counted == published else f"published: {published}"
        print(f"{name}: {' '.join(map(str, counted))} ({verdict})")

    game = rulesengine.load("tic-tac-toe")
    # perft drops games that end before the last ply; ended="keep" counts each of them once.
    print("tic-tac-toe, games:", game.perft(9, ended="keep"))
    # `count` counts distinct positions, one number for each ply.
    print("tic-tac-toe, positions:", sum(game.count(9)))
    print("tic-tac-toe, positions up to symmetry:", sum(game.count(9, symmetry=True)))


if __name__ == "__main__":
    main()
