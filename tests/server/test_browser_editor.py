"""The editor in a real browser: findings and fixes while typing, and a board that updates."""

import re
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Page, Route, expect

from tests.helpers.browser import CHROMIUM, Visitor, browser, cell, link, unlinked, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

SPEC = """\
spec: 1
name: NAME
board: {rows: 2, columns: 3, origin: bottom-left}
players: [black, white]
pieces:
  disc: {black: x, white: o}
  empty: "."
rules:
  moves:
    place: disc
    to: empty
  end:
    - when: none(empty)
      result: draw
      reason: the board is full
tests:
  - name: six cells
    perft: [6, 30]
"""
MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def someone(address: str) -> Iterator[Visitor]:
    with browser() as chromium, visitor(chromium, address) as found:
        yield found


@pytest.fixture
def edit(someone: Visitor) -> Iterator[Callable[[str], Page]]:
    """Yield a function that opens a spec in the editor and waits for its first check; no error may
    occur.
    """

    def show(spec: str) -> Page:
        shown = someone.open(
            f"edit/{link({'spec': {'text': spec}, 'parameters': {}, 'moves': []})}"
        )
        expect(shown.locator(".findings .head")).to_be_visible()
        return shown

    someone.wrong.clear()
    yield show
    assert someone.wrong == []


def replace(shown: Page, old: str, new: str) -> None:
    """Type another text in place of the rest of a line, with keys that the editor handles."""
    shown.locator(".cm-line", has_text=old).first.click()
    shown.keyboard.press("End")
    shown.keyboard.press("Shift+Home")
    shown.keyboard.press("Delete")
    shown.keyboard.type(new)


def test_a_mistake_is_found_as_it_is_typed_and_corrected_by_its_fix(
    edit: Callable[[str], Page],
) -> None:
    shown = edit(SPEC)
    expect(shown.locator(".findings .head")).to_have_text("No findings")
    replace(shown, "to: empty", "to: emty")
    finding = shown.locator(".finding")
    expect(finding).to_contain_text(["emty"])  # once the line is typed
    expect(finding.locator("pre")).to_contain_text("^^^^")
    expect(shown.locator(".cm-lintRange-error")).to_have_text("emty")
    for name in ("Play", "Edit"):  # unfinished text is still there
        shown.get_by_role("link", name=name, exact=True).click()
    expect(shown.locator(".cm-content")).to_contain_text("to: emty")
    finding.get_by_role("button", name="Fix").click()
    expect(shown.locator(".findings .head")).to_have_text("No findings")
    expect(shown.locator(".cm-content")).to_contain_text("to: empty")


def test_the_board_follows_the_text_and_its_tests_run(edit: Callable[[str], Page]) -> None:
    shown = edit(SPEC)
    expect(shown.locator("[data-cell]")).to_have_count(6)
    replace(shown, "rows: 2", "board: {rows: 3, columns: 3, origin: bottom-left}")
    expect(shown.locator("[data-cell]")).to_have_count(9)
    shown.get_by_role("button", name="Run the tests").click()
    answer = shown.locator(".answer")
    expect(answer).to_contain_text("0 passed, 1 failed")
    expect(answer).to_contain_text("six cells")
    shown.locator(".tools").get_by_role("button", name="Rules in English").click()
    expect(answer).to_contain_text("3")


@pytest.mark.deep
def test_words_are_completed_and_explained(edit: Callable[[str], Page]) -> None:
    shown = edit(SPEC)
    replace(shown, "place: disc", "pla")
    shown.keyboard.press("Control+Space")
    expect(shown.locator(".cm-tooltip-autocomplete")).to_contain_text("place")
    shown.keyboard.press("Escape")
    shown.locator(".cm-line", has_text="when").get_by_text("none").first.hover()
    expect(shown.locator(".cm-tooltip-hover")).to_contain_text("none")


