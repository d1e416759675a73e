"""Specs of puzzles for one player, for comparison with `tests/oracles/plain_alone.py`."""

from collections.abc import Iterable, Sequence
from typing import Any

from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.state import State
from rulesengine.support.source import Source

_TILES = range(1, 11)  # powers of two

SLIDES = f"""
spec: 1
name: Slides
source: Baekjoon Online Judge, problem 12100
parameters:
  n: {{type: integer, from: 2, to: 4, default: 3}}
  moves: {{type: integer, from: 1, to: 9, default: 5}}
board: {{rows: n, columns: n, origin: bottom-left}}
players: [solver]
pieces:
{"".join(f"  t{i}: {{neutral: {chr(96 + i)}, is: tile}}" + chr(10) for i in _TILES)}  empty: "."
define:
  layer(i): >-
    if choice = west then all where column(it) = i
    else if choice = east then all where column(it) = n + 1 - i
    else if choice = south then all where row(it) = i
    else all where row(it) = n + 1 - i
  behind(c): shift(c, opposite(choice)) and occupied
effects:
  raise(c): {" else ".join(f"if c in t{i} then promote c to t{i + 1}" for i in _TILES[:-1])}
  join(c): >-
    if any(behind(c)) and any(c and occupied) and kind(first(behind(c))) = kind(c)
    then (raise(c), remove behind(c))
rules:
  moves:
    select: first(all)
    choice: [north, east, south, west]
    written: "{{choice}}"
    do:
      - drop occupied to choice
      - for i in numbers(1 to n) do for c in layer(i) do join(c)
      - drop occupied to choice
  end:
    when: plies = moves
    payoffs: {" else ".join(f"if any(t{i}) then {2**i}" for i in reversed(_TILES))} else 0
"""

SOKOBAN = """
spec: 1
name: Sokoban
source: Hiroyuki Imabayashi, Sokoban (Thinking Rabbit, 1982)
board:
  origin: bottom-left
  rows: ROWS
  columns: COLUMNS
  holes: |
HOLES
regions: {goals: GOALS}
players: [solver]
pieces:
  man: {solver: "@"}
  box: {neutral: "$"}
  empty: "."
start: |
START
rules:
  moves:
    move: own man
    along: orthogonal
    to: >-
      shift(from, direction) and
      (empty or (box where any(shift(it, direction) and empty)))
    do: if any(captured) then put box on shift(to, direction)
  end:
    when: every(c in goals, c in box)
    result: player wins
drawing: {hole: "#"}
"""

DICE = """
spec: 1
name: Best of some rolls
players: [solver]
parameters:
  rolls: {type: integer, from: 1, to: 9, default: 3}
board: {rows: 1, columns: 1}
pieces: {mark: {neutral: m}, empty: "."}
registers:
  pips: {type: number, from: 0, to: 6}
  thrown: {type: number, from: 0, to: 9}
  stopped: {type: flag}
  rolling: {type: flag, start: true}
rules:
  moves:
    select: first(all)
    choice: ['"stop"', '"roll"']
    written: "{choice}"
    do: if choice = "stop" then set stopped to true else set rolling to true
  chance:
    when: rolling
    branches:
      select: first(all)
      choice: [1, 2, 3, 4, 5, 6]
      do: [set pips to choice, set thrown to thrown + 1, set rolling to false]
  end:
    when: not rolling and (stopped or thrown = rolls)
    payoffs: pips
"""

PEGS = """
spec: 1
name: Pegs
extends: peg-solitaire
board:
  rows: ROWS
  columns: COLUMNS
  origin: bottom-left
  holes: |
HOLES
start: [put peg on all minus GAP]
rules: {end: {when: not can_move(mover), payoffs: count(all) - 1 - count(own)}}
tests: null
"""


def game_of(text: str, **parameters: Any) -> Game:
    """Return the game of a spec."""
    return load_source(Source("alone.yaml", text), **parameters)


def slides_at(grid: Sequence[Sequence[int]], moves: int) -> tuple[Game, State]:
    """Return 2048 with so many moves, and a grid of tiles."""
    game = game_of(SLIDES, n=len(grid), moves=moves)
    signs = {2**i: chr(96 + i) for i in _TILES} | {0: "."}
    rows = ["".join(signs[tile] for tile in row) for row in grid]
    return game, game.state_from("\n".join([*rows, "mover: solver"]))


def sokoban_of(level: Sequence[str], **options: Any) -> Game:
    """Return a level of Sokoban as a game; the walls around it are the edge of the board."""
    level = [row[1:-1] for row in level[1:-1]]
    rows, columns = len(level), len(level[0])
    goals = [
        f"{chr(97 + x)}{rows - y}"
        for y, row in enumerate(level)
        for x, sign in enumerate(row)
        if sign == "."
    ]
    words = {
        "ROWS": str(rows),
        "COLUMNS": str(columns),
        "GOALS": " or ".join(goals),
        "HOLES": _block(row.translate(_FREE) for row in level),
        "START": _block(row.replace(" ", ".").replace("#", "") for row in level),
    }
    return game_of(_filled(SOKOBAN, words), **options)


def pegs_of(rows: Sequence[str], gap: str, **options: Any) -> Game:
    """Return peg solitaire on another board; `#` is no place."""
    size = {"ROWS": str(len(rows)), "COLUMNS": str(len(rows[0]))}
    return game_of(_filled(PEGS, {**size, "HOLES": _block(rows), "GAP": gap}), **options)


_FREE = str.maketrans(" @$", "...")  # of a drawing of the board


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def _block(rows: Iterable[str]) -> str:
    return "\n".join(f"    {row}" for row in rows)
