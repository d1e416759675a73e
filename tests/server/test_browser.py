"""The page in a real browser: games are found, played, taken back, shared by link and analysed."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Locator, Page, expect

from rulesengine.search.levels import LEVELS
from tests.helpers.browser import CHROMIUM, Visitor, browser, cell, link, moves, unlinked, visitor

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

Open = Callable[[str], Page]
PROMOTION = """\
........
P.......
........
........
........
........
.......k
K.......
mover: white"""

CORNER = "...\n...\nx..\nmover: nought"

TWO_CELLS = """\
spec: 1
name: Two cells
board: {rows: 1, columns: 2}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: draw, reason: the board is full}
"""


@pytest.fixture(scope="module")
def someone(address: str) -> Iterator[Visitor]:
    with browser() as chromium, visitor(chromium, address) as found:
        yield found


@pytest.fixture
def opened(someone: Visitor) -> Iterator[Open]:
    """Yield a function that opens a view of the page; no error may occur in it."""
    someone.wrong.clear()
    yield someone.open
    assert someone.wrong == []


def test_a_game_is_played_by_hand_by_keys_and_by_typing(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    shown.click(cell("a1"))
    expect(shown.locator(".status")).to_have_text("nought to move")
    shown.locator(cell("a1")).focus()
    for key in ("ArrowUp", "ArrowRight", "Enter"):
        shown.keyboard.press(key)
    expect(shown.locator(cell("b2"))).to_have_attribute("aria-label", re.compile("mark"))
    shown.get_by_label("Move", exact=True).fill("A2")
    shown.keyboard.press("Enter")
    expect(shown.locator(".moves .move")).to_have_text(["a1", "b2", "a2"])
    shown.click(cell("c1"))
    shown.click(cell("a3"))
    expect(shown.locator(".status")).to_have_text("cross wins: a line")
    expect(shown.locator("#announcements")).to_have_text("cross: a3. cross wins: a line")


def test_click_on_an_illegal_cell_shows_the_reason(opened: Open) -> None:
    shown = opened("play/othello")
    shown.click(cell("a1"))
    expect(shown.locator(".refusal")).to_contain_text("a1")
    assert moves(shown) == []


def test_a_piece_moves_by_two_cells_and_a_choice_among_moves_is_offered(opened: Open) -> None:
    record = {"spec": {"name": "chess"}, "parameters": {}, "moves": [], "start": PROMOTION}
    shown = opened(f"play/{link(record)}")
    shown.click(cell("a7"))
    shown.click(cell("a8"))
    offered = shown.locator(".choices button")
    expect(offered).to_have_count(4)
    offered.nth(0).click()
    expect(shown.locator(".status")).to_contain_text("black to move")


def test_moves_are_taken_back_and_made_again_and_another_takes_their_place(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    for name in ("a1", "a2", "a3"):
        shown.click(cell(name))
    expect(shown.locator(".moves .move")).to_have_count(3)
    shown.get_by_role("button", name="Previous move").click()
    shown.get_by_role("button", name="Previous move").click()
    expect(shown.locator(cell("a2"))).to_have_attribute("aria-label", re.compile("empty"))
    shown.get_by_role("button", name="Next move").click()
    expect(shown.locator(cell("a2"))).to_have_attribute("aria-label", re.compile("mark"))
    shown.click(cell("b2"))
    expect(shown.locator(".moves .move")).to_have_text(["a1", "a2", "b2"])


def test_the_address_keeps_the_game(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    shown.click(cell("b2"))
    shown.wait_for_url(re.compile("#play/~"))
    record = unlinked(shown.url.partition("#play/")[2])
    assert record == {"spec": {"name": "tic-tac-toe"}, "parameters": {}, "moves": ["b2"]}
    shown.reload()
    expect(shown.locator(".moves .move")).to_have_text(["b2"])


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("~AQIDBA", "This link is damaged"),
        (link({}, version=2), "later version"),
        (link({"spec": {"name": "othello"}, "parameters": {}, "moves": "d3"}), "damaged"),
        ("no-such-game", "no bundled game"),
        ("%E0%A4%A", "This link is damaged"),
    ],
)
def test_a_bad_link_is_reported_and_the_page_goes_on(
    opened: Open, named: str, message: str
) -> None:
    shown = opened(f"play/{named}")
    expect(shown.locator("#notices")).to_contain_text(message)
    expect(shown.locator(".lost")).to_contain_text(message)
    expect(shown.get_by_role("link", name="See all games")).to_be_visible()
    shown.evaluate("location.hash = 'play/tic-tac-toe'")
    expect(shown.locator("h1")).to_have_text("Tic-tac-toe")


def test_a_link_with_a_spec_that_has_mistakes_opens_the_editor(opened: Open) -> None:
    spec = {"text": TWO_CELLS.replace("to: empty", "to: emty")}
    shown = opened(f"play/{link({'spec': spec, 'parameters': {}, 'moves': []})}")
    expect(shown.locator(".lost")).to_contain_text("unknown name `emty`")
    shown.get_by_role("link", name="Fix its rules").click()
    shown.get_by_role("button", name="Fix").click()
    expect(shown.locator("[data-cell]")).to_have_count(2)
    shown.get_by_role("link", name="Play", exact=True).click()
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move")).to_have_text(["a1"])


def test_a_game_that_does_not_fit_its_rules_is_shown_as_far_as_it_does(opened: Open) -> None:
    record = {"spec": {"name": "tic-tac-toe"}, "parameters": {}, "moves": ["a1", "a1", "b2"]}
    shown = opened(f"play/{link(record)}")
    expect(shown.locator("#notices")).to_contain_text("The game stops at move 2")
    shown.click(cell("b1"))
    expect(shown.locator(".moves .move")).to_have_text(["a1", "b1"])


def test_the_computer_plays_at_full_strength(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    shown.get_by_label("nought", exact=True).select_option(label="full strength")
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move")).to_have_text(["a1", "b2"])  # any other move loses


def test_the_computer_answers_and_a_record_is_saved_and_loaded(
    opened: Open, tmp_path: Path
) -> None:
    shown = opened("play/tic-tac-toe")
    seat = shown.get_by_label("nought", exact=True)
    expect(seat.locator("option", has_text="level")).to_have_count(LEVELS)
    seat.select_option(label="computer, level 1")
    shown.click(cell("b2"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    played = moves(shown)
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Download record").click()
    saved = tmp_path / "game.rec"
    download.value.save_as(saved)
    assert "player nought=search:level=1" in saved.read_text()
    shown.goto("/#play/othello")
    expect(shown.locator("h1")).to_have_text("Othello")
    with shown.expect_file_chooser() as chooser:
        shown.get_by_role("button", name="Load record", exact=True).click()
    chooser.value.set_files(saved)
    expect(shown.locator("h1")).to_have_text("Tic-tac-toe")
    assert moves(shown) == played


def test_navigation_during_an_address_update_succeeds(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    # The page's delayed step after a move runs when the test triggers it.
    shown.evaluate(
        """() => {
          const real = window.setTimeout;
          window.setTimeout = (f, ms) => ms === 200 ? (window.later = f, 0) : real(f, ms);
        }"""
    )
    shown.click(cell("b2"))
    expect(shown.locator(".moves .move")).to_have_count(1)
    shown.wait_for_function("() => window.later")
    shown.evaluate("() => { window.later(); location.hash = '#play/othello'; }")
    expect(shown.locator("h1")).to_have_text("Othello")
    assert shown.url.endswith("#play/othello")


def test_a_variant_is_chosen_by_a_form_and_kept_by_the_link(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    shown.get_by_text("Variant", exact=True).click()
    shown.get_by_label("m", exact=True).select_option("4")
    shown.get_by_label("Misère: the winner loses").check()
    shown.get_by_role("button", name="Start this variant").click()
    expect(shown.locator("[data-cell]")).to_have_count(12)
    expect(shown.locator(".variant")).to_have_text("m 4, misere")
    for name in ("a1", "a2", "b1", "b2", "c1"):
        shown.click(cell(name))
    expect(shown.locator(".status")).to_contain_text("nought wins")
    shown.wait_for_url(re.compile("#play/~"))
    record = unlinked(shown.url.partition("#play/")[2])
    assert isinstance(record, dict)
    assert record["with"] == ["misere"]
    shown.goto("about:blank")
    shown.go_back()
    expect(shown.locator(".variant")).to_have_text("m 4, misere")


def test_moves_are_valued_on_the_board_as_people_read_them(opened: Open) -> None:
    record = {
        "spec": {"name": "tic-tac-toe"},
        "parameters": {},
        "moves": ["a1", "b1", "a2", "b2"],
    }
    shown = opened(f"analyse/{link(record)}")
    expect(shown.locator(cell("a3"))).to_have_attribute("aria-label", re.compile("value win in 1"))
    best = shown.locator(".move-values tr").first
    expect(best).to_contain_text("a3")
    expect(best).to_contain_text("wins in 1 move")
    expect(shown.locator(".value")).to_contain_text("cross wins in 1 move")
    tag, board = (shown.locator(where).first for where in (".value-tag", cell("a3")))
    expect(tag.locator("circle")).to_have_count(0)  # a tag is no disc, which would be a piece
    assert boxes_overlap(tag, board) < 0.5


def boxes_overlap(part: Locator, whole: Locator) -> float:
    """Return the part of an element that another one can cover at most."""
    inner, outer = part.bounding_box(), whole.locator(".area").bounding_box()
    assert inner is not None
    assert outer is not None
    return inner["width"] * inner["height"] / (outer["width"] * outer["height"])


def test_progress_of_a_search_ends_with_the_time_that_it_took(opened: Open) -> None:
    shown = opened("analyse/chess")
    expect(shown.locator(".analysis .note").first).to_contain_text(
        re.compile(r"of 1 s|^[01]\.\d s")
    )
    expect(shown.locator(".analysis .note").first).to_contain_text(re.compile(r"^[01]\.\d s,"))
    assert shown.locator("progress").evaluate("bar => bar.value") == 1


def test_best_line_is_played_up_to_a_move(opened: Open) -> None:
    record = {"spec": {"name": "tic-tac-toe"}, "parameters": {}, "moves": ["b2", "a2"]}
    shown = opened(f"analyse/{link(record)}")
    line = shown.get_by_role("group", name="Best line").get_by_role("button")
    expect(shown.locator(".value")).to_contain_text("cross wins in 5 moves")
    second = line.nth(1).inner_text()
    line.nth(1).click()
    expect(shown.locator(".moves .move")).to_have_count(4)
    assert moves(shown)[-1] == second


def test_annotation_counts_all_moves_that_are_as_good_as_the_best(opened: Open) -> None:
    # Against a corner only the centre draws; after it every move of cross draws.
    record = {"spec": {"name": "tic-tac-toe"}, "parameters": {}, "start": CORNER}
    for played, message in (
        (["b2", "b1"], "2 moves annotated: 2 as good as the best, 0 blunders."),
        (["b1"], "1 move annotated: 0 as good as the best, 1 blunder."),
    ):
        shown = opened(f"analyse/{link({**record, 'moves': played})}")
        shown.get_by_role("button", name="Annotate the game").click()
        expect(shown.locator(".analysis .note").nth(1)).to_have_text(message)
    expect(shown.locator(".moves .remark")).to_have_text(["??"])


def test_study_streams_metrics_until_stopped(opened: Open) -> None:
    record = {"spec": {"text": TWO_CELLS}, "parameters": {}, "moves": []}
    shown = opened(f"analyse/{link(record)}")
    study = shown.get_by_role("region", name="Study")
    study.get_by_role("button", name="Study the game").click()
    drawn = study.get_by_role("row", name="games drawn")
    expect(drawn).to_contain_text("100.0 %")
    expect(study.locator("svg")).to_be_visible()
    stop, again = (study.get_by_role("button", name=name) for name in ("Stop", "Study the game"))
    expect(stop.or_(again)).to_be_visible()
    if stop.is_visible():
        stop.evaluate("button => button.click()")
    expect(again).to_be_visible()
    expect(drawn).to_contain_text("100.0 %")  # the result stays


def test_games_are_found_by_words(opened: Open) -> None:
    shown = opened("")
    titles = shown.locator(".games .title")
    expect(titles.filter(has_text="Chess").first).to_be_attached()
    shown.get_by_label("Search the games").fill("toe tac")
    expect(titles.filter(has_text="Chess")).to_have_count(0)
    titles.get_by_text("Tic-tac-toe", exact=True).click()
    expect(shown.locator("h1")).to_have_text("Tic-tac-toe")
