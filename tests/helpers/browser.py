"""A real browser on the page: any error in the page fails the test that opened it."""

import base64
import json
import signal
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.helpers.processes import COMMAND, PATIENCE, running

CHROMIUM = Path("/usr/bin/chromium")
VERSION = 1  # of links
_PATIENCE = 60_000  # milliseconds: the machine may be busy
_OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
)


@contextmanager
def served(env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the address of a new server, which ends afterwards."""
    with running(*COMMAND, "serve", "--port", "0", env=env) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().decode().split()[0].rstrip("/")
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(PATIENCE)


@contextmanager
def browser() -> Iterator[Browser]:
    """Yield Debian's Chromium, headless."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=_OPTIONS.split())
        try:
            yield found
        finally:
            found.close()


@dataclass(frozen=True)
class Visitor:
    """A page and its errors: console messages and requests that should not occur."""

    page: Page
    wrong: list[str]

    def open(self, fragment: str) -> Page:
        """Reload the page with this fragment in its address."""
        self.page.goto("about:blank")
        self.page.goto(f"/#{fragment}")
        return self.page


@contextmanager
def visitor(chromium: Browser, address: str, width: int = 1280) -> Iterator[Visitor]:
    """Yield a visitor that opens pages of a server, one after another."""
    context = chromium.new_context(
        base_url=address,
        viewport={"width": width, "height": 900},
        color_scheme="light",
        reduced_motion="reduce",
    )
    expect.set_options(timeout=_PATIENCE)
    found = Visitor(context.new_page(), [])
    found.page.set_default_timeout(_PATIENCE)
    found.page.on("pageerror", lambda error: found.wrong.append(str(error)))
    found.page.on("console", lambda message: found.wrong.extend(faults(message.type, message.text)))
    found.page.on("request", lambda request: found.wrong.extend(foreign(request.url, address)))
    try:
        yield found
    finally:
        context.close()


def faults(kind: str, text: str) -> list[str]:
    """Return a console line if it reports an error; an HTTP error status is an answer."""
    is_answer = "the server responded with a status of" in text
    return [text] if kind == "error" and not is_answer else []


def foreign(address_of_request: str, address: str) -> list[str]:
    """Return the URL if it belongs to another server."""
    return (
        [] if address_of_request.startswith((address, "blob:", "about:")) else [address_of_request]
    )


def link(record: object, version: int = VERSION) -> str:
    """Return the address fragment of a game: JSON, deflated, in base64url after a version byte."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(record).encode()) + packer.flush()
    text = base64.urlsafe_b64encode(bytes([version]) + packed).decode()
    return "~" + text.rstrip("=")


def unlinked(text: str) -> object:
    """Decode the game of such a fragment."""
    data = base64.urlsafe_b64decode(text.removeprefix("~") + "==")
    assert data[0] == VERSION
    return json.loads(zlib.decompress(data[1:], wbits=-15))


def cell(name: str) -> str:
    """Return the selector of a cell of the board."""
    return f'[data-cell][aria-label^="{name},"]'


def moves(shown: Page) -> list[str]:
    """Return the moves of the game as the page lists them."""
    return [text.strip() for text in shown.locator(".moves .move").all_inner_texts()]