def test_no_text_of_a_spec_becomes_markup(edit: Callable[[str], Page]) -> None:
    shown = edit(SPEC.replace("NAME", repr(MARKUP)))
    expect(shown.locator("h1")).to_have_text(MARKUP)
    shown.locator(".tools").get_by_role("button", name="Rules in English").click()
    expect(shown.locator(".answer .rules")).to_be_visible()
    assert shown.locator("main img, main script, main a[href^=javascript]").count() == 0


@pytest.mark.parametrize(
    "name", ["blank", "gravity", "capture", "connection", "movement", "mancala"]
)
def test_a_starting_point_is_a_game_without_findings(
    edit: Callable[[str], Page], name: str
) -> None:
    shown = edit(SPEC)
    shown.get_by_label("Start from").select_option(name)
    expect(shown.locator("h1")).not_to_have_text("NAME")
    expect(shown.locator(".findings .head")).to_have_text("No findings")
    button = shown.get_by_role("button", name="Run the tests")
    button.click()
    expect(shown.locator(".answer .good")).to_contain_text(", 0 failed")


def test_start_position_is_drawn_by_clicks_and_by_keys(edit: Callable[[str], Page]) -> None:
    shown = edit(SPEC)
    shown.get_by_role("button", name="Set up the start").click()
    shown.click(cell("a1"))
    shown.get_by_label("Piece to place").select_option("o")
    expect(shown.locator(cell("a1"))).to_have_attribute("aria-label", re.compile("black disc"))
    shown.locator(cell("c2")).focus()
    shown.keyboard.press("Enter")
    expect(shown.locator(cell("c2"))).to_have_attribute("aria-label", re.compile("white disc"))
    shown.get_by_label("Piece to place").select_option(".")
    shown.click(cell("a1"))
    lines = [line.strip() for line in shown.locator(".cm-line").all_inner_texts()]
    at = lines.index("start: |")
    assert lines[at + 1 : at + 4] == ["..o", "...", "rules:"]
    shown.get_by_role("button", name="Set up the start").click()
    shown.click(cell("b1"))
    expect(shown.locator(".moves .move")).to_have_text(["b1"])


@pytest.mark.parametrize(
    ("old", "new", "moves"),
    [("name: NAME", "name: OTHER", ["b1", "a1"]), ("to: empty", "to: empty and corners", ["a1"])],
)
def test_legal_move_is_played_while_a_changed_spec_is_loaded(
    edit: Callable[[str], Page], old: str, new: str, moves: list[str]
) -> None:
    shown, held, requests = edit(SPEC), list[Route](), "**/api/position"
    shown.route(requests, lambda route: held.append(route))
    with shown.expect_request(requests):
        replace(shown, old, new)
    shown.click(cell("b1"))
    shown.route(requests, lambda route: route.continue_())  # takes the later requests
    for route in held:
        route.continue_()
    if "b1" not in moves:
        expect(shown.locator(cell("b1"))).not_to_have_class(re.compile("legal"))
    else:
        expect(shown.locator(".moves .move")).to_have_text(["b1"])
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move")).to_have_text(moves)


def test_fix_is_applied_by_keys(edit: Callable[[str], Page]) -> None:
    shown = edit(SPEC)
    replace(shown, "to: empty", "to: emty")
    expect(shown.locator(".finding")).to_contain_text(["emty"])
    shown.keyboard.press("Control+.")
    expect(shown.locator(".findings .head")).to_have_text("No findings")
    expect(shown.locator(".cm-content")).to_contain_text("to: empty")


def test_spec_is_shared_as_a_link_before_it_is_finished(edit: Callable[[str], Page]) -> None:
    shown = edit(SPEC)
    shown.context.grant_permissions(["clipboard-read", "clipboard-write"])
    replace(shown, "to: empty", "to: emty")
    expect(shown.locator(".finding")).to_contain_text(["emty"])
    shown.get_by_role("button", name="Share").click()
    expect(shown.locator("#notices")).to_contain_text("on the clipboard")
    address = shown.evaluate("navigator.clipboard.readText()")
    record = unlinked(address.partition("#edit/")[2])
    assert isinstance(record, dict)
    assert "to: emty" in record["spec"]["text"]
