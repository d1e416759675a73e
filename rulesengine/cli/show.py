"""`show`: a spec after a stage of the pipeline, as text."""

from dataclasses import asdict

from rulesengine.cli.output import json_result, result
from rulesengine.cli.shared_options import (
    SPEC_OR_STDIN,
    Options,
    Parser,
    add_game_options,
    add_json,
    add_spec,
)
from rulesengine.cli.spec_arguments import given_transforms, given_values, load_text, open_source
from rulesengine.errors import UsageError
from rulesengine.support.source import Source

STAGES = ("document", "resolved", "syntax", "program", "optimised", "kernel", "cost")


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command, SPEC_OR_STDIN)
    command.add_argument("--stage", choices=STAGES, help="stage to print")
    command.add_argument(
        "--origin", action="store_true", help="print `resolved` with the origin of each value"
    )


def execute(options: Options) -> int:
    """Print one stage of a spec. Raises UsageError without `--stage`."""
    if options.stage is None:
        raise UsageError(f"show: a stage is missing: `--stage` takes {', '.join(STAGES)}")
    source = open_source(options.spec, given_transforms(options))
    if options.stage == "cost":
        return _costs(source, options)
    text = _stage(source, options)
    if options.json:
        json_result({"stage": options.stage, "text": text})
    else:
        result(text)
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
    from rulesengine.tools import inspect

    match options.stage:
        case "document":
            return inspect.document_text(source)
        case "resolved":
            return inspect.resolved_text(source, origin=options.origin)
    return inspect.syntax_text(source)


def _costs(source: Source, options: Options) -> int:
    """Print the worst-case cost of each clause, even if it exceeds the limit."""
    if options.origin:
        raise UsageError("--origin: only `--stage resolved` has values of several files")
    from rulesengine.tools import inspect

    costs = inspect.costs(source, given_values(options))
    text = inspect.cost_text(costs, source.name)
    if options.json:
        clauses = [{**asdict(cost), "factors": dict(cost.factors)} for cost in costs]
        json_result({"stage": options.stage, "text": text, "clauses": clauses})
    else:
        result(text)
    return 0


def _kernel(source: Source, options: Options) -> str:
    """Return the source of the kernels, in Python by default."""
    if options.engine == "interpreter":
        raise UsageError("--engine: the interpreter has no kernels: use python or native")
    game = load_text(source, options)
    return game.show_kernel(options.engine)
