"""Conversion between offsets in a spec and positions of the protocol."""

import re
from dataclasses import dataclass

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec, ServerTextPosition

from rulesengine.errors import UsageError
from rulesengine.support.files import decode_source
from rulesengine.support.source import Source, Span

# Distinguish a spec from other YAML files in the editor.
_SPEC = re.compile(r"^(?:spec|extends)\s*:|game\.schema\.json", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """A spec in an editor, saved or not; `problem` has the reason if the text cannot be decoded."""

    uri: str
    source: Source
    codec: PositionCodec
    problem: str = ""

    @classmethod
    def of(cls, uri: str, text: str, codec: PositionCodec) -> "Text":
        """Return the document of a URI; its name is its path, if it has one."""
        name = to_fs_path(uri) or uri
        try:
            return cls(uri, decode_source(text.encode("utf-8", "surrogatepass"), name), codec)
        except UsageError as error:
            return cls(uri, Source(name, ""), codec, str(error))

    @property
    def is_spec(self) -> bool:
        """True if the text is a spec: it has a key `spec` or `extends`, or names the schema."""
        return bool(self.problem) or _SPEC.search(self.source.text) is not None

    def offset(self, position: lsp.Position) -> int:
        """Convert a position of the protocol to an offset in the source."""
        client_position = lsp.Position(position.line, position.character)
        code_points = self.codec.position_from_client_units(_lines(self.source), client_position)
        return self.source.offset(code_points.line + 1, code_points.character + 1)

    def range(self, span: Span) -> lsp.Range:
        """Convert a span of this or another source to a range of the protocol."""
        return lsp.Range(
            self._position(span.source, span.start), self._position(span.source, span.end)
        )

    def location(self, span: Span) -> lsp.Location:
        """Convert a span to a location of the protocol."""
        return lsp.Location(self.uri_of(span.source), self.range(span))

    def uri_of(self, source: Source) -> str:
        """Return the URI of a source."""
        return self.uri if source.name == self.source.name else from_fs_path(source.name) or ""

    def _position(self, source: Source, offset: int) -> lsp.Position:
        line, column = source.position(offset)
        place = ServerTextPosition(line - 1, column - 1)
        return self.codec.position_to_client_units(_lines(source), place)


def _lines(source: Source) -> list[str]:
    return source.text.split("\n")
