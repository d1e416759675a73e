"""Random histories of games with hidden information or chance against OpenSpiel.

Along each history both programs have the same moves, players and payoffs. The knowledge of a player
is compared too: two decisions belong to one information set here if and only if they do there, or
the observed boards are equal where OpenSpiel has no information states.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Move, State
from rulesengine.engine.observation import InformationState

pyspiel = pytest.importorskip("pyspiel")

# The kinds of Banqi in the order of OpenSpiel.
BANQI = ("general", "advisor", "elephant", "chariot", "horse", "cannon", "soldier")


def to_cell(game: Game, move: Move) -> int:
    return move.steps[0].target


def to_point(game: Game, move: Move) -> int:
    """Return the number of a point of Go, counted from the bottom left, or of a pass."""
    side = int(game.parameters["n"])
    if str(move) == "pass":
        return side * side
    line, column = divmod(move.steps[0].target, side)
    return (side - 1 - line) * side + column


def to_shot(game: Game, move: Move) -> int:
    """Return the number of a shot, or of a ship by its first cell and direction."""
    side = int(game.parameters["n"])
    *ship, name = str(move).removesuffix("-east").removesuffix("-south").split("-")
    column, row = ord(name[0]) - ord("a"), int(name[1:]) - 1
    turned = 0 if not ship else 1 if str(move).endswith("-east") else 2
    return turned * side * side + row * side + column % (side + 1)


def to_banqi(game: Game, move: Move) -> int:
    """Return the number of a piece turned up, a cell to turn, or a move; red moves first."""
    text = str(move)
    if text.endswith(("-first", "-second")):
        piece, _, side = text.partition("-")
        return BANQI.index(piece) + (0 if side == "first" else len(BANQI))
    step = move.steps[0]
    return step.target if step.origin < 0 else 32 + 32 * step.origin + step.target


def to_oh_hell(game: Game, move: Move) -> int:
    """Return the number of a dealer, a card or a bid."""
    text, kinds = str(move), game.program.form.kinds
    if text in game.players:
        return game.players.index(text)
    return kinds.index(text) if text in kinds else len(kinds) + int(text)


def to_crazy_eights(game: Game, move: Move) -> int:
    """Return the number of a card, of a draw or a pass, or of a suit that is named."""
    text, step = str(move), move.steps[0]
    if step.target >= 0:
        line, column = divmod(step.target, 13)
        return 4 * column + 3 - line
    return 52 + ("draw", "pass", "clubs", "diamonds", "hearts", "spades").index(text)


def held_cards(state: Any) -> tuple[set[str], ...]:
    """Return the cards of both players, such as `7C`, from OpenSpiel's text of a position."""
    found: tuple[set[str], ...] = set(), set()
    for line in str(state).split("\n"):
        if line.startswith("Suit "):
            for part, start in zip(found, (0, 40), strict=True):
                suit, _, ranks = line[start:].partition(":")
                part |= {rank + suit[-1] for rank in ranks.split("Suit")[0] if rank.strip()}
    return found


def points(cards: set[str]) -> int:
    """Return the points of cards in Crazy Eights, by the rules.

    OpenSpiel 2.0.2 counts another number for most cards below the jack: twice the suit is in it.
    """
    values = {"8": 50, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}
    return sum(values.get(card[0]) or int(card[0]) for card in cards)


def crazy_eights_payoffs(state: Any) -> list[float]:
    first, second = map(points, held_cards(state))
    return [second - first, first - second]


