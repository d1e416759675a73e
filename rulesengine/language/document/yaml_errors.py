"""Conversion of a YAML parser's errors to diagnostics in our own words."""

import re

from rulesengine.language.document.edits import quoted
from rulesengine.language.document.nodes import quote
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Source, Span

# YAML indicators at the start of a value.
_INDICATOR = re.compile(r"[-*&!%@`|?>,:\]{}\[][^\s,\]}]{0,30}")

_NOT_ALLOWED = re.compile(
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)

# Words of the messages of PyYAML's two parsers (C and Python), then code, message and help.
_TABLE = (
    ("end of stream", "unclosed-quote", "a quoted text without its end", "add the closing quote"),
    (
        "expected ',' or",
        "unclosed-bracket",
        "a bracket that is not closed, or a missing comma",
        "a `,` or `#` that belongs to a value needs quotes",
    ),
    (
        "mapping values",
        "unexpected-colon",
        "a colon and a blank make a key, and none fits here",
        "put text that holds `: ` in quotes; keys of one map start in the same column",
    ),
    ("expected ':'", "missing-colon", "a key without its colon", "write `key: value`"),
    (
        "escape",
        "unknown-escape",
        "an unknown escape in a double-quoted text",
        r"write a backslash as `\\`, or use single quotes",
    ),
    ("document start", "text-after-end", "text after the end of the spec", ""),
    (
        "indentation|chomping|comment or line break",
        "bad-block",
        "the first line of a block text holds `|` or `>` alone",
        "start the text on the next line, indented",
    ),
)
_SYMBOL = re.compile(
    "alias|anchor|tag|cannot start|sequence entries|mapping keys|node content|percent|directive"
)


def not_allowed_character(source: Source) -> Diagnostic | None:
    """Find a control or bidirectional character, lone surrogate or carriage return in a source."""
    if match := _NOT_ALLOWED.search(source.text):
        return character_finding(Span(source, match.start(), match.end()), match[0])
    return None


def not_allowed_in(text: str) -> str:
    """Return the first character of a decoded text that is not allowed, or an empty text."""
    match = _NOT_ALLOWED.search(text)
    return match[0] if match else ""


def character_finding(span: Span, char: str) -> Diagnostic:
    message = f"the character U+{ord(char):04X} is not allowed in a spec"
    help = Suggestion("control and direction marks are refused: leave it out", "")
    return Diagnostic("bad-character", span, message, help)


def yaml_error(source: Source, problem: str, context: str, at: int, start: int) -> Diagnostic:
    """Describe the error at offset `at`; the parser's `context` began at `start`."""
    if context.startswith("while scanning an") or context.endswith("tag"):
        at = start
    if source.text[at : at + 1] == "\t":
        help = _blanks_for_tabs(source, at)
        return Diagnostic("tab", Span(source, at, at + 1), "a tab is not allowed here", help)
    if "mapping values" in problem and (finding := _no_colon_above(source, at)):
        return finding
    token = _INDICATOR.match(source.text, at)
    if token and (_SYMBOL.search(problem + context) or _is_value(source.text, at)):
        return unquoted(Span(source, at, token.end()))
    if "node content" in problem:
        at, problem = start, "expected ',' or"
    if "end of stream" not in problem and (finding := _quote_above(source, at)):
        return finding
    for words, code, message, help in _TABLE:
        if re.search(words, problem):
            if code == "unclosed-bracket" and _is_closed(source, at, start):
                return _between_entries(source, at)
            if code in ("unclosed-quote", "unclosed-bracket", "missing-colon"):
                at = start
            word = re.compile(r"[A-Za-z_][^\s:]*").match(source.text, at)
            key = word is not None and code == "missing-colon"
            span = Span(source, at, word.end() if word and key else at + 1)
            return Diagnostic(code, span, message, _fix_for(code, span, help))
    return _misplaced(source, at)


def _blanks_for_tabs(source: Source, at: int) -> str:
    """Replace tabs at the start of a line by the indentation that the line above suggests."""
    line, column = source.position(at)
    tabs = re.compile(r"\t*").match(source.text, at)
    above = next((source.line_text(i) for i in range(line - 1, 0, -1) if source.line_text(i)), "")
    indent = len(above) - len(above.lstrip(" -")) + 2 * above.rstrip().endswith(":")
    width = max(1, indent - (column - 1)) if column - 1 <= indent else 1
    return Suggestion(
        "indent with blanks", " " * width, Span(source, at, tabs.end() if tabs else at + 1)
    )


def _is_closed(source: Source, at: int, start: int) -> bool:
    """True if the bracket at `start` is closed behind `at`, in the same line."""
    line, _ = source.position(at)
    shown_line = source.line_text(line)
    pair = {"{": "}", "[": "]"}.get(source.text[start : start + 1], "")
    if not pair or source.position(start)[0] != line:
        return False
    flow = shown_line.partition(" #")[0]
    return flow.count(source.text[start]) == flow.count(pair) > 0


