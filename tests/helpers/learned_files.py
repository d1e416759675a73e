"""Write the learned evaluations of the package: `python -m tests.helpers.learned_files NAME…`.

For each name this is `rulesengine learn NAME --games G --seed 0 --out FILE --brief FILE`, where G
is the number of `GAMES`. `confirm` before the names writes the first lines of the files anew, where
the rules have changed but neither play nor the patterns have. Accept a file only if it wins the
match of `tests.benchmarks.learned_match`.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import rulesengine
from rulesengine.search.learned_weights import identity_of
from rulesengine.support.files import replace

SIZE = 95_000  # largest size of a file; Backgammon has 150,000 bytes
FOLDER = Path(__file__).parents[2] / "games" / "learned"

# Self-play games of each file. Training was chosen to take at most three minutes of one core, but
# for Connect Four (twelve minutes of half a core) and Backgammon.
GAMES = {
    "backgammon": 400_000,
    "breakthrough": 60_000,
    "connect-four": 8_261_653,
    "konane": 30_000,
    "othello": 60_000,
}


def train(name: str, out: Path) -> None:
    """Learn the evaluation of a game, with the complete file in a temporary folder."""
    game = rulesengine.load(name, engine="native")
    with tempfile.TemporaryDirectory() as folder:
        game.learn(Path(folder) / "whole", games=GAMES[name], seed=0, brief=(out, SIZE))


def confirm(name: str, path: Path) -> None:
    """Write the hashes of today's rules into the first line of a file."""
    game = rulesengine.load(name)
    line, _, packed = path.read_bytes().partition(b"\n")
    head = json.loads(line)
    own = identity_of(game.program, game._dispatcher.interpreted.network)
    if head["entries"] != game._dispatcher.interpreted.network.size:
        raise SystemExit(f"{name}: the patterns have changed: train the file")
    first = {"learned": head["learned"], "game": game.name}
    replace(path, json.dumps({**first, **head, **first, **own}).encode() + b"\n" + packed)


def main(names: Sequence[str]) -> None:
    """Train or confirm the files of some games, of all without names."""
    is_confirmed = names[:1] == ["confirm"]
    for name in names[is_confirmed:] or sorted(GAMES):
        path = FOLDER / f"{name}.learned"
        if is_confirmed:
            confirm(name, path)
        else:
            train(name, path)
        sys.stdout.write(f"{name}: {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
