"""Benchmark of the page in a browser: first boards, clicks, findings; see docs/serve.md."""

import argparse
import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess

from playwright.sync_api import Browser, Page, Response, expect

import rulesengine
from rulesengine.support.resources import bundled_path
from tests.helpers.browser import browser, cell, moves, served, visitor
from tests.helpers.crowd import run_load

GAMES = ("chess", "go", "othello", "xiangqi")
SPEC = "pente"  # a hundred lines
# The time of the first cell, and the delay from a key or a click to a change of the page.
_WATCH = """
window.firstBoard = new Promise((tell) => {
  const seen = new MutationObserver(() => {
    if (!document.querySelector("[data-cell]")) return;
    seen.disconnect();
    requestAnimationFrame(() => tell(performance.now()));
  });
  seen.observe(document, { childList: true, subtree: true });
});
window.after = (event, place) => new Promise((tell) => {
  addEventListener(event, () => {
    const since = performance.now();
    const seen = new MutationObserver(() => {
      seen.disconnect();
      requestAnimationFrame(() => tell(performance.now() - since));
    });
    seen.observe(document.querySelector(place), { childList: true, subtree: true });
  }, { capture: true, once: true });
});
"""


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rounds", type=int, default=5, metavar="N")
    words.add_argument("--clicks", type=int, default=10, metavar="N", help="of each game")
    words.add_argument("--keys", type=int, default=30, metavar="N")
    words.add_argument("--crowd", type=int, default=0, metavar="N", help="clients meanwhile")
    words.add_argument("--seconds", type=int, default=60, help="of the crowd")
    options = words.parse_args()
    with served() as address, browser() as chromium:
        crowd = _crowd(address, options.crowd, options.seconds)
        for name in GAMES:
            firsts = [_first(chromium, address, name) for _ in range(options.rounds)]
            summary = f"{firsts[0][1] / 1000:.0f} kB, the first of all {firsts[0][0]:.0f} ms"
            _tell(f"first board of {name}, {summary}", [time for time, _ in firsts])
        for name in GAMES:
            with _watched(chromium, address) as page:
                _tell(f"click in {name}", _clicked(page, name, options.clicks))
        with _watched(chromium, address) as page:
            _tell(f"findings of {SPEC}", _typed(page, options.keys))
        if options.crowd:
            crowd.join()


def _crowd(address: str, clients: int, seconds: int) -> SpawnProcess:
    """Return a process that simulates other clients of the server, started if there are any."""
    arguments = (address, clients, seconds, os.getpid())
    process = get_context("spawn").Process(target=run_load, args=arguments)
    if clients:
        process.start()
    return process


def _tell(what: str, times: list[float]) -> None:
    middle, most = statistics.median(times), max(times)
    sys.stdout.write(f"{what}: median {middle:.0f} ms, at most {most:.0f} ms\n")
    sys.stdout.flush()


@contextmanager
def _watched(chromium: Browser, address: str) -> Iterator[Page]:
    """Yield a page with an empty browser cache."""
    with visitor(chromium, address) as someone:
        someone.page.add_init_script(_WATCH)
        yield someone.page


def _first(chromium: Browser, address: str, name: str) -> tuple[float, int]:
    """Return the milliseconds until the first board, and the uncompressed bytes received."""
    answers: list[Response] = []
    with _watched(chromium, address) as page:
        page.on("response", lambda answer: answers.append(answer))
        page.goto(f"/#play/{name}")
        found: float = page.evaluate("window.firstBoard")
        expect(page.locator("[data-cell]").first).to_be_visible()
        return found, sum(len(answer.body()) for answer in answers)


def _clicked(page: Page, name: str, number: int) -> list[float]:
    """Return the milliseconds from each click that makes a move to the changed board."""
    game = rulesengine.load(name)
    page.goto(f"/#play/{name}")
    expect(page.locator("[data-cell]").first).to_be_visible()
    session, times = game.start(), list[float]()
    for ply in range(number):
        # A move with one step is identified by its cells.
        legal = [m for m in session.legal if len(m.steps) == 1]
        move = legal[(7 * ply) % len(legal)]
        (step,) = move.steps
        names = [session.state.form.cells[c] for c in (step.origin, step.target) if c >= 0]
        for one in names[:-1]:
            page.locator(cell(one)).click()
        page.evaluate("window.answered = after('click', '.moves'), 0")
        page.locator(cell(names[-1])).click()
        times.append(page.evaluate("window.answered"))
        session.push(str(move))
        assert len(moves(page)) == ply + 1
    return times


def _typed(page: Page, number: int) -> list[float]:
    """Return the milliseconds from each key to its findings, with and without an error."""
    text = bundled_path(SPEC).read_text()
    page.goto(f"/#edit/{SPEC}")
    expect(page.locator(".findings .head")).to_be_visible()
    line = next(line for line in text.splitlines() if "when:" in line)
    page.locator(".cm-line", has_text=line.strip()).first.click()
    page.keyboard.press("End")
    times: list[float] = []
    for key in range(number):
        page.evaluate("window.answered = after('keydown', '.findings'), 0")
        page.keyboard.press("Backspace" if key % 2 else "(")
        times.append(page.evaluate("window.answered"))
        page.wait_for_timeout(300)
    return times


if __name__ == "__main__":
    main()
