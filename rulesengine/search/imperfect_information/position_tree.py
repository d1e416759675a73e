"""Games with simultaneous moves and nothing else hidden, as trees of positions.

An information set of such a game is a position at the beginning of a round, and a player.
"""

from hashlib import blake2b

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.observation import Rounds
from rulesengine.errors import UsageError
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.rules import CHOSEN
from rulesengine.search.imperfect_information.game_tree import (
    EventState,
    GameHistory,
    GameTree,
    HiddenGame,
)
from rulesengine.state import Move, State
from rulesengine.support.frozen import record, replace

_KEY_BYTES = 16


@record
class PositionInformation:
    """The knowledge of a player who sees all but the choices of a round: the position before it."""

    text: str

    @property
    def key(self) -> bytes:
        return blake2b(self.text.encode(), digest_size=_KEY_BYTES).digest()

    @property
    def line(self) -> tuple[bytes, ...]:
        return (self.key,)

    def after(self, before: State, move: Move, after: State) -> "PositionInformation":
        raise UsageError("a position holds no moves that could follow it")

    def __str__(self) -> str:
        return self.text


class PositionTree(GameTree):
    """The histories of a game with positions without choices as information states."""

    def __init__(self, game: HiddenGame, machine: Interpreter) -> None:
        super().__init__(game)
        self._rounds = machine.derived(Rounds)
        form = machine.program.form
        self._slots = tuple(n for n, name in enumerate(form.registers) if name.startswith(CHOSEN))
        self._starts = form.starts

    def from_state(self, state: State) -> GameHistory:
        """Return the history that begins at the round of a state."""
        sides = [side for side, _ in self._rounds.chosen(state)]
        begun = replace(self.without_choices(state), side=min((*sides, state.side)))
        return GameHistory(begun, None, None)

    def without_choices(self, state: State) -> State:
        """Return a state without the choices of its round, with the same player to move."""
        registers = list(state.registers)
        for slot in self._slots:
            registers[slot] = self._starts[slot]
        return replace(state, registers=tuple(registers))

    def information(self, history: GameHistory, player: int) -> EventState:
        """Return the position of a history as its mover knows it."""
        return self.information_in(history.state)

    def information_in(self, state: State) -> PositionInformation:
        """Return a position as its mover knows it."""
        return PositionInformation(str(self.without_choices(state)))


def hides_choices_alone(machine: Interpreter) -> bool:
    """True if players make moves together, and see everything else."""
    hiding = hidden_in(machine.program.rules)
    return hiding.choices and not hiding.hides_position
