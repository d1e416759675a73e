"""Words for the sides, pieces, cells and directions of a program."""

from dataclasses import dataclass

from rulesengine.board.coordinates import label
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import (
    alternatives,
    constant,
    has_role,
    is_conditional,
    is_variable,
)
from rulesengine.language.ir.rules import Rules
from rulesengine.prose.nouns import plural
from rulesengine.prose.terms import Terms

_LETTERS = 26  # later lines have numbers in sentences


@dataclass(frozen=True, slots=True)
class Person:
    """A side as a grammatical subject: its possessive and its verb forms."""

    subject: str
    possessive: str
    has: str = "has"
    third: bool = True

    def verb(self, word: str) -> str:
        """Conjugate a verb: `you win`, `the opponent wins`."""
        return f"{self.subject} {word + 's' if self.third else word}"


YOU = Person("you", "your", "have", third=False)
OPPONENT = Person("the opponent", "the opponent's")
THEY = Person("they", "their", "have", third=False)
MOVER = Person("the player to move", "the mover's")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a program as readers see them."""

    rules: Rules
    program: Program
    terms: Terms
    unique: frozenset[int]

    @property
    def sides(self) -> int:
        return len(self.rules.players)

    def person(self, op: Op) -> Person:
        """Return a side as a person; in a game for one player every side is you."""
        if use := self.terms.use(op):
            return _person(f"the {use.definition.name.replace('_', ' ')}")
        side = constant(op)
        if side is not None and not 0 <= side < self.sides:
            return _person(self.side(side))
        if self.sides == 1 or is_variable(op, "player"):
            return YOU
        if has_role(op, "mover"):
            return MOVER
        if has_role(op, "successor"):
            return self._next_person(op.args[0])
        if side is not None:
            return _person(self.side(side))
        either = [self.person(a).subject for a in alternatives(op)] if is_conditional(op) else []
        return _person(" or ".join(either) or "that player")

    def _next_person(self, before: Op) -> Person:
        """Return the player after a side as a person."""
        if is_variable(before, "player"):
            return OPPONENT if self.sides == 2 else _person("the next player")
        if (side := constant(before)) is not None and 0 <= side < self.sides:
            return _person(self.side((side + 1) % self.sides))
        if has_role(before, "successor") and self.sides == 2:
            return self.person(before.args[0])
        if self.sides == len(("mover", "other")):
            return _person(f"{self.person(before).possessive} opponent")
        return _person(f"the player after {self.person(before).subject}")

    def values_by_reader(self, op: Op) -> tuple[Op, ...]:
        """Return the values of a `by_side` in the order of the players that read it.

        The value of a player may be that of the next player, as in `home of opponent`.
        """
        side, on = op.args[0], 0
        while has_role(side, "successor"):
            side, on = side.args[0], on + 1
        values, on = op.args[1 : 1 + self.sides], on % self.sides
        return (*values[on:], *values[:on])

    def same_besides(self) -> list[str]:
        """Return the things other than the pieces that are equal in a repeated position."""
        names = [r.name.replace("_", " ") for r in self.rules.registers if r.compared]
        mover = ["the same player to move"] if self.sides > 1 else []
        return [*mover, *(f"the same ‘{name}’" for name in names)]

    def side(self, side: int) -> str:
        """Return the name of a side, with `nobody` for none and a name for the neutral side."""
        if side < 0:
            return "nobody"
        return self.rules.players[side].name.replace("_", " ") if side < self.sides else "no side"

    def kind(self, kind: int) -> str:
        if kind < 0:
            return "no piece"
        return self.rules.kinds[kind].name.replace("_", " ")

    def kinds(self, neutral: bool) -> list[str]:
        """Return the kinds of piece of the players, or the neutral ones."""
        last = slice(-1, None) if neutral else slice(0, -1)
        return [k.name.replace("_", " ") for k in self.rules.kinds if any(k.symbols[last])]

    def piece(self, neutral: bool = False) -> str:
        """Return `disc` if all pieces of the players are discs, else `piece`."""
        kinds = self.kinds(neutral)
        return kinds[0] if len(kinds) == 1 else "piece"

    def pieces(self, neutral: bool = False) -> str:
        return plural(self.piece(neutral))

    def owners(self, kind: Op) -> int:
        """Return the number of sides that have pieces of a kind, no side being one of them."""
        return sum(map(bool, self.rules.kinds[constant(kind) or 0].symbols))

    def is_unique_neutral(self) -> bool:
        """True if there is one neutral piece at all times."""
        neutral = [n for n, kind in enumerate(self.rules.kinds) if kind.symbols[-1]]
        return len(neutral) == 1 and neutral[0] in self.unique

    def is_unique(self, kind: Op) -> bool:
        """True if each side has one piece of a kind at the start and never gets another."""
        number = constant(kind)
        return number is not None and number in self.unique

    def cell(self, cell: int) -> str:
        return self.program.topology.names[cell] if cell >= 0 else "no cell"

    def direction(self, direction: int) -> str:
        return self.program.topology.directions[direction].name.replace("_", "-")

    def opposite(self, name: str) -> str:
        """Return the name of the opposite direction; of a set of directions its own name."""
        board = self.program.topology
        index = board.direction(name)
        if index is None:
            return name
        return board.directions[board.directions[index].opposite].name

    def line(self, axis: str, number: int) -> str:
        """Return the name of a row or column in the notation of the board."""
        notation = self.rules.notation
        style = notation.rows if axis == "row" else notation.columns
        return label(number, style) if 1 <= number <= _LETTERS else str(number)


def _person(subject: str) -> Person:
    ends = "'" if subject.endswith("s") else "'s"
    if is_plural(subject):
        return Person(subject, subject + ends, "have", third=False)
    return Person(subject, subject + ends)


def is_plural(name: str) -> bool:
    """True if the name of a player is a plural: `swedes`, but not `cross` or `empress`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is", "os", "as"))
