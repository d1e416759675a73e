"""The form of a program: what a spec says, as typed operations.

The checker makes it with names of the board and of parameters still in it; lowering replaces
these, and adds the topology, for one choice of parameters.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from rulesengine.board.joins import NamedJoin
from rulesengine.language.ir.ops import Op, Type, reads
from rulesengine.support.frozen import names_of, record, replace
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

T = TypeVar("T")


@record
class Site:
    """Where an operation that may fail stands in the spec, and its text."""

    file: str
    line: int
    column: int
    text: str


@record
class Parameter:
    """`choices` is empty for an integer of a range and for a flag (0 and 1)."""

    name: str
    type: Type
    choices: tuple[int | str, ...]
    low: int
    high: int
    step: int
    default: int | str


@record
class Player:
    """`plays` tells by the parameters whether he takes part; None if he always does."""

    name: str
    label: str
    plays: Op | None = None


@record
class Limit:
    """How many pieces of a kind each of its owners can have; `site` is where that stands."""

    at_most: Op
    site: int


@record
class Kind:
    """A kind of piece; symbols by side, neutral last; an empty text where there is none.

    `attributes` are the author's words for what it has in common with others.
    """

    name: str
    symbols: tuple[str, ...]
    attributes: tuple[str, ...]
    limit: Limit | None = None


@record
class Register:
    """A value kept in the state: one for all, for each side or, a number, at each cell.

    Positions are equal only where those that are `compared` are.

    Numbers at cells are kept as planes: bit i of what each is more than `low` is the i-th of sets.
    """

    name: str
    type: Type
    low: int
    high: int
    start: Op
    each: Literal["", "player", "cell"]
    lives: Literal["game", "turn", "move"]
    compared: bool = False

    @property
    def range(self) -> str:
        """Between what a number may be, in words."""
        if self.low == INTEGER_MIN:
            return f"at most {self.high}"
        return f"at least {self.low}" if self.high == INTEGER_MAX else f"{self.low} to {self.high}"

    def slots(self, sides: int) -> int:
        """How many values of a state it takes."""
        if self.each == "cell":
            return (self.high - self.low).bit_length()
        return sides if self.each else 1


@record
class Track:
    """Cells one after the other by their names; a closed track goes on from its last to its first.

    `site` is where it stands.
    """

    name: str
    cells: tuple[str, ...]
    closed: bool
    site: int


@record
class BoardForm:
    """How the board is made: numbers as operations, the rest as it is written.

    Cells that are missing are named (`holes`), drawn (`hole_map`) or an expression over the whole
    board (`missing`); regions are drawn on the board that is left.
    """

    shape: str
    numbers: tuple[tuple[str, Op], ...]
    origin: str
    wrap: str
    stagger: str
    holes: tuple[str, ...]
    cells: tuple[str, ...]
    screen: tuple[tuple[int, int], ...]
    edges: tuple[tuple[str, str], ...]
    lines: tuple[tuple[str, ...], ...]
    adjacency: Op | None
    missing: Op | None = None
    hole_map: tuple[str, ...] = ()
    regions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    joins: tuple[NamedJoin, ...] = ()


@record
class Template:
    """Text and values."""

    parts: tuple["str | TemplateField", ...]


@record
class TemplateField:
    """A value with its width, negative if it is put at the left, or 0, and what fills it up."""

    value: Op
    width: int
    filler: str = " "


@record
class Notation:
    rows: str
    columns: str
    cell: str
    place: str
    move: str
    capture: str
    pass_: str
    swap: str


@record
class Drawing:
    """How `print board` draws: templates over `{columns}`, and `{label}` and `{cells}`.

    That of a cell is over `{symbol}` and the numbers that cells have; `hole` stands where the
    board has none.
    """

    top: str
    row: str
    bottom: str
    gap: str
    cell: str = "{symbol}"
    hole: str = " "


@record
class Look:
    """How pictures show the game: words of the spec, and sets of cells of the board alone.

    `shapes` are by kind, and by player where that is no empty text; `colours` are by player,
    by kind, by `neutral` and by `board`. Where a section says nothing, names and symbols decide.
    """

    board: str
    colours: tuple[tuple[str, str], ...]
    shapes: tuple[tuple[str, str, str], ...]
    cells: tuple[tuple[str, Op], ...]
    edges: tuple[tuple[str, Op], ...]
    stars: Op | None


GroupKind = Literal["place", "move", "select", "pass", "swap", "chance"]


@record
class Then:
    """The step that follows in the same move: of the named group, from these cells."""

    step: str
    origin: Op | None
    along: Op | None
    when: Op | None
    optional: bool


@record
class Decided:
    """Targets of which a pass knows what `forbid` says: in the state before, as sets.

    Those in `allowed` are not forbidden; of the others only those in `doubtful` need be asked.
    """

    allowed: Op
    doubtful: Op


@record
class Choice:
    """One of the named choices of a group and the values that it is among."""

    name: str
    values: tuple[Op, ...]


@record
class Written:
    """How a group's moves are written: `text` as the spec has it, and what it means."""

    text: str
    template: Template


