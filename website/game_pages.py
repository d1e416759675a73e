"""A page for each bundled game: picture, rules, the game to play, its spec and its source."""

import re
import shutil
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from rulesengine import load
from rulesengine.cli.spec_arguments import open_source
from rulesengine.errors import LimitError
from rulesengine.prose import sections
from rulesengine.server.export.contents import check_numbers
from rulesengine.server.export.single_file import exported
from rulesengine.support.resources import bundled_path, open_names
from rulesengine.tools import inspect
from rulesengine.tools.bundled import BundledSpec, bundled_specs
from website.sections import ROOT

_SOURCES = ROOT / "docs" / "sources.md"
_ROW = re.compile(r"^\| `([a-z0-9-]+)` \| (.*?) \| (.*?) \|", re.M)


_PLAYGROUND = "../playground/index.html"
_NEW = (
    f'<p><a href="{_PLAYGROUND}#edit/new">Write a game in the playground</a>: an editor with the'
    " rules engine in the browser, some 10 MB when it is opened.</p>"
)


def index_page(specs: Sequence[BundledSpec], editable: bool = False) -> str:
    """Return the index of the games: pictures by tag, and a hidden table of contents."""
    parts = [
        "# Games",
        f"The {len(specs)} bundled games. Each page has the rules and the spec, and most pages have"
        " the game to play against the computer in the browser.",
        *([_NEW] if editable else []),
        _toctree([spec.name for spec in specs]),
    ]
    first: dict[str, list[BundledSpec]] = {}
    for spec in specs:
        first.setdefault(spec.entry.tags[0] if spec.entry.tags else "other", []).append(spec)
    for tag, members in first.items():
        cards = "\n".join(map(_card, members))
        parts += [f"## {tag[:1].upper()}{tag[1:]}", f'<div class="games">\n{cards}\n</div>']
    return "\n\n".join(parts) + "\n"


def _card(spec: BundledSpec) -> str:
    return (
        f'<a href="{spec.name}.html"><img src="../gallery/{spec.name}.svg" alt="" loading="lazy">'
        f"<span>{_html(spec.title)}</span></a>"
    )


def _toctree(names: Sequence[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", "", *names, "```"])


def game_page(spec: BundledSpec, playable: bool, editable: bool = False) -> str:
    """Return the page of a game.

    `playable` embeds the game if it can be exported, and `editable` links to the playground if the
    game hides nothing.
    """
    name = spec.name
    is_open = name in open_names()
    players = " or ".join(map(str, spec.players))
    tags = ", ".join(spec.entry.tags)
    aliases = f" Also called {', '.join(spec.entry.aliases)}." if spec.entry.aliases else ""
    parts = [
        f"# {spec.title}",
        f"{_sentence(spec.summary)} Players: {players}. Tags: {tags}.{aliases}",
        _stage(name, spec.title, playable),
        "## Rules",
        _rules(name),
        "## Source",
        _source(name),
        "## Run it",
        "```sh\n" + "\n".join(_commands(name, spec)) + "\n```",
        "## Spec",
        *([_edit(name)] if editable and is_open else []),
        f"```rulesengine\n{_text(name).rstrip()}\n```",
    ]
    return "\n\n".join(parts) + "\n"


@cache
def obstacle(name: str) -> str | None:
    """Return the reason for which a bundled game cannot be exported, None if it can."""
    if name not in open_names():
        return "players do not see the same, and one page for all of them cannot hide anything"
    try:
        check_numbers(load(name, engine="interpreter"))
    except LimitError as error:
        return f"a page numbers the steps of a game, and {error}"
    return None


def _stage(name: str, title: str, playable: bool) -> str:
    """Return the picture, with a button that replaces it by the game, or the reason without one."""
    picture = f'<img src="../gallery/{name}.svg" alt="A position of {_html(title)}">'
    reason = obstacle(name)
    if reason is not None:
        text = f"{_sentence(reason)} Play it at a terminal: <code>rulesengine play {name}</code>."
        return (
            f'<div class="stage">{picture}'
            f'<p class="obstacle">The game cannot be played in this page. {text}</p></div>'
        )
    if not playable:
        return f'<div class="stage">{picture}</div>'
    return (
        f'<div class="stage" data-game="play/{name}.html">{picture}'
        f'<a class="start" href="play/{name}.html">Play against the computer</a></div>'
    )


def _edit(name: str) -> str:
    return f'<p><a href="{_PLAYGROUND}#edit/{name}">Edit this spec in the playground</a></p>'


def _rules(name: str) -> str:
    """Return the rules in English, without the picture, as Markdown below a heading."""
    parts = []
    for section in sections(load(name)):
        parts.append(f"### {section.heading}")
        for part in section.parts:
            items = [part] if isinstance(part, str) else [f"- {item}" for item in part]
            parts.append("\n".join(map(_markdown, items)))
    return "\n\n".join(parts)


def _source(name: str) -> str:
    """Return the source of the rules and the documents that they were compared with."""
    rows = {match[1]: match for match in _ROW.finditer(_SOURCES.read_text(encoding="utf-8"))}
    row = rows[name]
    return (
        f"{_sentence(row[2])} Compared with: {row[3]}."
        " [Sources of the bundled games](../sources.md) lists every difference."
    )


def _commands(name: str, spec: BundledSpec) -> list[str]:
    several = "contest" in spec.entry.tags
    return [
        f"rulesengine play {name}",
        f"rulesengine rules {name}",
        f"rulesengine test {name}",
        *([f"rulesengine run {name} <input.txt"] if several else []),
    ]


def _text(name: str) -> str:
    return bundled_path(name).read_text(encoding="utf-8")


def export_cache(folder: Path) -> Path:
    """Return the folder of exports by the present package and games; remove those by others."""
    digest = sha256()
    for part in (ROOT / "rulesengine", ROOT / "games"):
        for path in sorted(part.rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".pyo"):
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    current = folder / digest.hexdigest()
    current.mkdir(parents=True, exist_ok=True)
    for other in folder.iterdir():
        if other != current:
            shutil.rmtree(other)
    return current


def write_game(name: str, folder: Path, cache: Path) -> int:
    """Write the exported game as one HTML file and return its size in bytes."""
    cached = cache / f"{name}.html"
    if not cached.is_file():
        source = open_source(name, ())
        text = exported(load(name), spec=name, credit=inspect.credit(source))
        with NamedTemporaryFile("w", encoding="utf-8", dir=cache, delete=False) as written:
            written.write(text)
        Path(written.name).replace(cached)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(cached, folder / cached.name)
    return cached.stat().st_size


def bundled() -> tuple[BundledSpec, ...]:
    """Return the bundled specs in the order of `rulesengine list`."""
    return bundled_specs()


def _sentence(text: str) -> str:
    shown = text[:1].upper() + text[1:]
    return shown if shown.endswith((".", "?", "!")) else f"{shown}."


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _markdown(text: str) -> str:
    """Return a line with the characters escaped that Markdown would interpret."""
    if text.startswith("- "):
        return "- " + _markdown(text[2:])
    return re.sub(r"([\\`*_\[\]<>#|{}~])", r"\\\1", text)
