"""The page without a server in a real browser: the editor, the board, searches and links."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Browser, Page, expect

from rulesengine.tools.bundled import bundled_specs
from tests.helpers.accessible import PHONE, exceeds, violations
from tests.helpers.browser import CHROMIUM, browser, cell, link, moves, visitor
from tests.helpers.served import ENDLESS, ROW
from tests.helpers.static_server import hosted
from website.playground.build import PYODIDE, write_playground

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
    pytest.mark.skipif(not PYODIDE.is_dir(), reason="needs pyodide: `npm ci` in the folder web"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a playground with two games, among other pages of a site."""
    site = tmp_path_factory.mktemp("site")
    names = ("othello", "tic-tac-toe")
    write_playground(site / "playground", [one for one in bundled_specs() if one.name in names])
    (site / "gallery").mkdir()
    for name in names:
        picture = Path(__file__).parents[2] / "docs" / "gallery" / f"{name}.svg"
        (site / "gallery" / picture.name).write_bytes(picture.read_bytes())
    with hosted(site) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture
def shown(chromium: Browser, address: str) -> Iterator[Page]:
    """Yield a page; no error and no request to elsewhere may occur."""
    with visitor(chromium, address) as found:
        yield found.page
        assert found.wrong == []


def opened(shown: Page, fragment: str) -> Page:
    shown.goto(f"/playground/index.html#{fragment}")
    return shown


def typed(text: str) -> str:
    return link({"spec": {"text": text}, "parameters": {}, "moves": []})


def test_nothing_of_the_engine_loads_before_a_game_is_edited(shown: Page) -> None:
    requested: list[str] = []
    shown.on("request", lambda request: requested.append(request.url))
    opened(shown, "")
    expect(shown.locator(".games .card")).to_have_count(2)
    assert not [url for url in requested if "pyodide" in url or "python" in url]
    assert violations(shown) == []
    shown.get_by_role("link", name="Othello").click()
    expect(shown.locator("[data-cell]")).to_have_count(64)
    expect(shown.locator(".cm-content")).to_contain_text("name: Othello")
    assert [url for url in requested if url.endswith("pyodide.asm.wasm")]


def test_a_spec_is_checked_corrected_played_and_tested(shown: Page) -> None:
    opened(shown, f"edit/{typed(ROW.replace('to: empty', 'to: emty'))}")
    finding = shown.locator(".finding")
    expect(finding).to_contain_text("unknown name `emty`")
    finding.get_by_role("button", name="Fix").click()
    expect(shown.locator(".findings .head")).to_have_text("No findings")
    expect(shown.locator("[data-cell]")).to_have_count(9)
    shown.get_by_role("button", name="Run the tests").click()
    expect(shown.locator(".answer")).to_contain_text("1 passed, 0 failed")
    shown.locator(".tools").get_by_role("button", name="Rules in English").click()
    expect(shown.locator(".answer")).to_contain_text("three in a row")
    assert violations(shown) == []
    shown.set_viewport_size(PHONE)
    assert exceeds(shown) == 0


def test_a_shared_link_is_played_against_the_computer(shown: Page) -> None:
    opened(shown, f"play/{typed(ROW)}")
    expect(shown.get_by_role("button", name="Two people here")).to_be_visible()
    expect(shown.get_by_role("button", name="Play a friend")).to_have_count(0)
    shown.get_by_role("button", name="Play against the computer").click()
    shown.click(cell("b2"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    shown.reload()
    expect(shown.locator(".moves .move")).to_have_count(2)
    assert moves(shown)[0] == "b2"


def test_the_board_answers_while_a_search_runs(shown: Page) -> None:
    opened(shown, "analyse/othello")
    expect(shown.locator(".move-values tr")).to_have_count(4)
    shown.get_by_label("Search for").select_option("10")
    for count, name in enumerate(("d3", "c3"), 1):
        shown.click(cell(name))
        expect(shown.locator(".moves .move")).to_have_count(count)
    progress = shown.get_by_label("Progress of the search")
    assert progress.get_attribute("value") != "1"


def test_rules_without_end_do_not_stop_the_page(shown: Page) -> None:
    opened(shown, f"edit/{typed(ENDLESS)}")
    expect(shown.locator(".lost")).to_contain_text("exceeds its time limit")
    shown.get_by_role("link", name="See all games").click()
    shown.get_by_role("link", name="Othello").click()
    expect(shown.locator("[data-cell]")).to_have_count(64)


def test_a_room_says_that_it_needs_a_server(shown: Page) -> None:
    opened(shown, "room/abc")
    expect(shown.locator(".lost")).to_contain_text("needs the server of `rulesengine serve`")
