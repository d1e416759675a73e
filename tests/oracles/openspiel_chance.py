"""Seeded random games with dice of OpenSpiel, in our notation."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyspiel

# Our names of OpenSpiel's players, in the order of their numbers.
PLAYERS = {
    "pig": ("first", "second"),
    "einstein": ("black", "white"),
    "backgammon": ("white", "black"),
}
_NAMES = {
    "pig": "pig",
    "einstein": "einstein_wurfelt_nicht",
    "backgammon": "backgammon(scoring_type=full_scoring)",
}
_WAYS = {"B": {"down": (1, 0), "right": (0, 1)}, "W": {"up": (-1, 0), "left": (0, -1)}}

# The number of men at each point of the board, on the bar and off it, by player.
Men = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's legal moves, by text or resulting position, and the move played."""

    mover: str
    legal: frozenset[str | Men]
    played: str | Men


@dataclass(frozen=True, slots=True)
class Thrown:
    """The outcomes of a chance node, as our moves."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Won:
    """The winner of a game, and the payoffs of the players by name."""

    winner: str
    payoffs: dict[str, int]


def random_game(name: str, seed: int) -> Iterator[Turn | Thrown | Won]:
    """Play a game by uniformly random moves and throws."""
    state = pyspiel.load_game(_NAMES[name]).new_initial_state()
    draw = random.Random(f"{name} {seed}")
    while not state.is_terminal():
        actions = state.legal_actions()
        action = draw.choice(actions)
        if state.is_chance_node():
            thrown = state.action_to_string(action)
            state.apply_action(action)
            moves = _thrown(name, thrown, state)
            if moves:
                yield Thrown(moves)
            continue
        texts = {one: _done(name, state, one) for one in actions}
        mover = PLAYERS[name][state.current_player()]
        yield Turn(mover, frozenset(texts.values()), texts[action])
        state.apply_action(action)
    payoffs = dict(zip(PLAYERS[name], map(int, state.returns()), strict=True))
    yield Won(max(payoffs, key=payoffs.__getitem__), payoffs)


def _thrown(name: str, thrown: str, state: Any) -> tuple[str, ...]:
    """Return our moves for a throw, none until OpenSpiel has set up both sides."""
    if name != "backgammon" and thrown.lower().startswith("roll"):
        return (thrown[-1],)
    if name == "einstein":
        cubes = _cubes(state)
        order = [f"{side}{number}" for side in "wb" for number in range(1, 7)]
        return tuple(_cell(*cubes[cube]) for cube in order) if len(cubes) == len(order) else ()
    low, high = sorted(thrown[-3:-1])
    return (f"{low}-{high}" if "O starts" in thrown else f"{high}-{low}",)


def _done(name: str, state: Any, action: int) -> str | Men:
    """Return an action as a text, or as the position of the men after it."""
    text: str = state.action_to_string(action)
    if name == "pig":
        return {"stop": "hold"}.get(text, text)
    if name == "einstein":
        return _moved(state, text)
    return men(state.child(action))


def _cubes(state: Any) -> dict[str, tuple[int, int]]:
    """Return the row and column of each cube, from 0."""
    rows = [re.findall(r"\|(..)\|", line) for line in str(state).split("\n")]
    cells = ((cube, (r, c)) for r, row in enumerate(rows) for c, cube in enumerate(row))
    return {cube: place for cube, place in cells if cube != "__"}


def _moved(state: Any, text: str) -> str:
    """Convert `W4-diag*`: the cube and the direction; `*` may mark the capture of an own cube."""
    cube, way = text.rstrip("*").split("-")
    cubes, ways = _cubes(state), _WAYS[cube[0]]
    steps = ways.values() if way == "diag" else (ways[way],)
    row, column = cubes[cube.lower()]
    to = row + sum(r for r, _ in steps), column + sum(c for _, c in steps)
    taken = [one for one, place in cubes.items() if place == to]
    sign = "x" if taken and taken[0][0] != cube[0].lower() else "-"
    return f"{_cell(row, column)}{sign}{_cell(*to)}"


def _cell(row: int, column: int) -> str:
    return f"{'abcde'[column]}{row + 1}"


def men(state: Any) -> Men:
    """Return the positions of the men: both players' points from 1 to 24, their bars, and the
    borne-off men.
    """
    text = str(state)
    places = range(23, -1, -1)
    points = [tuple(state.board(player, place) for place in places) for player in (0, 1)]
    bar = re.search(r"Bar: ?([xo]*)", text)
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", text)
    if bar is None or scores is None:
        raise ValueError(text)
    return (*points, (bar[1].count("x"), bar[1].count("o")), (int(scores[1]), int(scores[2])))
