"""`fmt`: the files of specs in the one layout."""

from pathlib import Path

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, result
from rulesengine.cli.specs import read_file, standard_input
from rulesengine.errors import UsageError
from rulesengine.support.files import decode_source, replace
from rulesengine.tools.format import Unreadable, formatted

_STDIN = "-"


def fmt(options: Options) -> int:
    """Format all files; 2 if one is left alone, else 1 if `--check` would change one, else 0."""
    unread = changed = False
    for file in dict.fromkeys(options.files):
        try:
            data = _read(file)
            text = formatted(decode_source(data, _shown(file)))
        except UsageError as error:
            complain(str(error))
            unread = True
        except Unreadable as error:
            complain(_left_alone(file, error))
            unread = True
        else:
            changed |= _settle(file, data, text.encode(), options.check)
    return 2 if unread else int(changed and options.check)


def _read(file: str) -> bytes:
    if file == _STDIN:
        return standard_input()
    read_file(file)  # which says what is wrong with the file
    return Path(file).read_bytes()


def _settle(file: str, data: bytes, made: bytes, check: bool) -> bool:
    """Write, print or list a file; whether its bytes were others."""
    if file == _STDIN and not check:
        result(made.decode())
    elif data != made:
        if not check:
            replace(file, made)
        result(_shown(file))
    return data != made


def _left_alone(file: str, error: Unreadable) -> str:
    span = error.finding.span
    line, _ = span.source.position(span.start)
    return f"{_shown(file)}: left as it is: line {line}: {error.finding.message}"


def _shown(file: str) -> str:
    return "<stdin>" if file == _STDIN else file
