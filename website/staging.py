"""The staged sources of the site: the repository's pages and the generated ones."""

import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from filecmp import cmp
from functools import partial
from pathlib import Path

from rulesengine.support.resources import open_names
from website.api_pages import api_pages
from website.game_pages import (
    bundled,
    export_cache,
    game_page,
    index_page,
    obstacle,
    write_game,
)
from website.home import home_page
from website.links import relink
from website.playground.build import write_playground
from website.reference import messages_page, options_page, words_page
from website.sections import FOLDERS, ROOT, SECTIONS, SiteSection, sources

# Files that an earlier build wrote, listed in the folder of the site.
_WRITTEN = ".site-files"
_OF_SPHINX = ("genindex.html", "search.html")


@dataclass(frozen=True, slots=True)
class SiteGames:
    """The games of the site: `only` names those with a page, by default all of them.

    `are_playable` also exports each game, in as many processes as `workers`; `are_editable` adds
    the playground. `exports` is a folder that caches the exported games for the next build.
    """

    are_playable: bool
    are_editable: bool
    only: list[str] | None
    workers: int
    exports: Path


def stage(folder: Path, games: SiteGames) -> None:
    """Write all sources of the site into a folder.

    Raises ValueError for a dead link, UsageError for a game that cannot be exported, and
    FileNotFoundError for a playground without Pyodide.
    """
    pages = sources()
    for source, page in pages.items():
        if source in ("README.md", "docs/gallery.md"):
            continue
        text = (ROOT / source).read_text(encoding="utf-8")
        _write(folder, page, relink(text, source, page, pages, ROOT))
    for section in SECTIONS:
        _write(folder, section.path, _section_page(section))
    _write(folder, "words", words_page())
    _write(folder, "messages", messages_page())
    _write(folder, "options", options_page())
    for page, content in api_pages().items():
        _write(folder, page, content)
    _write(folder, "index", home_page(pages))
    shutil.copytree(ROOT / "docs" / "gallery", folder / "gallery", dirs_exist_ok=True)
    shutil.copytree(ROOT / "website" / "static", folder / "static", dirs_exist_ok=True)
    _stage_games(folder, games)


def synchronise(source: Path, target: Path) -> None:
    """Make a folder equal to another one; equal files keep their times."""
    names = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    if target.is_dir():
        for path in [path for path in target.rglob("*") if path.is_file()]:
            if path.relative_to(target) not in names:
                path.unlink()
    for name in names:
        written = target / name
        if written.is_file() and cmp(source / name, written, shallow=False):
            continue
        written.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, written)


def remove_stale(pages: Path, site: Path) -> None:
    """Delete files of a site that an earlier build wrote and the present one did not."""
    written = {path.relative_to(pages / "extra") for path in (pages / "extra").rglob("*")}
    written |= {path.relative_to(pages).with_suffix(".html") for path in pages.rglob("*.md")}
    names = sorted({path.as_posix() for path in written} | set(_OF_SPHINX))
    names = [name for name in names if (site / name).is_file()]
    listed = site / _WRITTEN
    earlier = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    for name in set(earlier) - set(names):
        (site / name).unlink(missing_ok=True)
    listed.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def navigation(pages: Path) -> str:
    """Return the paths and titles of all pages, which every page repeats in its sidebar."""
    lines = []
    for path in sorted(pages.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        title = next((line for line in text.splitlines() if line.startswith("# ")), "")
        lines.append(f"{path.relative_to(pages).as_posix()} {title}\n")
    return "".join(lines)


def _stage_games(folder: Path, games: SiteGames) -> None:
    """Write the pages of the games, and the games to play as extra files of the site."""
    specs = [spec for spec in bundled() if games.only is None or spec.name in games.only]
    _write(folder, "games/index", index_page(specs, games.are_editable))
    shown = [spec for spec in specs if spec.name in open_names()]
    for spec in specs:
        page = game_page(spec, games.are_playable, games.are_editable)
        _write(folder, f"games/{spec.name}", page)
    extra = folder / "extra"
    shutil.copytree(ROOT / "docs" / "gallery", extra / "gallery", dirs_exist_ok=True)
    shutil.copyfile(ROOT / "docs" / "cheat-sheet.md", extra / "llms.txt")
    if games.are_editable:
        write_playground(extra / "playground", shown)
    if games.are_playable:
        with ProcessPoolExecutor(games.workers) as pool:
            cache = export_cache(games.exports)
            write = partial(write_game, folder=extra / "games" / "play", cache=cache)
            list(pool.map(write, [spec.name for spec in shown if obstacle(spec.name) is None]))


def _section_page(section: SiteSection) -> str:
    """Return the index of a section; a folder's pages follow its own index."""
    names = [page.path for page in section.pages]
    for folder in FOLDERS:
        inside = folder.removeprefix("docs/")
        if f"{inside}/README" in names:
            names += sorted(
                f"{inside}/{path.stem}"
                for path in (ROOT / folder).glob("*.md")
                if path.stem != "README"
            )
    lines = ["```{toctree}", ":maxdepth: 1", "", *names, "```"]
    return f"# {section.title}\n\n{section.introduction}\n\n" + "\n".join(lines) + "\n"


def _write(folder: Path, page: str, text: str) -> None:
    path = folder / f"{page}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
