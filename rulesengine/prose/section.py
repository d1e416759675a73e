"""A part of a page of rules, whatever the page is written in."""

from rulesengine.support.frozen import record


@record
class Section:
    """A heading and its parts: a text is a paragraph, a tuple a list of items."""

    heading: str
    parts: tuple[str | tuple[str, ...], ...]
