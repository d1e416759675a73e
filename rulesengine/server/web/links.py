"""Links of the page that contain a game; `web/src/share.ts` reads and writes them, too."""

import json
import zlib
from base64 import urlsafe_b64encode

_VERSION = b"\x01"
_BARE = -15  # raw deflate without a header, as browsers decode it


def fragment_of_text(text: str) -> str:
    """Return the text of a link to the initial position of a spec."""
    game = json.dumps({"spec": {"text": text}, "parameters": {}, "moves": []})
    deflate = zlib.compressobj(9, zlib.DEFLATED, _BARE)
    data = _VERSION + deflate.compress(game.encode()) + deflate.flush()
    return urlsafe_b64encode(data).decode().rstrip("=")
