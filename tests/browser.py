"""A real browser on the page: whatever goes wrong in the page fails the test that looks at it."""

import base64
import json
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
VERSION = 1  # of links
_PATIENCE = 20_000  # milliseconds: the machine may have much else to do
_OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of our own, which ends afterwards."""
    command = [sys.executable, "-m", "rulesengine", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[0].rstrip("/")
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)


@contextmanager
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=_OPTIONS.split())
        try:
            yield found
        finally:
            found.close()


@contextmanager
def page(
    chromium: Browser, address: str, *, width: int = 1280, dark: bool = False
) -> Iterator[Page]:
    """An empty page for a server's address; it may say and load nothing that it should not."""
    context = chromium.new_context(
        base_url=address,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    wrong: list[str] = []
    made = context.new_page()
    made.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on(
        "console", lambda said: wrong.append(said.text) if is_fault(said.type, said.text) else None
    )
    made.on(
        "request",
        lambda request: (
            None if request.url.startswith((address, "blob:")) else wrong.append(request.url)
        ),
    )
    try:
        yield made
        assert not wrong, wrong
    finally:
        context.close()


def is_fault(kind: str, text: str) -> bool:
    """Whether a line of the console tells a fault; a refusal by its status is an answer."""
    return kind == "error" and "the server responded with a status of" not in text


def link(record: object, version: int = VERSION) -> str:
    """The part of an address that holds a game: JSON, deflated, in base64url behind a byte."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(record).encode()) + packer.flush()
    text = base64.urlsafe_b64encode(bytes([version]) + packed).decode()
    return "~" + text.rstrip("=")


def unlinked(text: str) -> object:
    """The game of such a part."""
    data = base64.urlsafe_b64decode(text.removeprefix("~") + "==")
    assert data[0] == VERSION
    return json.loads(zlib.decompress(data[1:], wbits=-15))


def cell(name: str) -> str:
    """What selects a cell of the board."""
    return f'[data-cell][aria-label^="{name},"]'


def moves(shown: Page) -> list[str]:
    """The moves of the game as the page lists them."""
    return [text.strip() for text in shown.locator(".moves .move").all_inner_texts()]
