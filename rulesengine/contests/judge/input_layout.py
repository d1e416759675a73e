"""The layout of generated input: words are divided into lines by the script's `layout`."""


class LayoutWriter:
    """Joins words to a text in the current layout.

    In the layout `layout_lines` the words of a statement share a line, in `layout_line` all words
    up to the next `layout`.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._kind = "layout_lines"
        self._begins = True  # the next word is the first one of this layout

    def layout(self, kind: str) -> None:
        """Change the layout, or add a blank line if `kind` is `layout_blank`."""
        if kind == "layout_blank":
            self._end_line()
            self._parts.append("\n")
            return
        self._kind, self._begins = kind, True

    def word(self, text: str, *, is_first: bool) -> None:
        """Add a word; `is_first` if it is the first one of its statement."""
        if self._begins if self._kind == "layout_line" else is_first:
            self._end_line()
        elif not self._is_at_start():
            self._parts.append(" ")
        self._begins = False
        self._parts.append(text)

    def finish(self) -> str:
        """End the line, and return the text."""
        self._end_line()
        return "".join(self._parts)

    def _end_line(self) -> None:
        if not self._is_at_start():
            self._parts.append("\n")

    def _is_at_start(self) -> bool:
        return not self._parts or self._parts[-1].endswith("\n")
