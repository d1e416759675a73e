"""`count`: the positions that can be reached ply by ply, and a number asked of each."""

from collections.abc import Iterator, Sequence

from rulesengine import Game, Job
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import (
    given_transforms,
    given_values,
    load_game,
    open_source,
    tell_problems,
)
from rulesengine.search.enumeration.layers import Layer, layers
from rulesengine.tools.measure import Measure, measured

_MEBIBYTE = 2**20
_COLUMNS = ("ply", "states", "finished", "games", "ended")
_MEASURED = ("least", "greatest", "sum")
_WIDTHS = (3, 15, 15, 20, 20, 12, 12, 20)


def count(options: Options) -> int:
    """The states and games of each ply, and the values of an expression."""
    game, measure = _asked(options)
    with progress("count", "positions") as job:
        found = []
        for layer in _layers(game, measure, options, job):
            found.append(layer)
            if not options.json:
                _tell(layer, options)
    if options.json:
        json_result({"plies": [_entry(layer, options) for layer in found]})
    elif options.of:
        _tell_values(found, options.of)
    tell_problems(game)
    return 0


def _asked(options: Options) -> tuple[Game, Measure | None]:
    """The game of the spec, made to hold what an expression reads if one is given."""
    game = load_game(options.spec, options)
    if not options.of:
        return game, None
    source = open_source(options.spec, given_transforms(options))
    return measured(
        source, options.of, options.engine, given_values(options), symmetry=options.symmetry
    )


def _layers(game: Game, measure: Measure | None, options: Options, job: Job) -> Iterator[Layer]:
    return layers(
        game,
        options.plies,
        game.initial_state(),
        symmetry=options.symmetry,
        value=measure,
        memory=options.memory * _MEBIBYTE,
        job=job,
    )


def _tell(layer: Layer, options: Options) -> None:
    """A line for a layer, as soon as it is known; above the first one what its numbers are."""
    if layer.ply == 0:
        result(_row([*_COLUMNS, *(_MEASURED if options.of else ())]))
    numbers = [layer.ply, layer.states, layer.finished, layer.games, layer.ended]
    asked = [layer.least, layer.greatest, layer.total] if options.of else []
    result(_row(["-" if n is None else str(n) for n in (*numbers, *asked)]))


def _tell_values(found: Sequence[Layer], expression: str) -> None:
    """How many states of the last layer with any have each value."""
    last = next(layer for layer in reversed(found) if layer.states)
    result(f"\nstates by `{expression}` after {last.ply} plies:")
    for value, states in last.values:
        result(f"{value} {states}")


def _row(cells: Sequence[str]) -> str:
    return " ".join(f"{c:>{width}}" for c, width in zip(cells, _WIDTHS, strict=False))


def _entry(layer: Layer, options: Options) -> dict[str, object]:
    entry: dict[str, object] = {name: getattr(layer, name) for name in _COLUMNS}
    if options.of:
        entry |= {"least": layer.least, "greatest": layer.greatest, "sum": layer.total}
        entry["histogram"] = dict(layer.values)
    return entry
