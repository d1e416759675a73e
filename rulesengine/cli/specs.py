"""SPEC and `--set` on the command line to a source or a game."""

import sys
from collections.abc import Mapping
from typing import cast

import rulesengine
from rulesengine.cli.arguments import Options
from rulesengine.errors import UsageError
from rulesengine.game import Engine, Game, load_source, open_spec
from rulesengine.limits import MAX_SPEC_BYTES
from rulesengine.source import Source

_STDIN = "-"


def open_source(spec: str) -> Source:
    """The text of a spec, `-` being standard input; raises UsageError."""
    if spec != _STDIN:
        return open_spec(spec)
    data = sys.stdin.buffer.read(MAX_SPEC_BYTES + 1) if sys.stdin else b""
    return Source.decode(data, "<stdin>")


def load_game(spec: str, options: Options) -> Game:
    """The game of a spec that is no standard input, with the values of `--set`."""
    if spec == _STDIN:
        raise UsageError(f"`{options.command}` needs a file or a bundled name, not `-`")
    game = rulesengine.load(spec, engine=cast(Engine, options.engine))
    return bind(game, given_values(options))


def load_text(source: Source, options: Options) -> Game:
    """The game of a source, with the values of `--set`."""
    game = load_source(source, engine=cast(Engine, options.engine))
    return bind(game, given_values(options))


def given_values(options: Options) -> dict[str, str]:
    """The values of `--set` by name; raises UsageError for what is no `NAME=VALUE`."""
    values: dict[str, str] = {}
    for text in options.set:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"--set: expected NAME=VALUE, found `{text[:40]}`")
        if name in values:
            raise UsageError(f"--set: `{name[:40]}` is given twice")
        values[name] = value
    return values


def bind(game: Game, values: Mapping[str, int | str | bool]) -> Game:
    """The game with other values of parameters; raises UsageError whatever their names are."""
    if "self" in values:  # Python's own name for the game that it binds
        raise UsageError("no parameter `self`")
    return game.bind(**values) if values else game
