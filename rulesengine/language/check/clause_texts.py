"""Texts of a spec for readers of its rules: `about`, comments, and the section `says`.

A text of `says` ends with a digest of its clause in brackets. If the digest differs, the text is
older than the clause, and explanations use the generated text. A parent's text for a clause that
this spec changes is dropped without a finding. See decision 112.
"""

import hashlib
import json
import re
from collections.abc import Iterator

from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import entries, get, text
from rulesengine.language.document.comments_above import comment_above, comments_inside
from rulesengine.language.document.nodes import Mapping, Node, Scalar, to_plain
from rulesengine.language.ir.rules import ClauseText
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean
from rulesengine.support.source import Span

# The digest of a clause at the end of a text.
DIGEST = re.compile(r"\s*\[([0-9a-f]{8})\]$")
# Keys of `rules` that a text may replace.
RULE_KEYS = ("do", "turn", "keep", "score", "chance")
_WORD = re.compile(r"[a-z][a-z0-9_]*")
# Sections of names in expressions.
_NAMED = ("define", "effects", "regions", "directions")
_PLACES = ("regions", "directions")


def clause_texts(root: Mapping, context: Context) -> tuple[ClauseText, ...]:
    """Return the texts of a spec; report those of `says` that are older than their clauses."""
    about = text(root.get("about"))
    texts = [ClauseText("about", "", about)] if about else []
    texts += _comments(root, context)
    clauses = clauses_by_name(root, context)
    for name, span, value in entries(root.get("says")):
        is_inherited = value.span.source != root.span.source
        if name not in clauses:
            if not is_inherited:
                help = did_you_mean(name, [*clauses])
                context.report("unknown-name", span, f"no clause is called `{name}`", help)
            continue
        section, key, node = clauses[name]
        written = text(value).rstrip()
        finding = _stale(written, digest(node, root), name, value)
        if finding is not None and not is_inherited:
            context.findings.append(finding)
        if finding is None or not DIGEST.search(written):
            texts.append(ClauseText(section, key, without_digest(written), is_own=True))
    return tuple(texts)


def without_digest(written: str) -> str:
    """Return a text of `says` without the digest at its end."""
    return DIGEST.sub("", written.rstrip())


def with_digest(written: Scalar, digest: str) -> tuple[Span, str]:
    """Return the edit that puts a digest at the end of a text: a span and its replacement."""
    source, plain = written.span.source, without_digest(written.text.text)
    if written.style == "plain":
        return written.span, json.dumps(f"{plain} [{digest}]", ensure_ascii=False)
    offsets, complete = written.text.offsets, written.text.text.rstrip()
    start, end = (offsets[len(text) - 1] + 1 if text else offsets[0] for text in (plain, complete))
    return Span(source, start, end), f" [{digest}]"


def clauses_by_name(root: Mapping, context: Context) -> dict[str, tuple[str, str, Node]]:
    """Return the clauses that `says` may name, each with its section and its name there."""
    rules = root.get("rules")
    by_name: dict[str, tuple[str, str, Node]] = {}
    for section in ("regions", "directions", "registers", "effects", "define"):
        for key, _, value in entries(root.get(section)):
            name = key.partition("(")[0].strip()
            by_name[name] = ("define" if section in _PLACES else section, name, value)
    for (section, name), node in context.clauses.items():
        if label := text(get(node, "name")):
            by_name[label] = (section, name, node)
    for key in RULE_KEYS:
        if (node_of_key := get(rules, key)) is not None:
            by_name[key] = ("rules", key, node_of_key)
    return by_name


def digest(node: Node, root: Mapping) -> str:
    """Return eight hexadecimal digits over a clause and the declarations that it uses."""
    named = dict(_declarations(root))
    used: dict[str, object] = {}
    _gather(to_plain(node), named, used)
    serialised = json.dumps([_bare(to_plain(node)), used], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(serialised.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _stale(written: str, current: str, name: str, value: Node) -> Diagnostic | None:
    """Return the finding for a text without a digest, or with that of another clause."""
    digest = DIGEST.search(written)
    if digest and digest[1] == current:
        return None
    message = f"the text of `{name}` is older than its clause, so it is not shown"
    help = "read both, change the text, then run `rulesengine fmt --stamp`"
    if not digest and isinstance(value, Scalar):
        span, write = with_digest(value, current)
        message = f"the text of `{name}` has no digest of its clause"
        help = Suggestion("`rulesengine fmt --stamp` adds it", write, span)
    return Diagnostic("stale-text", value.span, message, help, severity="warning")


def _declarations(root: Mapping) -> Iterator[tuple[str, object]]:
    """Yield the declared names with their plain values, attributes of the players included."""
    for section in _NAMED:
        for key, _, value in entries(root.get(section)):
            yield key.partition("(")[0].strip(), [key, _bare(to_plain(value))]
    for player, _, value in entries(root.get("players")):
        for key, _, own in entries(value):
            yield f"{key} of {player}", _bare(to_plain(own))


def _gather(value: object, named: dict[str, object], used: dict[str, object]) -> None:
    """Collect the declarations that a plain value uses, directly or through others."""
    words = set(_WORD.findall(json.dumps(value)))
    for name, declared in named.items():
        if name not in used and name.partition(" ")[0] in words:
            used[name] = declared
            _gather(declared, named, used)


def _bare(value: object) -> object:
    """Return a plain value with single blanks, so that layout does not matter."""
    match value:
        case str():
            return " ".join(value.split())
        case list():
            return [_bare(item) for item in value]
        case dict():
            return {key: _bare(item) for key, item in value.items()}
    return value


def _comments(root: Mapping, context: Context) -> Iterator[ClauseText]:
    """Yield the comments on registers, definitions and rules."""
    for section in ("registers", "define"):
        for key, span, value in entries(root.get(section)):
            if comment := _comment(span, value):
                yield ClauseText(section, key.partition("(")[0].strip(), comment)
    for (section, name), node in context.clauses.items():
        if comment := _comment(node.span, node):
            yield ClauseText(section, name, comment)
    for key, span, value in entries(root.get("rules")):
        if key in RULE_KEYS and key != "chance" and (comment := _comment(span, value)):
            yield ClauseText("rules", key, comment)


def _comment(span: Span, value: Node) -> str:
    """Return the comment above a key or an item, and those inside its value."""
    return " ".join(filter(None, (comment_above(span), comments_inside(value))))
