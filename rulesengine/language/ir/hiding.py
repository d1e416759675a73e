"""The parts of a position that some players do not see, and the expressions that read them."""

from collections.abc import Iterable

from rulesengine.errors import UsageError
from rulesengine.language.ir.ops import OPS, Op, walk
from rulesengine.language.ir.roles import has_role, is_variable, is_whole_board
from rulesengine.language.ir.rules import (
    CHOSEN,
    OF_KIND,
    Audience,
    Register,
    Rules,
    Visibility,
    is_always_together,
    recalled,
)
from rulesengine.support.frozen import record

# The sign of a cell, or of the kind of a piece, that is not seen.
UNSEEN = "?"
# The parts of a state that follow from the pieces.
_OF_PIECES = frozenset({"pieces", "history"})


@record
class HiddenInformation:
    """The hidden parts of a game: the pieces on some cells, and registers.

    - `pieces` is true if a player may not see some cells.
    - `own` are the registers with a value for each player that only this player sees.
    - `nobody` are the registers that no player sees.
    - `numbers` are the registers with a number at each cell, which a player sees on cells seen.
    - `choices` is true if players choose moves together: a choice is hidden until all have chosen.
    """

    pieces: bool
    own: frozenset[str] = frozenset()
    nobody: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    choices: bool = False

    def __bool__(self) -> bool:
        return self.choices or self.hides_position

    @property
    def hides_position(self) -> bool:
        """True if a part of the position between rounds is hidden."""
        return self.pieces or bool(self._registers)

    @property
    def _registers(self) -> frozenset[str]:
        """Return the hidden registers of the spec."""
        chosen = {name for name in self.nobody if name.startswith(CHOSEN)}
        return (self.own | self.nobody | self.numbers) - chosen

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the hidden parts for messages."""
        registers = sorted(f"`{name}`" for name in self._registers)
        pieces, choices = ["pieces"] * self.pieces, ["simultaneous moves"] * self.choices
        return (*pieces, *registers, *choices)

    @property
    def text(self) -> str:
        """Return the names of the hidden parts as a list in English."""
        *names, last = self.names
        return f"{', '.join(names)} and {last}" if names else last

    def is_read_by(self, op: Op) -> str:
        """Return a hidden register that an expression reads for `player`, or an empty text.

        A player may read an own value. Pieces and numbers at cells do not count: in moves a player
        reads those on the cells that this player sees.
        """
        return next((name for inner in walk(op) if (name := self.register_in(inner))), "")

    def register_in(self, op: Op) -> str:
        """Return the hidden register that an operation reads for `player`, or an empty text."""
        if not has_role(op, "register", "kind register", "cell register"):
            return ""
        name = str(op.value[0] if isinstance(op.value, tuple) else op.value)
        name = recalled(name) or name.partition(OF_KIND)[0]
        is_own = any(is_variable(arg, "player") for arg in op.args if arg.type == "side")
        return name if name in self.nobody or (name in self.own and not is_own) else ""

    def may_be_read_by(self, op: Op) -> bool:
        """True if an expression in the whole position may read a hidden part for `player`."""
        rows = (OPS[inner.name].reads for inner in walk(op) if inner.name in OPS)
        pieces = self.pieces and any(not reads.isdisjoint(_OF_PIECES) for reads in rows)
        numbers = self.numbers and any(has_role(inner, "cell register") for inner in walk(op))
        return bool(pieces or numbers or self.is_read_by(op))


def hiding_of(
    registers: Iterable[Register], sees: Visibility | None, *, rounds: bool
) -> HiddenInformation:
    """Return the hidden parts of a game with these registers; `rounds` of simultaneous moves."""
    pieces = sees is not None and sees.cells is not None and not is_whole_board(sees.cells)
    named = [(register.name.partition(OF_KIND)[0], register) for register in registers]
    own = frozenset(name for name, register in named if register.seen == "own")
    nobody = frozenset(name for name, register in named if register.seen == "nobody")
    numbers = frozenset(
        name for name, register in named if pieces and register.each == "cell" and not register.seen
    )
    return HiddenInformation(pieces, own, nobody, numbers, rounds)


def require_perfect_information(rules: Rules, feature: str, instead: str = "") -> None:
    """Raise UsageError for a game that hides something; `feature` is that of the caller.

    `instead` is an alternative for the user.
    """
    hiding = hidden_in(rules)
    if hiding:
        message = f"{feature} needs perfect information, and {rules.name} hides {hiding.text}"
        raise UsageError(f"{message}: {instead}" if instead else message)


def hidden_in(rules: Rules) -> HiddenInformation:
    """Return the hidden parts of a game."""
    return hiding_of(rules.registers, rules.sees, rounds=rules.together is not None)


def is_of_open_rounds(rules: Rules) -> bool:
    """True if all players always move together, and see everything between rounds."""
    return is_always_together(rules) and not hidden_in(rules).hides_position


def default_audience(rules: Rules) -> Audience:
    """Return the players who receive the text of moves by default, without `told` in a group.

    Where only choices are hidden, all players receive the moves of a round.
    """
    if rules.sees is not None:
        return rules.sees.moves
    is_open = rules.together is not None and not hidden_in(rules).hides_position
    return "all" if is_open else "own"
