"""The files that the package brings along: the only module that knows where they are.

A wheel holds `games/` and `grammars/` inside the package; in a checkout they stand beside it.
"""

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.files import read_source
from rulesengine.source import Source

if TYPE_CHECKING:
    from pathlib import Path

_PACKAGE = os.path.dirname(os.path.realpath(__file__))
_BESIDE = os.path.isdir(os.path.join(_PACKAGE, "grammars"))
_ROOT = _PACKAGE if _BESIDE else os.path.dirname(_PACKAGE)
_GAMES = os.path.join(_ROOT, "games")

# What checked rules follow from, beside the texts of a spec.
MADE_OF = ("", "spec", "syntax", "check", "lower", "ir", "board")


def read_text(relative: str) -> str:
    """The text of a file that comes with the package, such as `grammars/game.schema.json`."""
    with open(os.path.join(_ROOT, relative), encoding="utf-8") as file:
        return file.read()


def is_path(spec: str) -> bool:
    """Whether a text that names a spec is a path; else it is a bundled name."""
    return "/" in spec or spec.endswith(".yaml")


def bundled_names() -> tuple[str, ...]:
    """The names of the bundled specs, sorted."""
    names = (name for name in os.listdir(_GAMES) if name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


def bundled_path(name: str) -> "Path":
    """The file of a bundled spec; raises UsageError for a name that is not bundled."""
    from pathlib import Path

    return Path(bundled_file(name))


def bundled_file(name: str) -> str:
    """The path of a bundled spec as a text, which takes less time to load; raises UsageError."""
    names = bundled_names()
    if name not in names:
        raise UsageError(f"no bundled game is called `{name[:64]}`", _hint(name, names))
    return os.path.join(_GAMES, f"{name}.yaml")


def _hint(name: str, names: tuple[str, ...]) -> str:
    """What may have been meant by a name: a file that is here, or a bundled name like it."""
    from rulesengine.diagnostic import did_you_mean

    if os.path.isfile(f"{name}.yaml"):
        return f"the file that is here is `./{name[:64]}.yaml`"
    return did_you_mean(name, names) or "`rulesengine list` shows the names"


def bundled_learned() -> tuple[str, ...]:
    """The paths of what was learned of bundled specs, sorted."""
    folder = os.path.join(_GAMES, "learned")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".learned"))
    return tuple(os.path.join(folder, name) for name in names)


def is_installed(path: str) -> bool:
    """Whether a file is a bundled spec of an installed package, which nobody should change."""
    return _BESIDE and os.path.dirname(os.path.realpath(path)) == os.path.realpath(_GAMES)


def find_parent(name: str, child: Source) -> Source:
    """The source that `extends` names: a bundled spec, or a file beside the child."""
    beside = name.startswith("./") or name.endswith(".yaml")
    name, folder = name.removeprefix("./"), os.path.dirname(child.name)
    if "/" in name or "\\" in name:
        message = f"`{name[:64]}`: a parent is a bundled game or a file beside the spec"
        raise UsageError(message, "put both files into one folder")
    if beside:
        return _read_beside(folder, name)
    if name not in bundled_names():
        raise UsageError(f"no bundled game is called `{name[:64]}`", _hint_beside(folder, name))
    return read_source(bundled_file(name))


def _read_beside(folder: str, name: str) -> Source:
    from pathlib import Path

    try:
        return read_source(Path(folder) / name)
    except UsageError as error:
        raise UsageError(error.message, _hint_beside(folder, name)) from None


def _hint_beside(folder: str, name: str) -> str:
    """What may have been meant by the name of a parent that there is not."""
    from rulesengine.diagnostic import Mend, did_you_mean

    names, word = bundled_names(), name.removesuffix(".yaml")
    if word in names:
        return Mend(f"write `{word}`, which is a bundled game", word)
    files = _specs_in(folder)
    if f"./{word}.yaml" in files:
        return Mend(f"write `./{word}.yaml`, the file beside this spec", f"./{word}.yaml")
    near = did_you_mean(word, names) or did_you_mean(f"./{word}.yaml", files)
    return near or "`rulesengine list` shows the bundled games; a file beside the spec is `./FILE`"


def _specs_in(folder: str) -> list[str]:
    """The files that `extends` can name without quotes."""
    with suppress(OSError):
        files = os.listdir(folder or ".")
        return sorted(f"./{file}" for file in files if re.fullmatch(r"[\w-]+\.yaml", file))
    return []


def stamp(*more: str) -> str:
    """A text that is another one after any change to the package that makes rules of specs.

    `more` are further folders that count.

    It holds the place, size and time of change of each file, not what stands in it: a game is
    to start in a few milliseconds.
    """
    folders = [os.path.join(_PACKAGE, folder) for folder in (*MADE_OF, *more)]
    folders.append(os.path.join(_ROOT, "grammars"))
    found = [line for folder in folders for line in _stamps(folder)]
    return "\n".join(sorted(found))


def stamp_below(*folders: str) -> str:
    """The same of folders of the package with all that lies below them."""
    tops = [os.path.join(_PACKAGE, folder) for folder in folders]
    found = [below for top in tops for below, _, _ in os.walk(top) if "__pycache__" not in below]
    return "\n".join(sorted(line for folder in found for line in _stamps(folder)))


def _stamps(folder: str) -> list[str]:
    found = []
    with os.scandir(folder) as files:
        for file in files:
            with suppress(OSError):  # an editor's file, gone by now
                status = file.stat()
                if not file.is_dir():
                    found.append(f"{file.path} {status.st_size} {status.st_ctime_ns}")
    return found
