"""The catalogue of bundled specs: summaries, tags and other names, read from a text table.

Other names resolve to bundled ones when a spec is loaded; summaries and tags are for listings only.
"""

from collections.abc import Iterable

from rulesengine.support.frozen import record


@record
class CatalogueEntry:
    """A row of the catalogue; `aliases` are other names of the game."""

    name: str
    summary: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]


def read_catalogue(text: str) -> tuple[CatalogueEntry, ...]:
    """Parse the table: a line `name | summary | tags | aliases` for each spec, `#` for remarks."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(map(_entry, lines))


def matching_names(
    name: str, names: Iterable[str], entries: Iterable[CatalogueEntry]
) -> tuple[str, ...]:
    """Return the bundled names that a text means: one by spelling, otherwise those by alias.

    Case, accents, blanks and punctuation are ignored. A path means none.
    """
    key = "" if set(name) & set("/\\.") else fold(name)
    if not key:
        return ()
    known = tuple(names)
    if spelled := tuple(one for one in known if fold(one) == key):
        return spelled[:1]
    aliased = (one.name for one in entries if key in map(fold, one.aliases))
    return tuple(one for one in aliased if one in known)


def fold(text: str) -> str:
    """Return the letters and digits of a text, in small letters without accents."""
    import unicodedata  # imported here: listings alone fold names

    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isalnum())


def _entry(line: str) -> CatalogueEntry:
    name, summary, tags, aliases = (part.strip() for part in line.split("|"))
    return CatalogueEntry(name, summary, _items(tags), _items(aliases))


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
