"""Write the learned evaluations of the package: `python -m tests.helpers.learned_files NAME…`.

For each name this is `rulesengine learn NAME --games G --seed 0 --batch 1 --out FILE --brief FILE
--brief-size B`, where G is the number of `GAMES` and B is 95000, or the size in `LARGER`. The files
of `CORRECTIONS` take the option `--correction` too. Those of `MOVES` are weights of moves:
`rulesengine learn NAME --moves --games G --playouts P --out FILE --brief FILE`. Those of
`KING_RELATIVE` are fits of `king_relative_fit`. `confirm` before the names writes the first lines
of the files alone, where the rules have changed but neither play nor the patterns have. Accept a
file only if it wins the match of `tests.benchmarks.learned_match`.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import rulesengine
from rulesengine.search.learned_weights import features_of, hash_of, identity_of, write_brief
from rulesengine.search.move_learning import SelfPlay
from rulesengine.support.files import replace
from tests.helpers.king_relative_fit import fitted_tables

FOLDER = Path(__file__).parents[2] / "games" / "learned"
SIZE = 95_000  # largest size of a file, for most games
LARGER = {"backgammon": 150_000, "international-draughts": 150_000}

# Self-play games of each file: at most two minutes of one core, but for Connect Four (twelve
# minutes of half a core) and Backgammon.
GAMES = {
    "ataxx": 72_000,
    "backgammon": 400_000,
    "breakthrough": 60_000,
    "clobber": 109_000,
    "connect-four": 8_261_653,
    "domineering": 29_000,
    "kalah": 88_000,
    "knightthrough": 26_000,
    "konane": 30_000,
    "lines-of-action": 6_900,
    "misere-connect-four": 4_800,
    "neutron": 37_000,
    "othello": 60_000,
    "othello-6x6": 82_000,
    "oware": 18_000,
    "popout": 78_000,
    "royal-game-of-ur": 16_000,
    "snort": 21_000,
    "squava": 249_000,
    "teeko": 131_000,
    "tic-tac-toe-3d": 13_000,
    "yavalath": 17_000,
}
# Self-play games of files that correct the evaluation of the rules.
CORRECTIONS = {"international-draughts": 60_000}
# Games of searches that king-relative tables are fitted to.
KING_RELATIVE = {"chess": 50_000, "los-alamos": 30_000, "minishogi": 24_000, "xiangqi": 20_000}

# Self-play games and random games of a move for weights of moves.
MOVES = {
    "go": SelfPlay(games=200, playouts=1_500),
    "gomoku": SelfPlay(games=60, playouts=1_000),
    "hex": SelfPlay(games=60, playouts=1_000),
}


def train(name: str, out: Path) -> None:
    """Learn the evaluation of a game, with the complete file in a temporary folder."""
    game = rulesengine.load(name, engine="native")
    if name in KING_RELATIVE:
        write_brief(out, game.program, fitted_tables(game, KING_RELATIVE[name]))
        return
    with tempfile.TemporaryDirectory() as folder:
        if name in MOVES:
            plan, whole = MOVES[name], Path(folder) / "whole"
            game.learn_moves(whole, games=plan.games, playouts=plan.playouts, seed=0, brief=out)
            return
        game.learn(
            Path(folder) / "whole",
            games=GAMES.get(name) or CORRECTIONS[name],
            seed=0,
            brief=(out, LARGER.get(name, SIZE)),
            correction=name in CORRECTIONS,
            batch=1,
        )


def confirm(name: str, path: Path) -> None:
    """Write the hashes of today's rules into the first line of a file."""
    game = rulesengine.load(name)
    line, _, packed = path.read_bytes().partition(b"\n")
    head = json.loads(line)
    if name in MOVES:
        raise SystemExit(f"{name}: weights of moves are not confirmed: train the file")
    features = features_of(head, game._dispatcher)
    own = identity_of(game.program, hash_of(features))
    if head["entries"] != features.size:
        raise SystemExit(f"{name}: the patterns have changed: train the file")
    first = {"learned": head["learned"], "game": game.name}
    replace(path, json.dumps({**first, **head, **first, **own}).encode() + b"\n" + packed)


def main(names: Sequence[str]) -> None:
    """Train or confirm the files of some games, of all without names."""
    is_confirmed = names[:1] == ["confirm"]
    for name in names[is_confirmed:] or sorted((*GAMES, *CORRECTIONS, *KING_RELATIVE, *MOVES)):
        path = FOLDER / f"{name}.learned"
        if is_confirmed:
            confirm(name, path)
        else:
            train(name, path)
        sys.stdout.write(f"{name}: {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
