"""`lsp`: a server for editors, if the extra for it is installed."""

import os
import signal

from rulesengine.cli import INTERRUPTED
from rulesengine.cli.arguments import Options
from rulesengine.errors import UsageError


def lsp(options: Options) -> int:
    """Serve an editor on standard input and output. Raises UsageError without pygls."""
    try:
        from rulesengine.editor.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        message = "`lsp` needs pygls: install rulesengine with the extra `lsp`, `.[lsp]` in a clone"
        raise UsageError(message) from None
    # A thread waits for the next words of the editor: nothing but these or the end wakes it up.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    serve()
    return 0
