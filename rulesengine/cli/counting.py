"""`perft` and `playout`: move sequences and random games, counted."""

from collections.abc import Sequence

from rulesengine import Game, Job, Move
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_game, tell_problems


def perft(options: Options) -> int:
    """The number of sequences of exactly so many moves, alone or after each first move's."""
    game = load_game(options.spec, options)
    with progress("perft", "positions") as job:
        firsts = _first_moves(game, options) if options.divide or options.json else ()
        divided = {str(move): _count(game, options, job, move) for move in firsts}
        nodes = sum(divided.values()) if divided else _count(game, options, job)
    if options.json:
        json_result({"depth": options.depth, "nodes": nodes, "divide": divided})
    else:
        lines = [f"{text} {count}" for text, count in divided.items()]
        result("\n".join([*lines, str(nodes)]))
    tell_problems(game)
    return 0


def playout(options: Options) -> int:
    """Random games: who won, how long they were, and a checksum of all of them."""
    game = load_game(options.spec, options)
    with progress("playout", "games", options.count) as job:
        played = game.playouts(options.count, seed=options.seed, threads=options.threads, job=job)
    tell_problems(game)
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


def _first_moves(game: Game, options: Options) -> Sequence[Move]:
    return game.legal_moves(game.initial_state()) if options.depth else ()


def _count(game: Game, options: Options, job: Job, first: Move | None = None) -> int:
    """The count from the start, or of the sequences that begin with a move."""
    state, depth = game.initial_state(), options.depth
    if first is not None:
        free = options.passes == "free" and first.steps[0].kind == "pass"
        free = free or game.machine.is_free(state)
        state, depth = game.apply(state, first), depth - (not free)
    return game.perft(depth, state, ended=options.ended, passes=options.passes, job=job)
