"""Links of the repository's pages, rewritten for the site."""

import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path

_Change = Callable[[re.Match[str]], str]
_LINK = re.compile(r"(?P<before>!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()(?P<target>[^)\s]+)(?P<after>\))")
_FENCE = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)\s*$", re.M | re.S)
_CODE = re.compile(r"(`+)(?:(?!\1).)+\1", re.S)


def relink(text: str, source: str, page: str, pages: Mapping[str, str], root: Path) -> str:
    """Return the text of a page with links between sources turned into links between pages.

    A link to a file of the repository that is not a page becomes the path of the file as code:
    the site has no address of the repository.
    """

    def changed(match: re.Match[str]) -> str:
        target = match["target"]
        if "://" in target or target.startswith(("#", "mailto:")):
            return match[0]
        name, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        if path in pages:
            shown = _relative(pages[path], page) + ".md" + (f"#{anchor}" if anchor else "")
            return f"{match['before']}{shown}{match['after']}"
        if path.endswith(".svg"):
            return f"{match['before']}{_relative(path.removeprefix('docs/'), page)}{match['after']}"
        if not (root / path).exists():
            raise ValueError(f"{source}: the link {target} leads nowhere")
        return _as_code(match["before"], path)

    return _outside_code(text, changed)


def _relative(path: str, page: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def _as_code(before: str, path: str) -> str:
    """Return a link's text followed by the path that it has in the repository."""
    label = before.removeprefix("!").removeprefix("[").removesuffix("](").strip("`")
    return f"`{path}`" if label in path else f"{label} (`{path}`)"


def _outside_code(text: str, changed: _Change) -> str:
    """Return the text with links replaced outside of blocks and spans of code."""
    parts, end = [], 0
    spans = [*_FENCE.finditer(text)]
    for span in spans:
        parts += [_in_prose(text[end : span.start()], changed), span[0]]
        end = span.end()
    return "".join([*parts, _in_prose(text[end:], changed)])


def _in_prose(text: str, changed: _Change) -> str:
    hidden = [(match.start(), match.end()) for match in _CODE.finditer(text)]

    def outside(match: re.Match[str]) -> str:
        inside = any(low < match.start() < high for low, high in hidden)
        return match[0] if inside else changed(match)

    return _LINK.sub(outside, text)
