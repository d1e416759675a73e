"""Batches that make an action by a stored step instead of listing moves again."""

import numpy as np
import pytest

from rulesengine import Game
from rulesengine.batch import Batch
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.columns import kept_of, list_of
from rulesengine.engine.drivers.batch.outputs import packed_step
from rulesengine.engine.drivers.memory import load as load_number
from rulesengine.engine.drivers.memory import load_half
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.batch.test_batches import alike, as_defined

pytestmark = pytest.mark.usefixtures("in_haste")
ENGINES = ("interpreter", *(backend.name for backend in working()))

HEAD = """spec: 1
name: Steps
board: {{rows: {rows}, columns: 5}}
players: [first, second]
pieces: {{man: {{first: x, second: o}}, king: {{first: X, second: O}}, empty: "."}}
start: |
{start}
rules:
  moves:
{moves}
  end: {{when: count(own) < 2, result: opponent wins, reason: few}}
"""
# More actions than stored steps.
MANY = """    move: own
    to: empty
"""
# A choice for each step.
CHOOSING = """    - move: own man
      to: (empty or enemy) touching from
      choice: [man, king]
      do: promote to to choice
    - move: own king
      to: (empty or enemy) touching from
"""
# Jumps that go on, so that moves share their first action, and that may be left off.
OPTIONAL = """    - name: jump
      move: own
      along: orthogonal
      to: shift(shift(from, direction) and enemy, direction) and empty
      do: remove shift(from, direction)
      then: {step: jump, from: to, along: orthogonal, optional: true}
    - move: own
      to: empty touching from
"""
JUMPING = OPTIONAL.replace(", optional: true", "")


# Pieces over which several jumps in a row are possible.
MIXED = ["o x . x .", "o . x . .", ". o . o .", "x . x . x", ". o . o x"]


def game_of(moves: str, rows: int, engine: str = "interpreter") -> Game:
    between = [". . . . ."] * (rows - 2)
    start = MIXED if "jump" in moves else ["o o o o .", *between, "x x x x ."]
    lines = "\n".join(f"  {line}" for line in start)
    text = HEAD.format(rows=rows, moves=moves.rstrip(), start=lines)
    return load_source(Source("steps.yaml", text), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("moves", "rows"), [(MANY, 9), (CHOOSING, 4), (OPTIONAL, 5), (JUMPING, 5)])
def test_generated_games_are_those_of_the_interpreter(moves: str, rows: int, engine: str) -> None:
    games = game_of(moves, rows), game_of(moves, rows, engine)
    one, other = (game.batch(3, seed=2, restart=True) for game in games)
    if engine != "interpreter":
        other._work._functions = None  # type: ignore[assignment]  # kernels alone
    stored, others, partial = 0, 0, 0
    words = {(packed_step(*words), action) for *words, action in games[0].actions.words()}
    for ply in range(16):
        alike(one, other)
        if ply % 6 == 0:
            as_defined(games[0], other)
        for number in range(3):
            found = stored_steps(other, number)
            partial += len(other.taken(number))
            stored += sum(word != 0 for word in found)
            others += sum(word == 0 for word in found)
            check_stored(games[0], other, number, found, words)
        actions = one.sample()
        if ply % 2:
            actions = np.array([action_of_longest(games[0], one, number) for number in range(3)])
        assert not one.step(actions).size
        assert not other.step(actions).size
    assert stored > 0
    assert (others > 0) == (moves is not CHOOSING)
    assert (partial > 0) == (moves in (OPTIONAL, JUMPING))


def action_of_longest(game: Game, batch: Batch, number: int) -> int:
    """Return the next action of the longest move that goes on from those taken, -1 at the end."""
    taken = batch.taken(number)
    paths = [
        path for path in game.actions.paths(batch.state(number)) if path[: len(taken)] == taken
    ]
    return max(paths, key=len)[len(taken)] if paths else -1


def stored_steps(batch: Batch, number: int) -> list[int]:
    """Return the stored step of each listed action, 0 for those beyond the memory for steps."""
    plan, shown = batch._own, batch._shown
    count = load_number(shown, at.COUNTS * len(batch) + number)
    kept = [load_number(shown, kept_of(number, plan) + k) for k in range(plan.numbers[at.KEPT])]
    return [*kept[:count], *[0] * (count - len(kept))]


def check_stored(
    game: Game, batch: Batch, number: int, found: list[int], words: set[tuple[int, int]]
) -> None:
    """Check that an action has a stored step exactly if it is a move of one step, and no other move
    begins with it.
    """
    state, taken, first = batch.state(number), batch.taken(number), list_of(number, batch._own)
    moves = list(game.actions.paths(state))
    for place, word in enumerate(found[: batch._own.numbers[at.KEPT]]):
        action = load_half(batch._shown, first + place * at.HALF)
        same = [path for path in moves if path[: len(taken) + 1] == (*taken, action)]
        is_whole = not taken and same == [(action,)]
        assert (word != 0) == is_whole
        assert word == 0 or (word, action) in words


def test_a_large_choice_is_not_stored() -> None:
    assert packed_step(5, at.MOST_CHOICE) == packed_step(5, -2) == 0
    assert packed_step(5, at.MOST_CHOICE - 1) == 5 + (at.MOST_CHOICE << at.KEPT_CHOICE)
