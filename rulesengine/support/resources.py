"""The data files of the package; no other module knows their location.

A wheel contains `games/` and `grammars/` inside the package; in a checkout they are siblings of the
package.
"""

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.support.files import read_source
from rulesengine.support.source import Source

if TYPE_CHECKING:
    from pathlib import Path

_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_BESIDE = os.path.isdir(os.path.join(_PACKAGE, "grammars"))
_ROOT = _PACKAGE if _BESIDE else os.path.dirname(_PACKAGE)
_GAMES = os.path.join(_ROOT, "games")
_HIDDEN = "hidden information"  # the tag of games in which players see a part of the position

# The folders with the code that turns a spec into rules, next to the modules of the package itself.
RULE_SOURCES = ("support", "board", "language")


def read_text(relative: str) -> str:
    """Return the text of a data file of the package, such as `grammars/game.schema.json`."""
    with open(os.path.join(_ROOT, relative), encoding="utf-8") as file:
        return file.read()


def data_file(relative: str) -> "Path":
    """Return the path of a data file of the package, such as `games/trials.txt`."""
    from pathlib import Path

    return Path(_ROOT) / relative


def is_path(spec: str) -> bool:
    """True if a text that names a spec is a path rather than the name of a bundled game."""
    return "/" in spec or spec.endswith(".yaml")


def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled specs, sorted."""
    names = (name for name in os.listdir(_GAMES) if name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


def open_names() -> tuple[str, ...]:
    """Return the sorted names of the bundled specs in which players see the whole position."""
    from rulesengine.support.catalogue import read_catalogue

    entries = read_catalogue(catalogue_text())
    hidden = {entry.name for entry in entries if _HIDDEN in entry.tags}
    return tuple(name for name in bundled_names() if name not in hidden)


def bundled_path(name: str) -> "Path":
    """Return the path of a bundled spec. Raises UsageError for an unknown name."""
    from pathlib import Path

    return Path(bundled_file(name))


def bundled_file(name: str) -> str:
    """Return the path of a bundled spec as a str, to save an import; raises UsageError."""
    return os.path.join(_GAMES, f"{bundled_name(name)}.yaml")


def bundled_name(name: str) -> str:
    """Return the name of the bundled spec that a name or an alias of the catalogue means.

    Raises UsageError for an unknown name, and for an alias of several specs.
    """
    names = bundled_names()
    if name in names:
        return name
    meant = aliased_names(name, names)
    if len(meant) == 1 and not os.path.isfile(f"{name}.yaml"):
        return meant[0]
    raise UsageError(f"no bundled game is called `{name[:64]}`", _hint(name, names, meant))


def catalogue_text() -> str:
    """Return the text of the catalogue of bundled specs, empty without one."""
    with (
        suppress(FileNotFoundError),
        open(os.path.join(_GAMES, "catalogue.txt"), encoding="utf-8") as file,
    ):
        return file.read()
    return ""


def calibration_text() -> str:
    """Return the text of the calibrations of bundled specs, empty without one."""
    with (
        suppress(FileNotFoundError),
        open(os.path.join(_GAMES, "calibration.txt"), encoding="utf-8") as file,
    ):
        return file.read()
    return ""


def aliased_names(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the bundled names that the catalogue has for another name."""
    from rulesengine.support.catalogue import matching_names, read_catalogue

    return matching_names(name, names, read_catalogue(catalogue_text()))


def _hint(name: str, names: tuple[str, ...], meant: tuple[str, ...]) -> str:
    """Return a suggestion for an unknown name: a file of that name, or a similar bundled name."""
    from rulesengine.support.catalogue import fold, read_catalogue
    from rulesengine.support.diagnostic import nearest

    if os.path.isfile(f"{name}.yaml"):
        return f"the file that is here is `./{name[:64]}.yaml`"
    if not meant:
        keys = {fold(one): one for one in names}
        for entry in read_catalogue(catalogue_text()):
            if entry.name in names:
                keys |= {fold(alias): entry.name for alias in entry.aliases} | keys
        match = nearest(fold(name), list(keys))
        meant = (keys[match],) if match else ()
    return f"did you mean {_either(meant)}?" if meant else "`rulesengine list` shows the names"


