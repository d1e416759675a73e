"""The transforms of `with`: rewrites of a whole spec, such as misère play or a torus.

Each is a function from a document to one that an author could have written by hand.

See decision 013.
"""

import re
from collections.abc import Callable
from types import MappingProxyType

from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence, quote
from rulesengine.language.document.paths import at, head, items, mapping, plain, put, text
from rulesengine.language.document.transform_requests import (
    TransformError,
    TransformRequest,
    check_no_argument,
    number_argument,
    number_arguments,
    parse_requests,
)
from rulesengine.support.diagnostic import Diagnostic, Note, did_you_mean
from rulesengine.support.source import Slice, Span

_SIDES = MappingProxyType(
    {
        "rectangle": ("rows", "columns"),
        "rhombus": ("rows", "columns"),
        "hexagon": ("size",),
        "triangle": ("size",),
        "staggered": ("rows", "columns"),
        "mesh": ("rows", "columns"),
        "box": ("layers", "rows", "columns"),
    }
)
_AFTER = 1  # moves before the one that may be answered by a swap
_FIELD = re.compile(r"([a-z][a-z0-9_]*(?: of [a-z0-9_]+)?): *(\S.*)")


def transform_requests(node: Node | None) -> tuple[list[TransformRequest], list[Diagnostic]]:
    """Parse the value of `with` to requests in order, and report its errors."""
    return parse_requests(node, tuple(TRANSFORMS))


def transform(root: Mapping, request: TransformRequest) -> Mapping:
    """Apply a transform to a spec; raises TransformError if it does not fit."""
    return TRANSFORMS[request.name](root, request)


def offered(root: Mapping) -> dict[str, dict[str, int]]:
    """Return the transforms that take only numbers, each with the usual numbers of a spec.

    A side of the board that is a parameter is not among them.
    """
    shape = text(at(root, "board", "shape")) or "rectangle"
    sides = ((side, at(root, "board", side)) for side in _SIDES.get(shape, ()))
    own = {k: v.value for k, v in sides if isinstance(v, Scalar) and type(v.value) is int}
    arguments: dict[str, dict[str, int]] = {"misere": {}, "torus": {}, "pie": {"after": _AFTER}}
    return {**arguments, "size": own} if own else arguments


def misere(root: Mapping, request: TransformRequest) -> Mapping:
    """Make the winner lose."""
    check_no_argument(request)
    _two_players(root, request)
    results = [text(at(end, "result")) for end in items(at(root, "rules", "end"))]
    if not any(result not in ("", "draw") for result in results):
        raise TransformError("`misere` makes the winner lose, no end of this game has a winner")
    on = text(at(root, "rules", "misere")) == "true"
    return put(
        root, ("rules", "misere"), plain("false" if on else "true", request.span), request.span
    )


def torus(root: Mapping, request: TransformRequest) -> Mapping:
    """Join the left edge to the right and the top to the bottom."""
    check_no_argument(request)
    shape, wrap = at(root, "board", "shape"), at(root, "board", "wrap")
    if shape and text(shape) != "rectangle":
        notes = (Note(head(shape), "the shape"),)
        raise TransformError(
            f"`torus` needs a rectangle, this board is a {text(shape)}", notes=notes
        )
    if wrap and text(wrap) == "both":
        raise TransformError(
            "the board is a torus already", notes=(Note(head(wrap), "joined here"),)
        )
    return put(root, ("board", "wrap"), plain("both", request.span), request.span)


def pie(root: Mapping, request: TransformRequest) -> Mapping:
    """Add the pie rule: the second player may answer the first move by swapping sides.

    `after` counts the moves before the swap. `tier` is the number of the tier, as separated by
    `otherwise`, to which the swap is added.
    """
    _two_players(root, request)
    arguments = number_arguments(request, ("after", "tier"))
    groups = items(at(root, "rules", "moves"))
    swap = next((entry for group in groups if (entry := _swap(group))), None)
    if swap:
        raise TransformError("this game has a `swap` already", notes=(Note(swap, "the swap"),))
    tiers = _tiers(groups)
    tier = arguments.get("tier", _first_reply(tiers))
    if not 1 <= tier <= len(tiers):
        raise TransformError(f"there is no tier {tier}, the moves have {len(tiers)}")
    when = plain(f"plies = {arguments.get('after', _AFTER)}", request.span)
    tiers[tier - 1].append(mapping(request.span, swap=plain("true", request.span), when=when))
    moves = Sequence(tuple(group for tier in tiers for group in tier), request.span)
    return put(root, ("rules", "moves"), moves, request.span)


def size(root: Mapping, request: TransformRequest) -> Mapping:
    """Change the size of the board: a number for all sides, or a map such as `{rows: 8}`."""
    shape = text(at(root, "board", "shape")) or "rectangle"
    sides = _SIDES.get(shape, ())
    if not sides:
        raise TransformError(f"`size` needs a board with sides, this board is a {shape}")
    if isinstance(request.argument, Mapping):
        arguments = number_arguments(request, sides)
    else:
        keys = ", ".join(f"`{side}`" for side in sides)
        number = number_argument(request, f"write `size: 6`, or a map of {keys}")
        arguments = dict.fromkeys(sides, number)
    defaults: dict[str, int] = {}
    for side, number in arguments.items():
        root = _sized(root, request, side, number, defaults)
    return root


