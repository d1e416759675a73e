"""Loading of games: from the path or name of a spec, from its text, or from the rules cache."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import SpecError, UsageError
from rulesengine.game import Game
from rulesengine.language import parameters, rules_cache
from rulesengine.language.variant import Find, Transform, variant, variant_of
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_file, bundled_name, is_path
from rulesengine.support.source import Source
from rulesengine.support.validate import check_kind, excerpt

if TYPE_CHECKING:
    from pathlib import Path

Values = Mapping[str, int | str | bool]


def load(
    path: "str | Path",
    /,
    *,
    engine: Engine = "auto",
    transforms: Sequence[Transform] = (),
    **values: int | str | bool,
) -> Game:
    """Load a game from a spec file or, by its name, a bundled one.

    `path` is a file if it is a `Path`, contains a `/` or ends in `.yaml`. Any other text is the
    name of a bundled game, or another name of it in the catalogue. `engine` is `auto`,
    `interpreter`, `python` or `native`. Each of the `transforms` is a name such as `"misere"`, or a
    map such as `{"size": 6}`. Other keywords are values of the parameters of the spec.

    Raises SpecError with all errors of the spec. Raises UsageError for a missing file, an unknown
    name or engine, and a value that a parameter does not accept.
    """
    source = open_spec(path, transforms)
    parts = rules_cache.recall(source)
    game = _from_parts(parts, engine, values) if parts else None
    if game:
        return game
    parents = rules_cache.Parents(source)
    return _from_text(source, parents, engine, values, parents)


def loads(
    text: str,
    /,
    *,
    engine: Engine = "auto",
    transforms: Sequence[Transform] = (),
    **values: int | str | bool,
) -> Game:
    """Load a game from the text of a spec; arguments and errors are those of `load`.

    Paths in the text are relative to the current folder. Nothing is cached.
    """
    if not isinstance(text, str):
        raise UsageError(f"expected the text of a spec, found {text!r:.40}")
    return load_source(Source("<text>", text), engine=engine, transforms=transforms, **values)


def load_source(
    source: Source,
    /,
    *,
    engine: Engine = "auto",
    transforms: Sequence[Transform] = (),
    **values: int | str | bool,
) -> Game:
    """Load a game from the text of a spec, without the cache; raises as `load` does."""
    _check_transforms(transforms)
    if not transforms:
        return _from_text(source, rules_cache.Parents(source), engine, values)
    made, find = variant_of(source, transforms)
    return _from_text(made, find, engine, values)


def open_spec(path: "str | Path", transforms: Sequence[Transform] = ()) -> Source:
    """Return the text of a spec, found as `load` finds it. Raises UsageError."""
    _check_transforms(transforms)
    text = str(check_kind("the name of a game or a path", path, str, PathLike))
    is_file = isinstance(path, PathLike) or is_path(text)
    source = read_source(_normalised(text) if is_file else bundled_file(text))
    if not transforms:
        return source
    return variant(path if is_file else bundled_name(text), not is_file, transforms)


def bind(game: Game, values: Mapping[str, int | str | bool]) -> Game:
    """Return the game with other values of parameters; raises UsageError for any unknown name."""
    if "self" in values:  # the name of the first argument of `Game.bind`
        raise UsageError("no parameter `self`")
    return game.bind(**values) if values else game


def read_transform(text: str) -> Transform:
    """Parse a transform: `NAME`, `NAME=VALUE` or `NAME.KEY=VALUE`. Raises UsageError.

    The value of `start` is the path of a file that holds the position.
    """
    name, equals, value = text.partition("=")
    name, dot, key = name.partition(".")
    if not name or (dot and not key) or bool(equals) != bool(value) or (dot and not equals):
        raise UsageError("--with: expected NAME, NAME=VALUE or NAME.KEY=VALUE")
    if not equals:
        return name
    if name == "start" and not key:
        return {name: read_source(value).text}
    digits = value.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 9
    argument = int(value) if is_number else value
    return {name: {key: argument} if key else argument}


def _check_transforms(transforms: Sequence[Transform]) -> None:
    """Raise UsageError unless the transforms are a list of names and maps."""
    if isinstance(transforms, str) or not isinstance(transforms, Sequence):
        raise UsageError(f"expected a list of transforms, found {excerpt(transforms)}")
    for one in transforms:
        if not isinstance(one, str | Mapping) or not all(isinstance(key, str) for key in one):
            message = "expected the name of a transform, or a map from it to its argument"
            raise UsageError(f"{message}, found {excerpt(one)}")


def _from_parts(parts: rules_cache.Parts, engine: Engine, values: Values) -> Game | None:
    """Return the game of cached rules; None if these values do not fit them.

    Only the full pipeline from the text can report the place of such an error.
    """
    bound = parameters.bind(parts.rules.parameters, values)
    if tuple(bound.items()) == parts.program.parameters:
        return Game(parts.rules, bound, engine, parts.tests, Interpreter(parts.program))
    from rulesengine.language.lower import LoweringError

    try:
        return Game(parts.rules, bound, engine, parts.tests)
    except LoweringError:
        return None


def _from_text(
    source: Source,
    find: Find,
    engine: Engine,
    values: Values,
    parents: rules_cache.Parents | None = None,
) -> Game:
    """Compile a spec to its game; with `parents`, store its rules in the cache."""
    from rulesengine.language import pipeline

    analysis = pipeline.analyse(source, find)
    if analysis.checked is None:
        raise SpecError(analysis.findings)
    rules = analysis.checked.rules
    if parents and not analysis.findings:
        program = pipeline.lower(rules, parameters.bind(rules.parameters, {}))
        rules_cache.keep(parents, rules_cache.Parts(rules, program, analysis.tests))
    bound = parameters.bind(rules.parameters, values)
    try:
        return Game(rules, bound, engine, analysis.tests)
    except pipeline.LoweringError as error:
        raise SpecError((pipeline.diagnose(analysis, error),)) from None


def _normalised(path: str) -> str:
    """Return `str(Path(path))`, without importing `pathlib` for a plain path."""
    if "./" not in path and "//" not in path and not path.endswith(("/", "/.")):
        return path
    from pathlib import Path

    return str(Path(path))
