"""One scalar in its layout: with quotes where they are needed, or as a block of lines."""

import re

from rulesengine.language.document.nodes import Scalar
from rulesengine.language.document.scalars import plain_value

# What other readers of YAML take for a number or a flag.
_OTHERWISE = re.compile(
    r"[-+]?\.?[0-9][0-9A-Fa-fxo_.:eE+-]*|true|false|yes|no|on|off|null", re.IGNORECASE
)
_DIGITS = re.compile(r"0|[1-9][0-9]*")
_FIRST = re.compile(r"[\w(<$]|-[\w(]")
_BLANKS = re.compile(r"[ \t]*(?:\n[ \t]*(?=\n|\Z))*")
_BREAKS_BLOCK = re.compile(r":(?!\S)|\s#")
_BREAKS_FLOW = re.compile(r"[\[\]{},:#?\"'&*!|>%@`]")


def one_line(node: Scalar, *, flow: bool = False) -> str:
    """A value on one line, for brackets if `flow`; an empty one stays empty where it can."""
    if not isinstance(node.value, str):
        return node.text.text or ("null" if flow else "")
    return quoted_if_needed(node.text.text, flow=flow)


def key_text(key: str, *, flow: bool = False) -> str:
    """A key, which is text whatever it looks like."""
    return key if _DIGITS.fullmatch(key) else quoted_if_needed(key, flow=flow)


def quoted_if_needed(text: str, *, flow: bool) -> str:
    """A text as a scalar of one line."""
    return text if _is_plain(text, flow) else _quoted(text)


def block_head(node: Scalar, text: str) -> str:
    """How a block begins: its style, how far it is indented if that is not plain, its end."""
    style = "|" if node.style == "literal" else ">"
    first = re.match(r"\n*([^\n]*)", text)
    indented = first is not None and first[1][:1] in (" ", "\t")
    return f"{style}{'2' if indented else ''}{_chomping(text)}"


def block_lines(node: Scalar, text: str, indent: str) -> list[str]:
    """The lines of a block below its head; `text` is what a literal one is to hold."""
    lines = text.split("\n") if node.style == "literal" else _raw_lines(node)
    body = [f"{indent}{line}" if line else "" for line in lines]
    while body and not body[-1]:
        body.pop()
    return body + [""] * (len(text) - len(text.rstrip("\n")) - 1)


def is_block(node: Scalar) -> bool:
    """Whether a scalar is a block of lines, and has to stay one."""
    return node.style in ("literal", "folded") and bool(node.text.text.strip())


def wrapped_lines(node: Scalar) -> list[str]:
    """The lines of an unquoted text of several; none if they are no lines of a folded block."""
    lines = [line.strip() for line in node.span.text.split("\n")]
    same = " ".join(lines) == node.text.text
    return lines if node.style == "plain" and len(lines) > 1 and same else []


def _is_plain(text: str, flow: bool) -> bool:
    breaks = _BREAKS_FLOW if flow else _BREAKS_BLOCK
    return (
        bool(_FIRST.match(text))
        and text.isprintable()
        and text == text.strip()
        and not breaks.search(text)
        and not _OTHERWISE.fullmatch(text)
        and isinstance(plain_value(text), str)
    )


def _quoted(text: str) -> str:
    """In double quotes; in single ones a text that holds double ones or a backslash."""
    if text.isprintable() and ('"' in text or "\\" in text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char in "\n\t":
        return {"\n": "\\n", "\t": "\\t"}[char]
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def _chomping(text: str) -> str:
    if text.endswith("\n\n"):
        return "+"
    return "" if text.endswith("\n") else "-"


def _raw_lines(node: Scalar) -> list[str]:
    """The lines of a folded block as they stand there, without the indentation of the block."""
    blanks = _BLANKS.match(node.span.source.text, node.span.end)  # the span ends before them
    raw = (node.span.text + (blanks[0] if blanks else "")).split("\n")[1:]
    first = next((line for line in raw if line.strip()), "")
    read = next((line for line in node.text.text.split("\n") if line.strip()), "")
    indent = (len(first) - len(first.lstrip(" "))) - (len(read) - len(read.lstrip(" ")))
    return [line[indent:] for line in raw]
