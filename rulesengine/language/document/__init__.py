"""The spec as a document: strict YAML with spans, `extends` resolved, validated by the schema."""

from rulesengine.language.document.extends import MAX_TRANSFORMS, Find
from rulesengine.language.document.language_version import newer
from rulesengine.language.document.nodes import Document
from rulesengine.support.diagnostic import Diagnostic, in_order
from rulesengine.support.source import Source, Span

__all__ = ["MAX_TRANSFORMS", "Document", "Find", "parse", "read"]


def parse(source: Source) -> tuple[Document | None, list[Diagnostic]]:
    """The document as it stands in the source: neither `extends` nor the schema looked at."""
    from rulesengine.language.document import (
        yaml_events,  # here, since a game from the cache needs no YAML
    )

    root, findings = yaml_events.parse(source)
    return (Document(source, root) if root else None), findings


def read(
    source: Source, find: Find, transforms: int = MAX_TRANSFORMS
) -> tuple[Document | None, list[Diagnostic]]:
    """The document with its parents merged in, and every finding in the order of the text.

    `find(name, child)` gives the source of a parent or raises UsageError; only the first so many
    `transforms` are carried out. The document is None where the text is no map at all, or in a
    newer version; with findings its shape is not what the schema promises.
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
    if unresolved:  # what a parent would have brought is not missing
        shape = [finding for finding in shape if finding.code != "missing-key"]
    known = [finding.span for finding in findings]
    findings += [f for f in shape if not any(_overlap(f.span, span) for span in known)]
    if not shape:
        document, apart = kinds.with_combinations(document)
        findings += apart
    return document, list(in_order(findings))


def _overlap(one: Span, other: Span) -> bool:
    """True if two spans overlap, so that the second finding is redundant."""
    same = one.source == other.source
    return same and one.start < other.end and other.start < one.end
