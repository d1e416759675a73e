"""Draw a position as an SVG file.

    python examples/draw_position.py                        # writes othello.svg
    python examples/draw_position.py board.svg d3 c3 c4

The arguments are a file and the moves of Othello that lead to the position.
"""

import sys
from pathlib import Path

import rulesengine


def main(file: str = "othello.svg", *moves: str) -> None:
    """Play the moves, then draw the position with the last move and the legal moves marked."""
    game = rulesengine.load("othello")
    with game.start() as session:
        for move in moves or ("d3", "c3", "c4"):
            session.push(move)  # an illegal move raises IllegalMoveError, with the reason
        svg = game.svg(session.state, last=session.moves[-1], legal=True, theme="light", size=400)
        print(f"{session.mover} to move, {len(session.legal)} legal moves")
    # The element is self-contained: it has no scripts and no links. In a notebook a state draws
    # itself.
    Path(file).write_text(svg, encoding="utf-8")
    print(f"{file}: {len(svg)} characters")


if __name__ == "__main__":
    main(*sys.argv[1:])