def start(root: Mapping, request: TransformRequest) -> Mapping:
    """Replace the start: the board as drawn, then `mover: NAME`, `REGISTER: VALUE`."""
    argument = request.argument
    if not isinstance(argument, Scalar) or not isinstance(argument.value, str):
        raise TransformError(
            "`start` needs a drawing of the board", "write a block text, `start: |`"
        )
    lines = [m.span() for m in re.finditer(r"[^\n]*\n?", argument.text.text) if m[0].strip()]
    fields: list[tuple[Slice, str, str]] = []
    while lines and (field := _FIELD.fullmatch(argument.text.text[slice(*lines[-1])].strip())):
        fields.insert(0, (argument.text.cut(*lines.pop()), field[1], field[2]))
    drawn = argument.text.cut(0, lines[-1][1] if lines else 0)
    drawing = Scalar(drawn.text, drawn, argument.span, "literal")
    root = put(root, ("start",), drawing, request.span)
    for line, name, value in fields:
        root = _field(root, request, line, name, value)
    return root


TRANSFORMS: MappingProxyType[str, Callable[[Mapping, TransformRequest], Mapping]] = (
    MappingProxyType({"misere": misere, "torus": torus, "pie": pie, "size": size, "start": start})
)


def _swap(group: Node) -> Span | None:
    """Return the span where a group is declared as a swap."""
    if isinstance(group, Mapping):
        entry = group.entry("swap")
        return entry.key_span if entry else None
    return group.span if text(group) == "swap" else None


def _tiers(groups: tuple[Node, ...]) -> list[list[Node]]:
    """Split the groups into tiers; each `otherwise` begins the next one."""
    tiers: list[list[Node]] = [[]]
    for group in groups:
        if text(group) == "otherwise":
            tiers.append([])
        tiers[-1].append(group)
    return tiers


def _first_reply(tiers: list[list[Node]]) -> int:
    """Return the number of the tier, from 1, that should contain a reply to the first move.

    It is the first tier that places, else the last that moves, because forced moves come first.
    """
    for number, tier in enumerate(tiers, start=1):
        if any(at(group, "place") for group in tier):
            return number
    moving = [i for i, tier in enumerate(tiers, start=1) if any(at(g, "move") for g in tier)]
    return moving[-1] if moving else 1


def _sized(
    root: Mapping, request: TransformRequest, side: str, number: int, defaults: dict[str, int]
) -> Mapping:
    """Set one side of the board, or the default of the parameter that determines it."""
    node = at(root, "board", side)
    if not isinstance(node, Scalar):
        raise TransformError(f"the board of this game has no `{side}`")
    value = plain(str(number), request.span)
    if type(node.value) is int:
        return put(root, ("board", side), value, request.span)
    name = text(node)
    if not isinstance(at(root, "parameters", name), Mapping):
        notes = (Note(node.span, f"`{side}`"),)
        raise TransformError(f"`{side}` is {quote(name)}, more than one number", notes=notes)
    if defaults.setdefault(name, number) != number:
        notes = (Note(node.span, f"`{side}`"),)
        raise TransformError(f"`{name}` cannot be {defaults[name]} and {number}", notes=notes)
    return put(root, ("parameters", name, "default"), value, request.span)


def _field(root: Mapping, request: TransformRequest, line: Slice, name: str, value: str) -> Mapping:
    """Apply a line below the drawing: the first mover, or the start of a register."""
    begin = line.text.index(name)
    span = line.span(begin, begin + len(name))
    if name == "mover":
        begin = line.text.index(value, begin + len(name))
        return _moving_first(root, request, value, line.span(begin, begin + len(value)))
    if " of " in name:
        raise TransformError("a register of each player starts alike for all", span=span)
    if not isinstance(at(root, "registers", name), Mapping):
        raise TransformError(
            f"no register {quote(name)}", did_you_mean(name, _keys(root, "registers")), span
        )
    return put(root, ("registers", name, "start"), plain(value, request.span), request.span)


def _moving_first(root: Mapping, request: TransformRequest, name: str, span: Span) -> Mapping:
    """Rotate the players until the named one is first."""
    names = _players(root)
    if name not in names:
        raise TransformError(f"no player {quote(name)}", did_you_mean(name, names), span)
    first = names.index(name)
    players = root.get("players")
    turned: Node
    if isinstance(players, Mapping):
        turned = Mapping((*players.entries[first:], *players.entries[:first]), players.span)
    else:
        listed = items(players)
        turned = Sequence((*listed[first:], *listed[:first]), request.span)
    return put(root, ("players",), turned, request.span)


def _two_players(root: Mapping, request: TransformRequest) -> None:
    count, entry = len(_players(root)), root.entry("players")
    if count != 2:
        notes = (Note(entry.key_span, "the players"),) if entry else ()
        raise TransformError(
            f"`{request.name}` needs two players, the spec lists {count}", notes=notes
        )


def _players(root: Mapping) -> list[str]:
    players = root.get("players")
    if isinstance(players, Mapping):
        return _keys(root, "players")
    return [text(item) for item in items(players)]


def _keys(root: Mapping, section: str) -> list[str]:
    node = root.get(section)
    return [entry.key for entry in node] if isinstance(node, Mapping) else []
