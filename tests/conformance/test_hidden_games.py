"""Games with hidden information against OpenSpiel: histories, payoffs, and information sets.

Both programs walk through the same moves. Two decisions of a player must belong to one information
set here if and only if they do there, so the partitions are compared, not only their sizes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Move, State
from rulesengine.engine.observation import InformationState

pyspiel = pytest.importorskip("pyspiel")

Numbers = Callable[[Game, Move], int]


def kuhn(game: Game, move: Move) -> int:
    return {"jack": 0, "queen": 1, "king": 2, "pass": 0, "bet": 1}[str(move)]


def leduc(game: Game, move: Move) -> int:
    kinds = game.program.form.kinds
    text = str(move)
    return kinds.index(text) if text in kinds else ("fold", "call", "raise").index(text)


def liar(game: Game, move: Move) -> int:
    text, sides = str(move), int(game.parameters["sides"])
    if text == "liar":
        return 2 * sides
    quantity, _, face = text.rpartition("-")
    return (int(quantity or 1) - 1) * sides + int(face) - 1


def cell(game: Game, move: Move) -> int:
    return move.steps[0].target


@dataclass
class Walk:
    """A walk through both trees at once; `sets` maps keys to OpenSpiel's texts, and back."""

    game: Game
    number: Numbers
    depth: int
    nodes: dict[str, int] = field(default_factory=dict)
    sets: dict[object, object] = field(default_factory=dict)
    moves: dict[bytes, tuple[str, ...]] = field(default_factory=dict)

    def begin(self, other: Any) -> None:
        infos = {p: self.game.information_state((), p) for p in self.game.players}
        self.visit(self.game.initial_state(), infos, other, 0)

    def visit(
        self, state: State, infos: dict[str, InformationState], other: Any, plies: int
    ) -> None:
        game, outcome = self.game, self.game.outcome(state)
        kind = "end" if outcome else "chance" if game.weights(state) else "decision"
        self.nodes[kind] = self.nodes.get(kind, 0) + 1
        assert other.is_terminal() == (outcome is not None)
        if outcome:
            assert [*outcome.payoffs.values()] == other.returns()
            return
        legal = game.legal_moves(state)
        assert other.is_chance_node() == (kind == "chance")
        assert sorted(self.number(game, move) for move in legal) == sorted(other.legal_actions())
        if kind == "decision":
            assert game.players.index(state.mover) == other.current_player()
            self.compare(infos[state.mover], tuple(map(str, legal)), other)
        for move in legal if plies < self.depth else ():
            after, there = game.apply(state, move), other.clone()
            there.apply_action(self.number(game, move))
            later = {p: info.after(state, move, after) for p, info in infos.items()}
            self.visit(after, later, there, plies + 1)

    def compare(self, info: InformationState, legal: tuple[str, ...], other: Any) -> None:
        there = other.current_player(), other.information_state_string()
        assert self.sets.setdefault(info.key, there) == there
        assert self.sets.setdefault(there, info.key) == info.key
        assert self.moves.setdefault(info.key, legal) == legal


SMALL: list[Any] = [
    ("kuhn-poker", {}, kuhn, "kuhn_poker", 99, (24, 4, 30, 12)),
    ("liars-dice", {"sides": 2}, liar, "liars_dice(dice_sides=2)", 99, (64, 3, 60, 32)),
    ("phantom-tic-tac-toe", {}, cell, "phantom_ttt", 2, (91, None, None, 20)),
]
LARGE: list[Any] = [
    ("leduc-poker", {}, leduc, "leduc_poker", 99, (3780, 157, 5520, 936)),
    ("liars-dice", {"sides": 3}, liar, "liars_dice(dice_sides=3)", 99, (576, 4, 567, 192)),
    ("phantom-tic-tac-toe", {}, cell, "phantom_ttt", 5, (None, None, None, None)),
    ("liars-dice", {}, liar, "liars_dice", 5, (None, None, None, None)),
]
CASES = [*SMALL, *(pytest.param(*case, marks=pytest.mark.deep) for case in LARGE)]


@pytest.mark.parametrize(("name", "values", "number", "theirs", "depth", "counts"), CASES)
def test_histories_payoffs_and_information_sets_are_those_of_openspiel(
    name: str, values: dict[str, Any], number: Numbers, theirs: str, depth: int, counts: Any
) -> None:
    game = rulesengine.load(name, engine="interpreter", **values)
    walk = Walk(game, number, depth)
    walk.begin(pyspiel.load_game(theirs).new_initial_state())
    # Counts of OpenSpiel 2.0.2: decisions, chance nodes, ends, information sets.
    found = (*(walk.nodes.get(k, 0) for k in ("decision", "chance", "end")), len(walk.moves))
    assert all(count in (None, one) for count, one in zip(counts, found, strict=True)), found
