"""Games and positions of other programs on the page: opened, dropped, pasted, copied, saved."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Browser, Page, Route, expect

from tests.helpers.browser import CHROMIUM, Visitor, browser, moves, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

Open = Callable[[str], Page]
PGN = '[White "Zoë"]\n[Result "1-0"]\n\n1. e4 {good} e5 2. Bc4 Nc6 3. Qh5 Nf6 1-0\n'
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  document.body.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
DROP = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], "game.pgn"));
  document.body.dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def someone(chromium: Browser, address: str) -> Iterator[Visitor]:
    with visitor(chromium, address) as found:
        yield found


@pytest.fixture
def opened(someone: Visitor) -> Iterator[Open]:
    someone.wrong.clear()
    yield someone.open
    assert someone.wrong == []


def saved(shown: Page, format: str, folder: Path) -> tuple[str, str]:
    """Return the name and the text of the file in a format."""
    shown.get_by_label("Format of the game").select_option(format)
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Download record").click()
    download.value.save_as(folder / "saved")
    return download.value.suggested_filename, (folder / "saved").read_text()


def test_pgn_in_latin_1_is_opened_copied_and_saved_again(opened: Open, tmp_path: Path) -> None:
    shown = opened("play/chess")
    file = tmp_path / "game.pgn"
    file.write_bytes(PGN.encode("latin-1"))
    with shown.expect_file_chooser() as chooser:
        shown.get_by_role("button", name="Load record", exact=True).click()
    chooser.value.set_files(file)
    expect(shown.locator(".moves .move")).to_have_count(6)
    expect(shown.locator(".status")).to_contain_text("white")
    name, text = saved(shown, "pgn", tmp_path)
    assert name == "game.pgn"
    assert "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 1-0" in text
    shown.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.get_by_role("button", name="Copy record").click()
    expect(shown.locator("#notices")).to_contain_text("on the clipboard")
    assert shown.evaluate("navigator.clipboard.readText()") == text
    name, text = saved(shown, "fen", tmp_path)
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\n"
    assert (name, text) == ("game.fen", fen)


def test_positions_and_games_are_pasted_and_dropped(opened: Open) -> None:
    shown = opened("play/chess")
    expect(shown.locator("[data-cell]")).to_have_count(64)
    shown.evaluate(PASTE, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    expect(shown.get_by_role("button", name="a1, white rook")).to_be_visible()
    shown.wait_for_url(re.compile("#play/~"))
    shown.evaluate(DROP, PGN)
    expect(shown.locator(".moves .move")).to_have_count(6)
    shown.evaluate(PASTE, "e4 e5 Nf3\nd4 d5\n")
    expect(shown.locator(".moves .move")).to_have_count(3)
    assert moves(shown) == ["e2e4", "e7e5", "g1f3"]
    chooser = shown.get_by_label("Game of the file")
    chooser.select_option("2. ")
    expect(shown.locator(".moves .move")).to_have_text(["d2d4", "d7d5"])
    shown.evaluate(PASTE, PGN)
    expect(shown.locator(".moves .move")).to_have_count(6)
    expect(chooser).to_be_hidden()


def test_text_before_the_board_is_there_does_not_stop_later_ones(
    opened: Open, someone: Visitor
) -> None:
    held: list[Route] = []
    shown = someone.page
    shown.route("**/api/position", lambda route: held.append(route), times=1)
    with shown.expect_request("**/api/position"):
        opened("play/chess")
    shown.evaluate(PASTE, "1. d4 d5")
    held[0].continue_()
    expect(shown.locator("[data-cell]")).to_have_count(64)
    shown.evaluate(PASTE, "1. e4 e5")
    expect(shown.locator(".moves .move")).to_have_text(["e2e4", "e7e5"])


def test_file_of_another_board_is_shown_on_its_board(opened: Open) -> None:
    shown = opened("play/go")
    expect(shown.locator("[data-cell]")).to_have_count(81)
    shown.evaluate(PASTE, "(;GM[1]SZ[13]KM[6.5];B[dd];W[jj])")
    expect(shown.locator("[data-cell]")).to_have_count(169)
    expect(shown.locator(".moves .move")).to_have_count(2)


def test_wrong_texts_are_reported_and_texts_for_fields_are_left_alone(opened: Open) -> None:
    shown = opened("play/chess")
    expect(shown.locator("[data-cell]")).to_have_count(64)
    shown.evaluate(PASTE, "1. e4 e4")
    expect(shown.locator("#notices")).to_contain_text("game 1, ply 2, `e4`")
    expect(shown.locator(".moves .move")).to_have_count(1)
    field = "document.querySelector('select')"
    shown.evaluate(PASTE.replace("document.body", field), "1. d4 d5")
    expect(shown.locator(".moves .move")).to_have_text(["e2e4"])
