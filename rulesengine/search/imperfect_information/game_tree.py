"""The tree of histories of a game of the rules language."""

from collections.abc import Hashable, Sequence
from typing import Protocol

from rulesengine.engine.drivers.random import Generator
from rulesengine.search.imperfect_information.extensive_form import (
    Chance,
    Decision,
    InformationState,
    Node,
    Terminal,
)
from rulesengine.state import Move, Outcome, State

_MOST_PLIES = 10_000  # of a random game, as in all playouts


class EventState(InformationState, Protocol):
    """An information state that follows the moves of a game."""

    def after(self, before: State, move: Move, after: State) -> "EventState":
        """Return the information state after a move from one state to another."""


class HiddenGame(Protocol):
    """The methods of a game that its tree calls."""

    @property
    def players(self) -> tuple[str, ...]: ...

    def initial_state(self) -> State: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def apply(self, state: State, move: Move, *, check: bool) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...

    def weights(self, state: State) -> tuple[int, ...]: ...

    def information_state(self, moves: Sequence[Move], player: str) -> EventState: ...


class GameHistory:
    """A state with the move that led to it; information states are computed on first use."""

    __slots__ = ("_before", "_informations", "_move", "moves", "state")

    def __init__(self, state: State, before: "GameHistory | None", move: Move | None) -> None:
        self.state = state
        # the legal moves, as soon as they are known
        self.moves: Sequence[Move] | None = None
        self._before = before
        self._move = move
        self._informations: dict[int, EventState] = {}

    def information(self, player: int) -> EventState:
        """Return the information state of a player."""
        line: list[GameHistory] = []
        at = self
        while player not in at._informations:
            line.append(at)
            assert at._before is not None
            at = at._before
        known = at._informations[player]
        for later in reversed(line):
            assert later._move is not None
            known = known.after(at.state, later._move, later.state)
            later._informations[player] = known
            at = later
        return known

    @property
    def line(self) -> tuple[Move, ...]:
        """Return the moves from the first history."""
        moves: list[Move] = []
        at: GameHistory | None = self
        while at is not None and at._move is not None:
            moves.append(at._move)
            at = at._before
        return tuple(reversed(moves))

    def begin(self, informations: Sequence[EventState]) -> None:
        """Set the information states of the first history."""
        self._informations.update(enumerate(informations))


class GameTree:
    """The histories of a game, as the interface `ObservedForm` describes them."""

    def __init__(self, game: HiddenGame) -> None:
        self._game = game
        self._numbers = {name: number for number, name in enumerate(game.players)}

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players, in the order of their numbers."""
        return self._game.players

    def root(self) -> GameHistory:
        """Return the history without moves."""
        first = GameHistory(self._game.initial_state(), None, None)
        first.begin([self._game.information_state((), name) for name in self._game.players])
        return first

    def node(self, history: GameHistory) -> Node:
        """Return the node of a history. A game that stops without an end pays nothing."""
        game, state = self._game, history.state
        outcome = game.outcome(state)
        if outcome is not None:
            return self._end(outcome)
        weights = game.weights(state)
        if weights:
            return Chance(weights)
        moves = self.moves(history)
        if not moves:
            return Terminal((0,) * len(self.players))
        player = self._numbers[state.mover]
        return Decision(player, self.information(history, player), tuple(map(str, moves)))

    def moves(self, history: GameHistory) -> Sequence[Move]:
        """Return the legal moves of a history, or the branches of chance."""
        if history.moves is None:
            history.moves = self._game.legal_moves(history.state)
        return history.moves

    def child(self, history: GameHistory, number: int) -> GameHistory:
        """Return a history extended by a legal move, given by its number."""
        move = self.moves(history)[number]
        return GameHistory(self._game.apply(history.state, move, check=False), history, move)

    def information(self, history: GameHistory, player: int) -> EventState:
        """Return the information state of a player after a history."""
        return history.information(player)

    def state_key(self, history: GameHistory) -> Hashable:
        """Return the state of a history."""
        return history.state

    def playout(self, history: GameHistory, random: Generator) -> tuple[int, ...]:
        """Return the payoffs of a random game from a history."""
        game, state = self._game, history.state
        for _ in range(_MOST_PLIES):
            outcome = game.outcome(state)
            if outcome is not None:
                return self._end(outcome).payoffs
            moves = game.legal_moves(state)
            if not moves:
                break
            weights = game.weights(state)
            number = random.among(weights) if weights else random.below(len(moves))
            state = game.apply(state, moves[number], check=False)
        return (0,) * len(self.players)

    def _end(self, outcome: Outcome) -> Terminal:
        return Terminal(tuple(outcome.payoffs[name] for name in self.players))
