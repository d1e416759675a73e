"""`doctor`: the engines of this machine, and the engine of each part of a game."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import SPEC, Options, Parser, add_game_options, add_json
from rulesengine.cli.spec_arguments import (
    given_transforms,
    given_values,
    load_game,
    open_source,
)
from rulesengine.errors import UsageError
from rulesengine.support.resources import bundled_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesengine.sandbox import Confinement
    from rulesengine.search.trial_cache import Trial
    from rulesengine.support.source import Source
    from rulesengine.tools.doctor import EngineStatus, EngineSupport, Machine
    from rulesengine.tools.inspect import SlowClause

_LEARNING = ("patterns", "entries")
_NO_EVALUATION = "none: hidden information is searched by random games"


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    command.add_argument("spec", metavar="SPEC", nargs="?", help=SPEC)
    command.add_argument("--all", action="store_true", help="print a line for every bundled spec")
    command.add_argument(
        "--trial",
        action="store_true",
        help="play games between search methods, and cache the best method for the game",
    )
    command.add_argument(
        "--evaluation", action="store_true", help="print what searches know about the game"
    )


def execute(options: Options) -> int:
    """Inspect the machine and the named games; return 1 if a game needs a slower engine."""
    from rulesengine.tools.doctor import engine_support, expected, inspect_machine

    if options.all and (options.spec or options.set or options.transforms):
        raise UsageError("doctor: `--all` takes no spec, no `--set` and no `--with`")
    if options.trial and not (options.all or options.spec):
        raise UsageError("doctor: `--trial` takes a spec, or `--all`")
    if options.evaluation:
        return _print_evaluation(options)
    machine = inspect_machine()
    if not options.json:
        result(_machine_text(machine))
    for name in machine.namesakes:
        print_error(f"{_namesake(name)}: uninstall both, then install this one again")
    games: dict[str, EngineSupport] = {}
    names = bundled_names() if options.all else tuple(filter(None, [options.spec]))
    with progress("doctor", "games", len(names)) as job:
        for name in names:
            game = load_game(name, options)
            games[name] = one = engine_support(game, tries=options.trial, whole=not options.all)
            job.advance(1)
            if not options.json:
                result(_line(name, one) if options.all else _parts(name, one))
    source = _source(options) if options.spec and not options.all else None
    slow = _slow_clauses(source, options) if source else None
    if options.json:
        table = {"games": _games_json(games)} if games else {}
        clauses = {"slow": [asdict(one) for one in slow]} if slow is not None else {}
        json_result({**_machine_json(machine), **table, **clauses})
    elif slow and source:
        from rulesengine.tools import inspect

        result("\nclauses that are not evaluated as sets\n" + inspect.slow_text(slow, source.name))
    if options.all and not options.json:
        result(_total(games.values(), expected(options.engine)))
    for name, one in games.items():
        for (engine, part), reason in one.problems.items():
            print_error(f"{name}: no {engine} kernel for {part}: {reason}")
        for part, reason in one.refused.items():
            print_error(f"{name}: no kernel for {part}: {reason}")
    return int(any(one.fallbacks or one.refused for one in games.values()))


def _source(options: Options) -> Source:
    """Return the text of the spec."""
    return open_source(options.spec, given_transforms(options))


def _slow_clauses(source: Source, options: Options) -> tuple[SlowClause, ...]:
    """Return the clauses of the spec that kernels do not evaluate as sets."""
    from rulesengine.tools import inspect

    return inspect.slow_clauses(source, given_values(options))


def _print_evaluation(options: Options) -> int:
    """Print sentences on the evaluation of a game."""
    from rulesengine.tools.doctor.evaluation_text import evaluation_sentences

    if options.all or options.trial or not options.spec:
        raise UsageError("doctor: `--evaluation` takes a spec, and neither `--all` nor `--trial`")
    sentences = evaluation_sentences(load_game(options.spec, options))
    if options.json:
        json_result({"evaluation": sentences})
    else:
        result("\n".join(sentences))
    return 0


def _namesake(name: str) -> str:
    return f"the distribution `{name}` also installs a package `rulesengine`, of another project"


def _machine_text(machine: Machine) -> str:
    cache = machine.cache
    rows = {
        "interpreter": "works",
        **{one.name: one.problem or f"works ({one.maker})" for one in machine.engines},
        "processor": ", ".join(filter(None, [machine.processor, machine.kind, machine.model])),
        "features": _features(machine),
        "gpu": machine.gpu,
        "cache": f"none: {cache}"
        if isinstance(cache, str)
        else f"{cache.directory}, {cache.entries} entries, {cache.bytes} bytes",
        "programs": str(machine.programs),
    }
    return "\n".join(f"{name:11}  {value}" for name, value in rows.items())


def _features(machine: Machine) -> str:
    if not machine.model:
        return "unknown without llvmlite"
    return ", ".join(machine.features) or "none that kernels are written for"


def _parts(name: str, one: EngineSupport) -> str:
    rows = [
        *one.parts.items(),
        ("search", str(one.trial or one.method)),
        ("evaluation", _evaluation(one)),
        ("learn", _learning(one)),
    ]
    width = max(len(part) for part, _ in rows)
    return "\n".join(
        ["", name, *(f"  {part:{width}}  {description}" for part, description in rows)]
    )


def _evaluation(one: EngineSupport) -> str:
    return str(one.evaluation) if one.evaluates else _NO_EVALUATION


def _learning(one: EngineSupport) -> str:
    if one.learning is None:
        return "nothing: for games of one or two players with perfect information only"
    return f"{one.learning[0]} patterns, {one.learning[1]} entries"


def _line(name: str, one: EngineSupport) -> str:
    others = (f"{part} {one.parts[part]}" for part in one.fallbacks)
    return f"{name:26}  {', '.join(others) or one.expected}"


def _total(games: Iterable[EngineSupport], engine: str) -> str:
    counts = list(games)
    native_games = sum(not one.fallbacks for one in counts)
    return f"\n{native_games} of {len(counts)} games run on the engine {engine} throughout"


def _machine_json(machine: Machine) -> dict[str, object]:
    cache = machine.cache
    missing = {"directory": None, "problem": cache}
    return {
        "engines": {
            "interpreter": {"works": True},
            **{one.name: _engine_json(one) for one in machine.engines},
        },
        "processor": {
            "name": machine.processor,
            "kind": machine.kind,
            "model": machine.model or None,
            "features": list(machine.features),
        },
        "gpu": machine.gpu,
        "programs": _programs_json(machine.programs),
        "namesakes": list(machine.namesakes),
        "cache": missing if isinstance(cache, str) else {**cache._asdict(), "problem": None},
    }


def _programs_json(programs: Confinement | str) -> dict[str, str | None]:
    if isinstance(programs, str):
        return {"confinement": None, "reason": programs}
    return {"confinement": programs.kind, "reason": programs.reason or None}


def _engine_json(one: EngineStatus) -> dict[str, object]:
    versions = {name: version or None for name, version in one.versions.items()}
    return {"works": not one.problem, "problem": one.problem or None, **versions}


def _trial_json(trial: Trial) -> list[dict[str, float]]:
    """Return the points of the methods in each match."""
    return [
        {name: points / 2 for name, points in zip(match.methods, match.points, strict=True)}
        for match in trial.matches
    ]


def _games_json(games: dict[str, EngineSupport]) -> dict[str, object]:
    return {
        name: {
            "parts": dict(one.parts),
            "search": one.trial.method if one.trial else one.method.method,
            "reason": None if one.trial else one.method.reason,
            "trial": _trial_json(one.trial) if one.trial else None,
            "evaluation": one.evaluation.name,
            "stale": one.evaluation.stale or None,
            "learn": one.learning and dict(zip(_LEARNING, one.learning, strict=True)),
            "problems": {
                f"{engine} {part}": reason for (engine, part), reason in one.problems.items()
            },
            "refused": dict(one.refused),
        }
        for name, one in games.items()
    }