def _either(names: tuple[str, ...]) -> str:
    """Return quoted names, joined by `or`."""
    *some, last = (f"`{name}`" for name in names)
    return f"{', '.join(some)} or {last}" if some else last


def bundled_learned() -> tuple[str, ...]:
    """Return the paths of the bundled files of learned weights, sorted."""
    folder = os.path.join(_GAMES, "learned")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".learned"))
    return tuple(os.path.join(folder, name) for name in names)


def is_installed(path: str) -> bool:
    """True if a file is a bundled spec of an installed package, which must not be edited."""
    return _BESIDE and os.path.dirname(os.path.realpath(path)) == os.path.realpath(_GAMES)


def find_parent(name: str, child: Source) -> Source:
    """Return the source that `extends` names: a bundled spec, or a file next to the child."""
    is_file = name.startswith("./") or name.endswith(".yaml")
    name, folder = name.removeprefix("./"), os.path.dirname(child.name)
    if "/" in name or "\\" in name:
        message = f"`{name[:64]}`: a parent is a bundled game or a file next to the spec"
        raise UsageError(message, "put both files into one folder")
    if is_file:
        return _read_sibling(folder, name)
    if name not in bundled_names():
        raise UsageError(f"no bundled game is called `{name[:64]}`", _suggest_parent(folder, name))
    return read_source(bundled_file(name))


def _read_sibling(folder: str, name: str) -> Source:
    from pathlib import Path

    try:
        return read_source(Path(folder) / name)
    except UsageError as error:
        raise UsageError(error.message, _suggest_parent(folder, name)) from None


def _suggest_parent(folder: str, name: str) -> str:
    """Return a suggestion for the name of a missing parent."""
    from rulesengine.support.diagnostic import Suggestion, did_you_mean

    names, word = bundled_names(), name.removesuffix(".yaml")
    if word in names:
        return Suggestion(f"write `{word}`, which is a bundled game", word)
    files = _specs_in(folder)
    if f"./{word}.yaml" in files:
        return Suggestion(f"write `./{word}.yaml`, the file next to this spec", f"./{word}.yaml")
    meant = aliased_names(word, names)
    if len(meant) == 1:
        return Suggestion(f"did you mean `{meant[0]}`?", meant[0])
    suggestion = did_you_mean(word, names) or did_you_mean(f"./{word}.yaml", files)
    return (
        suggestion
        or "`rulesengine list` shows the bundled games; a file next to the spec is `./FILE`"
    )


def _specs_in(folder: str) -> list[str]:
    """Return the files that `extends` can name without quotes."""
    with suppress(OSError):
        files = os.listdir(folder or ".")
        return sorted(f"./{file}" for file in files if re.fullmatch(r"[\w-]+\.yaml", file))
    return []


def stamp(*more: str) -> str:
    """Return a cache stamp that changes with any file that turns a spec into rules.

    `more` are further folders or files of the package, relative to it; folders are recursive.
    Raises FileNotFoundError if one is missing: a wrong name must not yield a stamp that never
    changes.

    A stamp has path, size and change time of each file, not its contents, because a game has to
    start in a few milliseconds.
    """
    paths = [os.path.join(_PACKAGE, name) for name in (*RULE_SOURCES, *more)]
    grammars = os.path.join(_ROOT, "grammars")
    return _stamp_of([*_files_in(_PACKAGE), *paths, grammars])


def stamp_below(*names: str) -> str:
    """Return the stamp of folders or files of the package alone. Raises FileNotFoundError."""
    return _stamp_of([os.path.join(_PACKAGE, name) for name in names])


def _files_in(folder: str) -> list[str]:
    """Return the Python files of one folder, without those below it."""
    return [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py")]


def _stamp_of(paths: list[str]) -> str:
    lines = set[str]()
    for path in paths:
        if os.path.isdir(path):
            lines.update(_stamps_below(path))
        else:
            lines.add(_line(path, os.stat(path)))
    return "\n".join(sorted(lines))


def _stamps_below(folder: str) -> list[str]:
    stamps = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                stamps += _stamps_below(entry.path) if entry.name != "__pycache__" else []
            else:
                with suppress(OSError):  # a temporary file of an editor, already removed
                    stamps.append(_line(entry.path, entry.stat()))
    return stamps


def _line(path: str, status: os.stat_result) -> str:
    return f"{path} {status.st_size} {status.st_ctime_ns}"
