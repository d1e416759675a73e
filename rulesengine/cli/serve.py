"""`serve`: the web page, if its extra is installed."""

import os

from rulesengine.cli.shared_options import Options, Parser, whole_number
from rulesengine.errors import UsageError
from rulesengine.support.resources import bundled_name, is_path

_PORT, _MOST_PORT = 8000, 65_535


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    command.add_argument(
        "spec",
        nargs="?",
        metavar="SPEC",
        help="a spec that the printed link opens: a file, or a bundled name",
    )
    command.add_argument(
        "--host", default="127.0.0.1", help="address to listen on, 127.0.0.1 unless given"
    )
    command.add_argument(
        "--port",
        type=whole_number(_MOST_PORT),
        default=_PORT,
        help=f"port to listen on, {_PORT} unless given; 0 selects a free one",
    )


def execute(options: Options) -> int:
    """Serve the page until Ctrl-C. Raises UsageError without Starlette and uvicorn."""
    if not hasattr(os, "fork"):
        raise UsageError("`serve` needs a system that can fork processes, such as Linux")
    try:
        from rulesengine.server.web.http_server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in (
            "h11",
            "starlette",
            "uvicorn",
        ):
            raise
        message = "`serve` needs an extra: `pip install '.[web]'` in a clone adds it"
        raise UsageError(message) from None
    serve(options.host, options.port, _fragment(options.spec) if options.spec else "")
    return 0


def _fragment(spec: str) -> str:
    """Return the part of a link that opens a spec. Raises UsageError if there is none."""
    from rulesengine.cli.spec_arguments import read_file
    from rulesengine.server.web.links import fragment_of_text

    if not is_path(spec):
        return f"#play/{bundled_name(spec)}"
    return f"#play/~{fragment_of_text(read_file(spec).text)}"
