"""Source texts and spans; no other module converts offsets to lines and columns."""

from bisect import bisect_right

from rulesengine.support.frozen import field, record


@record
class Source:
    """A text and its name in messages."""

    name: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        for line in self.text.split("\n")[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        object.__setattr__(self, "_starts", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1; columns count characters."""
        line = bisect_right(self._starts, min(offset, len(self.text)))
        return line, min(offset, len(self.text)) - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and a column, both from 1, clamped to the text."""
        at = max(1, min(line, len(self._starts)))
        return self._starts[at - 1] + max(0, min(column - 1, len(self.line_text(at))))

    def line_text(self, line: int) -> str:
        """Return the text of a line, counted from 1, without its newline."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end]


@record
class Span:
    """The characters from `start` up to `end` of a source."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def inside(self, other: "Span") -> bool:
        """True if this span lies within the other."""
        return self.source == other.source and other.start <= self.start and self.end <= other.end

    def to(self, other: "Span") -> "Span":
        """Return the span from the start of this one to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end))


@record
class Slice:
    """A text extracted from a source, with the source offset of each of its characters.

    `offsets` has one entry more than `text`: the offset of the end of the text.
    """

    source: Source = field(repr=False)
    text: str
    offsets: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, text: str, name: str = "<text>") -> "Slice":
        """Return a slice that is a whole source of its own."""
        return cls(Source(name, text), text, tuple(range(len(text) + 1)))

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters from `start` up to `end` of this text."""
        if end <= start:
            at = self.offsets[min(start, len(self.text))]
            return Span(self.source, at, at)
        return Span(self.source, self.offsets[start], self.offsets[end - 1] + 1)

    def cut(self, start: int, end: int) -> "Slice":
        return Slice(self.source, self.text[start:end], self.offsets[start : end + 1])
