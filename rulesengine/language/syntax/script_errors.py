"""Diagnostics for script lines in the style of other languages, with corrections."""

import re
from collections.abc import Callable
from itertools import islice
from types import MappingProxyType

from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean, nearest
from rulesengine.support.source import Slice

_STATEMENTS = MappingProxyType(
    {
        "elif": "else if",
        "elsif": "else if",
        "elseif": "else if",
        "otherwise": "else",
        "loop": "repeat",
        "for": "repeat",
        "for each": "repeat",
        "foreach": "repeat",
        "repeat each": "repeat",
        "while": "repeat until not",
        "while not": "repeat until",
        "say": "print",
        "echo": "print",
        "write": "print",
        "output": "print",
        "show": "print",
        "ask": "prompt",
        "input": "read word",
        "get": "read word",
        "exit": "stop",
        "quit": "stop",
        "end": "stop",
        "break": "leave",
        "continue": "next",
        "var": "let",
        "restart": "start anew",
        "reset": "start anew",
        "start again": "start anew",
        "start over": "start anew",
        "start new": "start anew",
        "start": "start anew",
        "error": "fail",
        "def": "block",
        "define": "block",
        "function": "block",
        "procedure": "block",
        "sub": "block",
        "call": "do",
        "perform": "do",
        "resign": "forfeit",
    }
)
_BACK = MappingProxyType({"undo": "take back 1 move", "redo": "replay 1 move"})

# The keywords that a misspelt word of a line may mean.
_KEYWORDS = tuple(
    "in from to until times separated by each moves move board joined where if else repeat command"
    " print prompt read number numbers word words line cell cells symbols blank with mover"
    " parameter accept play all choose pass chance let be set start anew block do stop leave next"
    " forfeit fail order of layout lines take back replay add solve winner distance solving within"
    " nodes".split()
)
_MOST_TRIED = 30  # the greatest number of corrections that are tried
_WORD = re.compile(r'"(?:\\.|[^"\\])*"?|([a-z]+)\b')

_READ = (
    *("number", "numbers", "word", "words", "line", "cell", "cells"),
    *("board", "mover", "parameter"),
)


def wrong_statement(text: Slice) -> Diagnostic | None:
    """Report a statement under another language's name, or with its punctuation."""
    word = re.match(
        r"while\s+not\b|(?:for|repeat)\s+each\b|start\s+(?:again|over|new)\b|[a-z_]+\b(?!\s*:?=)",
        text.text,
    )
    if word and (other := _STATEMENTS.get(" ".join(word[0].split()))):
        message = f"expected a statement, found `{word[0]}`"
        span = text.span(*word.span())
        return Diagnostic("syntax", span, message, Suggestion(f"write `{other}`", other))
    if word and (write := _BACK.get(word[0])):
        message = f"expected a statement, found `{word[0]}`"
        span = text.span(*word.span())
        return Diagnostic("syntax", span, message, Suggestion(f"write `{write}`", write))
    if finding := _after_then(text):
        return finding
    if end := re.search(r"(?:\b(then|do)|\s*([:;]))$", text.text):
        group = 1 if end[1] else 2
        span = text.span(*end.span(group))
        message = f"a statement does not end with `{end[group]}`"
        out = text.span(len(text.text[: end.start(group)].rstrip()), end.end())
        return Diagnostic("syntax", span, message, Suggestion(f"leave `{end[group]}` out", "", out))
    if named := re.match(r"(print|prompt|fail|read|play)\s*(:)", text.text):
        span = text.span(*named.span(2))
        message = "a statement has no colon"
        return Diagnostic("syntax", span, message, Suggestion("leave `:` out", "", span))
    if counted := re.match(r"repeat [a-z][a-z0-9_]* (in) .* to ", text.text):
        span = text.span(*counted.span(1))
        message = "numbers are counted with `from`"
        return Diagnostic("syntax", span, message, Suggestion("write `from`", "from"))
    return _names(text) or _no_reading(text) or _missing_word(text)


_AFTER_THEN = re.compile(
    r"if\b.*?(?P<then>\s+then\s+)(?P<body>(?:print|prompt|fail|read|play|choose|solve|let|take back"
    r"|replay|start anew|stop|leave|next|forfeit)\b.*)"
)


