"""`new`: a new spec file that passes its checks and tests."""

import re
from pathlib import Path

from rulesengine import load
from rulesengine.cli.output import result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.cli.spec_arguments import read_file
from rulesengine.errors import UsageError
from rulesengine.support.files import write_new
from rulesengine.support.resources import bundled_name, is_path, read_text

_SCHEMA = "game.schema.json"
_NAME = re.compile(r"[^\W_][\w -]{0,59}")


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    command.add_argument("name", metavar="NAME", help="name of the file, without `.yaml`")
    command.add_argument(
        "--from",
        dest="parent",
        metavar="GAME",
        help="extend a bundled game, or a file of the same folder",
    )
    command.add_argument(
        "--from-ini",
        dest="variant",
        nargs=2,
        metavar=("FILE", "SECTION"),
        help="convert a variant of a file `variants.ini`",
    )


def execute(options: Options) -> int:
    """Write the spec, and next to it the schema that its first line names, if that is missing.

    Raises UsageError if the file exists; nothing is overwritten.
    """
    path = _path(options.name)
    schema = path.parent / _SCHEMA
    if options.variant is not None and options.parent is not None:
        raise UsageError("new: expected `--from` or `--from-ini`, found both")
    text, omissions = _text(options, path)
    write_new(path, text)
    brings_schema = not schema.exists()
    if brings_schema:
        _write_schema(path, schema)
    result(f"wrote {path}")
    if brings_schema:
        result(f"wrote {schema}, by which editors check and complete")
    for rule in omissions:
        result(f"not expressed: {rule}")
    return 0


def _text(options: Options, path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the text of the spec, and the rules of a variant that it does not express."""
    from rulesengine.tools.format import text_value

    if options.variant is not None:
        from rulesengine.tools.variants_ini import convert

        file, section = options.variant
        conversion = convert(read_file(file).text, section, _title(path.stem))
        return conversion.text, conversion.omissions
    text = read_text("grammars/new.yaml")
    if options.parent is not None:
        text = _variant(options.parent, path)
    name = text_value(_title(path.stem))
    return re.sub("(?m)^name: .*$", lambda _: f"name: {name}", text), ()


def _path(name: str) -> Path:
    path = Path(name.removesuffix(".yaml") + ".yaml")
    if not _NAME.fullmatch(path.stem):
        raise UsageError(f"new: expected a name such as `my-game`, found `{name[:40]}`")
    return path


def _variant(parent: str, path: Path) -> str:
    text = read_text("grammars/new-variant.yaml")
    extended = _extended(parent, path)
    return re.sub("(?m)^extends: .*$", lambda _: f"extends: {extended}", text)


def _extended(parent: str, path: Path) -> str:
    """Return the value of `extends`: a bundled name, or a valid spec in the same folder."""
    from rulesengine.tools.format import text_value

    if not is_path(parent):
        return bundled_name(parent)
    load(parent)
    file = Path(parent)
    if file.resolve().parent != path.resolve().parent:
        better = file.parent / path.stem
        raise UsageError(
            f"--from: a spec extends files of its own folder: `rulesengine new {better}` begins one"
        )
    return text_value(f"./{file.name}")


def _title(stem: str) -> str:
    """Derive the name of a game from that of its file: `my-game` becomes `My game`."""
    words = " ".join(re.split(r"[-_ ]+", stem)).strip()
    return words[:1].upper() + words[1:]


def _write_schema(path: Path, schema: Path) -> None:
    """Write the schema; remove the new spec if that fails."""
    try:
        write_new(schema, read_text(f"grammars/{_SCHEMA}"))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
