"""Formatting of scalars: plain, quoted if necessary, or as a block of lines."""

import re

from rulesengine.language.document.nodes import Scalar
from rulesengine.language.document.scalars import plain_value

# Plain scalars that other YAML readers would parse as numbers or booleans.
_OTHERWISE = re.compile(
    r"[-+]?\.?[0-9][0-9A-Fa-fxo_.:eE+-]*|true|false|yes|no|on|off|null", re.IGNORECASE
)
_DIGITS = re.compile(r"0|[1-9][0-9]*")
_FIRST = re.compile(r"[\w(<$]|-[\w(]")
_BLANKS = re.compile(r"[ \t]*(?:\n[ \t]*(?=\n|\Z))*")
_BREAKS_BLOCK = re.compile(r":(?!\S)|\s#")
_BREAKS_FLOW = re.compile(r"[\[\]{},:#?\"'&*!|>%@`]")


def one_line(node: Scalar, *, flow: bool = False) -> str:
    """Return a value on one line, in flow style if `flow`; an empty value may stay empty."""
    if not isinstance(node.value, str):
        return node.text.text or ("null" if flow else "")
    return quoted_if_needed(node.text.text, flow=flow)


def key_text(key: str, *, flow: bool = False) -> str:
    """Return a key as YAML; keys are always text."""
    return key if _DIGITS.fullmatch(key) else quoted_if_needed(key, flow=flow)


def quoted_if_needed(text: str, *, flow: bool) -> str:
    """Return a text as a one-line scalar."""
    return text if _is_plain(text, flow) else _quoted(text)


def block_head(node: Scalar, text: str) -> str:
    """Return the header of a block scalar: style, indentation indicator and chomping indicator."""
    style = "|" if node.style == "literal" else ">"
    first = re.match(r"\n*([^\n]*)", text)
    indented = first is not None and first[1][:1] in (" ", "\t")
    return f"{style}{'2' if indented else ''}{_chomping(text)}"


def block_lines(node: Scalar, text: str, indent: str) -> list[str]:
    """Return the lines of a block scalar; `text` is the content of a literal one."""
    lines = text.split("\n") if node.style == "literal" else _raw_lines(node)
    body = [f"{indent}{line}" if line else "" for line in lines]
    while body and not body[-1]:
        body.pop()
    return body + [""] * (len(text) - len(text.rstrip("\n")) - 1)


def is_block(node: Scalar) -> bool:
    """True if a scalar is a non-blank block scalar."""
    return node.style in ("literal", "folded") and bool(node.text.text.strip())


def wrapped_lines(node: Scalar) -> list[str]:
    """Return the lines of a multi-line plain scalar; none if a folded block would change it."""
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
    """Quote a text: double quotes, but single quotes around double quotes or a backslash."""
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
    """Return the lines of a folded block as written, without the block's indentation."""
    # the span ends before trailing blanks
    blanks = _BLANKS.match(node.span.source.text, node.span.end)
    raw = (node.span.text + (blanks[0] if blanks else "")).split("\n")[1:]
    first = next((line for line in raw if line.strip()), "")
    read = next((line for line in node.text.text.split("\n") if line.strip()), "")
    indent = (len(first) - len(first.lstrip(" "))) - (len(read) - len(read.lstrip(" ")))
    return [line[indent:] for line in raw]
