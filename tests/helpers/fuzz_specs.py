"""Fuzzing with thousands of broken specs: half of them with changed bytes, half with changed words.

`python -m tests.helpers.fuzz_specs COUNT [--seed S] [--from I]` checks specs I to I + COUNT - 1 of
a seed and prints the failures: an unexpected exception, more than ten million function calls, or
256 MB more than before. Spec I of a seed is the same on every machine: it is derived from the
frozen specs. `--show I` prints one.
"""

import argparse
import faulthandler
import random
import re
import resource
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from rulesengine.errors import UsageError
from rulesengine.language.check.builtins import EACH, FUNCTIONS, NAMES
from rulesengine.language.document import parse
from rulesengine.language.document.nodes import Document, Entry, Mapping, Node, Scalar, Sequence
from rulesengine.language.syntax.vocabulary import RESERVED
from rulesengine.support.diagnostic import render_all
from rulesengine.support.files import decode_source
from rulesengine.support.source import Source
from rulesengine.tools.lint import findings
from tests.helpers.freeze import FROZEN
from tests.helpers.work import Hangs, counted, patience

CALLS = 10_000_000  # most specs take a million; the aim is a fifth of a second
MEGABYTES = 256
_HANGS = 60.0

_NUMBERS = "0 1 -1 2 3 7 26 32 33 1024 4096 9223372036854775807 -9223372036854775808 1e9".split()
_BITS = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b"\t", b" ", b"  ", b": ", b"- ",
    b"[", b"]", b"{", b"}", b"&a ", b"*a", b"!!python/name:os ", b"|\n", b">-\n", b"'", b'"', b"#",
    b"%", b"@", b"`", b"? ", b"---\n", b"...\n", b"<<: ", b"\xc3\xa9", b"\xe2\x80\xae", b"\xf0\x9f",
    b"(", b")", b",", b"=", b"extends: othello\n", b"null", b"1" * 40,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seed:
    """A spec to mutate, with the positions of its values, entries and expressions."""

    text: str
    scalars: tuple[Scalar, ...]
    entries: tuple[Entry, ...]
    items: tuple[Node, ...]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fuzz_specs", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--show", type=int)
    options = parser.parse_args(words)
    if options.show is not None:
        sys.stdout.buffer.write(make(options.seed, options.show))
        return 0
    faulthandler.enable()
    bad, most = 0, 0
    for index in range(options.first, options.first + options.count):
        found, calls = judge(make(options.seed, index))
        most = max(most, calls)
        for line in found:
            bad += 1
            sys.stdout.write(f"seed {options.seed} spec {index}: {line}\n")
            sys.stdout.flush()
    sys.stdout.write(
        f"{options.count} specs of seed {options.seed} from {options.first}: {bad} findings,"
        f" at most {most} calls and {_megabytes()} MB\n"
    )
    return 1 if bad else 0


def judge(data: bytes) -> tuple[list[str], int]:
    """Check a spec; return the faults found and the number of function calls."""
    before, found = _megabytes(), []
    with counted() as work:
        try:
            with patience(_HANGS):
                render_all(findings(decode_source(data, "fuzz.yaml")))
        except UsageError:
            pass
        except Hangs:
            found.append(f"given up after {_HANGS} s")
        except Exception as error:
            found.append(_raised(error))
    if work.calls > CALLS:
        found.append(f"{work.calls} calls")
    if _megabytes() > before + MEGABYTES:
        found.append(f"{_megabytes()} MB")
    return found, work.calls


