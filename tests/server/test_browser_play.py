"""Play on the page in a real browser: opponents, undo, dice, hints, results, drags, phones."""

import re
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the extra `web` is not installed")

from playwright.sync_api import Browser, Page, Route, expect

from tests.helpers.accessible import PHONE
from tests.helpers.browser import (
    CHROMIUM,
    Visitor,
    browser,
    cell,
    link,
    moves,
    unlinked,
    visitor,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]

Open = Callable[[str], Page]
FAILED = {"error": {"kind": "game", "message": "no player today"}}
SMALLEST = 32  # pixels between two cells that a finger can hit


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
    """Yield a function that opens a view of the page; no error may occur in it."""
    someone.wrong.clear()
    yield someone.open
    assert someone.wrong == []


def button(shown: Page, name: str) -> None:
    shown.get_by_role("button", name=name, exact=True).click()


def begun(name: str, players: dict[str, str], texts: str = "", **more: object) -> str:
    """Return the address of a game with these players after these moves."""
    record = {"spec": {"name": name}, "parameters": {}, "moves": texts.split(), **more}
    return f"play/{link({**record, 'setup': {'players': players}})}"


def test_two_clicks_lead_from_the_gallery_to_a_game_against_the_computer(opened: Open) -> None:
    shown = opened("")
    shown.locator(".games .title").get_by_text("Tic-tac-toe", exact=True).click()
    button(shown, "Play against the computer")
    shown.click(cell("b2"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    expect(shown.get_by_label("nought", exact=True)).to_have_value("search:level=3")
    expect(shown.locator(".start")).to_be_hidden()


def test_opponent_level_side_and_clock_survive_a_reload_and_a_link(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    shown.get_by_label("at", exact=True).select_option("1")
    shown.get_by_label("as", exact=True).select_option("nought")
    shown.get_by_label("Clock", exact=True).select_option("3+2")
    button(shown, "Play against the computer")
    expect(shown.locator(".moves .move")).to_have_count(1)
    expect(shown.locator(".status")).to_have_text("nought (you) to move")
    shown.wait_for_url(re.compile("#play/~"))
    shown.reload()
    expect(shown.get_by_label("cross", exact=True)).to_have_value("search:level=1")
    expect(shown.locator(".clock").first).to_have_text(re.compile("[23]:"))
    record = unlinked(shown.url.partition("#play/")[2])
    assert isinstance(record, dict)
    assert record["setup"]["clock"] == "3+2"
    assert record["setup"]["players"] == {"cross": "search:level=1", "nought": "person"}


def test_time_that_is_left_survives_a_reload(opened: Open) -> None:
    record = {"spec": {"name": "tic-tac-toe"}, "parameters": {}, "moves": []}
    shown = opened(f"play/{link({**record, 'setup': {'players': {}, 'clock': '1+0'}})}")
    shown.click(cell("a1"))
    expect(shown.locator(".clock").nth(1)).to_have_text("0:57")
    shown.click(cell("b1"))
    shown.wait_for_function("() => history.state?.left?.nought < 58000")
    shown.reload()
    expect(shown.locator(".moves .move")).to_have_count(2)
    expect(shown.locator(".clock").nth(1)).to_have_text(re.compile("0:5[67]"))


def test_a_failed_move_of_the_computer_can_be_requested_again(opened: Open) -> None:
    shown = opened("play/tic-tac-toe")
    shown.route("**/api/play", lambda route: route.fulfill(status=422, json=FAILED))
    button(shown, "Play against the computer")
    shown.click(cell("b2"))
    expect(shown.locator("#notices")).to_contain_text("no player today")
    shown.unroute("**/api/play")
    button(shown, "Let the computer try again")
    expect(shown.locator(".moves .move")).to_have_count(2)


def test_undo_leads_back_to_the_turn_of_the_person(opened: Open) -> None:
    shown = opened(begun("tic-tac-toe", {"nought": "search:level=1"}))
    shown.click(cell("b2"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    button(shown, "Undo")
    expect(shown.locator(".status")).to_have_text("cross (you) to move")
    expect(shown.locator(cell("b2"))).to_have_attribute("aria-label", re.compile("empty"))
    shown.click(cell("a1"))
    expect(shown.locator(".moves .move").first).to_have_text("a1")


def test_a_tile_is_placed_by_clicks_on_its_cells_or_by_a_button(opened: Open) -> None:
    shown = opened("play/blokus-duo")
    for name in ("e10", "f10", "g10", "h10"):
        shown.locator(cell(name)).click()
        expect(shown.locator(cell(name))).to_have_class(re.compile("picked"))
    # Of the pieces over four cells in a row, the straight ones of four and of five cells.
    for text in ("e10=i4-1", "d10=i-1", "e10=i-1"):
        expect(shown.get_by_role("button", name=text, exact=True)).to_be_visible()
    # The only one that also covers a fifth cell is played at once.
    shown.locator(cell("i10")).click()
    expect(shown.locator(".moves .move")).to_have_count(1)
    assert moves(shown) == ["e10=i-1"]


def test_dice_are_shown_and_thrown_by_a_click_or_at_once(opened: Open) -> None:
    shown = opened("play/pig")
    button(shown, "roll")
    expect(shown.locator(".die")).to_have_count(1)
    shown.get_by_text("Settings", exact=True).click()
    shown.get_by_label("Roll the dice").select_option("click")
    button(shown, "New game")
    button(shown, "roll")
    expect(shown.locator(".moves .move")).to_have_count(1)
    button(shown, "Roll")
    expect(shown.locator(".moves .move")).to_have_count(2)
    thrown = moves(shown)[1]
    expect(shown.get_by_role("img", name=f"last roll: {thrown}")).to_be_visible()
    shown.evaluate("localStorage.clear()")


def test_hint_marks_the_only_winning_move(opened: Open) -> None:
    shown = opened(begun("tic-tac-toe", {}, "a1 b1 a2 b2"))
    button(shown, "Hint")
    expect(shown.locator(".offer-row")).to_contain_text("a3")
    expect(shown.locator(f".hinted{cell('a3')}")).to_have_count(1)


def test_a_throw_at_the_start_leaves_the_choice_of_the_opponent(opened: Open) -> None:
    shown = opened("play/backgammon")
    expect(shown.locator(".moves .move")).to_have_count(1)
    start = shown.get_by_role("button", name="Play against the computer", exact=True)
    expect(start).to_be_visible()
    expect(shown.get_by_role("button", name="Resign", exact=True)).to_be_hidden()
    start.click()
    expect(start).to_be_hidden()
    expect(shown.locator(".seat select").nth(1)).to_have_value("search:level=3")


def test_resignation_is_confirmed_shown_and_recorded(opened: Open) -> None:
    shown = opened(begun("tic-tac-toe", {"nought": "random"}, "a1 b1"))
    button(shown, "Resign")
    button(shown, "Resign as cross?")
    expect(shown.locator(".status")).to_have_text("nought wins: cross (you) resigns")
    expect(shown.locator(".seat.winner")).to_contain_text("nought, winner")
    shown.wait_for_function("() => location.hash.startsWith('#play/~')")
    with shown.expect_download() as download:
        button(shown, "Download record")
    assert "forfeit: cross, resigned" in download.value.path().read_text()
    shown.click(cell("c3"))
    assert moves(shown) == ["a1", "b1"]
    shown.wait_for_timeout(300)  # the address is written after a pause
    shown.reload()
    expect(shown.locator(".status")).to_have_text("nought wins: cross (you) resigns")


def test_game_goes_on_from_an_earlier_move_after_a_resignation(opened: Open) -> None:
    shown = opened(begun("tic-tac-toe", {}, "a1 b1"))
    button(shown, "Resign")
    button(shown, "Resign as cross?")
    expect(shown.locator(".status")).to_have_text("nought wins: cross resigns")
    button(shown, "Undo")
    expect(shown.locator(".status")).to_have_text("nought to move")
    shown.click(cell("b2"))
    expect(shown.locator(".status")).to_have_text("cross to move")
    expect(shown.locator(".moves .move")).to_have_text(["a1", "b2"])


def test_draw_is_agreed_between_persons_and_declined_by_a_computer_that_wins(opened: Open) -> None:
    shown = opened(begun("tic-tac-toe", {}, "a1 b1"))
    button(shown, "Offer a draw")
    expect(shown.locator(".offer-row")).to_contain_text("cross offers a draw")
    button(shown, "Decline")
    button(shown, "Offer a draw")
    button(shown, "Accept")
    expect(shown.locator(".status")).to_have_text("a draw by agreement")
    # Nought threatens two lines, so cross to move has lost.
    lost = opened(begun("tic-tac-toe", {"nought": "random"}, "a2 a1 b3 c1 c2 b2"))
    button(lost, "Offer a draw")
    expect(lost.locator(".offer-row")).to_contain_text("declines")


def test_board_is_flipped_and_stays_so(opened: Open) -> None:
    shown = opened("play/chess")
    low = shown.locator(cell("e1")).bounding_box()
    button(shown, "Flip")
    high = shown.locator(cell("e1")).bounding_box()
    assert low is not None
    assert high is not None
    assert high["y"] < low["y"]
    shown.click(cell("e2"))
    shown.click(cell("e4"))
    expect(shown.locator(".moves .move")).to_have_text(["e2e4"])


def test_texts_of_a_flipped_board_are_upright(opened: Open) -> None:
    shown = opened("play/kalah")
    button(shown, "Flip")
    scales = shown.locator(".board svg text").evaluate_all(
        "texts => texts.map(text => text.getScreenCTM().a)"
    )
    assert len(scales) > 12
    assert min(scales) > 0


@pytest.mark.parametrize(
    ("name", "texts", "scores"),
    [
        ("go", "", ["", ""]),
        ("go", "c3 pass pass", ["25", "7.5"]),  # a stone holds all of 25 cells; komi is 7.5
        ("kalah", "", ["", ""]),  # the stores are on the board, the rest is counted at the end
        ("othello", "", ["2", "2"]),
    ],
)
def test_scores_are_points_shown_when_they_count(
    opened: Open, name: str, texts: str, scores: list[str]
) -> None:
    parameters = {"n": 5} if name == "go" else {}
    shown = opened(begun(name, {}, texts, parameters=parameters))
    expect(shown.locator(".seat")).to_have_count(2)
    expect(shown.locator(".score")).to_have_text(scores)


def test_person_with_the_upper_pieces_sees_them_below(opened: Open) -> None:
    shown = opened("play/chess")
    shown.get_by_label("as", exact=True).select_option("black")
    button(shown, "Play against the computer")
    expect(shown.locator(".moves .move")).to_have_count(1)
    own, other = (shown.locator(cell(name)).bounding_box() for name in ("e8", "e1"))
    assert own is not None
    assert other is not None
    assert own["y"] > other["y"]


def test_winning_line_is_marked(opened: Open) -> None:
    shown = opened(begun("tic-tac-toe", {}, "a1 b1 a2 b2 a3"))
    expect(shown.locator(".decisive")).to_have_count(3)
    for name in ("a1", "a2", "a3"):
        expect(shown.locator(f".decisive{cell(name)}")).to_have_count(1)


def test_any_cell_of_a_column_drops_a_piece(opened: Open) -> None:
    shown = opened("play/connect-four")
    shown.click(cell("d6"))
    shown.click(cell("d3"))
    expect(shown.locator(".moves .move")).to_have_text(["d1", "d2"])


def test_cells_clicked_while_a_move_is_sent_belong_to_the_next_move(opened: Open) -> None:
    shown, held = opened("play/connect-four"), list[Route]()
    shown.route("**/api/position", lambda route: held.append(route), times=1)
    with shown.expect_request("**/api/position"):
        shown.click(cell("d6"))
    shown.click(cell("d6"))  # the second half of a double click
    shown.click(cell("d3"))
    expect(shown.locator(".moves .move")).to_have_count(0)
    held[0].continue_()
    expect(shown.locator(".moves .move")).to_have_text(["d1", "d2"])


def test_a_pass_is_made_once_by_two_clicks(opened: Open) -> None:
    shown, held = opened("play/go"), list[Route]()
    choice = shown.get_by_role("button", name="pass", exact=True)
    shown.route("**/api/position", lambda route: held.append(route), times=1)
    with shown.expect_request("**/api/position"):
        choice.click()
    choice.click()
    held[0].continue_()
    expect(shown.locator(".moves .move")).to_have_text(["pass"])
    shown.click(cell("c3"))
    expect(shown.locator(".moves .move")).to_have_text(["pass", "c3"])


def drag(shown: Page, start: str, end: str) -> None:
    """Drag with the mouse from one cell to another, and stop above it."""
    boxes = [shown.locator(cell(name)).bounding_box() for name in (start, end)]
    for box in boxes:
        assert box is not None
        shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        if box is boxes[0]:
            shown.mouse.down()


def test_targets_are_shown_while_a_piece_is_dragged(opened: Open) -> None:
    shown = opened("play/chess")
    shown.locator(cell("e2")).wait_for()
    drag(shown, "e2", "e4")
    expect(shown.locator(".legal .dot")).to_have_count(2)
    expect(shown.locator(f".over{cell('e4')}")).to_have_count(1)
    shown.mouse.up()
    expect(shown.locator(".moves .move")).to_have_text(["e2e4"])
    drag(shown, "e7", "a1")
    shown.mouse.up()
    expect(shown.locator(".refusal")).not_to_be_empty()
    assert moves(shown) == ["e2e4"]


def test_planned_move_is_played_when_its_turn_comes(opened: Open) -> None:
    shown = opened(begun("chess", {"black": "random"}, "e2e4"))
    answers: list[Route] = []
    shown.route("**/api/play", lambda route: answers.append(route))
    shown.reload()
    shown.click(cell("d2"))
    shown.click(cell("d4"))
    expect(shown.locator(".planned")).to_have_count(2)
    answers[-1].continue_()
    expect(shown.locator(".moves .move").nth(2)).to_have_text("d2d4")
    shown.unroute("**/api/play")


def test_hints_are_drawn_where_they_help_or_by_choice(opened: Open) -> None:
    shown = opened("play/hex")
    expect(shown.locator(".dot").first).to_be_attached()
    expect(shown.locator(".dot:visible")).to_have_count(0)
    shown.locator(cell("f6")).hover()
    expect(shown.locator(".dot:visible")).to_have_count(1)
    shown.get_by_text("Settings", exact=True).click()
    shown.get_by_label("Marks of legal moves").select_option("always")
    expect(shown.locator(".dot:visible")).to_have_count(121)
    shown = opened("play/othello")
    expect(shown.locator(".dot:visible")).to_have_count(4)
    shown.evaluate("localStorage.clear()")


def test_failed_request_leaves_nothing_chosen_and_the_move_is_sent_again(
    opened: Open, someone: Visitor
) -> None:
    shown = opened("play/chess")
    shown.click(cell("e2"))
    shown.route("**/api/position", lambda route: route.abort())
    shown.click(cell("e4"))
    expect(shown.locator("#notices")).to_contain_text("does not respond")
    expect(shown.locator(".picked")).to_have_count(0)
    shown.unroute("**/api/position")
    tries = iter((True, False))
    shown.route("**/api/position", lambda r: r.abort() if next(tries, False) else r.continue_())
    shown.click(cell("e2"))
    shown.click(cell("e4"))
    expect(shown.locator(".moves .move")).to_have_text(["e2e4"])
    shown.unroute("**/api/position")
    assert someone.wrong
    assert all("net::ERR_FAILED" in message for message in someone.wrong)
    someone.wrong.clear()


def test_move_without_a_connection_is_reported_and_played_later(
    opened: Open, someone: Visitor
) -> None:
    shown = opened(begun("tic-tac-toe", {}, "a1 b1"))
    expect(shown.locator(".moves .move")).to_have_count(2)
    shown.context.set_offline(True)
    try:
        shown.click(cell("c3"))
        expect(shown.locator("#notices")).to_contain_text("The server does not respond")
        expect(shown.locator("[data-cell].picked")).to_have_count(0)
        assert moves(shown) == ["a1", "b1"]
    finally:
        shown.context.set_offline(False)
    shown.click(cell("c3"))
    expect(shown.locator(".moves .move")).to_have_text(["a1", "b1", "c3"])
    assert all("ERR_INTERNET_DISCONNECTED" in text for text in someone.wrong)
    someone.wrong.clear()


def test_back_leads_from_a_game_to_the_gallery_and_forward_to_the_game(opened: Open) -> None:
    shown = opened("")
    shown.get_by_role("link", name=re.compile("Nim")).first.click()
    expect(shown.locator("h1")).to_have_text("Nim")
    shown.go_back()
    expect(shown.locator("h1")).to_have_text("Board games from their rules")
    shown.go_forward()
    expect(shown.locator("h1")).to_have_text("Nim")


def test_after_a_swap_players_and_sides_are_distinguished(opened: Open) -> None:
    record = {"parameters": {"n": 3, "pie": True}}
    shown = opened(begun("hex", {"red": "person", "blue": "random"}, "b2 swap", **record))
    message = "Sides were swapped: you now play blue, the computer now plays red."
    expect(shown.locator(".swapped")).to_have_text(message)
    expect(shown.locator(".status")).to_have_text("blue (you) to move")
    shown = opened(begun("hex", {}, "b2 swap a1 b1 a3 b3", **record))
    expect(shown.locator(".status")).to_have_text("red wins: joined its two sides")
    winner = shown.locator(".seat.winner")
    expect(winner).to_have_count(1)
    expect(winner).to_contain_text("red, winner")
    red = winner.locator(".swatch").evaluate("swatch => getComputedStyle(swatch).backgroundColor")
    stone = shown.locator(f'svg [fill="{hexadecimal(red)}"]')
    assert stone.count() > 0


def hexadecimal(colour: str) -> str:
    """Convert a colour such as `rgb(1, 2, 3)` to `#010203`."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


@pytest.fixture
def phone(chromium: Browser, address: str) -> Iterator[Page]:
    """Yield a page on a phone with a touch screen and animations."""
    context = chromium.new_context(base_url=address, viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    try:
        yield page
    finally:
        context.close()


def test_small_cells_are_enlarged_on_a_phone(phone: Page) -> None:
    phone.goto(f"/#play/{link({'spec': {'name': 'go'}, 'parameters': {'n': 19}, 'moves': []})}")
    left, right = (phone.locator(cell(name)).bounding_box() for name in ("f9", "g9"))
    assert left is not None
    assert right is not None
    assert abs(left["x"] - right["x"]) >= SMALLEST
    phone.get_by_role("button", name="Enlarge the board").tap()
    expect(phone.locator(".board.zoomed")).to_have_count(0)


def test_piece_is_dragged_by_a_finger(phone: Page) -> None:
    phone.goto("/#play/chess")
    boxes = [phone.locator(cell(name)).bounding_box() for name in ("e2", "e4")]
    points = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    assert len(points) == 2
    touches = phone.context.new_cdp_session(phone)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in at]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    (x, y), (u, v) = points
    touch("touchStart", (x, y))
    for part in (0.3, 0.6, 1.0):
        touch("touchMove", (x + (u - x) * part, y + (v - y) * part))
    expect(phone.locator(".legal .dot")).to_have_count(2)
    touch("touchEnd")
    expect(phone.locator(".moves .move")).to_have_text(["e2e4"])


COUNT = """
window.counted = {animations: 0, sounds: 0};
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  counted.animations += 1;
  return animate.apply(this, given);
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) {
  counted.sounds += 1;
  return start.apply(this, given);
};
"""


def moved(shown: Page) -> dict[str, int]:
    """Return the numbers of animations and sounds of a move."""
    shown.goto("about:blank")
    shown.goto("/#play/chess")
    shown.click(cell("e2"))
    shown.click(cell("e4"))
    expect(shown.locator(".moves .move")).to_have_text(["e2e4"])
    found: dict[str, int] = shown.evaluate("counted")
    return found


def test_moves_are_animated_unless_the_system_asks_for_less(phone: Page) -> None:
    phone.add_init_script(COUNT)
    assert moved(phone)["animations"] > 0
    phone.emulate_media(reduced_motion="reduce")
    assert moved(phone)["animations"] == 0


def test_sounds_are_off_until_they_are_switched_on(phone: Page) -> None:
    phone.add_init_script(COUNT)
    assert moved(phone)["sounds"] == 0
    phone.get_by_text("Settings", exact=True).click()
    phone.get_by_label("Sounds").check()
    assert moved(phone)["sounds"] > 0


def test_controls_of_a_game_are_large_enough_on_a_phone(phone: Page) -> None:
    phone.goto(f"/#{begun('tic-tac-toe', {}, 'a1 b1')}")
    phone.locator(".moves .move").first.wait_for()
    sizes = phone.locator("main button:visible, main select:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert min(sizes) >= SMALLEST
