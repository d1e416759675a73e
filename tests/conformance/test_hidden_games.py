"""Games with hidden information against OpenSpiel: histories, payoffs, and information sets.

Both programs walk through the same moves. Two decisions of a player must belong to one information
set here if and only if they do there, so the partitions are compared, not only their sizes.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Move, State
from rulesengine.engine.observation import InformationState
from rulesengine.play.terminal.board_view import observed_board
from tests.helpers.hidden_states import HIDDEN_NAMES, SMALLER, mixed, random_states

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


def hand(game: Game, move: Move) -> int:
    return ("rock", "paper", "scissors").index(str(move))


def card(game: Game, move: Move) -> int:
    return int(str(move)) - 1


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
        game = self.game
        if other.is_terminal():  # OpenSpiel plays the last cards of Goofspiel itself
            state = after_forced_moves(game, state)
        outcome = game.outcome(state)
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


def after_forced_moves(game: Game, state: State) -> State:
    while len(legal := game.legal_moves(state)) == 1:
        state = game.apply(state, legal[0])
    return state


def in_turn(name: str) -> str:
    """Return the game of OpenSpiel in which simultaneous moves are made in turn, unseen."""
    return f"turn_based_simultaneous_game(game={name})"


GOOFSPIEL = in_turn("goofspiel(num_cards=4,points_order=descending,imp_info=True)")
SMALL: list[Any] = [
    ("rock-paper-scissors", {}, hand, in_turn("matrix_rps()"), 99, (4, 0, 9, 2)),
    ("goofspiel", {"n": 4}, card, GOOFSPIEL, 99, (501, 0, 576, 162)),
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


# A change of what a player does not see changes nothing that this player is shown.


HIDDEN = [
    pytest.param(name, marks=(pytest.mark.deep,) if name in SMALLER else ())
    for name in HIDDEN_NAMES
]


@pytest.mark.parametrize("name", HIDDEN)
def test_a_change_of_what_a_player_does_not_see_changes_no_byte(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter", **SMALLER.get(name, {}))
    draw = random.Random(1)
    states, compared = random_states(game, draw, 150), 0
    for state in states:
        for player in game.players:
            changed = mixed(game, state, draw.choice(states), player)
            before, after = (game.observation(s, player) for s in (state, changed))
            is_same_stage = (after.mover, after.outcome) == (before.mover, before.outcome)
            is_same_view = (after.cells, after.known) == (before.cells, before.known)
            if changed == state or not is_same_view or not is_same_stage:
                continue
            assert str(after) == str(before)
            assert observed_board(game, changed, player) == observed_board(game, state, player)
            if before.mover == player:
                legal = [[*map(str, game.legal_moves(s))] for s in (state, changed)]
                assert legal[0] == legal[1]
                cell = min(game.program.form.cells)  # mostly a1
                reasons = [game.why_not(cell, s) for s in (state, changed)]
                assert reasons[0] == reasons[1]
            compared += 1
    assert compared > 30