@record
class Group:
    """Steps of one kind: directions `along`, each with origins and their targets, then a choice.

    A choice is one of several values of one type; without choices it is none. Of `choices` that
    have names it is the place of one combination, the first name changing least. A `weight` has
    what chance does alone.
    """

    name: str
    kind: GroupKind
    piece: Op | None
    side: Op | None
    along: Op | None
    origin: Op | None
    target: Op | None
    choice: tuple[Op, ...]
    when: Op | None
    effects: tuple[Op, ...]
    forbid: Op | None
    then: Then | None
    site: Site
    decided: Decided | None = None
    choices: tuple[Choice, ...] = ()
    written: Written | None = None
    weight: Op | None = None


@record
class Chance:
    """Where it is chance that moves, by which branches, and who is to move `next`.

    A branch is drawn by its weight. It is no ply unless chance `counts`.
    """

    when: Op
    branches: tuple[Group, ...]
    next: Op
    counts: bool
    site: Site


@record
class End:
    """`each` tells that it is asked of each side in turn, `pays` what each side gets."""

    when: Op
    result: Literal["wins", "loses", "draw", "highest", "lowest", "pays", "out"]
    side: Op | None
    reason: str
    each: bool
    pays: Op | None = None


@record
class Key:
    """A filter of a strategy: keeps the moves where the value is greatest or least."""

    order: Literal["most", "least"]
    value: Op


@record
class OneOfEach:
    """A filter of legal moves: of those that lead to equal states it keeps the first."""

    what: Literal["result"] = "result"


@record
class LookAhead:
    """A search: how many seconds as a decimal number, if told; plies, positions, random games."""

    seconds: str
    plies: Op | None
    nodes: Op | None
    playouts: Op | None = None


@record
class Strategy:
    """A way to choose a move: keys one after the other, after a search if there is one."""

    name: str
    keys: tuple[Key, ...]
    search: LookAhead | None = None


@record
class Given:
    """A strategy with values for its parameters, which its keys read by these names."""

    strategy: Strategy
    names: tuple[str, ...]
    values: tuple[Op, ...]


Operand = Op | Template | Given | None


@record
class Statement:
    """A statement of the I/O script.

    `operands` holds its operations and templates, `words` its names and fixed texts, `body` and
    `otherwise` the blocks inside it; `site` is where it stands.
    """

    name: str
    words: tuple[str, ...] = ()
    operands: tuple[Operand, ...] = ()
    body: tuple["Statement", ...] = ()
    otherwise: tuple["Statement", ...] = ()
    site: int = -1


@record
class Notion:
    """What a definition, with the arguments of a use, stands for, as `player` reads it."""

    name: str
    op: Op


