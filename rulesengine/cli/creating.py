"""`new`: a file to begin with, which checks and tests without a finding."""

import re
from pathlib import Path
from typing import TextIO

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import result
from rulesengine.errors import UsageError
from rulesengine.format import text_value
from rulesengine.resources import bundled_file, read_text

_SCHEMA = "game.schema.json"
_NAME = re.compile(r"[^\W_][\w -]{0,59}")


def new(options: Options) -> int:
    """Write the spec, and beside it the schema that its first line names, unless that is there.

    Raises UsageError where there is a file of that name; nothing is overwritten.
    """
    path = _path(options.name)
    text = (
        _variant(options.parent) if options.parent is not None else read_text("grammars/new.yaml")
    )
    name = text_value(_title(path.stem))
    _write(path, re.sub("(?m)^name: .*$", lambda _: f"name: {name}", text))
    result(f"wrote {path}")
    schema = path.parent / _SCHEMA
    if not schema.exists():
        _write(schema, read_text(f"grammars/{_SCHEMA}"))
        result(f"wrote {schema}, by which editors check and complete")
    return 0


def _path(name: str) -> Path:
    path = Path(name.removesuffix(".yaml") + ".yaml")
    if not _NAME.fullmatch(path.stem):
        raise UsageError(f"new: expected a name such as `my-game`, found `{name[:40]}`")
    return path


def _variant(parent: str) -> str:
    bundled_file(parent)  # raises UsageError
    text = read_text("grammars/new-variant.yaml")
    return re.sub("(?m)^extends: .*$", lambda _: f"extends: {parent}", text)


def _title(stem: str) -> str:
    """The name of a game from that of its file: `my-game` is `My game`."""
    words = " ".join(re.split(r"[-_ ]+", stem)).strip()
    return words[:1].upper() + words[1:]


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            _fill(path, file, text)
    except FileExistsError:
        raise UsageError(f"{path}: is there already, and `new` overwrites nothing") from None
    except FileNotFoundError:
        raise UsageError(f"{path}: no such folder") from None
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be written').lower()}") from None


def _fill(path: Path, file: TextIO, text: str) -> None:
    """Write all of a new file, or leave none."""
    try:
        file.write(text)
        file.flush()
    except OSError:
        path.unlink(missing_ok=True)
        raise