def _raised(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{place.name} in {place.filename.rpartition('/')[2]}:{place.lineno}"
    return f"{type(error).__name__} at {where}: {str(error)[:200]}"


def make(seed: int, index: int) -> bytes:
    """Return the bytes of spec `index`: even ones have changed bytes, odd ones changed words."""
    draw = random.Random(f"{seed}:{index}")
    base = draw.choice(_seeds())
    rounds = draw.choice((1, 1, 1, 2, 2, 3, 5, 8))
    if index % 2:
        return _change_all(base, draw, rounds).encode("utf-8", "surrogatepass")
    data = base.text.encode()
    for _ in range(rounds):
        data = _change_bytes(data, draw)
    return data


def _megabytes() -> int:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@cache
def _seeds() -> tuple[Seed, ...]:
    return tuple(_seed(path.read_text(encoding="utf-8")) for path in sorted(FROZEN.rglob("*.yaml")))


def _seed(text: str) -> Seed:
    document, _ = parse(Source("seed", text))
    assert document is not None
    return _planted(text, document)


def _planted(text: str, document: Document) -> Seed:
    nodes = list(_nodes(document.root))
    return Seed(
        text,
        tuple(n for n in nodes if isinstance(n, Scalar) and n.span.end > n.span.start),
        tuple(e for n in nodes if isinstance(n, Mapping) for e in n),
        tuple(i for n in nodes if isinstance(n, Sequence) for i in n),
    )


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    below = [e.value for e in node] if isinstance(node, Mapping) else []
    for child in list(node) if isinstance(node, Sequence) else below:
        yield from _nodes(child)


# bytes


def _change_bytes(data: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(data) + 1)
    end = min(len(data), at + draw.choice((1, 1, 2, 5, 30, 300)))
    match draw.randrange(7):
        case 0:
            return data[:at] + draw.randbytes(draw.choice((1, 1, 2, 8))) + data[end:]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:at] + draw.choice(_BITS) + data[at:]
        case 3:
            return data[:end] + data[at:end] * draw.choice((1, 1, 2, 50)) + data[end:]
        case 4:
            other = draw.choice(_seeds()).text.encode()
            cut = draw.randrange(len(other))
            return data[:at] + other[cut : cut + draw.choice((3, 30, 300))] + data[end:]
        case 5:
            return data[:at] + draw.choice(_BITS) * draw.choice((2, 40, 3_000)) + data[end:]
    return data[:at]


# words


def _change_all(base: Seed, draw: random.Random, rounds: int) -> str:
    """Apply so many changes of whole words, or as many as leave a valid document."""
    text = draw.choice(_CHANGES)(base, base.text, draw)
    for _ in range(rounds - 1):
        document, found = parse(Source("fuzz.yaml", text))
        if document is None or found:
            return text
        base = _planted(text, document)
        if base.scalars and base.entries:
            text = draw.choice(_CHANGES)(base, text, draw)
    return text


def _put(text: str, node: Node, new: str) -> str:
    return text[: node.span.start] + new + text[node.span.end :]


def _new_value(base: Seed, text: str, draw: random.Random) -> str:
    """Replace a value by one of another spec."""
    other = draw.choice(draw.choice(_seeds()).scalars)
    new = other.span.text if other.style in ("plain", "single", "double") else "x"
    return _put(text, draw.choice(base.scalars), new)


def _new_number(base: Seed, text: str, draw: random.Random) -> str:
    numbers = [s for s in base.scalars if type(s.value) is int] or list(base.scalars)
    return _put(text, draw.choice(numbers), draw.choice(_NUMBERS))


def _new_expression(base: Seed, text: str, draw: random.Random) -> str:
    new = _expression(draw, draw.choice((1, 2, 3, 4, 6)))
    return _put(text, draw.choice(base.scalars), f'"{new}"')


def _new_word(base: Seed, text: str, draw: random.Random) -> str:
    """Replace one word inside a value."""
    node = draw.choice(base.scalars)
    words = node.span.text.split(" ")
    words[draw.randrange(len(words))] = _word(draw)
    return _put(text, node, " ".join(words))


def _same_key(base: Seed, text: str, draw: random.Random) -> str:
    """Replace a value by the one that another spec has under the same key."""
    entry = draw.choice(base.entries)
    others = [e.value for seed in _seeds() for e in seed.entries if e.key == entry.key]
    new = draw.choice(others or [entry.value])
    if not isinstance(new, Scalar) or new.style in ("literal", "folded"):
        return text
    return _put(text, entry.value, new.span.text)


