"""`list`: the bundled specs with their titles and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, result
from rulesengine.cli.shared_options import Options, Parser, add_json

if TYPE_CHECKING:
    from rulesengine.tools.bundled import BundledSpec


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)


def execute(options: Options) -> int:
    """Print the bundled specs."""
    from rulesengine.tools.bundled import bundled_specs

    entries = bundled_specs()
    if options.json:
        json_result({"games": [_to_json(entry) for entry in entries]})
        return 0
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        result(f"{entry.name:{width}}  {entry.title}")
        for parameter in entry.described:
            result(f"{'':{width}}    {parameter}")
    return 0


def _to_json(entry: BundledSpec) -> dict[str, object]:
    return {"name": entry.name, "title": entry.title, "parameters": entry.parameters}
