"""`solve`: the exact value of a position, and proofs of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.output_files import check_outputs
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_options,
    add_json,
    add_position,
    add_search_limits,
    add_seed,
    add_spec,
)
from rulesengine.cli.spec_arguments import load_game, position_of, report_missing_kernels
from rulesengine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rulesengine.game import Game
    from rulesengine.search.searches import Equilibrium, Solved

_PLACES = 10_000  # of a bound


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    add_position(command)
    add_search_limits(command)
    command.add_argument(
        "--resume", metavar="FILE", help="save progress to a file, and resume from it"
    )
    command.add_argument(
        "--score", action="store_true", help="always find the distance of a win or loss"
    )
    command.add_argument(
        "--strategy",
        action="store_true",
        help="with --json and hidden information: print the strategies of both players",
    )
    add_seed(command)
    command.add_argument("--certificate", metavar="FILE", help="write a proof of the value")
    command.add_argument("--verify", metavar="FILE", help="verify a proof by the rules alone")


def execute(options: Options) -> int:
    """Print the exact value; return 1 if it is unknown. An interrupt prints the bounds so far."""
    from rulesengine.cli import certificate_files

    if options.verify:
        return certificate_files.verify_file(options)
    game = load_game(options.spec, options)
    state = position_of(game, options.position, options.game)
    _check_options(game, options)
    check_outputs(options, "resume", "certificate")
    limits = {"nodes": options.nodes, "seconds": options.seconds}
    known: list[Solved] = []
    try:
        with progress("solve", "positions", engine=options.engine) as job:
            resources = {"memory": options.memory, "resume": options.resume}
            settings = {**resources, "threads": options.threads, "score": options.score}
            settings["seed"] = options.seed
            solved = game.solve(state, **limits, **settings, job=job, each=known.append)
    except KeyboardInterrupt:
        for last in known[-1:]:
            _print(last, options)
        report_missing_kernels(game)
        raise
    _report_memory(solved, options.memory)
    if solved.endless:
        print_error("chance moves form a cycle: no search finds the value of its positions")
    if options.certificate:
        certificate_files.write_file(game, state, solved, options)
    _print(solved, options)
    report_missing_kernels(game)
    if solved.equilibrium:
        return int(not solved.equilibrium.is_precise)
    return int(solved.value is None and solved.expected is None)


def _check_options(game: Game, options: Options) -> None:
    """Raise UsageError for options that the game does not allow."""
    if options.certificate and game.is_hidden:
        raise UsageError("--certificate: no proof of a game with hidden information is written")
    if options.strategy and not (game.is_hidden and options.json):
        raise UsageError("--strategy: needs --json and a game with hidden information")


def _print(solved: Solved, options: Options) -> None:
    if options.json:
        json_result(_as_json(solved, options))
    else:
        result("\n".join(_lines(solved)))


def _report_memory(solved: Solved, requested: int | None) -> None:
    """Report that the tables use less memory than requested."""
    if solved.memory is not None:
        print_error(
            f"the tables use {solved.memory} megabytes: not enough memory for {requested or 64}"
        )


def _lines(solved: Solved) -> list[str]:
    if solved.equilibrium:
        return _equilibrium_lines(solved.equilibrium, solved.expected)
    facts: Mapping[str, object] = {
        **(_payoffs(solved) if solved.is_single else _results(solved)),
        "distance": solved.distance,
        "move": solved.move,
        "line": " ".join(map(str, solved.line)) or None,
        "depth": solved.depth,
        "nodes": solved.nodes,
    }
    return [f"{name}: {fact}" for name, fact in facts.items() if fact is not None]


def _equilibrium_lines(equilibrium: Equilibrium, exact: "Fraction | None") -> list[str]:
    """Format the value of a game with hidden information; bounds are rounded outwards."""
    from math import ceil, floor

    if exact is not None:
        value = f"{exact} for {equilibrium.player}, exact"
    elif equilibrium.at_least is not None and equilibrium.at_most is not None:
        low, high = (
            floor(equilibrium.at_least * _PLACES) / _PLACES,
            ceil(equilibrium.at_most * _PLACES) / _PLACES,
        )
        value = f"from {low:+.4f} to {high:+.4f} for {equilibrium.player}"
    else:
        mean = "unknown" if equilibrium.estimate is None else f"about {equilibrium.estimate:+.4f}"
        value = f"{mean} for {equilibrium.player}, no bound"
    return [
        f"value: {value}",
        f"information sets: {equilibrium.information_sets}",
        f"iterations: {equilibrium.iterations}",
        f"nodes: {equilibrium.histories}",
    ]


def _results(solved: Solved) -> dict[str, object]:
    if solved.expected is not None:
        return {"value": f"{float(solved.expected):+.3f} expected"}
    return {
        "value": solved.value or "not solved",
        "score": solved.score,
        "at least": solved.at_least if not solved.value and solved.at_least != "loss" else None,
        "at most": solved.at_most if not solved.value and solved.at_most != "win" else None,
    }


def _payoffs(solved: Solved) -> dict[str, object]:
    """Return the value for a single player, in points where there are payoffs or scores."""
    from rulesengine.search.searches import points_text

    if solved.expected is not None:
        mean = f" ({float(solved.expected):.3f})" if solved.expected.denominator != 1 else ""
        return {"value": f"{solved.expected} expected{mean}"}
    if solved.score is not None:
        return {"value": points_text(solved.score)}
    bounds = {"at least": solved.score_at_least, "at most": solved.score_at_most}
    known = {name: points_text(n) for name, n in bounds.items() if n is not None}
    return {"value": solved.value or "not solved", **known}


def _as_json(solved: Solved, options: Options) -> dict[str, object]:
    return {
        "value": solved.value,
        "score": solved.score,
        "at_least": solved.value or solved.at_least,
        "at_most": solved.value or solved.at_most,
        "distance": solved.distance,
        "move": None if solved.move is None else str(solved.move),
        "line": [str(move) for move in solved.line],
        "depth": solved.depth,
        "nodes": solved.nodes,
        "seconds": solved.seconds,
        "endless": solved.endless,
        "score_at_least": solved.score_at_least,
        "score_at_most": solved.score_at_most,
        "expected": None if solved.expected is None else str(solved.expected),
        **(
            {"equilibrium": _equilibrium_json(solved.equilibrium, options)}
            if solved.equilibrium
            else {}
        ),
    }


def _equilibrium_json(equilibrium: Equilibrium, options: Options) -> dict[str, object]:
    rows = [
        {"player": row.player, "information": row.information, "moves": dict(row.moves)}
        for row in (equilibrium.strategies if options.strategy else ())
    ]
    return {
        "player": equilibrium.player,
        "at_least": equilibrium.at_least,
        "at_most": equilibrium.at_most,
        "estimate": equilibrium.estimate,
        "precise": equilibrium.is_precise,
        "information_sets": equilibrium.information_sets,
        "iterations": equilibrium.iterations,
        **({"strategy": rows} if options.strategy else {}),
    }