def _typed(base: Seed, text: str, draw: random.Random) -> str:
    """Replace a value by an expression of the expected type."""
    entries = [e for e in base.entries if e.key in _TYPES] or list(base.entries)
    entry = draw.choice(entries)
    new = _of(_TYPES.get(entry.key, "cells"), draw, draw.choice((1, 2, 3, 4)))
    return _put(text, entry.value, f'"{new}"')


def _lost_entry(base: Seed, text: str, draw: random.Random) -> str:
    entry = draw.choice(base.entries)
    return text[: entry.key_span.start] + text[entry.value.span.end :]


def _new_key(base: Seed, text: str, draw: random.Random) -> str:
    span = draw.choice(base.entries).key_span
    return text[: span.start] + draw.choice((_key(draw), _word(draw))) + text[span.end :]


def _more(base: Seed, text: str, draw: random.Random) -> str:
    """Duplicate an item of a list."""
    if not base.items:
        return text
    node = draw.choice(base.items)
    line = text.rfind("\n", 0, node.span.start) + 1
    return text[:line] + text[line : node.span.end] + "\n" + text[line:]


def _new_line(base: Seed, text: str, draw: random.Random) -> str:
    """Delete, duplicate, indent or unindent a line of a block."""
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    changed = [[], [lines[at]] * 2, ["  " + lines[at]], [lines[at].removeprefix("  ")]]
    return "\n".join([*lines[:at], *draw.choice(changed), *lines[at + 1 :]])


def _nested(base: Seed, text: str, draw: random.Random) -> str:
    node, depth = draw.choice(base.scalars), draw.choice((2, 30, 70, 400))
    opening, closing = draw.choice((("(", ")"), ("not ", ""), ("count(", ")"), ("- ", "")))
    inner = node.text.text.replace('"', "").replace("\n", " ").replace("\\", "")
    return _put(text, node, f'"{opening * depth}{inner}{closing * depth}"')


def _section(base: Seed, text: str, draw: random.Random) -> str:
    """Append a section of another spec."""
    other = draw.choice(_seeds())
    entry = draw.choice(other.entries)
    return f"{text}\n{other.text[entry.key_span.start : entry.value.span.end]}\n"


def _variant(base: Seed, text: str, draw: random.Random) -> str:
    """Turn the spec into a variant of a bundled one."""
    return f"extends: {draw.choice(('othello', 'hex', 'go', 'mu-torere', 'nothing'))}\n{text}"


_CHANGES: tuple[Callable[[Seed, str, random.Random], str], ...] = (
    _new_value, _new_number, _new_expression, _new_word, _new_word, _same_key, _same_key,
    _typed, _typed, _typed, _typed, _lost_entry, _new_key, _more, _new_line, _nested, _section,
    _variant,
)  # fmt: skip

_FORMS = (
    "({} {} {})", "{} and {}", "not {}", "if {} then {} else {}", "{} where {}", "as({}, {})",
    "{} of {}", "after({})", "{} between {} and {}", "{} + {}", "{} * {}", "{} / {}", "{} = {}",
    "{} < {}", "most {}", "prefer {}", "put {} on {}", "flip {}", "remove {}", "set {} to {}",
    "{} wins", "-{}", "{} % {}", "{} to {}", "at least {}", "[{}, {}]", "x in {}",
)  # fmt: skip


def _expression(draw: random.Random, depth: int) -> str:
    """Return a text that resembles an expression, with arbitrary types."""
    if depth == 0:
        return _word(draw)
    kind = draw.randrange(4)
    if kind == 0:
        name = draw.choice((*FUNCTIONS, *EACH))
        inner = [_expression(draw, depth - 1) for _ in range(draw.choice((1, 1, 2, 3)))]
        if name in EACH and draw.randrange(2):
            inner[0] = f"x in {inner[0]}"
        return f"{name}({', '.join(inner)})"
    form = draw.choice(_FORMS)
    return form.format(*[_expression(draw, depth - 1) for _ in range(form.count("{}"))])


