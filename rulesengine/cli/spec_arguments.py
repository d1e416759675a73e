"""The arguments SPEC, `--set` and `--with`, as a source or a game."""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import rulesengine
from rulesengine import State
from rulesengine.cli.output import print_error
from rulesengine.cli.shared_options import Options
from rulesengine.errors import NotationError, SpecError, UsageError
from rulesengine.game import Game
from rulesengine.loading import bind, load_source, open_spec, read_transform
from rulesengine.support.files import decode_source, read_at_most, read_source
from rulesengine.support.limits import MAX_GAME_FILE_BYTES, MAX_SPEC_BYTES
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source

if TYPE_CHECKING:
    from rulesengine.search.searches import InformationState

Transform = str | Mapping[str, object]
_STDIN = "-"


def open_source(spec: str, transforms: Sequence[Transform] = ()) -> Source:
    """Open the text of a spec; `-` is standard input. Raises UsageError."""
    if spec != _STDIN:
        return open_spec(spec, transforms)
    if transforms:
        raise UsageError("--with: needs a file or a bundled name, not `-`")
    return decode_source(standard_input(), "<stdin>")


def standard_input(most: int = MAX_SPEC_BYTES) -> bytes:
    """Read standard input, up to one byte more than a spec or a file of games may have."""
    from rulesengine.support.interrupts import interruptible

    with interruptible():
        return read_at_most(sys.stdin.buffer, most + 1) if sys.stdin else b""


def read_file(path: str) -> Source:
    """Read the text of a file; bundled names are not accepted. Raises UsageError."""
    try:
        return read_source(path)
    except UsageError as error:
        if path not in bundled_names():
            raise
        hint = f"`{path}` is a bundled game, and `rulesengine new NAME --from {path}` begins one"
        raise UsageError(f"{error}: {hint}") from None


def load_game(spec: str, options: Options) -> Game:
    """Load the game of a spec with the values of `--set`; standard input is not accepted."""
    if spec == _STDIN:
        raise UsageError(f"`{options.command}` needs a file or a bundled name, not `-`")
    return load_variant(spec, options, options.transforms, options.set)


def load_variant(
    spec: str, options: Options, transforms: Sequence[str], values: Sequence[str]
) -> Game:
    """Load a spec with given texts of `--with` and `--set`. Raises UsageError, SpecError."""
    parsed = [read_transform(text) for text in transforms]
    try:
        game = rulesengine.load(spec, engine=options.engine, transforms=parsed)
    except SpecError as error:
        raise _of_options(error) or error from None
    return bind(game, read_values(values))


def position_of(game: Game, name: str | None, number: int | None = None) -> State:
    """Return the state of a file, of standard input or of a text; the initial one without a name.

    A file may have positions in any format, or games, whose last positions count. `number` is that
    of the position or of the game in the file, from 1; by default the first one.
    """
    from pathlib import Path

    from rulesengine.play import recorded_game

    if name is None:
        if number is not None:
            raise UsageError("--game: needs a file, see `--position`")
        return game.initial_state()
    if game.formats.recognises_position(name) and not Path(name).exists():
        return game.state_from(name)
    text = standard_games(name)
    try:
        return recorded_game(game, text, number or 1).final
    except NotationError as error:
        named = "<stdin>" if name == _STDIN else name
        raise NotationError(f"{named}: {error}") from None


def subject_of(
    game: Game, name: str | None, number: int | None = None
) -> "State | InformationState":
    """Return the subject of a search: a state, or the information state of the mover.

    Games with hidden information have the latter. It needs the moves of a game; without a file it
    is that of the initial state.
    """
    from rulesengine.play import recorded_game

    state = position_of(game, name, number)
    if not game.is_hidden:
        return state
    if not game.legal_moves(state):
        raise UsageError("the game is over: there is no move to search for")
    if game.weights(state):
        raise UsageError("chance is to move: `--position` takes a game with the moves so far")
    if name is None:
        return game.information_state((), state.mover)
    line = recorded_game(game, standard_games(name), number or 1)
    if line.start.state != game.initial_state():
        raise UsageError(
            "--position: a position does not hold what the players know, but a game does"
        )
    return game.information_state(line.moves, state.mover)


def standard_games(name: str) -> str:
    """Return the text of a file of games; `-` is standard input. Raises UsageError."""
    from rulesengine.formats.encoding import decode
    from rulesengine.support.files import read_game_file

    if name == _STDIN:
        return decode(standard_input(MAX_GAME_FILE_BYTES), "<stdin>")
    return decode(read_game_file(name), name)


def _of_options(error: SpecError) -> UsageError | None:
    """Return the error as one of `--with` if it is in the text of that option."""
    first = error.diagnostics[0]
    if not first.span.source.name.rpartition("/")[2].startswith("--with"):
        return None
    return UsageError(f"--with: {first.message}{f': {first.help}' if first.help else ''}")


def report_missing_kernels(game: Game) -> None:
    """Report each requested kernel that could not be compiled, once."""
    for (engine, part), reason in game.engine_problems.items():
        print_error(f"{game.name}: no {engine} kernel for {part}: {reason}")


def load_text(source: Source, options: Options) -> Game:
    """Load the game of a source with the values of `--set`."""
    game = load_source(source, engine=options.engine)
    return bind(game, given_values(options))


def given_transforms(options: Options) -> list[Transform]:
    """Return the transforms of `--with`. Raises UsageError."""
    return [read_transform(text) for text in options.transforms]


def given_values(options: Options) -> dict[str, str]:
    """Return the values of `--set` by name. Raises UsageError."""
    return read_values(options.set)


def read_values(texts: Sequence[str]) -> dict[str, str]:
    """Parse texts `NAME=VALUE`. Raises UsageError."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"--set: expected NAME=VALUE, found `{text[:40]}`")
        if name in values:
            raise UsageError(f"--set: `{name[:40]}` is given twice")
        values[name] = value
    return values
