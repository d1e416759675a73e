"""Conversion of Lark's errors to diagnostics in the terms of the language, with corrections."""

import re
from collections.abc import Collection
from types import MappingProxyType

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulesengine.language.syntax.expand import KEY_WORDS
from rulesengine.language.syntax.operator_calls import call_of_operator
from rulesengine.language.syntax.script_errors import wrong_statement
from rulesengine.language.syntax.vocabulary import (
    EFFECTS,
    RESERVED,
    describe_expected,
    describe_found,
    nearest_word,
)
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean
from rulesengine.support.source import Slice, Span

_ORDERS = ("most", "least", "prefer", "highest", "lowest")
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"?|[A-Za-z0-9_]+|[^\sA-Za-z0-9_]')

# Signs and words of other languages, with the equivalents of this one.
_SIGNS = MappingProxyType(
    {
        "==": "=",
        "===": "=",
        "<>": "!=",
        "!==": "!=",
        "=<": "<=",
        "=>": ">=",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "&": "and",
        "&&": "and",
        "|": "or",
        "||": "or",
        "!": "not ",
        "~": "not ",
        "∧": "and",
        "∨": "or",
        "¬": "not ",
        "×": "*",
        "÷": "/",
        "–": "-",
        "−": "-",
        "“": '"',
        "”": '"',
        "„": '"',
        ":=": "=",
    }
)
_WORDS = MappingProxyType(
    {
        "is": "=",
        "equals": "=",
        "except": "minus",
        "without": "minus",
        "beside": "touching",
        "near": "touching",
        "adjacent": "touching",
        "inside": "in",
        "within": "in",
        "mod": "%",
        "at least": ">=",
        "at most": "<=",
        "exactly": "=",
    }
)
# The words that join values, and so are not values themselves.
_CONNECTIVES = frozenset(
    "and or not in minus touching where between if then else of to on under taking laying".split()
)
# A name, or a call or a bracket without brackets inside it.
_OPERAND = re.compile(r"\s*(?:\w+\([^()]*\)|\w+|\([^()]*\))")
_VERBS = MappingProxyType(
    {
        "capture": "remove",
        "take": "remove",
        "delete": "remove",
        "kill": "remove",
        "clear": "remove",
        "turn": "flip",
        "convert": "flip",
        "reverse": "flip",
        "place": "put",
        "add": "put",
        "move": "carry",
        "change": "promote",
        "crown": "promote",
        "fall": "drop",
        "let": "set",
        "assign": "set",
    }
)
_RESULTS = MappingProxyType(
    {
        **dict.fromkeys(("win", "won", "winning", "winner", "victory"), "wins"),
        **dict.fromkeys(("lose", "lost", "loose", "looses", "losing", "loser"), "loses"),
    }
)
_DRAWS = frozenset("tie tied drawn stalemate remis nobody none draws".split())
_SCORES = MappingProxyType(
    {
        **dict.fromkeys(("highest", "most", "best", "greatest", "max", "more"), "highest"),
        **dict.fromkeys(("lowest", "least", "fewest", "min", "fewer"), "lowest"),
    }
)
# Binary operators.
_OPERATORS = frozenset("and or minus where touching between in + - * / %".split())
_LOOK_ALIKE = str.maketrans("аеорсухіӏԁԛѕјһοανρτ", "aeopcyxildqsjhoavpt")


def syntax_error(error: UnexpectedInput, text: Slice, start: str = "expression") -> Diagnostic:
    """Convert an error of Lark to a diagnostic; `start` is the expected nonterminal."""
    special = {"key": _no_order, "result": _result, "line": wrong_statement, "effect": _verb}.get(
        start
    )
    if special and (diagnostic := special(text)):
        return diagnostic
    at = min(error.pos_in_stream or 0, len(text.text))
    if isinstance(error, UnexpectedCharacters):
        return _character(text, at)
    ended = not isinstance(error, UnexpectedToken) or error.token.type == "$END"
    terminals = getattr(error, "accepts", None) or getattr(error, "expected", None) or ()
    expected = describe_expected(terminals)
    if ended:
        return _unfinished(text, expected, start, terminals)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    begin, end = token.start_pos or 0, token.end_pos or 0
    if diagnostic := _sign(text, begin, end):
        return diagnostic
    span = text.span(begin, end)
    if start == "effect" and re.match(r"set\s+\S+(?: of \S+)?\s*$", text.text[:begin]):
        expected = "`to`"
    if start == "effect" and (diagnostic := _no_effect(text, begin, terminals)):
        return diagnostic
    help = call_of_operator(text, begin, end) if "a value" in expected else ""
    help = help or _fix_for(text, begin, str(token), start) or nearest_word(str(token), terminals)
    help = help or _operator_out(text, begin, end, expected)
    message = f"expected {expected}, found {describe_found(token.type, str(token))}"
    return Diagnostic("syntax", span, message, help)


