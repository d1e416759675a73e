"""`list`: the bundled games with summaries and tags, filtered by words and numbers of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.exit_codes import FINDINGS, OK
from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.shared_options import Options, Parser, add_json, whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesengine.tools.bundled import BundledSpec

_MOST_PLAYERS = 64


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    command.add_argument(
        "words",
        metavar="WORD",
        nargs="*",
        help="list only games with each word in their names, summary or tags",
    )
    command.add_argument(
        "--players",
        type=whole_number(_MOST_PLAYERS),
        metavar="N",
        help="list only games for that number of players",
    )
    command.add_argument("--parameters", action="store_true", help="add the parameters of each")


def execute(options: Options) -> int:
    """Print the bundled games that match; the exit code is 1 if there is none."""
    from rulesengine.tools.bundled import games

    entries = games(*options.words, players=options.players)
    if options.json:
        json_result({"games": [_to_json(entry) for entry in entries]})
    elif not entries:
        print_error("no bundled game matches; `rulesengine list` shows all of them")
    _print([] if options.json else entries, options.parameters)
    return OK if entries else FINDINGS


def _print(entries: Sequence[BundledSpec], with_parameters: bool) -> None:
    width = max((len(one.name) for one in entries), default=0)
    for one in entries:
        tags = f" [{', '.join(one.entry.tags)}]" if one.entry.tags else ""
        result(f"{one.name:{width}}  {one.summary}{tags}")
        for parameter in one.described if with_parameters else ():
            result(f"{'':{width}}    {parameter}")


def _to_json(one: BundledSpec) -> dict[str, object]:
    return {
        "name": one.name,
        "title": one.title,
        "summary": one.entry.summary,
        "tags": list(one.entry.tags),
        "aliases": list(one.entry.aliases),
        "players": list(one.players),
        "parameters": one.parameters,
    }