def _after_then(text: Slice) -> Diagnostic | None:
    """Report a statement after `then`, which only effects may follow."""
    match = _AFTER_THEN.fullmatch(text.text)
    if match is None:
        return None
    span = text.span(0, len(text.text))
    indent = " " * (span.source.position(span.start)[1] - 1)
    lines = [text.text[: match.start("then")], f"{indent}  {match['body']}"]
    body, word, other = match["body"].rpartition(" else ")
    if word and body.count('"') % 2 == 0:
        lines[1:] = [f"{indent}  {body}", f"{indent}else", f"{indent}  {other}"]
    help = Suggestion("write it in a line of its own below `if`", "\n".join(lines), span)
    message = "only an effect can follow `then` in one line"
    return Diagnostic("syntax", text.span(*match.span("body")), message, help)


def suggest_keyword(text: Slice, is_line: Callable[[str], bool]) -> Diagnostic | None:
    """Find a keyword that makes a line valid in the place of a similar word."""
    tries = (
        (match.span(1), word)
        for match in _WORD.finditer(text.text)
        if match[1] and match[1] not in _KEYWORDS
        for word in _KEYWORDS
        if nearest(match[1], [word])
    )
    for (start, end), word in islice(tries, _MOST_TRIED):
        if is_line(text.text[:start] + word + text.text[end:]):
            message = f"expected `{word}`, found `{text.text[start:end][:40]}`"
            help = Suggestion(f"did you mean `{word}`?", word)
            return Diagnostic("syntax", text.span(start, end), message, help)
    return None


def _names(text: Slice) -> Diagnostic | None:
    """Report names without commas, a list printed without `each`, and other words for an order."""
    if match := re.match(r"read (?:number|word|cell) [a-z][a-z0-9_]*( )[a-z]", text.text):
        word = re.match(r"[a-z0-9_]+", text.text[match.end() - 1 :])
        if word and word[0] not in ("from", "to") and not nearest(word[0], ["from"]):
            span = text.span(*match.span(1))
            return Diagnostic(
                "syntax", span, "names are parted by commas", Suggestion("add it", ", ")
            )
    if match := re.match(r"print ([a-z][a-z0-9_]*) joined\b", text.text):
        span, name = text.span(*match.span(1)), match[1]
        message = f"expected `each`, found `{name[:40]}`"
        write = f'each x in {name} "{{x}}"'
        return Diagnostic(
            "syntax", span, message, Suggestion(f"write `print {write} joined`", write)
        )
    if match := re.match(r"(?:print|prompt|repeat) .*\b((?:ordered|sorted|order) by)\b", text.text):
        span, write = text.span(*match.span(1)), "in order of"
        message = f"expected `{write}`, found `{match[1]}`"
        return Diagnostic("syntax", span, message, Suggestion(f"write `{write}`", write))
    return None


def _no_reading(text: Slice) -> Diagnostic | None:
    """Report an unknown kind of input, as in `read nuber n`."""
    match = re.match(r"read ([a-z]+) (?!numbers\b|words\b)[a-z]", text.text)
    if match is None or match[1] in _READ:
        return None
    shown = ", ".join(f"`{word}`" for word in _READ)
    message = f"expected {shown} or a number, found `{match[1][:40]}`"
    return Diagnostic("syntax", text.span(*match.span(1)), message, did_you_mean(match[1], _READ))


def _missing_word(text: Slice) -> Diagnostic | None:
    """Report the missing word in `read w`, `play w` and `print over`."""
    if match := re.fullmatch(r"read ([a-z][a-z0-9_]*)(?<!\bboard)(?<!\bmover)", text.text):
        return _between(text, match.span(1), "what is read", "word", match[1])
    if match := re.fullmatch(r"play ([a-z][a-z0-9_]*)", text.text):
        if match[1] not in ("move", "all", "pass", "chance"):
            return _between(text, match.span(1), "what is played", "move", match[1])
    if match := re.fullmatch(r"(print|prompt|fail) ([^\"'{]+)", text.text):
        if not re.match(r"board|moves|each", match[2]):
            span = text.span(*match.span(2))
            message = f"expected a text in quotation marks, found `{match[2][:40]}`"
            write = f'"{{{match[2].rstrip()}}}"'
            help = Suggestion(f"write `{match[1]} {write}`", write)
            return Diagnostic("syntax", span, message, help)
    return None


def _between(text: Slice, at: tuple[int, int], keyword: str, word: str, name: str) -> Diagnostic:
    span = text.span(*at)
    help = Suggestion(f"say {keyword}: `{text.text[: at[0]]}{word} {name}`", f"{word} {name}")
    return Diagnostic("syntax", span, f"expected `{word}` and a name, found `{name[:40]}`", help)
