"""Play with a friend in real browsers: seats, spectators, consent, reconnection, clocks."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Browser, Page, expect

from tests.helpers.accessible import violations
from tests.helpers.browser import CHROMIUM, browser, cell, link, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

Arrive = Callable[[], Page]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture
def arrive(chromium: Browser, address: str) -> Iterator[Arrive]:
    """Yield a function that opens a page on a device of its own.

    No error may occur on any, except for a connection that a test has cut.
    """
    with ExitStack() as devices:
        visitors = []

        def another() -> Page:
            visitors.append(devices.enter_context(visitor(chromium, address)))
            return visitors[-1].page

        yield another
        wrong = [message for one in visitors for message in one.wrong]
        assert [message for message in wrong if "ERR_INTERNET_DISCONNECTED" not in message] == []


def button(shown: Page, name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def invited(arrive: Arrive, fragment: str, side: str = "") -> tuple[Page, Page]:
    """Return the pages of the creator of a room, and of a friend with its address."""
    creator, friend = arrive(), arrive()
    creator.goto(f"/#{fragment}")
    if side:
        creator.get_by_label("as", exact=True).select_option(side)
    button(creator, "Play a friend")
    creator.wait_for_url(re.compile("#room/"))
    expect(creator.get_by_label("Link to the room")).to_have_value(creator.url)
    friend.goto(creator.url)
    expect(friend.locator(".room")).to_contain_text("you")
    return creator, friend


def test_two_devices_play_and_a_third_watches(arrive: Arrive) -> None:
    cross, nought = invited(arrive, "play/tic-tac-toe")
    spectator = arrive()
    spectator.goto(cross.url)
    expect(spectator.locator(".room")).to_contain_text("you watch")
    expect(cross.locator(".room")).to_contain_text("nought: here · 1 more watches")
    expect(nought.locator(".status")).to_have_text("cross to move")
    for shown, name in zip((cross, nought) * 3, "a1 b1 a2 b2 a3".split(), strict=False):
        shown.click(cell(name))
        for other in (cross, nought, spectator):
            expect(other.locator(".moves .move").last).to_have_text(name)
    expect(cross.locator(".status")).to_have_text("cross (you) wins: a line")
    assert violations(cross) == []
    expect(nought.locator(".status")).to_have_text("cross wins: a line")
    spectator.click(cell("c3"))
    expect(spectator.locator(".moves .move")).to_have_count(5)


def test_undo_and_draw_need_consent_and_a_rematch_exchanges_sides(arrive: Arrive) -> None:
    cross, nought = invited(arrive, "play/tic-tac-toe")
    cross.click(cell("a1"))
    expect(nought.locator(".moves .move")).to_have_count(1)
    button(cross, "Undo")
    button(nought, "Accept")
    expect(cross.locator(".moves .move")).to_have_count(0)
    cross.click(cell("b2"))
    button(nought, "Offer a draw")
    button(cross, "Decline")
    expect(nought.locator(".room")).not_to_contain_text("draw")
    button(nought, "Resign")
    button(nought, "Resign as nought?")
    expect(cross.locator(".status")).to_have_text("cross (you) wins: nought resigns")
    button(cross, "Rematch")
    button(nought, "Accept")
    expect(nought.locator(".status")).to_have_text("cross (you) to move")
    nought.click(cell("c3"))
    expect(cross.locator(".moves .move")).to_have_text(["c3"])


def test_seat_survives_a_reload_and_a_lost_connection(arrive: Arrive) -> None:
    white, black = invited(arrive, "play/chess", "white")
    white.reload()
    expect(white.locator(".status")).to_have_text("white (you) to move")
    black.context.set_offline(True)
    white.click(cell("e2"))
    white.click(cell("e4"))
    black.context.set_offline(False)
    expect(black.locator(".moves .move")).to_have_text(["e2e4"])
    expect(black.locator(".status")).to_have_text("black (you) to move")


def test_clock_of_the_server_runs_on_both_devices(arrive: Arrive) -> None:
    record = {"spec": {"name": "tic-tac-toe"}, "parameters": {}, "moves": []}
    cross, nought = invited(arrive, f"play/{link({**record, 'setup': {'clock': '1+0'}})}")
    cross.click(cell("a1"))
    for shown in (cross, nought):
        expect(shown.locator(".clock").first).to_have_text("1:00")
        expect(shown.locator(".clock").nth(1)).to_have_text(re.compile("0:5"))


def test_closed_room_is_reported(arrive: Arrive) -> None:
    shown = arrive()
    shown.goto("/#room/nowhere")
    expect(shown.locator(".lost")).to_contain_text("this room is closed")