def operator_for(word: str) -> str:
    """Return a `Suggestion` for a word that is an operator under another name, or an empty text."""
    sign = _WORDS.get(word, "")
    return Suggestion(f"write `{sign}`", sign) if sign else ""


def verb_for(word: str) -> str:
    """Return a `Suggestion` for a word that is an effect under another name, or an empty text."""
    verb = _VERBS.get(word, "")
    return Suggestion(f"write `{verb}`", verb) if verb else ""


def score_result(word: str) -> str:
    """Return a `Suggestion` for the first word of a result by score, or an empty text."""
    near = did_you_mean(word, [*_SCORES])
    order = _SCORES.get(near.write if isinstance(near, Suggestion) else word, "")
    write = f"{order} score wins"
    return Suggestion(f"write `{write}`", write) if order else ""


# Errors of a whole text


def _no_order(text: Slice) -> Diagnostic | None:
    """Report a key that is a value without `most` or `least`."""
    word = re.match(r"[a-z][a-z0-9_]*", text.text)
    if not word or word[0] in _ORDERS:
        return None
    span, line_span = text.span(*word.span()), text.span(0, len(text.text.rstrip()))
    shown = " ".join(text.text.split())[:40]
    if word[0] == "one" or shown.endswith(" result"):
        message = f"expected `one of each result`, found `{shown}`"
        fix = Suggestion("write `one of each result`", "one of each result")
        return Diagnostic("syntax", line_span, message, fix)
    message = f"expected `most`, `least` or `prefer`, found `{word[0][:40]}`"
    joined = "".join(text.text.split())
    if joined in KEY_WORDS and joined != text.text.strip():
        return Diagnostic("syntax", line_span, message, Suggestion(f"write `{joined}`", joined))
    other = {"max": "most", "maximum": "most", "min": "least", "minimum": "least"}.get(word[0], "")
    help = Suggestion(f"write `{other}`", other) if other else did_you_mean(word[0], _ORDERS)
    help = help or Suggestion(f"write `most {shown}`", f"most {word[0]}")
    return Diagnostic("syntax", span, message, help)


def _result(text: Slice) -> Diagnostic | None:
    """Report a result in other words: `player won`, `tie`, `most pieces win`, `player`."""
    words = [m.span() for m in re.finditer(r"\S+", text.text)]
    if not words:
        return None
    first, last = text.text[slice(*words[0])], text.text[slice(*words[-1])]
    result_span = text.span(words[0][0], words[-1][1])
    message = f"expected a result, found `{' '.join(text.text.split())[:40]}`"
    if first in _DRAWS and len(words) < 3:
        return Diagnostic("syntax", result_span, message, Suggestion("write `draw`", "draw"))
    if first in _SCORES and text.text != f"{_SCORES[first]} score wins":
        return Diagnostic("syntax", result_span, message, score_result(first))
    if len(words) > 1 and (write := _RESULTS.get(last) or _near_result(last)):
        message = f"expected `wins` or `loses`, found `{last[:40]}`"
        return Diagnostic(
            "syntax", text.span(*words[-1]), message, Suggestion(f"write `{write}`", write)
        )
    if len(words) == 1 and re.fullmatch(r"[a-z][a-z0-9_]*", first):
        end = Span(result_span.source, result_span.end, result_span.end)
        help = did_you_mean(first, ["draw"]) or Suggestion(f"write `{first} wins`", " wins", end)
        return Diagnostic("syntax", result_span, message, help)
    return None


def _near_result(word: str) -> str:
    help = did_you_mean(word, ["wins", "loses"])
    return help.write if isinstance(help, Suggestion) else ""


def _verb(text: Slice) -> Diagnostic | None:
    """Report an effect with the verb of another language, without `do`, or `drop … on`."""
    word = re.match(r"[a-z_]+", text.text)
    if word and (verb := _VERBS.get(word[0])):
        message = f"expected an effect, found `{word[0]}`"
        return Diagnostic(
            "syntax", text.span(*word.span()), message, Suggestion(f"write `{verb}`", verb)
        )
    if loop := re.match(
        rf"for\s+\w+\s+in\b(?:(?!\bdo\b)[^:])*?\b({'|'.join(EFFECTS)})\b", text.text
    ):
        message = f"expected `do`, found `{loop[1]}`"
        help = Suggestion("write `do` before the effect", f"do {loop[1]}")
        return Diagnostic("syntax", text.span(*loop.span(1)), message, help)
    if dropped := re.match(r"drop(?=\s.*\son\s)", text.text, re.S):
        message = "expected `put`, found `drop`"
        span = text.span(*dropped.span())
        return Diagnostic("syntax", span, message, Suggestion("write `put`", "put"))
    return None


