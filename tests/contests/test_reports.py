"""HTML reports of tournaments, studies and judges: boards, players in words, phones, print."""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import rulesengine
from rulesengine.play import describe_player
from tests.helpers.cli_calls import call

VOID = frozenset({"meta", "rect", "circle", "path", "line"})
PROGRAM = "print('nothing')\n"


class Elements(HTMLParser):
    """A parsed page: its elements with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str) -> int:
        return sum(found == tag for found, _ in self.found)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the report of each command."""
    folder = tmp_path_factory.mktemp("reports")
    program = folder / "program.py"
    program.write_text(PROGRAM)
    found = {name: folder / f"{name}.html" for name in ("tournament", "study", "judge", "games")}
    players = ["--player", "a=search:nodes=30", "--player", "random", "--player", "b=random"]
    common = ["--games", "2"]
    store = ["--out", str(folder / "t.db"), "--report", str(found["tournament"])]
    assert call("tournament", "tic-tac-toe", *players, *common, *store).code == 0
    store = ["--out", str(folder / "s.db"), "--report", str(found["study"])]
    counts = ["--samples", "4", "--player", "a=random", "--player", "b=search:nodes=9"]
    assert call("study", "tic-tac-toe", "--with", "misere", *counts, *common, *store).code == 0
    given = ["--cmd", f"{sys.executable} {program}", "--generate", "2"]
    assert call("judge", "acm92-othello", *given, "--report", str(found["judge"])).code == 1
    given = ["--cmd", f"{sys.executable} {program}", "--against", "random", "--games", "1"]
    assert call("judge", "tic-tac-toe", *given, "--report", str(found["games"])).code in (0, 1)
    return found


REPORTS = ("tournament", "study", "judge", "games")


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_one_page_for_phones_dark_themes_and_print(
    name: str, pages: dict[str, Path]
) -> None:
    page = pages[name].read_text()
    elements = Elements(page)
    (viewport,) = [
        attributes["content"]
        for tag, attributes in elements.found
        if tag == "meta" and attributes.get("name") == "viewport"
    ]
    assert viewport == "width=device-width, initial-scale=1"
    assert "color-scheme: light dark" in page
    assert "@media print" in page
    assert not {"src", "http-equiv"} & {
        key for _, attributes in elements.found for key in attributes
    }
    links = [a["href"] or "" for tag, a in elements.found if tag == "a"]
    assert all(link.startswith(("#", "data:text/plain")) for link in links)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_shows_a_board_and_says_what_each_player_is(
    name: str, pages: dict[str, Path]
) -> None:
    elements = Elements(pages[name].read_text())
    assert elements.count("figure") >= 1
    assert "a position of the game" in elements.text
    descriptions = {
        "tournament": "search:nodes=30: search by the method of the game (alpha-beta), nodes 30",
        "study": "search:nodes=9: search by the method of the game (alpha-beta), nodes 9",
        "judge": "program.py",
        "games": "a random legal move, all equally probable",
    }
    assert descriptions[name] in elements.text


def test_a_tournament_shows_the_end_of_a_game_of_each_pairing(pages: dict[str, Path]) -> None:
    elements = Elements(pages["tournament"].read_text())
    assert elements.count("figure") == 1 + 3
    assert elements.text.count("end of game 0") == 3


def test_a_judge_shows_the_first_difference_of_a_program(pages: dict[str, Path]) -> None:
    text = Elements(pages["judge"].read_text()).text
    assert "0 of 2" in text
    assert "First case that is not right: generated-1: wrong" in text
    assert "nothing" in text


@pytest.mark.parametrize(
    ("player", "meaning"),
    [
        ("random", "a random legal move, all equally probable"),
        ("mcts:playouts=40", "Monte Carlo tree search by the method of the game, playouts 40"),
        ("search:level=3", "search by the method of the game (alpha-beta), level 3"),
        ("gtp:gnugo --mode gtp", "a program that speaks GTP"),
        ("greedy", "the strategy `greedy` of the spec"),
    ],
)
def test_a_player_is_described_in_words(player: str, meaning: str) -> None:
    assert describe_player(rulesengine.load("aps105-reversi"), player) == meaning


# in a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from tests.helpers.browser import CHROMIUM, browser

    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with browser() as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_fits_a_phone_and_axe_finds_nothing(
    name: str, pages: dict[str, Path], chromium: object
) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from playwright.sync_api import Browser

    from tests.helpers.accessible import PHONE, exceeds, violations

    assert isinstance(chromium, Browser)
    context = chromium.new_context(viewport=PHONE)
    shown = context.new_page()
    shown.goto(pages[name].as_uri())
    assert exceeds(shown) <= 0
    assert violations(shown) == []
    context.close()
