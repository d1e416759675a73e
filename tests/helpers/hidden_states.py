"""States of games with hidden information, and changes of the parts that a player does not see."""

import random
from typing import Any

from rulesengine import Game, State
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names, open_names

HIDDEN_NAMES = tuple(sorted({*bundled_names()} - {*open_names()}))

# A move of two steps in a game with a hidden register.
PAIRS = """
spec: 1
name: Secret pairs
board: {rows: 1, columns: 4}
players: [left, right]
pieces: {disc: {left: o, right: x}, empty: "."}
registers:
  vote: {type: number, each: player, from: 0, to: 2, seen: own}
rules:
  moves:
    - when: plies < 2
      pass: true
      choice: [1, 2]
      written: "vote-{choice}"
      do: set vote to choice
    - name: put
      place: disc
      when: plies > 1
      to: empty
      then: {step: put, when: count(own) < 2}
  end: {when: plies = 4, result: draw}
tests:
  - random: 1
"""

# These games take longer, and more on larger boards.
SMALLER: dict[str, dict[str, Any]] = {
    "battleship": {"n": 3, "ships": 1, "shots": 9},
    "dark-chess": {},
    "stratego": {},
}


def mixed(game: Game, state: State, other: State, player: str) -> State:
    """Return a state with the parts that a player does not see taken from another one."""
    seen, form = game.observation(state, player), state.form
    hidden, whole = game.program.hiding, game.program.topology.mask
    known = seen.cells | seen.known
    planes = tuple(
        one & known | two & whole & ~known
        for one, two in zip(state.planes, other.planes, strict=True)
    )
    registers = list(state.registers)
    for slot, name in enumerate(form.registers):
        register, owner = name.partition(" of ")[0], name.rpartition(" of ")[2]
        if register in hidden.nobody or (register in hidden.own and owner != player):
            registers[slot] = other.registers[slot]
        if register.partition("/")[0] in hidden.numbers:
            unseen = other.registers[slot] & ~seen.cells
            registers[slot] = registers[slot] & seen.cells | unseen
    return replace(state, planes=planes, registers=tuple(registers))


def random_states(game: Game, draw: random.Random, count: int) -> list[State]:
    states: list[State] = []
    while len(states) < count:
        state = game.initial_state()
        while moves := game.legal_moves(state):
            states.append(state)
            state = game.apply(state, draw.choice(moves))
    return states
