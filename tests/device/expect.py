"""Write the totals of playouts on the CPU, with which those on a GPU are compared.

    python -m tests.device.expect [NAME ...]

The file `playouts.json` has a row for each game: the number of games, the seed, wins, draws,
unfinished games, the mean length and the checksum.
"""

import json
import sys
from pathlib import Path
from typing import Any

import rulesengine
from rulesengine import Playouts
from rulesengine.support.resources import bundled_names

PATH = Path(__file__).parent / "playouts.json"
SEED = 5
GAMES, FEW = 2000, 200
# A game of these takes long on a CPU.
SLOW = frozenset(
    {
        "chess",
        "crazyhouse",
        "los-alamos",
        "shogi",
        "xiangqi",
        "backgammon",
        "l-game",
        "pentago",
        "surakarta",
    }
)


def main(*names: str) -> None:
    """Write the rows of games, by default of all."""
    found = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    for name in names or bundled_names():
        games = FEW if name in SLOW else GAMES
        played = rulesengine.load(name, engine="native").playouts(games, seed=SEED)
        found[name] = row(played)
        rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(found[key])}" for key in sorted(found))
        PATH.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def row(played: Playouts) -> dict[str, Any]:
    """Return the totals of playouts as plain values."""
    return {
        "games": played.games,
        "wins": list(played.wins.values()),
        "draws": played.draws,
        "unfinished": played.unfinished,
        "mean_length": played.mean_length,
        "checksum": f"{played.checksum:016x}",
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
