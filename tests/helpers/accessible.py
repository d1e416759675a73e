"""Accessibility of a page: axe-core reports no violation, and the page fits a phone."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

PHONE: ViewportSize = {"width": 360, "height": 740}


def violations(shown: Page) -> list[tuple[str, str]]:
    """Return the violations of any impact that axe-core reports in the light theme, and those of
    contrast in the dark one.
    """
    found = _violations(shown)
    shown.emulate_media(color_scheme="dark")
    found += _violations(shown, "color-contrast")
    shown.emulate_media(color_scheme="light")
    return found


def exceeds(shown: Page) -> int:
    """Return the number of pixels by which a page is wider than its view."""
    wide: int = shown.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wide


def _violations(shown: Page, *rules: str) -> list[tuple[str, str]]:
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return [
        (rule["id"], rule["nodes"][0]["html"])
        for rule in Axe().run(shown, options=options).response["violations"]
    ]
