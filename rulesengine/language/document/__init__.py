"""The spec as a document: strict YAML with spans, `extends` resolved, validated by the schema."""

from rulesengine.language.document.extends import MAX_TRANSFORMS, Find
from rulesengine.language.document.language_version import newer
from rulesengine.language.document.nodes import Document
from rulesengine.support.diagnostic import Diagnostic, in_order
from rulesengine.support.source import Source, Span

__all__ = ["MAX_TRANSFORMS", "Document", "Find", "parse", "read"]


def parse(source: Source) -> tuple[Document | None, list[Diagnostic]]:
    """Parse a source to a document, without resolving `extends` or validating."""
    from rulesengine.language.document import (
        yaml_events,  # imported here, because a game from the cache needs no YAML
    )

    root, findings = yaml_events.parse(source)
    return (Document(source, root) if root else None), findings


def read(
    source: Source, find: Find, transforms: int = MAX_TRANSFORMS
) -> tuple[Document | None, list[Diagnostic]]:
    """Read a document, merge its parents in and return every finding in the order of the text.

    `find(name, child)` returns the source of a parent or raises UsageError; only the first
    `transforms` transforms are applied. The document is None if the text is not a mapping, or in a
    newer version; if there are findings it may violate the schema.
    """
    from rulesengine.language.document import extends, kinds, schema, yaml_events
    from rulesengine.support.resources import read_text

    document, findings = parse(source)
    if version := newer(source, document.root if document else None):
        return None, [version]
    if document is None:
        return None, findings
    document, unresolved = extends.resolve(document, find, yaml_events.parse, transforms)
    if any(finding.code == "newer-spec" for finding in unresolved):
        return None, [finding for finding in unresolved if finding.code == "newer-spec"]
    findings += unresolved
    shape = schema.validate(document, read_text("grammars/game.schema.json"))
    if unresolved:  # a key may be missing only because a parent is
        shape = [finding for finding in shape if finding.code != "missing-key"]
    known = [finding.span for finding in findings]
    findings += [f for f in shape if not any(_overlap(f.span, span) for span in known)]
    if not shape:
        document, apart = kinds.with_combinations(document)
        findings += apart
    return document, list(in_order(findings))


def _overlap(one: Span, other: Span) -> bool:
    """True if two spans overlap; the second finding is then redundant."""
    same = one.source == other.source
    return same and one.start < other.end and other.start < one.end
