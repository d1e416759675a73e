"""Seeded random games of OpenSpiel's Chinese checkers in our notation.

In OpenSpiel each hop is an action and each path to a cell a separate move. Here a move is a marble
and its final cell. Cells are numbered line by line from the top, as drawn.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyspiel

from tests.oracles.openspiel import Ply, Result

Actions = tuple[int, ...]
PASS_TEXT = "Pass"
# The columns of each line of the star in our notation, from the top.
LINES = "m lm klm jklm efghijklmnopq efghijklmnop efghijklmno efghijklmn efghijklm".split()
LINES += "defghijklm cdefghijklm bcdefghijklm abcdefghijklm efgh efg ef e".split()
CELLS = [f"{column}{17 - i}" for i, line in enumerate(LINES) for column in line]
# The outermost cells, clockwise from the top, in the order of six players' points.
TIPS = ("m17", "q13", "m5", "e1", "a5", "e13")
PLAYERS = {
    2: ("red", "green"),
    3: ("red", "yellow", "blue"),
    4: ("red", "orange", "green", "blue"),
    6: ("red", "orange", "yellow", "green", "blue", "purple"),
}


def random_game(name: str, seed: int, limit: int = 300) -> Iterator[Ply | Result]:
    """Play a game by random moves, most of them towards home; `name` is the number of players."""
    players = PLAYERS[int(name)]
    game = pyspiel.load_game(f"chinese_checkers(players={len(players)},max_moves={limit})")
    state, chance = game.new_initial_state(), random.Random(f"star {name} {seed}")
    while not state.is_terminal():
        found = _moves(state)
        texts = sorted(found)
        played = chance.choice(texts)
        mover, board = players[state.current_player()], _rows(state, players)
        if chance.random() < 0.97:
            tip = TIPS[(PLAYERS[6].index(mover) + 3) % 6]
            played = max(texts, key=partial(_gained, tip, _target(tip, mover[0], board)))
        yield Ply(mover, frozenset(texts), played, board)
        for action in found[played]:
            state.apply_action(action)
    best = max(state.returns())
    winner = players[state.returns().index(best)] if best > 0 else None
    yield Result(winner, _rows(state, players))


def _moves(state: Any) -> dict[str, Actions]:
    """Return each move, and the actions of one path to its target."""
    found: dict[str, Actions] = {}
    for action in state.legal_actions():
        text = state.action_to_string(action)
        if text == PASS_TEXT:
            return {"pass": (action,)}
        start, to = map(int, text.replace("=>", "->").split("->"))
        after = state.child(action)
        if "=>" not in text:
            found[_written(start, to)] = (action,)
        elif _written(start, to) not in found:
            _go_on(after, state.current_player(), start, to, (action,), found)
    return found


def _go_on(
    state: Any, mover: int, start: int, at: int, actions: Actions, found: dict[str, Actions]
) -> None:
    """Record the move that ends on the reached cell, and hop on to cells not reached yet."""
    goes_on = not state.is_terminal() and state.current_player() == mover
    hops = state.legal_actions() if goes_on and _hops(state) else []
    ends = [a for a in hops if state.action_to_string(a) == PASS_TEXT]
    found[_written(start, at)] = (*actions, *ends)
    for action in hops:
        if action not in ends:
            to = int(state.action_to_string(action).split("=>")[1])
            if _written(start, to) not in found:
                _go_on(state.child(action), mover, start, to, (*actions, action), found)


def _hops(state: Any) -> bool:
    return "hopping from" in str(state)


def _written(start: int, to: int) -> str:
    return f"{CELLS[start]}-{CELLS[to]}"


def _target(tip: str, symbol: str, board: tuple[str, ...]) -> str:
    """Return the cell of a point, from its tip on, that a player does not hold yet."""
    held = dict(zip(CELLS, "".join(board), strict=True))
    return next(cell for cell in sorted(CELLS, key=partial(_apart, tip)) if held[cell] != symbol)


def _apart(one: str, other: str) -> int:
    """Return the number of steps between two cells on an empty board."""
    columns = ord(one[0]) - ord(other[0])
    rows = int(one[1:]) - int(other[1:])
    return max(abs(columns), abs(rows), abs(columns - rows))


def _gained(tip: str, target: str, text: str) -> int:
    """Return the distance that a move gains towards a cell; marbles in the point hardly count."""
    if text == PASS_TEXT.lower():
        return 0
    start, to = text.split("-")
    outside = _apart(tip, start) > 3
    return (_apart(target, start) - _apart(target, to)) * (30 if outside else 1) + outside


def _rows(state: Any, players: tuple[str, ...]) -> tuple[str, ...]:
    symbols = str.maketrans({str(i): player[0] for i, player in enumerate(players, 1)})
    lines = str(state).split("\n")[:17]
    return tuple(line.replace(" ", "").translate(symbols) for line in lines)
