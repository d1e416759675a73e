"""The static files of the page, with cache headers."""

import re
from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulesengine.server.web.errors import RequestError
from rulesengine.support.frozen import record

ASSETS = Path(__file__).parent / "assets"
_HASHED = re.compile(r"[.-][0-9A-Za-z_-]{8,}\.\w+(\.map)?$")
_FOREVER, _REVALIDATE = "public, max-age=31536000, immutable", "no-cache"
_MISSING = (
    "<!doctype html><meta charset=utf-8><title>rulesengine</title>"
    "<p>The page is not part of this installation: its files are missing. In a checkout"
    " `npm ci` and `npm run build` in the folder `web` make them; a wheel has them."
)
_TYPES = MappingProxyType(
    {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/json"}
)


@record
class StaticFile:
    """A file with its media type, its entity tag and its Cache-Control value."""

    data: bytes
    type: str
    tag: str
    cache_control: str


class StaticFiles:
    """All static files, loaded once; requests never access the disk."""

    def __init__(self, folder: Path = ASSETS) -> None:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        self._pages = {f"/{path.relative_to(folder).as_posix()}": _page(path) for path in files}

    def respond(self, request: Request) -> Response:
        """Return the file of a path. Raises RequestError."""
        path = request.url.path
        page = self._pages.get("/index.html" if path == "/" else path)
        if page is None and path == "/":
            return HTMLResponse(_MISSING, 503)
        if page is None:
            raise RequestError("unknown", f"there is no `{path[:60]}` here")
        headers = {"etag": page.tag, "cache-control": page.cache_control}
        if request.headers.get("if-none-match") == page.tag:
            return Response(status_code=304, headers=headers)
        return Response(page.data, media_type=page.type, headers=headers)


def _page(path: Path) -> StaticFile:
    data = path.read_bytes()
    type = _TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
    tag = f'"{blake2b(data, digest_size=12).hexdigest()}"'
    return StaticFile(data, type, tag, _FOREVER if _HASHED.search(path.name) else _REVALIDATE)
