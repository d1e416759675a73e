"""`serve`: the web page, if its extra is installed."""

import os

from rulesengine.cli.shared_options import Options, Parser, whole_number
from rulesengine.errors import UsageError

_PORT, _MOST_PORT = 8000, 65_535


def add_options(command: Parser) -> None:
    """Add the options of the command."""
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
    serve(options.host, options.port)
    return 0