def _no_effect(text: Slice, begin: int, terminals: Collection[str]) -> Diagnostic | None:
    """Report the word before a place where only the name of an effect fits."""
    word = re.search(r"[a-z][a-z0-9_]*(?=\s*$)", text.text[:begin])
    if word is None or "LPAR" not in terminals or {"NAME", "AND"} & set(terminals):
        return None
    help = did_you_mean(word[0], EFFECTS)
    message = f"expected an effect, found `{word[0][:40]}`"
    return Diagnostic("syntax", text.span(*word.span()), message, help)


# Errors at one place


def _character(text: Slice, at: int) -> Diagnostic:
    char = text.text[at]
    if diagnostic := _sign(text, at, at + 1):
        return diagnostic
    if char == '"':
        close = Suggestion('close it: `"…"`', '"', _end(text))
        return Diagnostic("syntax", text.span(at, at + 1), "a text without end", close)
    if char == "'":
        return _single_quotes(text, at)
    if char.isalpha():
        return _foreign_word(text, at)
    shown = char if char.isprintable() else f"character {ord(char)}"
    help = Suggestion("leave it out", "") if char in ";`?$@\\" else ""
    return Diagnostic("syntax", text.span(at, at + 1), f"unexpected `{shown}`", help)


def _foreign_word(text: Slice, at: int) -> Diagnostic:
    """Report a word with capitals or letters of another alphabet."""
    start = (
        at
        - len(text.text[:at])
        + len(text.text[:at].rstrip("abcdefghijklmnopqrstuvwxyz0123456789_"))
    )
    match = re.compile(r"\w+").match(text.text, start)
    word = match[0] if match else text.text[at]
    plain = word.translate(_LOOK_ALIKE).lower()
    help = "names are small ASCII letters, digits and `_`"
    if plain.isascii():
        help = Suggestion(f"{help}: `{plain}`", plain)
    span = text.span(start, start + len(word))
    return Diagnostic("syntax", span, f"unexpected `{word[:40]}`", help)


def _single_quotes(text: Slice, at: int) -> Diagnostic:
    end = text.text.find("'", at + 1)
    help = 'a text is written in `"`'
    if end > 0:
        inner = text.text[at + 1 : end]
        span = text.span(at, end + 1)
        return Diagnostic("syntax", span, "unexpected `'`", Suggestion(help, f'"{inner}"'))
    return Diagnostic("syntax", text.span(at, at + 1), "unexpected `'`", help)


def _sign(text: Slice, begin: int, end: int) -> Diagnostic | None:
    """Report an operator sign of other languages, with the adjacent signs that belong to it."""
    signs = "=<>!&|~:≤≥≠∧∨¬×÷–−“”„"
    if text.text[begin] not in signs:
        return None
    while begin and text.text[begin - 1] in signs:
        begin -= 1
    while end < len(text.text) and text.text[end] in signs:
        end += 1
    sign = text.text[begin:end]
    write = _SIGNS.get(sign, "")
    if not write:
        return None
    help = Suggestion(f"write `{write.strip()}`, not `{sign}`", write)
    return Diagnostic("syntax", text.span(begin, end), f"unexpected `{sign}`", help)


def _fix_for(text: Slice, begin: int, token: str, start: str) -> str:
    """Return the correction of an unexpected token, from the text before it."""
    before = text.text[:begin].rstrip()
    if token == ")" and before.count(")") >= before.count("("):
        return Suggestion("leave it out: every bracket has been closed", "")
    if start in ("effect", "line") and re.match(r"set\s", before):
        if diagnostic := _cells_in_brackets(text, begin, token):
            return diagnostic
        help = f"write `{' '.join(before.split())} to …`"
        if token == "=" or token == ":":
            return Suggestion(help, "to")
        return Suggestion(help, f"to {token}") if " " in before else ""
    if start == "line" and token == "=" and re.match(r"let\s", before):
        return Suggestion(f"write `{' '.join(before.split())} be …`", "be")
    if token == ":" and start == "effect" and re.search(r"\bfor\s+\w+\s+in\b", before):
        return Suggestion("write `do` before the effect", " do")
    if token == ":":
        return "a name with a colon is allowed only inside the brackets of a function"
    word = " ".join(token.split())
    if word in ("at least", "at most", "exactly") and before.endswith("="):
        sign = _WORDS[word]
        equals = text.span(len(before) - 1, begin + len(token))
        return Suggestion(f"compare instead: `{sign}`", sign, equals)
    if word in _WORDS:
        return Suggestion(f"write `{_WORDS[word]}`", _WORDS[word])
    if word == "is not":
        return Suggestion("write `!=`", "!=")
    if word == "not" and re.search(r"[\w)\]]$", before) and _last_word(before) not in RESERVED:
        return Suggestion("write `and not`", "and not")
    return _of_phrase(text, begin, token) if token == "of" else ""


