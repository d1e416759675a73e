"""The files that the package brings along: the only module that knows where they are.

A wheel holds `games/` and `grammars/` inside the package; in a checkout they stand beside it.
"""

from pathlib import Path

from rulesengine.diagnostic import did_you_mean
from rulesengine.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE if (_PACKAGE / "grammars").is_dir() else _PACKAGE.parent
_GAMES = _ROOT / "games"


def read_text(relative: str) -> str:
    """The text of a file that comes with the package, such as `grammars/game.schema.json`."""
    return (_ROOT / relative).read_text(encoding="utf-8")


def bundled_names() -> tuple[str, ...]:
    """The names of the bundled specs, sorted."""
    return tuple(sorted(path.stem for path in _GAMES.glob("*.yaml")))


def bundled_path(name: str) -> Path:
    """The file of a bundled spec; raises UsageError for a name that is not bundled."""
    names = bundled_names()
    if name not in names:
        hint = did_you_mean(name, names) or "`rulesengine list` shows the names"
        raise UsageError(f"no bundled game is called `{name[:64]}`: {hint}")
    return _GAMES / f"{name}.yaml"
