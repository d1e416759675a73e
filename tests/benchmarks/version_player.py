"""The search of another checkout of this package, as a program that speaks the line protocol.

    rulesengine match GAME --engine native --sprt 0,60 --games 200 --player new=search:nodes=3000 \\
        --player "old=cmd:env PYTHONPATH=OTHER python tests/benchmarks/version_player.py GAME 3000"

The program imports the package of the folder OTHER, and its games from there. It searches from the
position with its history, with an empty table for each move, as the player `search:nodes=N` does.
"""

import sys

import rulesengine


def main(spec: str, nodes: str) -> None:
    game = rulesengine.load(spec, engine="native")
    line = game.start()
    for text in sys.stdin:
        word, _, rest = text.strip().partition(" ")
        if word == "play":
            line.push(rest)
        elif word == "move":
            move = game.search(line.state, nodes=int(nodes)).move
            line.push(move)
            sys.stdout.write(f"{move}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
