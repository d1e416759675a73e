"""The text in an editor and the spec that it is: offsets to the protocol's positions and back."""

import re
from dataclasses import dataclass

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec, ServerTextPosition

from rulesengine.errors import UsageError
from rulesengine.support.files import decode_source
from rulesengine.support.source import Source, Span

# What tells a spec from the other YAML files that an editor shows.
_SPEC = re.compile(r"^(?:spec|extends)\s*:|game\.schema\.json", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """A spec as it stands in an editor, saved or not; `problem` says why it is no spec's text."""

    uri: str
    source: Source
    codec: PositionCodec
    problem: str = ""

    @classmethod
    def of(cls, uri: str, text: str, codec: PositionCodec) -> "Text":
        """The text behind an address; its name is its path, if it has one."""
        name = to_fs_path(uri) or uri
        try:
            return cls(uri, decode_source(text.encode("utf-8", "surrogatepass"), name), codec)
        except UsageError as error:
            return cls(uri, Source(name, ""), codec, str(error))

    @property
    def is_spec(self) -> bool:
        """Whether the text is meant as a spec: it has a key `spec` or `extends`, or the schema."""
        return bool(self.problem) or _SPEC.search(self.source.text) is not None

    def offset(self, position: lsp.Position) -> int:
        """The place in the source of a position of the protocol."""
        asked = lsp.Position(position.line, position.character)
        found = self.codec.position_from_client_units(_lines(self.source), asked)
        return self.source.offset(found.line + 1, found.character + 1)

    def range(self, span: Span) -> lsp.Range:
        """The range of the protocol for a span, of this source or of another."""
        return lsp.Range(
            self._position(span.source, span.start), self._position(span.source, span.end)
        )

    def location(self, span: Span) -> lsp.Location:
        """The file and the range of a span."""
        return lsp.Location(self.uri_of(span.source), self.range(span))

    def uri_of(self, source: Source) -> str:
        """The address of a source."""
        return self.uri if source.name == self.source.name else from_fs_path(source.name) or ""

    def _position(self, source: Source, offset: int) -> lsp.Position:
        line, column = source.position(offset)
        place = ServerTextPosition(line - 1, column - 1)
        return self.codec.position_to_client_units(_lines(source), place)


def _lines(source: Source) -> list[str]:
    return source.text.split("\n")