@record
class Rules:
    """A whole spec. The start is `diagram`, or the effects `start` on an empty board.

    `outs` tell who leaves the game while the others go on. A step's group is numbered through the
    tiers, then `steps`, which only `then` leads to, and then what chance does. All moves of the
    tiers that are `unranked` pass `keep`; lowering tells which. Random games of a search go by the
    strategy `playouts`, if there is one. `notions` are for people alone: programs have none.
    """

    name: str
    parameters: tuple[Parameter, ...]
    players: tuple[Player, ...]
    kinds: tuple[Kind, ...]
    empty_symbol: str
    registers: tuple[Register, ...]
    tracks: tuple[Track, ...]
    board: BoardForm
    notation: Notation
    drawing: Drawing
    start: tuple[Op, ...]
    diagram: tuple[str, ...]
    tiers: tuple[tuple[Group, ...], ...]
    steps: tuple[Group, ...]
    keep: tuple[Key | OneOfEach, ...]
    effects: tuple[Op, ...]
    next: Op
    alternates: bool
    score: Op | None
    ends: tuple[End, ...]
    misere: bool
    strategies: tuple[Strategy, ...]
    script: tuple[Statement, ...]
    sites: tuple[Site, ...]
    outs: tuple[End, ...] = ()
    evaluation: Op | None = None
    chance: Chance | None = None
    unranked: tuple[int, ...] = ()
    look: Look | None = None
    playouts: str = ""
    notions: tuple[Notion, ...] = ()

    @property
    def likely(self) -> tuple[Key, ...]:
        """What random games of a search keep of the legal moves."""
        return next((s.keys for s in self.strategies if s.name == self.playouts), ())

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups in the order of their numbers."""
        branches = self.chance.branches if self.chance else ()
        return (*(group for tier in self.tiers for group in tier), *self.steps, *branches)

    @property
    def has_free_chance(self) -> bool:
        """Whether chance moves at times, and that is no ply."""
        return self.chance is not None and not self.chance.counts


def chosen(choices: tuple[Choice, ...], place: int) -> tuple[Op, ...]:
    """The values of a combination of named choices."""
    found: list[Op] = []
    for choice in reversed(choices):
        place, number = divmod(place, len(choice.values))
        found.append(choice.values[number])
    return tuple(reversed(found))


def written_as(rules: Rules) -> tuple[tuple[int, bool], ...]:
    """For each group which form its moves are written in, and whether that shows a direction.

    Steps of one kind over the same cells are different moves if they are written in different
    forms. Form 0 is the notation of the game.
    """
    forms: dict[str, int] = {}
    found = []
    for written in (group.written for group in rules.groups):
        number = forms.setdefault(written.text, len(forms) + 1) if written else 0
        fields = operations(written) if written else []
        found.append((number, any(reads(op, "variable", "direction") for op in fields)))
    return tuple(found)


_RECALLING = "last "
# The register of the move at which each player has left the game.
OUT = "out"
# The variable, while a move is made, that tells whether chance makes it: no spec can name it.
BY_CHANCE = "by chance"
# The number of the group of a move's last step, where whole moves are ranked.
GROUP = "the group"


def recalling(word: str) -> str:
    """The register with what the last move did: no spec can give one this name."""
    return f"{_RECALLING}{word}"


def recalled(register: str) -> str:
    """What the last move did that is in a register; an empty text if it is the author's own."""
    return register.removeprefix(_RECALLING) if register.startswith(_RECALLING) else ""


def rewrite(value: T, change: Callable[[Op], Op]) -> T:
    """A copy of a record with every operation in it changed."""
    result: Any = value
    if type(value) in _LEAVES:
        pass
    elif isinstance(value, Op):
        result = change(value)
    elif isinstance(value, tuple):
        result = tuple(rewrite(v, change) for v in value)
    elif names := names_of(value):
        result = replace(value, **{n: rewrite(getattr(value, n), change) for n in names})
    return result  # type: ignore[no-any-return]


def operations(value: object) -> list[Op]:
    """The operations directly inside a record, in order."""
    found: list[Op] = []
    _gather(value, found)
    return found


def _gather(value: object, found: list[Op]) -> None:
    if isinstance(value, Op):
        found.append(value)
        return
    parts = [getattr(value, name) for name in names_of(value) or ()]
    for part in value if isinstance(value, tuple) else parts:
        if type(part) not in _LEAVES:
            _gather(part, found)


_LEAVES = frozenset({bool, int, str, type(None)})
