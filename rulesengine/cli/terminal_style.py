"""Colours and width of standard output."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesengine.play import Style

_LEAST_WIDTH, _DEFAULT_WIDTH = 20, 80


def terminal_style() -> Style:
    """Return the style of the terminal, or a plain one of 80 columns."""
    from rulesengine.play import Style

    is_terminal = bool(sys.stdout) and sys.stdout.isatty()
    width = (
        max(_LEAST_WIDTH, shutil.get_terminal_size().columns - 1) if is_terminal else _DEFAULT_WIDTH
    )
    return Style(_has_colour(), width)


def _has_colour() -> bool:
    """True if standard output is a terminal with colours (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return bool(sys.stdout) and sys.stdout.isatty() and not plain
