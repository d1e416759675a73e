"""`solve`: the exact value of a position, and proofs of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_options,
    add_json,
    add_position,
    add_search_limits,
    add_spec,
)
from rulesengine.cli.spec_arguments import load_game, position_of, report_missing_kernels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesengine.search.searches import Solved


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
    command.add_argument("--certificate", metavar="FILE", help="write a proof of the value")
    command.add_argument("--verify", metavar="FILE", help="verify a proof by the rules alone")


def execute(options: Options) -> int:
    """Print the exact value; return 1 if it is unknown. An interrupt prints the bounds so far."""
    from rulesengine.cli import certificate_files

    if options.verify:
        return certificate_files.verify_file(options)
    game = load_game(options.spec, options)
    state = position_of(game, options.position, options.game)
    limits = {"nodes": options.nodes, "seconds": options.seconds}
    known: list[Solved] = []
    try:
        with progress("solve", "positions", engine=options.engine) as job:
            kept = {"memory": options.memory, "resume": options.resume}
            how = {**kept, "threads": options.threads, "score": options.score}
            solved = game.solve(state, **limits, **how, job=job, each=known.append)
    except KeyboardInterrupt:
        for last in known[-1:]:
            _print(last, options)
        report_missing_kernels(game)
        raise
    _report_memory(solved, options.memory)
    if solved.endless:
        complain("chance moves form a cycle: no search finds the value of its positions")
    if options.certificate:
        certificate_files.write_file(game, state, solved, options)
    _print(solved, options)
    report_missing_kernels(game)
    return int(solved.value is None and solved.expected is None)


def _print(solved: Solved, options: Options) -> None:
    if options.json:
        json_result(_as_json(solved))
    else:
        result("\n".join(_lines(solved)))


def _report_memory(solved: Solved, requested: int | None) -> None:
    """Report that the tables use less memory than requested."""
    if solved.memory is not None:
        complain(
            f"the tables use {solved.memory} megabytes: not enough memory for {requested or 64}"
        )


def _lines(solved: Solved) -> list[str]:
    facts: Mapping[str, object] = {
        **(_payoffs(solved) if solved.is_single else _results(solved)),
        "distance": solved.distance,
        "move": solved.move,
        "line": " ".join(map(str, solved.line)) or None,
        "depth": solved.depth,
        "nodes": solved.nodes,
    }
    return [f"{name}: {fact}" for name, fact in facts.items() if fact is not None]


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


def _as_json(solved: Solved) -> dict[str, object]:
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
    }
