"""The whole site, built once with all games: links, sizes, and ten of its pages in a browser."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx", reason="needs the extra docs")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

from playwright.sync_api import Browser, Page, expect

from rulesengine.support.resources import bundled_names, open_names
from tests.helpers.accessible import PHONE, exceeds, violations
from tests.helpers.browser import CHROMIUM, Visitor, browser, visitor
from tests.helpers.modules import ROOT
from tests.helpers.static_server import hosted
from website.playground.build import PYODIDE

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]
TOTAL = 20_000_000  # bytes of all exported games
PAGE = 400_000  # bytes of a game's page before the game is started
FIRST = 3  # results of a search, of which one answers
TEN = (
    "index",
    "tutorial",
    "recipes",
    "cheat-sheet",
    "words",
    "api",
    "glossary",
    "evidence",
    "games/index",
    "games/othello",
)


@dataclass
class Document:
    """The links of a page, its anchors, and the files that it loads."""

    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    loaded: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.document = Document()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.document.anchors |= {given[name] for name in ("id", "name") if name in given}
        address = given.get("href") or given.get("src") or ""
        if address:
            self.document.links.append(address)
        is_sheet = tag == "link" and given.get("rel") == "stylesheet"
        if is_sheet or tag in ("script", "img"):
            self.document.loaded.append(address)


def read(path: Path) -> Document:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.document


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the built site; it takes minutes."""
    folder = tmp_path_factory.mktemp("site") / "site"
    words = ["--games", *(["--playground"] if PYODIDE.is_dir() else [])]
    done = subprocess.run(
        [sys.executable, "-m", "website", str(folder), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Document]:
    """Return all pages but those of the games to play, which have no links."""
    found = (path for path in site.rglob("*.html") if path.parent.name != "play")
    return {path: read(path) for path in found}


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[str]:
    with hosted(site) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture
def someone(chromium: Browser, host: str) -> Iterator[Visitor]:
    """Yield a visitor; no error and no request to elsewhere may occur."""
    with visitor(chromium, host) as found:
        yield found
        assert found.wrong == []


def test_every_link_inside_the_site_leads_to_a_page_and_a_heading(
    site: Path, pages: dict[Path, Document]
) -> None:
    wrong = [
        (path.relative_to(site).as_posix(), link)
        for path, document in pages.items()
        for link in document.links
        if not leads_somewhere(site, pages, path, link)
    ]
    assert wrong == []


def leads_somewhere(site: Path, pages: dict[Path, Document], path: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return False
    if not parts.fragment or "playground" in target.parts or target not in pages:
        return True
    return unquote(parts.fragment) in pages[target].anchors


def test_the_games_are_all_there_and_small(site: Path) -> None:
    games = sorted((site / "games" / "play").glob("*.html"))
    assert sorted(path.stem for path in games) == sorted(set(open_names()) - {"hive"})
    assert sum(path.stat().st_size for path in games) < TOTAL


def test_the_page_of_a_game_is_small_before_the_game_is_started(
    site: Path, pages: dict[Path, Document]
) -> None:
    large = []
    for name in bundled_names():
        path = site / "games" / f"{name}.html"
        files = {(path.parent / urlsplit(file).path) for file in pages[path].loaded if file}
        size = sum(file.stat().st_size for file in {path, *files})
        if size >= PAGE:
            large.append((name, size))
    assert large == []


@pytest.mark.parametrize("page", TEN)
def test_a_page_is_accessible_and_fits_a_phone(someone: Visitor, page: str) -> None:
    shown = someone.page
    shown.goto(f"/{page}.html")
    assert violations(shown) == []
    shown.set_viewport_size(PHONE)
    assert exceeds(shown) == 0


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "kalah"])
def test_a_game_is_played_to_its_end_in_its_page(someone: Visitor, name: str) -> None:
    shown = someone.page
    shown.goto(f"/games/{name}.html")
    shown.get_by_role("link", name="Play against the computer").click()
    game = shown.frame_locator(".stage iframe")
    seats = game.locator(".seats select")
    expect(seats).to_have_count(2)
    for at in range(2):
        seats.nth(at).select_option("search:level=1")
    expect(game.locator(".status")).to_have_text(re.compile("wins|draw"))


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("gravity", "recipes.html"),
        ("judge a program", "judge.html"),
        ("PettingZoo", "bridges.html"),
        ("forbid", "words.html"),
        ("report a wrong rule", "contributing.html"),
        ("how to say gravity", "recipes.html"),
        ("what forbid means", "words.html"),
        ("how to use PettingZoo", "bridges.html"),
    ],
)
def test_the_search_finds_the_page_that_answers(someone: Visitor, words: str, page: str) -> None:
    shown: Page = someone.page
    shown.goto("/index.html")
    shown.get_by_placeholder("Search").first.fill(words)
    shown.keyboard.press("Enter")
    expect(shown.locator(".search-summary")).to_contain_text("found")
    results = shown.locator("#search-results li > a").all()[:FIRST]
    addresses = [one.get_attribute("href") or "" for one in results]
    assert any(address.startswith(page) for address in addresses), addresses


def test_pages_about_the_package_follow_those_for_its_users(someone: Visitor) -> None:
    shown: Page = someone.page
    shown.goto("/search.html?q=PettingZoo")
    expect(shown.locator(".search-summary")).to_contain_text("found")
    results = shown.locator("#search-results li > a").all()
    pages = [(one.get_attribute("href") or "").partition("#")[0] for one in results]
    assert pages[0] == "bridges.html"
    assert pages.index("benchmarks.html") > pages.index("api/bridges.html")


def test_the_cheat_sheet_prints_on_two_pages(someone: Visitor) -> None:
    someone.page.goto("/cheat-sheet.html")
    printed = someone.page.pdf(prefer_css_page_size=True)
    assert re.findall(rb"/Count (\d+)", printed) == [b"2"]
