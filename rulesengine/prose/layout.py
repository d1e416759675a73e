"""Sentences broken into lines of text."""

import textwrap

WIDTH = 80


def filled(text: str, first: str = "") -> str:
    """A paragraph in lines of at most 80 characters, `first` before the first one."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
