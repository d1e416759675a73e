"""`serve` and `lsp`: a page and a server for editors, if their extras are installed."""

import os
import signal

from rulesengine.cli import INTERRUPTED
from rulesengine.cli.arguments import Options
from rulesengine.errors import UsageError


def serve_page(options: Options) -> int:
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
        message = '`serve` needs an extra: `pip install "boardgame-rulesengine[web]"`'
        raise UsageError(f"{message}, `.[web]` in a clone") from None
    serve(options.host, options.port)
    return 0


def lsp(options: Options) -> int:
    """Serve an editor on standard input and output. Raises UsageError without pygls."""
    try:
        from rulesengine.server.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        message = "`lsp` needs pygls: install rulesengine with the extra `lsp`, `.[lsp]` in a clone"
        raise UsageError(message) from None
    # A thread waits for the next words of the editor: nothing but these or the end wakes it up.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    serve()
    return 0
