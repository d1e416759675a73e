"""`playout`: statistics of random games, with a checksum."""

from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_device,
    add_game_options,
    add_json,
    add_seed,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_game, report_missing_kernels

_MOST_GAMES, _MOST_THREADS = 2**63 - 1, 256


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument("count", metavar="COUNT", type=whole_number(_MOST_GAMES))
    add_seed(command)
    command.add_argument(
        "--threads",
        type=whole_number(_MOST_THREADS),
        default=1,
        metavar="N",
        help="play in N threads; the results stay the same (1 unless given)",
    )
    add_device(command)


def execute(options: Options) -> int:
    """Print wins, draws, mean length and a checksum of random games."""
    game = load_game(options.spec, options)
    with progress("playout", "games", options.count, engine=options.engine) as job:
        played = game.playouts(
            options.count,
            seed=options.seed,
            threads=options.threads,
            device=options.device,
            job=job,
        )
    report_missing_kernels(game)
    counts = {"draws": played.draws, "unfinished": played.unfinished}
    means = {"mean_length": played.mean_length, "checksum": played.checksum}
    head = {"games": played.games, "seed": options.seed}
    if options.json:
        json_result({**head, "wins": dict(played.wins), **counts, **means})
        return 0
    wins = {f"wins of {player}": count for player, count in played.wins.items()}
    for name, value in {**head, **wins, **counts, **means}.items():
        result(f"{name}: {value}")
    return 0
