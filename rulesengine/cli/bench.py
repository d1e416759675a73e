"""`bench`: speed of the engines on one game."""

from __future__ import annotations

import platform
from argparse import Namespace
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_device,
    add_game_options,
    add_json,
    add_spec,
    seconds,
)
from rulesengine.cli.spec_arguments import load_game
from rulesengine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesengine.game import Game
    from rulesengine.tools.doctor import Agreement, Bench, TaskBenchmark
    from rulesengine.tools.doctor.device_bench import DeviceBenchmark


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--seconds",
        type=seconds,
        default=6.0,
        metavar="S",
        help="approximate duration, 6 unless given",
    )
    add_device(command)


def execute(options: Options) -> int:
    """Measure the selected engines, or all available ones, the interpreter first."""
    from rulesengine.tools.doctor import SLOWEST_FIRST, measure, native_target, processor_name
    from rulesengine.tools.doctor.device_bench import measure_device

    game = _load("interpreter", options)
    engines = [e for e in SLOWEST_FIRST if e == "interpreter" or _works(e, options)]
    device = None
    if options.device != "cpu":
        with progress("bench"):
            device = measure_device(_load("auto", options), options.device, options.seconds)
        if device.problem:
            print_error(f"{game.name}: no random games on a GPU: {device.problem}")
    with progress("bench"):
        done = measure(lambda engine: _load(engine, options), engines, options.seconds)
    for problems in {tuple(one.problems.items()) for one in done.engines.values()}:
        for (engine, part), reason in problems:
            print_error(f"{game.name}: no {engine} kernel for {part}: {reason}")
    for engine, one in done.engines.items():
        for work, reason in one.too_long.items():
            print_error(f"{game.name}: {engine} has no {work} in {options.seconds:g} s: {reason}")
    model, features = native_target()
    about: dict[str, object] = {
        "spec": options.spec,
        "name": game.name,
        "parameters": game.parameters,
        "processor": processor_name(),
        "model": model or None,
        "features": list(features),
        "python": platform.python_version(),
    }
    if options.json:
        on_device = {"device": _device_json(device)} if device else {}
        json_result({**about, **_to_json(done), **on_device})
    else:
        head = f"{game.name}, {about['processor']}, Python {about['python']}"
        result(f"{head}\n{_kind(model, features)}\n{_table(done)}")
        if device:
            result(_device_text(device))
    return 0


def _load(engine: str, options: Options) -> Game:
    return load_game(options.spec, Namespace(**{**vars(options), "engine": engine}))


def _works(engine: str, options: Options) -> bool:
    """True if an engine is selected and available; a missing one is reported."""
    if options.engine not in ("auto", engine):
        return False
    try:
        _load(engine, options)
    except UsageError as error:
        if options.engine == engine:
            raise
        print_error(str(error))
        return False
    return True


def _table(done: Bench) -> str:
    rows = [("engine", "first result", "perft leaves/s", "ratio", "games/s", "ratio")]
    kinds = ["kernel", *(_kinds(one.works) for one in done.engines.values())]
    for engine, one in done.engines.items():
        perft, games = (_cells(done, one.works.get(name), name) for name in ("perft", "playouts"))
        first = "-" if one.first_result is None else f"{one.first_result:.3f} s"
        rows.append((engine, first, *perft, *games))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    figures = ["  ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in rows]
    lines = [f"{row}  {kind}" for row, kind in zip(figures, kinds, strict=True)]
    return "\n".join([*lines, "", _sizes(done), *map(_agreed, done.agreements)])


def _kinds(works: Mapping[str, TaskBenchmark]) -> str:
    """Return the kernel kinds of the tasks, once if they are equal."""
    kinds = {name: work.kind for name, work in works.items()}
    if len(set(kinds.values())) < 2:
        return next(iter(kinds.values()), "-")
    return f"perft: {kinds['perft']}; games: {kinds['playouts']}"


def _cells(done: Bench, work: TaskBenchmark | None, name: str) -> tuple[str, str]:
    if work is None:
        return "-", "-"
    ratio = _ratio(done, work, name)
    return _number(work.rate), "-" if ratio is None else _number(ratio)


def _sizes(done: Bench) -> str:
    """Return the perft depth of each engine."""
    works = [(engine, one.works.get("perft")) for engine, one in done.engines.items()]
    depths = ", ".join(f"{work.size} by {engine}" for engine, work in works if work)
    return f"depth of perft: {depths or 'none, the game begins without a move'}"


def _kind(model: str, features: tuple[str, ...]) -> str:
    return f"native code for {model}: {', '.join(features)}\n" if model else ""


def _agreed(agreement: Agreement) -> str:
    games = f"{agreement.games} random {'game' if agreement.games == 1 else 'games'}"
    return (
        f"the same by {' and '.join(agreement.engines)}: perft to depth {agreement.depth},"
        f" {games}{f' (checksum {agreement.checksum})' if agreement.games else ''}"
    )


def _ratio(done: Bench, work: TaskBenchmark, name: str) -> float | None:
    """Return the speed relative to the interpreter."""
    base = done.engines["interpreter"].works.get(name)
    return work.rate / base.rate if base else None


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _device_text(device: DeviceBenchmark) -> str:
    return (
        f"random games by {device.device}: {_number(device.rate)} a second of wall time,"
        f" {device.games} a call; the first {device.compared} are those of the CPU"
        f" (checksum {device.checksum})"
    )


def _device_json(device: DeviceBenchmark) -> dict[str, object]:
    rates = {"rate": device.rate, "rates": device.rates}
    return {"name": device.device, "games": device.games, **rates, "checksum": device.checksum}


def _to_json(done: Bench) -> dict[str, object]:
    return {
        "engines": {
            engine: {
                "first_result": one.first_result,
                **{name: _work(done, work, name) for name, work in one.works.items()},
                "too_long": dict(one.too_long),
                "problems": {f"{e} {part}": reason for (e, part), reason in one.problems.items()},
            }
            for engine, one in done.engines.items()
        },
        "agreements": [
            {
                name: getattr(one, name)
                for name in ("engines", "depth", "leaves", "games", "checksum")
            }
            for one in done.agreements
        ],
    }


def _work(done: Bench, work: TaskBenchmark, name: str) -> dict[str, object]:
    size = "depth" if name == "perft" else "games"
    counted = {"leaves": work.count} if name == "perft" else {}
    rates = {"rate": work.rate, "rates": work.rates, "ratio": _ratio(done, work, name)}
    return {size: work.size, **counted, **rates, "kind": work.kind}
