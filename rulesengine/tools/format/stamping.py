"""Digests of clauses behind the texts that a spec gives for them."""

from rulesengine.language import pipeline
from rulesengine.support.source import Source


def stamped(source: Source) -> Source:
    """Return a spec in which each text of `says` ends with the digest of its clause."""
    edits = [
        pipeline.with_digest(text, digest)
        for text, digest in pipeline.clause_digests(source)
        if text.span.source == source
    ]
    result = source.text
    for span, write in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        result = result[: span.start] + write + result[span.end :]
    return Source(source.name, result)
