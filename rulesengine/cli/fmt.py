"""`fmt`: specs in the standard layout."""

from pathlib import Path

from rulesengine.cli.output import print_error, result
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.cli.spec_arguments import read_file, standard_input
from rulesengine.errors import UsageError
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.files import decode_source, replace

_STDIN = "-"


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    command.add_argument(
        "files", metavar="FILE", nargs="+", help="a path; - formats standard input"
    )
    command.add_argument(
        "--check", action="store_true", help="list the files that would change, but write nothing"
    )
    command.add_argument(
        "--stamp",
        action="store_true",
        help="confirm the texts under `says`: write the digest of its clause behind each",
    )


def execute(options: Options) -> int:
    """Format files; return 2 if one is unreadable, else 1 if `--check` finds changes, else 0."""
    from rulesengine.tools.format import UnreadableSpec, formatted, stamped

    unread = changed = False
    for file in dict.fromkeys(options.files):
        try:
            data = _read(file)
            source = decode_source(data, _display_name(file))
            text = formatted(stamped(source) if options.stamp else source)
        except UsageError as error:
            print_error(str(error))
            unread = True
        except UnreadableSpec as error:
            print_error(_unchanged_text(file, error.finding))
            unread = True
        else:
            changed |= _settle(file, data, text.encode(), options.check)
    return 2 if unread else int(changed and options.check)


def _read(file: str) -> bytes:
    if file == _STDIN:
        return standard_input()
    read_file(file)  # reports an unreadable file
    return Path(file).read_bytes()


def _settle(file: str, data: bytes, new: bytes, check: bool) -> bool:
    """Write, print or list a file; True if its bytes differ from the layout."""
    if file == _STDIN and not check:
        result(new.decode())
    elif data != new:
        if not check:
            replace(file, new)
        result(_display_name(file))
    return data != new


def _unchanged_text(file: str, finding: Diagnostic) -> str:
    span = finding.span
    line, _ = span.source.position(span.start)
    return f"{_display_name(file)}: unchanged: line {line}: {finding.message}"


def _display_name(file: str) -> str:
    return "<stdin>" if file == _STDIN else file
