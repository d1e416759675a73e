"""A game as its script sees it: the statements, values of expressions, and texts of both."""

from typing import Any, TypeVar

from rulesengine.engine.interpreter import Decision, marked, padded, shown
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Statement, Strategy, Template
from rulesengine.notation.board_text import draw
from rulesengine.state import Move, State, Step

T = TypeVar("T")
Variables = dict[str, Any]


class View:
    """What a script asks of a game beside its moves.

    Expressions are read in a state, with the variables of the script and maybe a move in hand.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._machine = game.machine
        self._asked: dict[int, Any] = {}

    @property
    def script(self) -> tuple[Statement, ...]:
        return self._machine.program.rules.script

    def asked(self, part: T, *names: str) -> T:
        """An expression or template that is to be asked for many values of these variables.

        What does not read them is worked out once for each new `KEPT` of the variables.
        """
        if id(part) not in self._asked:
            self._asked[id(part)] = marked(part, frozenset(names))
        return self._asked[id(part)]  # type: ignore[no-any-return]

    def value(self, op: Op, state: State, variables: Variables, move: Move | None = None) -> Any:
        """The value of an expression."""
        return self._machine.evaluate(op, state, variables, move.steps if move else ())

    def with_effect(self, effect: Op, state: State, variables: Variables) -> State:
        """The position after an effect, as if no move had led to it."""
        return self._machine.with_effect(state, effect, variables)

    def choose(
        self, strategy: Strategy, state: State, values: Variables
    ) -> tuple[Step, ...] | None:
        """The steps of the move that a strategy makes with these values of its parameters."""
        return self._machine.choose(state, strategy, values)

    def decide(self, state: State) -> Decision | None:
        """How a state is decided, as the game's engine says; scores are left out."""
        outcome = self._game.outcome(state)
        if outcome is None:
            return None
        players = self._game.players
        sides = [state.player(side) for side in range(len(players))]
        winner = -1 if outcome.winner is None else sides.index(outcome.winner)
        return winner, outcome.reason, (), ()

    def members(self, domain: str, op: Op, state: State, variables: Variables) -> list[int]:
        """What a loop goes through, in order."""
        return self._machine.members(domain, op, state, variables)

    def text(
        self, template: Template, state: State, variables: Variables, move: Move | None = None
    ) -> str:
        """A template filled in."""
        out = ""
        for part in template.parts:
            if isinstance(part, str):
                out += part
                continue
            value = self.value(part.value, state, variables, move)
            said = shown(self._machine.program, part.value.type, value)
            out += padded(said, part.width, part.filler)
        return out

    def board(self, state: State) -> str:
        """The board by the templates of the spec's `drawing`."""
        return draw(self._machine.program, state)
