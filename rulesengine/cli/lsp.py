"""`lsp`: the language server, if its extra is installed."""

import os
import signal

from rulesengine.cli.exit_codes import INTERRUPTED
from rulesengine.cli.shared_options import Options, Parser
from rulesengine.errors import UsageError


def add_options(command: Parser) -> None:
    """Add no option."""


def execute(options: Options) -> int:
    """Serve an editor on standard input and output. Raises UsageError without pygls."""
    try:
        from rulesengine.server.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        message = "`lsp` needs pygls: install rulesengine with the extra `lsp`, `.[lsp]` in a clone"
        raise UsageError(message) from None
    # A thread blocks on standard input, so a normal exit would wait for the next message.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    serve()
    return 0
