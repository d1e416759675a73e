"""`diff`: the differences of two specs, in their rules and in numbers."""

from __future__ import annotations

from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    SPEC,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_seed,
    whole_number,
)
from rulesengine.cli.spec_arguments import load_variant
from rulesengine.support.frozen import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesengine.contests.differences import Numbers, RuleDifference
    from rulesengine.game import Game

_MOST_GAMES = 10**6


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    command.add_argument("spec", metavar="A", help=SPEC)
    command.add_argument("other", metavar="B", nargs="?", help="the same as A unless given")
    for side in ("a", "b"):
        for option, metavar in (("set", "NAME=VALUE"), ("with", "NAME[=VALUE]")):
            command.add_argument(
                f"--{option}-{side}",
                action="append",
                default=[],
                metavar=metavar,
                help=f"as --{option}, for {side.upper()} only",
            )
    command.add_argument(
        "--games",
        type=whole_number(_MOST_GAMES),
        default=200,
        metavar="N",
        help="random games that are compared, 200 unless given",
    )
    add_seed(command)


def execute(options: Options) -> int:
    """Print the differences of two specs or of two variants of one, rules first."""
    from rulesengine.contests.differences import differences, numbers_of
    from rulesengine.contests.text_tables import aligned

    one = _side(options.spec, options, options.set_a, options.with_a)
    other = _side(options.other or options.spec, options, options.set_b, options.with_b)
    with progress("diff"):
        rules = differences(one, other)
        numbers = [numbers_of(game, options.games, options.seed) for game in (one, other)]
    for game, layer in zip((one, other), numbers, strict=True):
        if layer.problem:
            print_error(f"{game.name}: {layer.problem}")
    if options.json:
        json_result(_as_json(one, other, rules, numbers))
    else:
        result("\n".join([*_rule_lines(one, other, rules), "", *aligned(list(_rows(*numbers)))]))
    return 0


def _side(spec: str, options: Options, values: list[str], transforms: list[str]) -> Game:
    """Load the game of one side, with the common options and its own."""
    both = [*options.transforms, *transforms], [*options.set, *values]
    return load_variant(spec, options, *both)


def _rule_lines(one: Game, other: Game, rules: list[RuleDifference]) -> Iterator[str]:
    """Yield the rules that differ; `-` marks those of the first spec, `+` of the second."""
    from rulesengine.prose.layout import filled

    yield f"- {one.name}"
    yield f"+ {other.name}"
    if not rules:
        yield "\nThe rules say the same."
    for heading, parts in groupby(rules, key=lambda rule: rule.section):
        yield f"\n{heading}"
        for part in parts:
            yield from (filled(text, "  - ") for text in part.one)
            yield from (filled(text, "  + ") for text in part.other)


def _rows(a: Numbers, b: Numbers) -> Iterator[tuple[str, ...]]:
    """Yield the numbers of both specs, equal ones included."""
    yield "", "-", "+"
    yield "cells", str(a.cells), str(b.cells)
    for name in dict.fromkeys((*a.parameters, *b.parameters)):
        yield name, str(a.parameters.get(name, "–")), str(b.parameters.get(name, "–"))
    for depth, (x, y) in enumerate(zip_longest(a.perft, b.perft)):
        yield f"perft {depth}", *("–" if n is None else f"{n:,}" for n in (x, y))
    yield "random games", str(a.games), str(b.games)
    for name in dict.fromkeys((*a.wins, *b.wins)):
        yield f"won by {name}", str(a.wins.get(name, "–")), str(b.wins.get(name, "–"))
    yield "mean plies", f"{a.length:.2f}", f"{b.length:.2f}"
    yield "mean branching", f"{a.branching:.2f}", f"{b.branching:.2f}"


def _as_json(
    one: Game, other: Game, rules: list[RuleDifference], numbers: list[Numbers]
) -> dict[str, object]:
    return {
        "a": _numbers(one, numbers[0]),
        "b": _numbers(other, numbers[1]),
        "rules": [
            {"section": part.section, "a": list(part.one), "b": list(part.other)} for part in rules
        ],
    }


def _numbers(game: Game, numbers: Numbers) -> dict[str, object]:
    return {"game": game.name} | {name: getattr(numbers, name) for name in names_of(numbers) or ()}
