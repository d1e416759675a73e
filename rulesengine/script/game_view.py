"""A game as its script uses it: statements, values of expressions, and texts."""

from typing import Any, TypeVar

from rulesengine.engine.interpreter import Decision, format_value, marked, padded
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import (
    TAKING_BACK,
    Statement,
    Strategy,
    Template,
    statements,
)
from rulesengine.notation.board_text import draw
from rulesengine.state import Move, State, Step

T = TypeVar("T")
Variables = dict[str, Any]


class GameView:
    """The queries that a script makes of a game, except moves.

    Expressions are evaluated in a state, with the script's variables and optionally a move.
    `takes_back` is true if the script takes moves back, so that they are kept.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._machine = game.machine
        self._prepared: dict[int, Any] = {}
        self.takes_back = any(s.name in TAKING_BACK for s in statements(self.script))

    @property
    def script(self) -> tuple[Statement, ...]:
        return self._machine.program.rules.script

    def prepare(self, part: T, *names: str) -> T:
        """Return an expression or template prepared for many values of these variables.

        Subexpressions that do not read them are evaluated once for each new `MEMO` of the
        variables.
        """
        if id(part) not in self._prepared:
            self._prepared[id(part)] = marked(part, frozenset(names))
        return self._prepared[id(part)]  # type: ignore[no-any-return]

    def value(self, op: Op, state: State, variables: Variables, move: Move | None = None) -> Any:
        """Evaluate an expression."""
        return self._machine.evaluate(op, state, variables, move.steps if move else ())

    def with_effect(self, effect: Op, state: State, variables: Variables) -> State:
        """Return the position after an effect, without a move in its history."""
        return self._machine.with_effect(state, effect, variables)

    def choose(
        self, strategy: Strategy, state: State, values: Variables
    ) -> tuple[Step, ...] | None:
        """Return the steps of the move that a strategy chooses with these parameter values."""
        return self._machine.choose(state, strategy, values)

    def decide(self, state: State) -> Decision | None:
        """Return how a state is decided, by the game's engine; scores are left out."""
        outcome = self._game.outcome(state)
        if outcome is None:
            return None
        players = self._game.players
        sides = [state.player(side) for side in range(len(players))]
        winner = -1 if outcome.winner is None else sides.index(outcome.winner)
        return winner, outcome.reason, (), ()

    def members(self, domain: str, op: Op, state: State, variables: Variables) -> list[int]:
        """Return the values of a loop's domain, in order."""
        return self._machine.members(domain, op, state, variables)

    def text(
        self, template: Template, state: State, variables: Variables, move: Move | None = None
    ) -> str:
        """Fill in a template."""
        out = ""
        for part in template.parts:
            if isinstance(part, str):
                out += part
                continue
            value = self.value(part.value, state, variables, move)
            text = format_value(self._machine.program, part.value.type, value)
            out += padded(text, part.width, part.filler)
        return out

    def board(self, state: State) -> str:
        """Return the board, drawn by the templates of the spec's `drawing`."""
        return draw(self._machine.program, state)
