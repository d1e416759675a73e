"""SPEC, `--set` and `--with` on the command line to a source or a game."""

import sys
from collections.abc import Mapping, Sequence

import rulesengine
from rulesengine import State
from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain
from rulesengine.errors import NotationError, SpecError, UsageError
from rulesengine.game import Game
from rulesengine.loading import bind, load_source, open_spec, read_transform
from rulesengine.support.files import decode_source, read_source
from rulesengine.support.interrupts import interruptible
from rulesengine.support.limits import MAX_SPEC_BYTES
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source

Transform = str | Mapping[str, object]

_STDIN = "-"


def open_source(spec: str, transforms: Sequence[Transform] = ()) -> Source:
    """The text of a spec, `-` being standard input; raises UsageError."""
    if spec != _STDIN:
        return open_spec(spec, transforms)
    if transforms:
        raise UsageError("--with: needs a file or a bundled name, not `-`")
    return decode_source(standard_input(), "<stdin>")


def standard_input() -> bytes:
    """All of standard input, or so much that it is too much for a spec."""
    with interruptible():
        return sys.stdin.buffer.read(MAX_SPEC_BYTES + 1) if sys.stdin else b""


def read_file(path: str) -> Source:
    """The text of a file, where a name would not do. Raises UsageError."""
    try:
        return read_source(path)
    except UsageError as error:
        if path not in bundled_names():
            raise
        hint = f"`{path}` is a bundled game, and `rulesengine new NAME --from {path}` begins one"
        raise UsageError(f"{error}: {hint}") from None


def load_game(spec: str, options: Options) -> Game:
    """The game of a spec that is no standard input, with the values of `--set`."""
    if spec == _STDIN:
        raise UsageError(f"`{options.command}` needs a file or a bundled name, not `-`")
    return load_variant(spec, options, options.transforms, options.set)


def load_variant(
    spec: str, options: Options, transforms: Sequence[str], values: Sequence[str]
) -> Game:
    """The game of a spec with other texts of `--with` and `--set`. Raises UsageError, SpecError."""
    asked = [read_transform(text) for text in transforms]
    try:
        game = rulesengine.load(spec, engine=options.engine, transforms=asked)
    except SpecError as error:
        raise _of_options(error) or error from None
    return bind(game, read_values(values))


def position_of(game: Game, name: str | None) -> State:
    """The state of a file, of standard input, or at the start."""
    if name is None:
        return game.initial_state()
    if name == "-":
        source = decode_source(standard_input(), "<stdin>")
    else:
        source = read_source(name)
    try:
        return game.state_from(source.text)
    except NotationError as error:
        raise NotationError(f"{source.name}: {error}") from None


def _of_options(error: SpecError) -> UsageError | None:
    """What is wrong with `--with` alone, for which no file was written."""
    first = error.diagnostics[0]
    if not first.span.source.name.rpartition("/")[2].startswith("--with"):
        return None
    return UsageError(f"--with: {first.message}{f': {first.help}' if first.help else ''}")


def tell_problems(game: Game) -> None:
    """Say which kernels were wanted and could not be made, each once."""
    for (engine, part), why in game.engine_problems.items():
        complain(f"{game.name}: no {engine} kernel for {part}: {why}")


def load_text(source: Source, options: Options) -> Game:
    """The game of a source, with the values of `--set`."""
    game = load_source(source, engine=options.engine)
    return bind(game, given_values(options))


def given_transforms(options: Options) -> list[Transform]:
    """The transforms of `--with`. Raises UsageError."""
    return [read_transform(text) for text in options.transforms]


def given_values(options: Options) -> dict[str, str]:
    """The values of `--set` by name. Raises UsageError."""
    return read_values(options.set)


def read_values(texts: Sequence[str]) -> dict[str, str]:
    """Values by name; raises UsageError for what is no `NAME=VALUE`."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"--set: expected NAME=VALUE, found `{text[:40]}`")
        if name in values:
            raise UsageError(f"--set: `{name[:40]}` is given twice")
        values[name] = value
    return values
