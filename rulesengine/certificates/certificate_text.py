"""Certificates as text: JSON lines, a head followed by the claims of the proof.

A claim states a bound on the value of one position for the side to move. A lower bound is justified
by `move` and a claim on the position after it; an upper bound by claims on the positions after all
moves. The bound must equal the best of the values that it depends on. Values are points of the
score, or 1, 0 and -1 for a win, a draw and a loss.

A claim may depend on earlier lines only, so there are no cycles. Exceptions are `endless` draws, in
which a player can avoid an end forever: these may depend on any line.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rulesengine.errors import NotationError
from rulesengine.support.frozen import field, record

# Maximum number of positions in a proof.
MOST_POSITIONS = 200_000

_VERSION = 1
_HEAD = "certificate"
_MOST_TEXT = 1 << 16
_LARGEST = 1 << 40


@record
class Claim:
    """A claim on the value of a position; `line` is its line number, from 1."""

    position: str
    bound: str  # `at_least` or `at_most`
    value: int
    move: str | None = None
    endless: bool = False
    line: int = field(default=0, compare=False)


AT_LEAST, AT_MOST = "at_least", "at_most"


@record
class Certificate:
    """A proof of the value of a position; the game is identified by name and rules hash.

    `value` is that of the side to move, in points if `points` is true.
    """

    game: str
    rules: str
    parameters: Mapping[str, int | str]
    position: str
    value: int
    points: bool
    claims: tuple[Claim, ...]


def write_certificate(certificate: Certificate) -> str:
    """Encode a certificate; `read_certificate` decodes the text to an equal one."""
    head = {
        _HEAD: _VERSION,
        "game": certificate.game,
        "rules": certificate.rules,
        "parameters": dict(certificate.parameters),
        "position": certificate.position,
        "value": certificate.value,
        "points": certificate.points,
    }
    return "".join(f"{json.dumps(line)}\n" for line in (head, *map(_entry, certificate.claims)))


def read_certificate(text: str) -> Certificate:
    """Decode a certificate. Raises NotationError that begins with a line number."""
    lines = enumerate(text.splitlines(), start=1)
    first = next(lines, (1, ""))[1]
    head = _fields(first, 1, _HEAD_TYPES)
    if head[_HEAD] != _VERSION:
        raise NotationError(f"1: a certificate of version {_VERSION} is expected")
    return Certificate(
        head["game"],
        head["rules"],
        _parameters(head["parameters"]),
        head["position"],
        head["value"],
        head["points"],
        tuple(_claims(lines)),
    )


_HEAD_TYPES: MappingProxyType[str, type] = MappingProxyType(
    {
        _HEAD: int,
        "game": str,
        "rules": str,
        "parameters": dict,
        "position": str,
        "value": int,
        "points": bool,
    }
)


def _entry(claim: Claim) -> dict[str, object]:
    entry: dict[str, object] = {"position": claim.position, claim.bound: claim.value}
    if claim.move is not None:
        entry["move"] = claim.move
    return entry | ({"endless": True} if claim.endless else {})


def _claims(lines: Iterable[tuple[int, str]]) -> Iterator[Claim]:
    for number, text in lines:
        bound = AT_LEAST if f'"{AT_LEAST}"' in text else AT_MOST
        types: dict[str, type] = {"position": str, bound: int}
        types |= {"move": str} if bound == AT_LEAST else {}
        types |= {"endless": bool} if '"endless"' in text else {}
        fields = _fields(text, number, types)
        move, endless = fields.get("move"), fields.get("endless", False)
        yield Claim(fields["position"], bound, fields[bound], move, endless, number)


def _fields(text: str, line: int, types: Mapping[str, type]) -> dict[str, Any]:
    """Parse the object of a line, which must have exactly these fields."""
    try:
        table = json.loads(text[:_MOST_TEXT])
    except (ValueError, RecursionError):
        raise NotationError(f"{line}: this is no line of a certificate") from None
    if not isinstance(table, dict) or table.keys() != types.keys():
        raise NotationError(f"{line}: expected the fields {', '.join(types)}")
    for name, kind in types.items():
        value = table[name]
        if type(value) is not kind or (isinstance(value, int) and abs(value) > _LARGEST):
            raise NotationError(f"{line}: `{name}` has an invalid value")
    return table


def _parameters(fields: Mapping[str, Any]) -> dict[str, int | str]:
    if any(type(value) not in (int, str) for value in fields.values()):
        raise NotationError("1: a parameter is a number or a word")
    return dict(fields)
