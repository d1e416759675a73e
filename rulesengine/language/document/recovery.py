"""Error recovery: a corrected text that maps each character to its offset in the source."""

from dataclasses import dataclass, replace

from rulesengine.language.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulesengine.support.diagnostic import Diagnostic, Fix, Note, Suggestion
from rulesengine.support.source import Slice, Source, Span


@dataclass(frozen=True, slots=True)
class CorrectedText:
    """The text with the corrections so far; `offsets` has one entry more than the text."""

    source: Source
    text: Source
    offsets: tuple[int, ...]

    @classmethod
    def of(cls, source: Source) -> "CorrectedText":
        """Make a draft without corrections."""
        return cls(source, source, tuple(range(len(source.text) + 1)))

    def mended(self, fix: Fix) -> "CorrectedText":
        """Apply an edit; text that the edit preserves keeps its offsets."""
        last = len(self.text.text)
        start, end, text = min(fix.span.start, last), min(fix.span.end, last), fix.text
        position = text.find(fix.span.text) if end > start else -1
        offsets = [self.offsets[start]] * len(text)
        if position >= 0:
            offsets[position : position + end - start] = self.offsets[start:end]
            suffix_length = len(text) - position - (end - start)
            offsets[len(text) - suffix_length :] = [self.offsets[end]] * suffix_length
        new = Source(self.text.name, fix.applied())
        return CorrectedText(
            self.source, new, (*self.offsets[:start], *offsets, *self.offsets[end:])
        )

    def diagnostic(self, finding: Diagnostic) -> Diagnostic:
        """Convert a diagnostic about the corrected text to one about the source."""
        if self.text is self.source:
            return finding
        help = finding.help
        if isinstance(help, Suggestion):
            help = Suggestion(str(help), help.write, self._span(help.at) if help.at else None)
        notes = tuple(Note(self._span(note.span), note.message) for note in finding.notes)
        return replace(finding, span=self._span(finding.span), help=help, notes=notes)

    def mapping(self, node: Mapping) -> Mapping:
        """Convert a map of the corrected text to one with spans of the source."""
        if self.text is self.source:
            return node
        entries = (Entry(e.key, self._span(e.key_span), self._node(e.value)) for e in node.entries)
        return Mapping(tuple(entries), self._span(node.span))

    def _node(self, node: Node) -> Node:
        match node:
            case Scalar():
                offsets = tuple(self.offsets[i] for i in node.text.offsets)
                text = Slice(self.source, node.text.text, offsets)
                return Scalar(node.value, text, self._span(node.span), node.style)
            case Sequence():
                return Sequence(tuple(map(self._node, node.items)), self._span(node.span))
        return self.mapping(node)

    def _span(self, span: Span) -> Span:
        last = len(self.offsets) - 1
        span = Span(span.source, min(span.start, last), min(span.end, last))
        return Span(self.source, self.offsets[span.start], self.offsets[span.end])
