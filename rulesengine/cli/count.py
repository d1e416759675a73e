"""`count`: the reachable positions of each ply, and statistics of an expression over them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_options,
    add_json,
    add_spec,
    whole_number,
)
from rulesengine.cli.spec_arguments import (
    given_transforms,
    given_values,
    load_game,
    open_source,
    report_missing_kernels,
)
from rulesengine.support.limits import MAX_PLIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesengine import Game, Job
    from rulesengine.search.enumeration.layers import Layer
    from rulesengine.tools.measure import Measure

_MEMORY, _MOST_MEMORY = 1024, 2**20  # mebibytes
_MEBIBYTE = 2**20
_COLUMNS = ("ply", "states", "finished", "games", "ended")
_STATISTICS = ("least", "greatest", "sum")
_WIDTHS = (3, 15, 15, 20, 20)
_EXTRA = MappingProxyType({"positions": 15, "least": 12, "greatest": 12, "sum": 20})


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument("plies", metavar="PLIES", type=whole_number(MAX_PLIES))
    command.add_argument("--symmetry", action="store_true", help="count symmetric positions once")
    command.add_argument(
        "--compared",
        action="store_true",
        help="also count positions by pieces, side to move and the registers with `compared`",
    )
    command.add_argument(
        "--of",
        default="",
        metavar="EXPRESSION",
        help="also print least and greatest value, sum and histogram of an expression",
    )
    command.add_argument(
        "--memory",
        type=whole_number(_MOST_MEMORY),
        default=_MEMORY,
        metavar="MIB",
        help=f"mebibytes for positions before they are moved to files ({_MEMORY} unless given)",
    )


def execute(options: Options) -> int:
    """Print the numbers of states and games of each ply, and statistics of an expression."""
    game, measure = _load(options)
    with progress("count", "positions", engine=options.engine) as job:
        layers = []
        for layer in _layers(game, measure, options, job):
            layers.append(layer)
            if not options.json:
                _print_layer(layer, options)
    if options.json:
        json_result({"plies": [_entry(layer, options) for layer in layers]})
    elif options.of:
        _print_histogram(layers, options.of)
    report_missing_kernels(game)
    return 0


def _load(options: Options) -> tuple[Game, Measure | None]:
    """Load the game, extended by the expression if one is given."""
    from rulesengine.tools.measure import with_expression

    game = load_game(options.spec, options)
    if not options.of:
        return game, None
    source = open_source(options.spec, given_transforms(options))
    return with_expression(
        source, options.of, options.engine, given_values(options), symmetry=options.symmetry
    )


def _layers(game: Game, measure: Measure | None, options: Options, job: Job) -> Iterator[Layer]:
    from rulesengine.search.enumeration.layers import layers

    return layers(
        game,
        options.plies,
        game.initial_state(),
        symmetry=options.symmetry,
        compared=options.compared,
        value=measure,
        memory=options.memory * _MEBIBYTE,
        job=job,
    )


def _print_layer(layer: Layer, options: Options) -> None:
    """Print the line of a layer as soon as it is counted, the first one below a header."""
    extra = [("positions", layer.positions)] if options.compared else []
    if options.of:
        extra += zip(_STATISTICS, (layer.least, layer.greatest, layer.total), strict=True)
    widths = [*_WIDTHS, *(_EXTRA[name] for name, _ in extra)]
    if layer.ply == 0:
        result(_row([*_COLUMNS, *(name for name, _ in extra)], widths))
    numbers = [layer.ply, layer.states, layer.finished, layer.games, layer.ended]
    columns = (*numbers, *(number for _, number in extra))
    result(_row(["-" if n is None else str(n) for n in columns], widths))


def _print_histogram(layers: Sequence[Layer], expression: str) -> None:
    """Print the histogram of the expression in the last non-empty layer."""
    last = next(layer for layer in reversed(layers) if layer.states)
    result(f"\nstates by `{expression}` after {last.ply} plies:")
    for value, states in last.values:
        result(f"{value} {states}")


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(f"{c:>{width}}" for c, width in zip(cells, widths, strict=True))


def _entry(layer: Layer, options: Options) -> dict[str, object]:
    entry: dict[str, object] = {name: getattr(layer, name) for name in _COLUMNS}
    if options.compared:
        entry["positions"] = layer.positions
    if options.of:
        entry |= {"least": layer.least, "greatest": layer.greatest, "sum": layer.total}
        entry["histogram"] = dict(layer.values)
    return entry