def no_eight_turned_up(state: Any) -> list[int]:
    """Return the legal actions; OpenSpiel turns another card up after an eight."""
    actions: list[int] = state.legal_actions()
    is_first = state.is_chance_node() and "Last card" not in str(state)
    is_turned = is_first and sum(map(len, held_cards(state))) == 14
    return [a for a in actions if not is_turned or a // 4 != 6]


def compare_hands(game: Game, state: State, other: Any) -> None:
    """Compare the cards, the suit and the stock of Crazy Eights that the players see."""
    registers = dict(line.split(": ") for line in str(state).split("\n") if ": " in line)
    stock = f"Number of cards left in deck: {registers.get('stock', 52)}"
    assert stock in str(other)
    assert f"Last suit: {'CDHS'[int(registers['suit']) - 1]}" in str(other)
    card = registers["top"].replace("10", "T")
    assert f"Last card: {card[1]}{card[0]}" in str(other)
    for player, cards in zip(game.players, held_cards(other), strict=True):
        rows = game.observation(state, player).rows[:4]
        held = {
            rank + suit
            for suit, row in zip("SHDC", rows, strict=True)
            for rank, sign in zip("23456789TJQKA", row, strict=True)
            if sign == player[0]
        }
        assert held == cards


def without_ply(state: Any) -> str:
    """Return an information state of dark Hex without the number of all moves and tries."""
    lines = state.information_state_string().split("\n")
    side = len(lines[0])
    return "\n".join(lines[:side] + lines[side + 1 :])


def banqi_actions(state: Any) -> list[int]:
    """Return the legal actions; the first piece is red, and so is the first player here."""
    actions: list[int] = state.legal_actions()
    is_first = state.is_chance_node() and not any(sign.isalpha() for sign in _pieces(state))
    return actions[: len(BANQI)] if is_first else actions


def _pieces(state: Any) -> str:
    return "".join(str(state).split("\n")[:4])


def all_actions(state: Any) -> list[int]:
    return list(state.legal_actions())


def returns(state: Any) -> list[float]:
    return list(state.returns())


def information_text(state: Any) -> str:
    return str(state.information_state_string())


def compare_boards(game: Game, state: State, other: Any) -> None:
    """Compare what both players see of a board of Go."""
    signs = str.maketrans({"?": "+", ".": "+", "x": "X", "o": "O"})
    for number, player in enumerate(game.players):
        rows = game.observation(state, player).rows
        theirs = other.observation_string(number).split("\n")[: len(rows)]
        assert [row.translate(signs) for row in rows] == [row[3:] for row in theirs]


@dataclass(frozen=True)
class Case:
    """A game in both programs.

    `number` maps a move to OpenSpiel's number, and `knowledge` a state of OpenSpiel to the text of
    the information state of the player to move.
    """

    name: str
    theirs: str
    number: Callable[[Game, Move], int]
    knowledge: Callable[[Any], str] | None = information_text
    boards: Callable[[Game, State, Any], None] | None = None
    values: dict[str, Any] = field(default_factory=dict)
    # Reasons of ends that must occur in the deep test.
    ends: tuple[str, ...] = ()
    # The legal actions of OpenSpiel that occur here too.
    actions: Callable[[Any], list[int]] = all_actions
    # Chance moves at the beginning that only OpenSpiel has.
    first: tuple[int, ...] = ()
    # The payoffs at the end.
    payoffs: Callable[[Any], list[float]] = returns

    @property
    def is_small(self) -> bool:
        """True if a history takes less than half a second."""
        return int(self.values.get("n", 0)) < 10

    def __str__(self) -> str:
        return "-".join([self.name, *map(str, self.values.values())])


def battleship(side: int, ships: int, shots: int, *ends: str) -> Case:
    sizes, values = (";".join(map(str, each[:ships])) for each in ((2, 3, 3, 4, 5), (1.0,) * 5))
    theirs = (
        f"battleship(board_height={side},board_width={side},ship_sizes=[{sizes}],"
        f"ship_values=[{values}],num_shots={shots},allow_repeated_shots=false)"
    )
    parameters = {"n": side, "ships": ships, "shots": shots}
    return Case("battleship", theirs, to_shot, values=parameters, ends=ends)


@dataclass
class Comparison:
    """Histories of one case; `sets` maps keys to OpenSpiel's texts, and back."""

    case: Case
    game: Game
    sets: dict[object, object] = field(default_factory=dict)

    def play(self, draw: random.Random) -> str | None:
        """Play a random history in both programs, and return the reason of its end."""
        game, state = self.game, self.game.initial_state()
        infos = {player: game.information_state((), player) for player in game.players}
        other = pyspiel.load_game(self.case.theirs).new_initial_state()
        for number in self.case.first:
            other.apply_action(number)
        _skip_forced_chance(other)
        while (outcome := game.outcome(state)) is None:
            move, number = self.choose(state, other, infos, draw)
            after = game.apply(state, move)
            infos = {p: info.after(state, move, after) for p, info in infos.items()}
            state = after
            other.apply_action(number)
        assert other.is_terminal()
        assert [*outcome.payoffs.values()] == self.case.payoffs(other)
        return outcome.reason

    def choose(
        self, state: State, other: Any, infos: dict[str, InformationState], draw: random.Random
    ) -> tuple[Move, int]:
        """Compare a position, and return a move and its number in OpenSpiel."""
        game, case = self.game, self.case
        moves = {case.number(game, move): move for move in game.legal_moves(state)}
        assert sorted(moves) == sorted(case.actions(other))
        weights = game.weights(state)
        assert other.is_chance_node() == bool(weights)
        if weights:
            _compare_chances(dict(zip(moves, weights, strict=True)), other)
        else:
            assert game.players.index(state.mover) == other.current_player()
            self.compare_knowledge(infos[state.mover], other)
            if case.boards:
                case.boards(game, state, other)
        number = draw.choice(sorted(moves))
        return moves[number], number

    def compare_knowledge(self, info: InformationState, other: Any) -> None:
        if self.case.knowledge:
            there = other.current_player(), self.case.knowledge(other)
            assert self.sets.setdefault(info.key, there) == there
            assert self.sets.setdefault(there, info.key) == info.key


def _compare_chances(weights: dict[int, int], other: Any) -> None:
    theirs = {number: chance for number, chance in other.chance_outcomes() if number in weights}
    total, whole = sum(theirs.values()), sum(weights.values())
    for number, weight in weights.items():
        assert weight / whole == pytest.approx(theirs[number] / total)


def _skip_forced_chance(state: Any) -> None:
    while state.is_chance_node() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])


