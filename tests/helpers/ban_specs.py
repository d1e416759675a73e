"""Random specs of small games with bans: anchors of several kinds, rays, hops, leaps and limits."""

import random

_ROWS, _COLUMNS = 4, 5
_KINDS = ("king", "duke", "rook", "hopper", "page")
_SYMBOLS = "KDRHP"
# Sets of cells by a set, as a player sees them: rays, runs, hops over a piece, hindered leaps.
_REACHES = (
    "neighbours({c})",
    "shift({c}, ahead)",
    "shift({c}, [north, south], [north, south], [east, west]) minus shift({c}, [east, west])",
    "union(way in orthogonal, ray({c}, way))",
    "union(way in diagonal, ray({c}, way))",
    "slide({c}, orthogonal, empty or own)",
    "slide({c}, all, empty)",
    "union(way in orthogonal, met(met({c}, way), way))",
    "union(way in orthogonal, shift(shift({c}, way) and empty, diagonal) minus neighbours({c}))",
    "met({c}, east) or met({c}, north)",
    "shift({c} and top, south)",
)
_ANCHORS = ("own king", "own king", "own duke", "own king or own duke", "own minus own page", "own")
_TARGETS = (
    "enemy rook",
    "enemy hopper",
    "enemy",
    "enemy minus enemy page",
    "enemy king or enemy rook",
    "own page",
    "occupied",
    "empty",
    "enemy rook or empty",
    "rook",
    "enemy minus page",
)
_FLAGS = (
    "any(run({a}, empty, {t}, along: orthogonal))",
    "any(run({a}, empty or own page, {t}, along: all))",
    "any(run({a}, enemy, {t}, at least 2, along: diagonal))",
    "any(way in orthogonal, any(met({a}, way) and {t}))",
    "any(({a}) and ({t}))",
)
_HEAD = """spec: 1
name: Banned
board: {{rows: {rows}, columns: {columns}, origin: bottom-left}}
players:
  white: {{ahead: north, last: top}}
  black: {{ahead: south, last: bottom}}
pieces:
{pieces}
  empty: "."
registers:
  taken: {{type: number, from: 0, to: {limit}}}
  marked: {{type: cell}}
define:
  ray(c, way): slide(c, way, empty) or shift(slide(c, way, empty) or c, way)
  met(c, way): shift(slide(c, way, empty) or c, way) minus empty
start: |
{start}
rules:
  moves:
{moves}
  do:
{effects}
  end:
    - {{when: not can_move(mover), result: mover loses}}
    - {{when: plies > 24, result: draw}}
  forbid: "{ban}"
"""


def ban_spec(seed: int, ban: str = "") -> str:
    """Return the text of a random spec with bans; `ban` replaces that of all groups."""
    draw = random.Random(seed)
    return _HEAD.format(
        rows=_ROWS,
        columns=_COLUMNS,
        pieces="\n".join(
            f"  {kind}: {{white: {letter}, black: {letter.lower()}}}"
            for kind, letter in zip(_KINDS, _SYMBOLS, strict=True)
        ),
        limit=draw.choice((1, 3, 20, 20, 20)),
        start=_start(draw),
        moves="\n".join(_moves(draw)),
        effects="\n".join(f"    - {effect}" for effect in _effects(draw)),
        ban=ban or _ban(draw),
    )


def _start(draw: random.Random) -> str:
    """Return the lines of a board; a side has up to three kings."""
    pieces = ["K"] * draw.choice((1, 1, 2, 3)) + [draw.choice("DRHPP") for _ in range(3)]
    pieces += [piece.lower() for piece in pieces]
    cells = pieces + ["."] * (_ROWS * _COLUMNS - len(pieces))
    draw.shuffle(cells)
    rows = (cells[k : k + _COLUMNS] for k in range(0, len(cells), _COLUMNS))
    return "\n".join("  " + "".join(row) for row in rows)


def _moves(draw: random.Random) -> list[str]:
    """Return the lines of two groups or more; one may have a ban of its own."""
    others = draw.choice(("minus own", "minus own", "minus own minus enemy king", ""))
    lines = [
        "    - name: step",
        "      move: own king or own page or own duke",
        f"      to: (if from in king then neighbours(from) else {_reach(draw, 'from')}) {others}",
        "    - name: line",
        f"      move: own {draw.choice(('rook', 'hopper or own rook'))}",
        f"      along: {draw.choice(('orthogonal', 'all'))}",
        "      to: ray(from, direction) minus own",
    ]
    if draw.random() < 0.3:
        lines += [f'      forbid: "{_ban(draw)}"']
    if draw.random() < 0.4:
        lines += [
            "    - name: promotion",
            "      move: own page",
            "      to: shift(from, ahead) and empty and last",
            "      choice: [rook, hopper]",
            "      do: promote to to choice",
            '      written: "{from}{to}{choice}"',
        ]
    if draw.random() < 0.3:
        lines += ["    - name: drop", f"      place: {draw.choice(('page', 'rook'))}"]
        lines += ["      to: empty and last"]
    if draw.random() < 0.4:
        lines += [
            "    - name: capture",
            "      move: own hopper",
            f"      to: {_reach(draw, 'from')} and enemy or (marked minus own)",
            "      do: if to = marked then remove neighbours(to) and enemy page",
        ]
    return lines


def _effects(draw: random.Random) -> list[str]:
    found = [
        "set taken to if any(captured) then taken + 1 else taken",
        "set marked to if from in page then to else no_cell",
    ]
    if draw.random() < 0.2:
        found.append("if taken = 2 then remove neighbours(to) and enemy page")
    return found


def _ban(draw: random.Random) -> str:
    """Return a condition of one to three parts; most are attacks on kings by enemy pieces."""
    is_plain = draw.random() < 0.7
    parts = [_flag(draw, is_plain=is_plain) for _ in range(draw.choice((1, 2, 2, 3)))]
    joined = " or ".join(parts)
    return joined if is_plain or draw.random() < 0.7 else f"{joined} and {_flag(draw)}"


def _flag(draw: random.Random, *, is_plain: bool = False) -> str:
    anchor = draw.choice(_ANCHORS[:4] if is_plain else _ANCHORS)
    target = draw.choice(_TARGETS[:5] if is_plain else _TARGETS)
    if is_plain:
        form = draw.choice(_FLAGS[:4]) if draw.random() < 0.4 else ""
        reach = f"any({_reach(draw, f'({anchor})')} and ({target}))"
        return form.format(a=anchor, t=f"({target})") if form else reach
    if draw.random() < 0.3:
        return draw.choice(_FLAGS).format(a=anchor, t=f"({target})")
    test = "none" if draw.random() < 0.1 else "any"
    reach = _reach(draw, f"({anchor})")
    if draw.random() < 0.2:
        reach = f"({reach}) minus {draw.choice(('empty', 'own', 'enemy king', 'bottom'))}"
    return f"{test}(({reach}) and ({target}))"


def _reach(draw: random.Random, cells: str) -> str:
    return f"({draw.choice(_REACHES).format(c=cells)})"