def _last_word(text: str) -> str:
    """Return the last word of a text, unless it is a value by itself."""
    word = re.search(r"\w+$", text)
    return word[0] if word and word[0] in _CONNECTIVES else ""


def _of_phrase(text: Slice, begin: int, token: str) -> str:
    """Correct `own king of p`: `of` follows a single name, and `as` any expression."""
    words = re.search(r"\w+(?:\s+\w+)+\s*$", text.text[:begin])
    side = _OPERAND.match(text.text, begin + len(token))
    if words is None or side is None:
        return ""
    names = words[0].split()
    first = max((i + 1 for i, name in enumerate(names) if name in _CONNECTIVES), default=0)
    names = names[first:]
    start = next(m.start() for m in list(re.finditer(r"\w+", words[0]))[first:]) + words.start()
    write = f"as({side[0].strip()}, {' '.join(names)})"
    return Suggestion(f"write `{write}`", write, text.span(start, side.end()))


def _cells_in_brackets(text: Slice, begin: int, token: str) -> str:
    """Correct `set x of a or b to …` with brackets around the operand of `of`."""
    first = re.match(r"set\s+\w+\s+of\s+(?=\S)", text.text)
    rest = re.compile(r"\s*\S.*?(?=\s+to\s)", re.S).match(text.text, begin + len(token))
    if first is None or rest is None or token not in _OPERATORS or begin <= first.end():
        return ""
    write = f"({text.text[first.end() : rest.end()]})"
    help = f"write `of {' '.join(write.split())}`"
    return Suggestion(help, write, text.span(first.end(), rest.end()))


def _operator_out(text: Slice, begin: int, end: int, expected: str) -> str:
    """Remove an operator where a value is expected."""
    word = text.text[begin:end]
    if word not in RESERVED or not expected.startswith("a value"):
        return ""
    after = re.compile(r"\s*").match(text.text, end)
    if word == "touching" and (others := _OPERAND.match(text.text, end)):
        write = f"neighbours({others[0].strip()})"
        return Suggestion(f"write `{write}`", write, text.span(begin, others.end()))
    if not text.text[end:].strip(" \n)"):
        return f"`{word}` belongs between two values"
    return Suggestion(
        f"a value is missing before `{word}`; or leave `{word}` out",
        "",
        text.span(begin, after.end() if after else end),
    )


def _unfinished(text: Slice, expected: str, start: str, terminals: object) -> Diagnostic:
    """Report a text that ends too early: an unclosed bracket, or a missing word at the end."""
    if opened := _open_brackets(text.text):
        close = "".join({"(": ")", "[": "]"}[text.text[i]] for i in reversed(opened))
        span = text.span(opened[-1], opened[-1] + 1)
        fix = Suggestion("close the bracket", close, _end(text))
        return Diagnostic("syntax", span, "a bracket that is not closed", fix)
    tokens = list(_TOKEN.finditer(text.text))
    last = tokens[-1].span() if tokens else (0, 0)
    message = f"expected {expected}, found the end of the text"
    help = ""
    if start == "effect" and expected == "`until`":
        help = Suggestion("say when it ends", " until nothing changes", _end(text))
    elif start == "line" and re.fullmatch(r"repeat\s+\S+", text.text):
        help = Suggestion(f"write `{' '.join(text.text.split())} times`", " times", _end(text))
    elif tokens and tokens[-1][0] in RESERVED and "a value" in expected:
        word = tokens[-1][0]
        out = text.span(len(text.text[: last[0]].rstrip()), last[1])
        help = Suggestion(f"a value is missing after `{word}`; or leave `{word}` out", "", out)
    return Diagnostic("syntax", text.span(*last), message, help)


def _open_brackets(text: str) -> list[int]:
    """Return the offsets of the unclosed brackets."""
    opened: list[int] = []
    for match in _TOKEN.finditer(text):
        if match[0] in "([":
            opened.append(match.start())
        elif match[0] in ")]" and opened:
            opened.pop()
    return opened


def _end(text: Slice) -> Span:
    """Return the empty span after the last character that is not blank."""
    length = len(text.text.rstrip())
    at = text.offsets[length - 1] + 1 if length else text.offsets[0]
    return Span(text.source, at, at)
