"""A section of a page of rules, independent of the output format."""

from rulesengine.support.frozen import record


@record
class Section:
    """A heading and its parts: a text is a paragraph, a tuple a list of items."""

    heading: str
    parts: tuple[str | tuple[str, ...], ...]