_TYPES = MappingProxyType(
    {
        "to": "cells", "move": "cells", "select": "cells", "when": "flag", "forbid": "flag",
        "score": "number", "do": "effect", "along": "directions", "turn": "side", "from": "cells",
        "result": "result", "rows": "number", "columns": "number", "greedy": "key",
    }
)  # fmt: skip
_TYPED = MappingProxyType(
    {
        "cells": (
            "own", "enemy", "empty", "to", "from", "all", "occupied", "neutral", "placed",
            "{cells} and {cells}", "{cells} or {cells}", "{cells} minus {cells}", "not {cells}",
            "shift({cells}, {directions})", "neighbours({cells})", "fill({cells}, {cells})",
            "cell_at({number}, {number})", "line({cells}, at least {number})",
            "line({cells}, {number}, {directions})",
            "run({cells}, {cells}, {cells})", "slide({cells}, {directions}, {cells})",
            "({cells} where {flag})", "rows({number} to {number})", "columns({number})",
            "as({side}, {cells})", "union(g in groups({cells}), g)", "({cells} touching {cells})",
            "({cells} between {cells} and {cells})", "where(x in {cells}, x in {cells})",
            "(if {flag} then {cells} else {cells})", "first({cells})",
        ),
        "number": (
            "0", "1", "2", "-1", "n", "9223372036854775807", "count({cells})", "plies",
            "{number} + {number}", "{number} * {number}", "{number} / {number}", "-{number}",
            "{number} % {number}", "row(first({cells}))", "abs({number})", "board_repeats",
            "sum(x in {cells}, {number})", "least(x in {cells}, row(x))", "position_repeats",
            "greater({number}, {number})", "count(d in all, {flag})", "as({side}, {number})",
            "sum(i in numbers({number} to {number}), i)", "screen_column({cells})", "score",
        ),
        "flag": (
            "true", "false", "any({cells})", "none({cells})", "{number} = {number}",
            "{number} < {number}", "{flag} and {flag}", "{flag} or {flag}", "not {flag}",
            "{cells} in {cells}", "can_move({side})", "{side} = {side}", "mover = player",
            "every(p in players, {flag})", "any(x in {cells}, {flag})", "over", "won",
        ),
        "side": (
            "player", "opponent", "mover", "nobody", "next({side})", "owner(first({cells}))",
            "if {flag} then {side} else {side}",
        ),
        "directions": (
            "all", "orthogonal", "diagonal", "north", "[north, east]", "direction", "ahead",
            "opposite({directions})",
        ),
        "effect": (
            "put disc on {cells}", "put stone of {side} on {cells}", "remove {cells}",
            "flip {cells}", "flip {cells} to {side}", "if {flag} then {effect}",
            "if {flag} then {effect} else {effect}", "carry {cells} to {cells}",
            "set passes to {number}", "promote {cells} to king", "drop {cells} to {directions}",
        ),
        "result": ("{side} wins", "{side} loses", "draw", "highest score wins", "lowest score"),
        "key": (
            "most {number}", "least {number}", "prefer {flag}", "leftmost", "lowest",
            "most after({number})", "prefer after({flag}) else {flag}",
            "most after(least(replies, {number}))", "prefer any(replies, {flag})",
        ),
    }
)  # fmt: skip
_FIELD = re.compile(r"\{(\w+)\}")


def _of(type: str, draw: random.Random, depth: int) -> str:
    """Return an expression of a type, as far as that is possible without its spec."""
    forms = _TYPED[type]
    form = draw.choice(forms if depth else forms[:3])
    return _FIELD.sub(lambda field: _of(field[1], draw, max(0, depth - 1)), form)


def _word(draw: random.Random) -> str:
    match draw.randrange(5):
        case 0:
            return draw.choice((*NAMES, *sorted(RESERVED)))
        case 1:
            return draw.choice(_NUMBERS)
        case 2:
            return draw.choice(("a1", "d4", "north", "orthogonal", "top", "n", "x", "disc", "Ａ"))
        case 3:
            return draw.choice(draw.choice(_seeds()).scalars).span.text.split(" ")[0]
    return draw.choice(("own", "enemy", "empty", "to", "from", "player", "all", "count(own)"))


def _key(draw: random.Random) -> str:
    return draw.choice(draw.choice(_seeds()).entries).key


if __name__ == "__main__":
    sys.exit(main())
