"""A certificate as text: JSON, line by line, a head and then the claims of which a proof is made.

A claim is about one position, for the side to move: its value is at least so much, since `move`
leads to a position for which that is claimed too; or it is at most so much, since that is claimed
of all positions that a move leads to. It is as good as the best of what it hangs on, no better and
no worse. Values are points of the score, or 1, 0 and -1 for a win, a draw and a loss.

A claim hangs on earlier lines alone, so that none hangs on itself; but for draws that are
`endless`, in which nobody can be kept from going on for ever: these may hang on any line.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rulesengine.errors import NotationError
from rulesengine.support.frozen import field, record

# A proof is about at most so many positions.
MOST_POSITIONS = 200_000

_VERSION = 1
_HEAD = "certificate"
_MOST_TEXT = 1 << 16
_LARGEST = 1 << 40


@record
class Claim:
    """What is said of a position: `line` is where in the text, from 1."""

    position: str
    bound: str  # at least or at most
    value: int
    move: str | None = None
    endless: bool = False
    line: int = field(default=0, compare=False)


AT_LEAST, AT_MOST = "at_least", "at_most"


@record
class Certificate:
    """A proof that a position of a game, by its name and the hash of its rules, has a value.

    `value` is what the side to move gets, in points if `points` is true.
    """

    game: str
    rules: str
    parameters: Mapping[str, int | str]
    position: str
    value: int
    points: bool
    claims: tuple[Claim, ...]


def write_certificate(certificate: Certificate) -> str:
    """The text of a certificate; `read_certificate` gives the same certificate back."""
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
    """The certificate of a text. Raises NotationError that begins with the number of a line."""
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
        found = _fields(text, number, types)
        move, endless = found.get("move"), found.get("endless", False)
        yield Claim(found["position"], bound, found[bound], move, endless, number)


def _fields(text: str, line: int, types: Mapping[str, type]) -> dict[str, Any]:
    """The object of a line, which has these fields and no other."""
    try:
        found = json.loads(text[:_MOST_TEXT])
    except (ValueError, RecursionError):
        raise NotationError(f"{line}: this is no line of a certificate") from None
    if not isinstance(found, dict) or found.keys() != types.keys():
        raise NotationError(f"{line}: expected the fields {', '.join(types)}")
    for name, kind in types.items():
        value = found[name]
        if type(value) is not kind or (isinstance(value, int) and abs(value) > _LARGEST):
            raise NotationError(f"{line}: `{name}` is not what it should be")
    return found


def _parameters(found: Mapping[str, Any]) -> dict[str, int | str]:
    if any(type(value) not in (int, str) for value in found.values()):
        raise NotationError("1: a parameter is a number or a word")
    return dict(found)
