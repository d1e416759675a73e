"""`search` and `solve`: the best move of a position, and its exact value."""

from collections.abc import Mapping
from typing import Any

from rulesengine.cli.arguments import Options
from rulesengine.cli.certifying import verify_file, write_file
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_game, position_of, tell_problems
from rulesengine.search.searches import Found, Solved

_SECONDS = 1.0


def search(options: Options) -> int:
    """The best move, what it is worth, the line, and the value of every move.

    An interrupt prints what has been found by then.
    """
    game = load_game(options.spec, options)
    state = position_of(game, options.position)
    limits = {"nodes": options.nodes, "plies": options.plies, "playouts": options.playouts}
    limits["seconds"] = options.seconds
    if all(limit is None for limit in limits.values()):
        limits["seconds"] = _SECONDS
    known: list[Found] = []
    try:
        with progress("search", "positions") as job:
            each = known.append
            how = _how(options)
            learned = game.bundled_learning if options.learned == "" else options.learned
            found = game.search(state, **limits, **how, learned=learned, job=job, each=each)
    except KeyboardInterrupt:
        if known:
            _tell(known[-1], options)
        tell_problems(game)
        raise
    _tell(found, options)
    tell_problems(game)
    return 0


def solve(options: Options) -> int:
    """The exact value; 1 if it was not found. An interrupt prints what is known by then."""
    if options.verify:
        return verify_file(options)
    game = load_game(options.spec, options)
    state = position_of(game, options.position)
    limits = {"nodes": options.nodes, "seconds": options.seconds}
    known: list[Solved] = []
    try:
        with progress("solve", "positions") as job:
            kept = {"memory": options.memory, "resume": options.resume}
            how = {**kept, "threads": options.threads}
            solved = game.solve(state, **limits, **how, job=job, each=known.append)
    except KeyboardInterrupt:
        for last in known[-1:]:
            _tell_solved(last, options)
        tell_problems(game)
        raise
    _tell_memory(solved, options.memory)
    if solved.endless:
        complain("chance may lead back to positions again and again: no search finds their value")
    if options.certificate:
        write_file(game, state, solved, options)
    _tell_solved(solved, options)
    tell_problems(game)
    return int(solved.value is None)


def _tell_solved(solved: Solved, options: Options) -> None:
    if options.json:
        json_result(_solved_as_json(solved))
    else:
        result("\n".join(_solved_lines(solved)))


def _tell_memory(solved: Solved, asked: int | None) -> None:
    """Say that a table has less memory than was asked for."""
    if solved.memory is not None:
        complain(f"the tables take {solved.memory} megabytes: there is no room for {asked or 64}")


def _how(options: Options) -> dict[str, Any]:
    kept = {"memory": options.memory, "threads": options.threads}
    return {**kept, "method": options.method, "seed": options.seed}


def _tell(found: Found, options: Options) -> None:
    if options.json:
        json_result(_as_json(found))
    else:
        result("\n".join(_lines(found)))


def _lines(found: Found) -> list[str]:
    """The result, and a table of the moves; what is only a bound says so."""
    first = found.moves[0][1]
    lines = [
        f"move: {found.move}",
        f"value: {first}" + (" (estimated)" if found.unit == "estimate" else ""),
        f"line: {' '.join(map(str, found.line))}",
        f"depth: {found.depth}",
        f"nodes: {found.nodes}",
    ]
    width = max(len(str(move)) for move, _ in found.moves)
    bounds = [f"  {move!s:{width}}  at most {value}" for move, value in found.moves[1:]]
    return [*lines, "moves:", f"  {found.move!s:{width}}  {first}", *bounds]


def _as_json(found: Found) -> dict[str, object]:
    return {
        "move": str(found.move),
        "value": found.value,
        "unit": found.unit,
        "line": [str(move) for move in found.line],
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "whole": found.whole,
        "moves": [
            {"move": str(move), "value": value.number, "unit": value.unit}
            for move, value in found.moves
        ],
    }


def _solved_lines(solved: Solved) -> list[str]:
    facts: Mapping[str, object] = {
        "value": solved.value or "not solved",
        "score": solved.score,
        "at least": solved.at_least if not solved.value and solved.at_least != "loss" else None,
        "at most": solved.at_most if not solved.value and solved.at_most != "win" else None,
        "distance": solved.distance,
        "move": solved.move,
        "line": " ".join(map(str, solved.line)) or None,
        "depth": solved.depth,
        "nodes": solved.nodes,
    }
    return [f"{name}: {fact}" for name, fact in facts.items() if fact is not None]


def _solved_as_json(solved: Solved) -> dict[str, object]:
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
    }