def _between_entries(source: Source, at: int) -> Diagnostic:
    """Describe an entry of a map or list that does not end where another one could begin."""
    found = source.text[at : at + 1]
    message = f"expected `,` or the end of the map or list, found {quote(found)}"
    help = "separate entries by `,`; quote a value that holds `,`, `#` or `: `"
    line, column = source.position(at)
    before, behind = source.line_text(line)[: column - 1], source.line_text(line)[column - 1 :]
    value = re.match(r": [^,{}\[\]]*[^,{}\[\]\s]", behind)
    if key := re.search(r"[)\]}\"']( +\w+)$", before):
        comma = at - len(key[1])
        help = Suggestion("add the missing `,`", ",", Span(source, comma, comma))
    elif value and (word := re.search(r"[{,]\s*\w+: (\w+)$", before)):
        write = quoted(word[1] + value[0])
        span = Span(source, at - len(word[1]), at + len(value[0]))
        help = Suggestion(f"put the value in quotes: {_short(write)}", write, span)
    return Diagnostic("unclosed-bracket", Span(source, at, at + 1), message, help)


def _quote_above(source: Source, at: int) -> Diagnostic | None:
    """Find an unclosed quote in a line above that a quote in this line has closed."""
    line = source.position(at)[0]
    start = at - source.position(at)[1] + 1
    for number in range(line - 1, 0, -1):
        text = source.line_text(number)
        start -= len(text) + 1
        if text.count('"') % 2 and not text.lstrip().startswith("#"):
            quote = Span(source, start + text.rindex('"'), start + text.rindex('"') + 1)
            end = Span(source, start + len(text.rstrip()), start + len(text.rstrip()))
            help = Suggestion("add the closing quote", '"', end)
            return Diagnostic("unclosed-quote", quote, "a quoted text without its end", help)
    return None


def _no_colon_above(source: Source, at: int) -> Diagnostic | None:
    """Find a key without a colon in the line above, which YAML continues into this line."""
    line = source.position(at)[0]
    above, here = source.line_text(line - 1) if line > 1 else "", source.line_text(line)
    key = re.match(r"[ -]*([a-z_]+)(?= +[^\s:=-]|$)", above)
    same = len(above) - len(above.lstrip(" -")) == len(here) - len(here.lstrip(" -"))
    if key is None or ": " in above or not same:
        return None
    start = at - source.position(at)[1] + 1 - len(above) - 1
    span = Span(source, start + key.start(1), start + key.end(1))
    end = Span(source, span.end, span.end)
    message = f"the key {quote(span.text)} has no colon"
    return Diagnostic("missing-colon", span, message, Suggestion("write `key: value`", ":", end))


def unquoted(span: Span) -> Diagnostic:
    """Report a value that starts with a YAML indicator."""
    mark = "'" if '"' in span.text else '"'
    message = f"{quote(span.text)} has a meaning of its own in YAML"
    help = Suggestion(f"quote it: {mark}{span.text}{mark}", f"{mark}{span.text}{mark}")
    return Diagnostic("unquoted-symbol", span, message, help)


def cut_by_a_comma(span: Span) -> Diagnostic | None:
    """Report a value in `{…}` or `[…]` that a comma splits inside its own brackets."""
    if span.text.count("(") <= span.text.count(")"):
        return None
    text, start = span.source.text, span.start
    end = _closed(text, start)
    if end == 0 or text[span.end : end].lstrip()[:1] != ",":
        return None
    value = text[start:end]
    comma = span.end + text[span.end :].index(",")
    message = "a comma ends a value inside `{…}` or `[…]`"
    help = Suggestion(
        f"put the value in quotes: {_short(quoted(value))}",
        quoted(value),
        Span(span.source, start, end),
    )
    return Diagnostic("unquoted-comma", Span(span.source, comma, comma + 1), message, help)


def cut_by_a_colon(key: Span, value: Span) -> Diagnostic | None:
    """Report a text that a colon inside its own brackets splits into a key and a value."""
    if key.text.count("(") <= key.text.count(")"):
        return None
    source = key.source
    colon, span = source.text.index(":", key.end), Span(source, key.start, value.end)
    message = "a colon and a blank make a key, and none fits here"
    help = Suggestion(
        f"put the value in quotes: {_short(quoted(span.text))}", quoted(span.text), span
    )
    return Diagnostic("unexpected-colon", Span(source, colon, colon + 1), message, help)


