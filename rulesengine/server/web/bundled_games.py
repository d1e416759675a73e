"""The bundled games in the server: rows of the gallery, texts, pictures."""

import asyncio
import json
import re
from asyncio import Task
from typing import Any

from rulesengine.drawing.themes import THEMES
from rulesengine.language import rules_cache
from rulesengine.search.levels import LEVELS
from rulesengine.server.web.analysis import MOST_SECONDS
from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.worker_pool import Pool
from rulesengine.server.web.worker_request import WorkerRequest
from rulesengine.support.catalogue import CatalogueEntry, read_catalogue
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_file, bundled_names, catalogue_text
from rulesengine.version import __version__

Table = dict[str, object]
_NAME = re.compile(r"^name: *(.+)$", re.MULTILINE)
_PAUSE = 1.0  # seconds until a row is retried
_SELF = "gallery"  # the server as a client of its own workers


def listed(row: Table, entry: CatalogueEntry | None) -> Table:
    """Return a row with the words of the catalogue; the first tag of a game is its group."""
    if entry is None:
        return row
    tags = row.get("tags", [])
    further = tags if isinstance(tags, list) else []
    return {
        **row,
        "summary": entry.summary,
        "group": entry.tags[0] if entry.tags else "",
        "tags": [*entry.tags, *(tag for tag in further if tag not in entry.tags)],
        "aliases": list(entry.aliases),
    }


class BundledGames:
    """Computes the rows of the gallery in the background, unless the cache has them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._entries = {entry.name: entry for entry in read_catalogue(catalogue_text())}
        self._names = tuple(bundled_names())
        sources = tuple(read_source(bundled_file(name)) for name in self._names)
        self._sources = dict(zip(self._names, sources, strict=True))
        self._texts = rules_cache.DerivedValue("gallery", sources)
        self._rows: dict[str, Table] = {}
        self._gathering: Task[None] | None = None
        self._pictures: dict[tuple[str, str], str] = {}

    def gather(self) -> None:
        """Start computing the rows, unless this has been done."""
        if not self._rows:
            self._rows = dict(self._texts.recall() or {})
        if self._gathering is None and not self._is_complete:
            self._gathering = asyncio.create_task(self._gather())

    async def close(self) -> None:
        """Stop computing rows."""
        if self._gathering:
            self._gathering.cancel()
            await asyncio.wait([self._gathering])

    async def _gather(self) -> None:
        """Compute the rows one by one, with low priority; cache them when they are complete."""
        while left := [name for name in self._names if name not in self._rows]:
            try:
                self._rows[left[0]] = await self._request("gallery-row", left[0], is_long=True)
            except RequestError:  # the queue is full of other requests
                await asyncio.sleep(_PAUSE)
        self._texts.store(list(self._rows.items()))

    def table(self) -> Table:
        """Return the gallery; rows that are not computed yet have a name and a title."""
        rows = [self._listed(name) for name in self._names]
        return {
            "version": __version__,
            "complete": self._is_complete,
            "levels": LEVELS,
            "limits": {"seconds": MOST_SECONDS},
            "games": rows,
        }

    def text(self, name: str) -> Table:
        """Return the text of a bundled spec."""
        title = self._row(name)["title"]
        return {"name": name, "title": title, "text": self._sources[name].text}

    async def picture(self, name: str, theme: str | None) -> str:
        """Return the picture of a bundled spec, drawn on first use. Raises RequestError."""
        key = name, theme or "auto"
        if key[1] not in THEMES:
            raise RequestError("request", f"`theme`: expected {', '.join(THEMES)}")
        if key not in self._pictures:
            picture = await self._request("gallery-picture", name, theme=key[1])
            self._pictures[key] = str(picture["svg"])
        return self._pictures[key]

    @property
    def _is_complete(self) -> bool:
        return len(self._rows) == len(self._names)

    def _row(self, name: str) -> Table:
        title = _NAME.search(self._sources[name].text)
        return self._rows.get(name) or {"name": name, "title": title[1] if title else name}

    def _listed(self, name: str) -> Table:
        """Return the row of a game with the words of the catalogue."""
        return listed({**self._row(name), "text": f"/api/games/{name}"}, self._entries.get(name))

    async def _request(
        self, operation: str, name: str, *, is_long: bool = False, **more: str
    ) -> dict[str, Any]:
        """Return the answer of a worker. Raises RequestError if the request fails."""
        body = json.dumps({"spec": {"name": name}, **more}).encode()
        request = WorkerRequest(operation, body, name.encode(), _SELF, is_long)
        frames = [frame async for frame in self._pool.send(request)]
        table: dict[str, Any] = json.loads(frames[-1].data)
        if frames[-1].status != 200:
            raise RequestError(table["error"]["kind"], table["error"]["message"])
        return table