CASES = [
    Case("dark-hex", "dark_hex(board_size=3)", to_cell, without_ply, values={"n": 3}),
    Case(
        "phantom-go",
        "phantom_go(board_size=5)",
        to_point,
        None,
        compare_boards,
        ends=("two passes", "the last play is made"),
    ),
    Case(
        "phantom-go",
        "phantom_go(board_size=3,max_game_length=200)",
        to_point,
        None,
        compare_boards,
        {"n": 3, "limit": 200},
        ("two passes", "the board has come again"),
    ),
    battleship(2, 1, 2),
    battleship(3, 2, 3, "all shots are spent"),
    battleship(10, 5, 100, "a fleet is sunk"),
    Case(
        "oh-hell",
        "oh_hell(players=3,num_suits=4,num_cards_per_suit=4,num_tricks_fixed=3)",
        to_oh_hell,
    ),
    Case(
        "crazy-eights",
        "crazy_eights(players=2)",
        to_crazy_eights,
        None,
        compare_hands,
        ends=("a player has no cards", "three passes without a stock"),
        actions=no_eight_turned_up,
        first=(53,),  # the second player deals
        payoffs=crazy_eights_payoffs,
    ),
    Case(
        "banqi",
        "banqi",
        to_banqi,
        None,
        actions=banqi_actions,
        ends=("fifty moves without a capture or a piece turned up", "no legal move"),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.is_small], ids=str)
def test_a_random_history_is_that_of_openspiel(case: Case) -> None:
    comparison = Comparison(case, rulesengine.load(case.name, engine="interpreter", **case.values))
    assert comparison.play(random.Random(1))


@pytest.mark.deep
@pytest.mark.parametrize("case", CASES, ids=str)
def test_random_histories_are_those_of_openspiel(case: Case) -> None:
    comparison = Comparison(case, rulesengine.load(case.name, **case.values))
    reasons = {comparison.play(random.Random(seed)) for seed in range(60)}
    assert {*case.ends} <= reasons
