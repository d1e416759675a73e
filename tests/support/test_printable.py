"""Control sequences of ECMA-48, and characters that a terminal does not print."""

import pytest

from rulesengine.support.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 棋", "plain é 棋"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[?25l\x1b[2J\x1b[10;20Hat", "at"),
        ("\x9b1mbold", "bold"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r\x1b\\after", "after"),
        ("\x1b]0;never ended", ""),
        ("\x1b(B\x1bc\x1b7x", "x"),
        ("\x1b", "?"),
        ("a\rb\x00c\x7f\u202ed", "a?b?c??d"),
    ],
)
def test_control_sequences_are_removed(text: str, shown: str) -> None:
    assert printable(text) == shown