def _closed(text: str, start: int) -> int:
    """Return the end of the brackets opened from `start` on, on the same line; 0 if unclosed."""
    level = 0
    for at in range(start, len(text)):
        if text[at] == "\n":
            return 0
        level += (text[at] == "(") - (text[at] == ")")
        if level == 0 and text[at] == ")":
            rest = re.compile(r"[^,\]}\n]*").match(text, at + 1)
            return at + 1 + len(rest[0].rstrip() if rest else "")
    return 0


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _fix_for(code: str, span: Span, help: str) -> str:
    """Return the help of a row of the table with its edit, if it has one."""
    source, at = span.source, span.start
    line, column = source.position(at)
    shown_line = source.line_text(line)
    end = at - column + 1 + len(shown_line.rstrip())
    match code:
        case "unclosed-quote":
            behind = shown_line.rstrip()[:-1] if shown_line.rstrip().endswith("}") else ""
            return Suggestion(help, span.text, Span(source, end - bool(behind), end - bool(behind)))
        case "unclosed-bracket":
            close = {"{": "}", "[": "]"}.get(span.text, "")
            if not close:
                return help
            help = f"close it with `{close}`; quote a value that holds `,` or `#`"
            return Suggestion(help, close, Span(source, end, end))
        case "unexpected-colon":
            write = _quoted_value(source, at - column + 1, at, end, help)
            return write if isinstance(write, Suggestion) else _in_column(source, at, help) or help
        case "missing-colon":
            return (
                Suggestion(help, ":", Span(source, span.end, span.end))
                if span.text[:1].isalpha()
                else help
            )
        case "unknown-escape":
            slash = source.text.rfind("\\", 0, at + 1)
            return Suggestion(help, "\\\\", Span(source, slash, slash + 1))
        case "bad-block":
            least = len(shown_line) - len(shown_line.lstrip())
            next_line = source.text[end:].lstrip("\n").split("\n", 1)[0]
            below = len(next_line) - len(next_line.lstrip())
            indent = " " * (below if below > least else least + 2)
            before = len(shown_line[: column - 1]) - len(shown_line[: column - 1].rstrip())
            return Suggestion(help, f"\n{indent}{span.text}", Span(source, at - before, at + 1))
    return help


def _quoted_value(source: Source, start: int, at: int, end: int, help: str) -> str:
    """Quote the value that contains a colon, up to the end of its line."""
    before = re.match(r"(?:\s|- )*[^\s:#\"'][^:#\"']*:\s+(?=\S)", source.text[start:at])
    if before is None:
        return help
    begin = start + before.end()
    comment = re.search(r"\s+#.*$", source.text[begin:end])
    end = begin + comment.start() if comment else end
    value = source.text[begin:end].rstrip()
    span = Span(source, begin, begin + len(value))
    return Suggestion(f"put the value in quotes: {_short(quoted(value))}", quoted(value), span)


def _in_column(source: Source, at: int, help: str) -> Suggestion | None:
    """Move a line that starts in no column of the lines above to the nearest such column."""
    line, column = source.position(at)
    begin = re.fullmatch(r"( *)((?:[a-z][a-z0-9_]*)?)", source.line_text(line)[: column - 1])
    if begin is None:
        return None
    indent, item = len(begin[1]), source.line_text(line).lstrip().startswith("- ")
    columns = _columns_above(source, line, item)
    further = [other for other in columns if other > indent]
    to = further[-1] if further else columns[0] if columns else indent
    start = at - (column - 1)
    if to == indent or source.text[at - 1 : at] == "\t":
        return None
    blanks = Span(source, start + min(to, indent), start + indent)
    return Suggestion(help, " " * (to - indent), blanks)


def _columns_above(source: Source, line: int, item: bool) -> list[int]:
    """Return the columns of the maps, or lists, that a line may continue, the innermost first."""
    columns, least = list[int](), len(source.text)
    for number in range(line - 1, 0, -1):
        above = re.match(
            r" *((?:- +)*)(?=([^ #][\w ]*:(?: |$))?)(?=[^ #])", source.line_text(number)
        )
        if above is None:
            continue
        keys, items = above.end(), above.start(1)
        column = items if item else keys
        if column < least and (keys > items if item else above[2] or not above[1]):
            columns.append(column)
        least = min(least, items)
        if least == 0:
            break
    return columns


def _is_value(text: str, at: int) -> bool:
    """True if a colon is where a value is expected, as in `empty: :`."""
    return text[at] == ":" and text[max(0, at - 2) : at] == ": "


def _misplaced(source: Source, at: int) -> Diagnostic:
    if source.text[at : at + 1] == ":":
        message = "a key is a short text on one line, found an empty one"
        return Diagnostic("bad-key", Span(source, at, at + 1), message)
    word = re.compile(r"[^\s:,]{0,30}").match(source.text, at)
    span = Span(source, at, max(at + 1, word.end() if word else at))
    if not source.text[at:].strip():
        return Diagnostic("unfinished", span, "the spec ends too early", "close every bracket")
    help = "entries of one map or list start in the same column; text after a quote is not read"
    if moved := _in_column(source, at, "start it in the column of a line above"):
        amount = "little" if moved.write else "far"
        return Diagnostic("indentation", span, f"this line is indented too {amount}", moved)
    if source.text[at - 1 : at] == "}":
        line, column = source.position(at)
        start = at - column + 1
        help = _quoted_value(source, start, at, start + len(source.line_text(line)), help)
    return Diagnostic("misplaced-text", span, f"{quote(span.text)} does not fit here", help)
