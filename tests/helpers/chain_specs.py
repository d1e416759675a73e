"""Random specs of small games with chains: captures and leaps of one piece, step after step."""

import random

_OVER = "shift(from, direction)"
# Targets of a step, with cells that it leaves behind. `{prey}` is a set of pieces.
_LEAPS = (
    "shift({over} and {prey}, direction) and empty",
    "shift({over} and {prey}, direction) and (empty or {prey})",
    "shift({over} and {prey}, direction) minus occupied minus edge",
    "shift(from, direction, direction) and empty",
    "if from in king then shift({over} and {prey}, direction) and empty "
    "else shift(from, direction, direction) and empty",
    "shift({over} and {prey}, direction) and empty minus marked",
    "if from in man then shift({over} and {prey}, direction) and empty "
    "else slide(shift(from or slide(from, direction, empty), direction) and {prey}, "
    "direction, empty)",
    "if any(shift({over} and {prey}, direction) and empty and edge) "
    "then shift({over} and {prey}, direction) and empty and edge "
    "else shift({over} and {prey}, direction) and empty",
    "shift({over} and empty, direction) and {prey}",
)
_PREY = (
    "enemy",
    "enemy minus taken",
    "occupied",
    "enemy king or enemy man",
    "own man",
    "enemy man",
)
_ALONG = ("diagonal", "orthogonal", "all", "ahead", "[north, east, southwest]")
_ORIGINS = ("own", "own man", "own king", "own minus edge", "own touching enemy")
_WHEN = (
    "",
    "from in king or direction in ahead",
    "from in man",
    "not (from in goal)",
    "any(shift(from, direction) and enemy) or from in king",
)
_EFFECTS = (
    "remove {over}",
    "set taken to taken or {over}",
    "set taken to taken or shift(from or slide(from, direction, empty), direction) and enemy",
    "promote to and goal to king",
    "promote to to king",
    "set crowned to any(to and man and goal)",
    "set quiet to 0",
    "set tired to from in king",
    "if any(to and goal) then remove {over}",
    "if to in edge then promote to and man to king else remove {over}",
    "set marked to marked or from",
    "remove shift(to, direction) and enemy",
    "remove from",
)
_THEN = (
    "",
    "along: direction",
    "optional: true",
    "when: not crowned",
    "along: direction, optional: true",
    "when: not tired, optional: true",
    "when: to in man",
    "when: any(captured)",
    "along: opposite(direction)",
)
_KEEP = (
    "",
    "",
    "  keep: one of each result\n",
    "  keep: most count(captured)\n",
    "  keep: [most count(captured), one of each result]\n",
    "  keep: [least count(captured), most count(moved)]\n",
)
_HEAD = """spec: 1
name: Chains
board: {{rows: {rows}, columns: {columns}, origin: bottom-left{wrap}}}
players:
  white: {{ahead: [northwest, north, northeast], goal: top}}
  black: {{ahead: [southwest, south, southeast], goal: bottom}}
pieces:
  man: {{white: m, black: w}}
  king: {{white: K, black: Q}}
  empty: "."
registers:
  taken: {{type: cells, lives: move}}
  marked: {{type: cells, lives: move}}
  crowned: {{type: flag, lives: move}}
  tired: {{type: flag, lives: move}}
  quiet: {{type: number, from: 0, to: 14}}
start: |
{start}
rules:
  moves:
"""
_TAIL = """    - otherwise
    - move: own
      along: {along}
      to: shift(from, direction) and empty
      do: set quiet to if quiet < 14 then quiet + 1 else 14
{keep}  do: remove taken
  end:
    - {when: not can_move(mover), result: mover loses, reason: no move}
    - {when: quiet >= 12, result: draw, reason: too quiet}
    - {when: plies >= 30, result: draw, reason: too long}
"""


def chain_spec(seed: int) -> str:
    """Return the text of a random spec; some do not pass the check."""
    draw = random.Random(f"chains {seed}")
    rows, columns = draw.choice(((5, 5), (6, 5), (4, 6), (6, 6)))
    symbols = "".join(draw.choice("mmKwwQ.......") for _ in range(rows * columns))
    start = "\n".join(f"  {symbols[r * columns : (r + 1) * columns]}" for r in range(rows))
    wrap = ", wrap: columns" if draw.random() < 0.15 else ""
    text = _HEAD.format(rows=rows, columns=columns, start=start, wrap=wrap)
    names = ["jump", "leap"][: draw.choice((1, 1, 2))]
    groups = [_group(draw, name, names) for name in names]
    tail = _TAIL.replace("{along}", draw.choice(_ALONG)).replace("{keep}", draw.choice(_KEEP))
    return text + "".join(groups) + tail


def _group(draw: random.Random, name: str, names: list[str]) -> str:
    prey = draw.choice(_PREY)
    lines = [f"    - name: {name}", f"      move: {draw.choice(_ORIGINS)}"]
    lines.append(f"      along: {draw.choice(_ALONG)}")
    when = draw.choice(_WHEN)
    lines += [f"      when: {when}"] if when else []
    lines.append(f"      to: {draw.choice(_LEAPS).format(over=_OVER, prey=prey)}")
    chosen = draw.sample(_EFFECTS, draw.randint(0, 3))
    if draw.random() < 0.8:
        chosen = [_EFFECTS[0], *(one for one in chosen if one != _EFFECTS[0])]
    effects = [one.format(over=_OVER) for one in chosen]
    lines += ["      do:", *(f"        - {one}" for one in effects)] if effects else []
    step, more = draw.choice(names), draw.choice(_THEN)
    lines.append(f"      then: {{step: {step}, from: to{', ' if more else ''}{more}}}")
    return "\n".join(lines) + "\n"
