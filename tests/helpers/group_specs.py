"""Random specs of placement games: bans, captures, ends and keys that read groups and lines."""

import random

_BOARDS = (
    "rows: 4, columns: 5, adjacency: orthogonal",
    "rows: 5, columns: 4",
    "shape: rhombus, rows: 5, columns: 5",
    "rows: 5, columns: 5, holes: b2 d3 d4",
    "rows: 6, columns: 2",
)
_SETS = ("own", "own", "enemy", "own or neutral", "own minus enemy")
# Conditions on a group g.
_SIZES = (
    "count(g) > {n}",
    "count(g) >= {n}",
    "count(g) = {n}",
    "count(g) < {n}",
    "count(g) % 2 = 1",
    "count(empty touching g) < {n}",
    "count(empty touching g) = {n}",
    "none(empty touching g)",
    "any(g and edge)",
    "none(g and corners)",
    "any(g and top) and any(g and bottom)",
    "any(enemy touching g)",
)
_FLAGS = (
    "any(g in groups({s}), {c})",
    "any(g in groups({s}), {c} and {d})",
    "any(g in groups({s}), {c} or not {d})",
    "none(g in groups({s}), {c})",
    "every(g in groups({s}), {c} or {d})",
    "count(g in groups({s}), {c}) >= {n}",
    "any({s} minus fill(({s}) touching empty, {s}))",
    "any(fill({s} and top, {s}) and bottom)",
    "any(line({s}, at least {n}))",
    "any(line(own, exactly {n}))",
    "any(run(enemy, own, enemy, exactly {n}))",
    "count({s}) % 3 = 1 and any(g in groups({s}), {c})",
    "board_repeats > 0",
)
_DEAD = "{s} minus fill(({s}) touching empty, {s})"
_EFFECTS = (
    "",
    "",
    f"remove {_DEAD.format(s='enemy')}",
    f"remove {_DEAD.format(s='enemy')}",
    f"remove {_DEAD.format(s='own')}",
    "remove run(to, enemy, own, exactly {n})",
    "flip enemy between to and own",
    "remove union(g in groups(enemy), if {c} then g else nowhere)",
    "put rock on corners and empty",
)
_TARGETS = (
    "empty",
    "empty",
    "empty where any(neighbours(it) and occupied) or none(occupied)",
    "empty where count(neighbours(it) and own) <= {n}",
    "empty where any(enemy between it and own) or count(occupied) < 6",
)
_KEYS = (
    "most count(captured)",
    "least count(neighbours(to) and own)",
    "[most count(captured), least count(neighbours(to) and enemy)]",
    "one of each result",
)
_HEAD = """spec: 1
name: Groups
board: {{{board}}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, rock: {{neutral: "#"}}, empty: "."}}
rules:
  moves:
    - {{name: put, place: stone, to: "{to}", do: [{do}]{forbid}}}
    - otherwise
    - pass
{keep}  end:
    - {{when: "{win}", result: player wins}}
    - {{when: "{other}", result: draw}}
    - {{when: plies >= 40, result: draw}}
"""


def group_spec(seed: int) -> str:
    """Return the text of a random spec; some do not pass the check."""
    draw = random.Random(f"groups {seed}")
    effects = [_filled(draw, draw.choice(_EFFECTS)) for _ in range(draw.choice((1, 1, 2)))]
    bans = [_flag(draw) for _ in range(draw.choice((0, 1, 1, 2)))]
    keep = f"  keep: {draw.choice(_KEYS)}\n" if draw.random() < 0.25 else ""
    others = ("not can_move(mover)", "none(empty)", _flag(draw))
    return _HEAD.format(
        board=draw.choice(_BOARDS),
        to=_filled(draw, draw.choice(_TARGETS)),
        do=", ".join(f'"{effect}"' for effect in effects if effect),
        forbid=f', forbid: "{" or ".join(bans)}"' if bans else "",
        keep=keep,
        win=_flag(draw),
        other=draw.choice(others),
    )


def _flag(draw: random.Random) -> str:
    flag = _filled(draw, draw.choice(_FLAGS))
    return f"({flag}) and count(own) > {draw.randint(0, 2)}"


def _filled(draw: random.Random, text: str) -> str:
    """Return a form with random sets, conditions and numbers."""
    first, second = (one.format(n=draw.randint(1, 5)) for one in draw.sample(_SIZES, 2))
    return text.format(s=draw.choice(_SETS), c=first, d=second, n=draw.randint(1, 4))
