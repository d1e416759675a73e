"""`list` and `show`: the bundled specs, and a spec as a stage of the pipeline sees it."""

from dataclasses import asdict

from rulesengine.cli.arguments import STAGES, Options
from rulesengine.cli.output import json_result, result
from rulesengine.cli.specs import given_transforms, given_values, load_text, open_source
from rulesengine.errors import UsageError
from rulesengine.support.resources import read_text
from rulesengine.support.source import Source
from rulesengine.tools.bundled import Entry, catalogue


def list_games(options: Options) -> int:
    """The bundled specs with their titles and parameters."""
    entries = catalogue()
    if options.json:
        json_result({"games": [_to_json(entry) for entry in entries]})
        return 0
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        result(f"{entry.name:{width}}  {entry.title}")
        for parameter in entry.described:
            result(f"{'':{width}}    {parameter}")
    return 0


def show(options: Options) -> int:
    """One stage of a spec as text. Raises UsageError if none is asked for."""
    if options.stage is None:
        raise UsageError(f"show: which stage? `--stage` takes {', '.join(STAGES)}")
    source = open_source(options.spec, given_transforms(options))
    if options.stage == "cost":
        return _costs(source, options)
    text = _stage(source, options)
    if options.json:
        json_result({"stage": options.stage, "text": text})
    else:
        result(text)
    return 0


def print_schema(options: Options) -> int:
    """The JSON Schema of specs."""
    result(read_text("grammars/game.schema.json"))
    return 0


def _stage(source: Source, options: Options) -> str:
    if options.origin and options.stage != "resolved":
        raise UsageError("--origin: only `--stage resolved` has values of several files")
    if options.stage in ("program", "optimised"):
        return load_text(source, options).show(optimised=options.stage == "optimised")
    if options.stage == "kernel":
        return _kernel(source, options)
    if options.set:
        raise UsageError(
            "--set: only `--stage program`, `optimised`, `kernel` and `cost`"
            " have values for the parameters"
        )
    from rulesengine.tools import inspect  # here: `list` has no use for it

    match options.stage:
        case "document":
            return inspect.document_text(source)
        case "resolved":
            return inspect.resolved_text(source, origin=options.origin)
    return inspect.syntax_text(source)


def _costs(source: Source, options: Options) -> int:
    """What each clause of the rules costs at worst, also if that is too much."""
    if options.origin:
        raise UsageError("--origin: only `--stage resolved` has values of several files")
    from rulesengine.tools import inspect  # here: `list` has no use for it

    found = inspect.costs(source, given_values(options))
    text = inspect.cost_text(found, source.name)
    if options.json:
        clauses = [{**asdict(cost), "factors": dict(cost.factors)} for cost in found]
        json_result({"stage": options.stage, "text": text, "clauses": clauses})
    else:
        result(text)
    return 0


def _kernel(source: Source, options: Options) -> str:
    """The kernels, in Python unless others are asked for."""
    if options.engine == "interpreter":
        raise UsageError("--engine: the interpreter has no kernels: use python or native")
    game = load_text(source, options)
    return game.show_kernel(options.engine)


def _to_json(entry: Entry) -> dict[str, object]:
    return {"name": entry.name, "title": entry.title, "parameters": entry.parameters}
