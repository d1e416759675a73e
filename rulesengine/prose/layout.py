"""Wrapping of sentences into lines of text."""

import textwrap

WIDTH = 80


def filled(text: str, first: str = "") -> str:
    """Wrap a paragraph to at most 80 characters a line, with `first` in front of the first line."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
