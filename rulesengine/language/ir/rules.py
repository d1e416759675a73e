"""The form of a program: the content of a spec as typed operations.

The checker makes it, with names of the board and of parameters unresolved. Lowering resolves them
and adds the topology, for one set of parameter values.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

from rulesengine.board.joins import NamedJoin
from rulesengine.language.ir.ops import Op, Type
from rulesengine.language.ir.roles import constant, is_constant, reads_variable
from rulesengine.support.frozen import names_of, record, replace
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

T = TypeVar("T")


@record
class Site:
    """The source location and the text of an operation that may fail."""

    file: str
    line: int
    column: int
    text: str


@record
class Parameter:
    """A declared parameter; `choices` is empty for a range of integers and for a flag (0, 1)."""

    name: str
    type: Type
    choices: tuple[int | str, ...]
    low: int
    high: int
    step: int
    default: int | str


@record
class Player:
    """A player; `plays` is the condition, over parameters, to take part (None: always)."""

    name: str
    label: str
    plays: Op | None = None


@record
class Limit:
    """The greatest number of pieces of a kind for each owner; `site` is its source location."""

    at_most: Op
    site: int


@record
class Kind:
    """A kind of piece; symbols by side, neutral last; an empty text if the side has no such piece.

    `attributes` are the author's words for properties that several kinds share. `tile` has the
    places of the cells that a piece covers, as (row, column), if the kind has a tile.
    """

    name: str
    symbols: tuple[str, ...]
    attributes: tuple[str, ...]
    limit: Limit | None = None
    tile: tuple[tuple[int, int], ...] = ()


@record
class Register:
    """A value in the state: one for all, one per side or kind or, for numbers, one per cell.

    Two positions are equal only if their `compared` registers are equal. Numbers at cells are
    stored as bit planes: plane i has the cells with bit i set in their number minus `low`. Lowering
    replaces a register of kinds by a register for each kind.

    `seen` are the players who see its values: `all`, each player its `own`, or `nobody`. If it is
    empty, numbers at cells are seen on the cells that a player sees, other values by all.
    """

    name: str
    type: Type
    low: int
    high: int
    start: Op
    each: Literal["", "player", "cell", "kind", "player kind"]
    lives: Literal["game", "turn", "move"]
    compared: bool = False
    seen: Literal["", "all", "own", "nobody"] = ""

    @property
    def range(self) -> str:
        """Describe the range of a number in words."""
        if self.low == INTEGER_MIN:
            return f"at most {self.high}"
        return f"at least {self.low}" if self.high == INTEGER_MAX else f"{self.low} to {self.high}"

    def slots(self, sides: int) -> int:
        """Return the number of values that it takes in a state."""
        if self.each == "cell":
            return (self.high - self.low).bit_length()
        return sides if self.each else 1


@record
class Stacks:
    """Stacks of pieces on cells: the greatest `height`, and the kinds that may have pieces on them.

    `covered` is empty if all kinds may. `site` is the source location of the height.
    """

    height: Op
    covered: tuple[int, ...]
    site: int


@record
class Track:
    """A sequence of cell names from `site`; on a closed track the first follows the last."""

    name: str
    cells: tuple[str, ...]
    closed: bool
    site: int


@record
class BoardForm:
    """The section `board`: numbers as operations, the rest as written.

    Missing cells are named (`holes`), drawn (`hole_map`) or an expression over the whole board
    (`missing`); regions are drawn on the board that remains.
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
    """A text with fields for values."""

    parts: tuple["str | TemplateField", ...]


@record
class TemplateField:
    """A value with its width (0 for none, negative for left alignment) and its fill character."""

    value: Op
    width: int
    filler: str = " "


@record
class Notation:
    """The labels of rows and columns, and the templates of moves.

    `directions` has the texts of the directions that are not written by their names.
    """

    rows: str
    columns: str
    cell: str
    place: str
    move: str
    capture: str
    pass_: str
    swap: str
    directions: tuple[tuple[str, str], ...] = ()


@record
class Drawing:
    """The templates of `print board`, over `{columns}`, and over `{label}` and `{cells}`.

    A cell has `{symbol}` and its numbers; `hole` is printed where the board has no cell.
    """

    top: str
    row: str
    bottom: str
    gap: str
    cell: str = "{symbol}"
    hole: str = " "


# A kind, a player or an empty text for all players, and a word or text.
ByOwner = tuple[str, str, str]


@record
class Appearance:
    """The appearance of the game in pictures: words of the spec, and sets of cells of the board.

    - `board`: the style of the board.
    - `colours`: by player, by kind, by `neutral` and by `board`.
    - `shapes`, `labels`, `joined`: by kind and player.
    - `cells`, `edges`, `stars`: sets of cells by colour and by player, and one set.
    - `lines`, `gaps`, `thick`: sets of cells by direction.
    - `numbers`: the form of each register with a number at each cell.
    - `dice`, `registers`: registers next to the board.
    - `marks`, `heights`: by kind; a kind may have several marks.
    - `score`, `point`: the time when scores are shown, and the units of score of one point.
    - `picture`: the position and the moves of the game's picture, as text.
    - `crop`: the margin in cells around the occupied cells that pictures show, 0 to show all.

    The defaults depend on names and symbols.
    """

    board: str = ""
    colours: tuple[tuple[str, str], ...] = ()
    shapes: tuple[ByOwner, ...] = ()
    cells: tuple[tuple[str, Op], ...] = ()
    edges: tuple[tuple[str, Op], ...] = ()
    stars: Op | None = None
    lines: tuple[tuple[str, Op], ...] = ()
    gaps: tuple[tuple[str, Op], ...] = ()
    thick: tuple[tuple[str, Op], ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    dice: tuple[str, ...] = ()
    registers: tuple[str, ...] = ()
    joined: tuple[ByOwner, ...] = ()
    labels: tuple[ByOwner, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    heights: tuple[tuple[str, str], ...] = ()
    score: str = "always"
    point: int = 1
    picture: tuple[str, tuple[str, ...]] | None = None
    crop: int = 0


@record
class FormatOptions:
    """The keys of a format in the section `formats`.

    A value is a text, an operation, a template, or a tuple of values; a map is a tuple of pairs.
    """

    name: str
    options: tuple[tuple[str, Any], ...]


# The players who receive the text of a move, besides the player who makes it.
Audience = Literal["", "all", "own"]
# A step that is to `lay` places a piece on a stack, one that is to `lift` moves pieces between
# stacks; their first effects do so. The first effect of one that covers a `tile` places its pieces.
GroupKind = Literal["place", "move", "lay", "lift", "tile", "select", "pass", "swap", "chance"]


@record
class Then:
    """The next step of the same move: of the named group, from these cells. See decision 004."""

    step: str
    origin: Op | None
    along: Op | None
    when: Op | None
    optional: bool


@record
class DecidedTargets:
    """Targets for which a pass decides `forbid` in the state before the move, as sets.

    Targets in `allowed` pass; of the others, `forbid` is evaluated only for `doubtful`.
    """

    allowed: Op
    doubtful: Op


@record
class TileForm:
    """A choice of a step that covers a tile: its kind, its form, and the values of other choices.

    See `board.tiles`.
    """

    kind: int
    form: int
    others: tuple[Op, ...] = ()


@record
class NarrowedTargets:
    """The same steps as those of a target and a condition, with less of the condition left."""

    target: Op
    when: Op | None


@record
class Choice:
    """One of the named choices of a group, with its possible values."""

    name: str
    values: tuple[Op, ...]


@record
class MoveTemplate:
    """The notation of a group's moves: `text` as written in the spec, and the parsed template."""

    text: str
    template: Template


@record
class Group:
    """Steps of one kind: directions `along`, each with origins and their targets, then a choice.

    A choice is one of several values of one type; without choices there is no value. With the named
    `choices` it is the index of a combination; the first name varies slowest. Only groups of chance
    have a `weight`. `told` overrides the players who are told the texts of its moves. A group that
    covers a tile has an entry of `tiles` for each choice, and lowering adds `narrowed`. See
    decisions 003 and 171.
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
    decided: DecidedTargets | None = None
    choices: tuple[Choice, ...] = ()
    written: MoveTemplate | None = None
    weight: Op | None = None
    told: Audience = ""
    tiles: tuple[TileForm, ...] = ()
    narrowed: NarrowedTargets | None = None

    @property
    def chooses_first(self) -> bool:
        """True if its steps are ordered by their choice first.

        These are steps that cover tiles, and steps on stacks with fixed values. Each choice is then
        a set of steps, as for a group of its own.
        """
        on_stacks, values = self.kind in ("lay", "lift", "tile"), self.choice
        fixed = (is_constant(op) and isinstance(op.value, int) for op in values)
        return on_stacks and bool(values) and all(fixed) and values[0].type != "flag"

    @property
    def step_kind(self) -> str:
        """Return the kind of its steps; those on stacks are placements and movements."""
        return {"lay": "place", "lift": "move", "tile": "place"}.get(self.kind, self.kind)


@record
class Visibility:
    """The parts of the board that a player sees, and the moves that are told to all players.

    A player sees the pieces on `cells`, and the owners of those on `owners`; both are sets that are
    read for that player, in the whole position. None is all cells in `cells`, no cells in `owners`.
    `moves` is `all` if all players are told the texts of moves. Cards in a hand are pieces on
    cells, too. See decision 145.
    """

    cells: Op | None = None
    owners: Op | None = None
    moves: Audience = "own"


@record
class SimultaneousChoices:
    """The positions in which all players choose a move, before any is carried out.

    `when` is a condition that is read for all players. Lowering adds `pending`, true if a choice is
    not carried out yet. It also adds `free`, true if the moves of a position take no ply: they are
    choices, and not the last of a round. See decision 161.
    """

    when: Op
    site: int
    pending: Op | None = None
    free: Op | None = None


@record
class Chance:
    """The chance nodes of a game: when chance moves, its branches, and the side to move `next`.

    A branch is drawn with probability proportional to its weight. A chance move is a ply only if it
    `counts`.
    """

    when: Op
    branches: tuple[Group, ...]
    next: Op
    counts: bool
    site: Site


@record
class End:
    """A condition that ends the game, evaluated for `each` side; `pays` is a side's payoff.

    A `claim` is an end that a player may demand. See decision 106.
    """

    when: Op
    result: Literal["wins", "loses", "draw", "highest", "lowest", "pays", "out"]
    side: Op | None
    reason: str
    each: bool
    pays: Op | None = None
    claim: bool = False


@record
class Key:
    """A filter of a strategy: selects the moves with the greatest or least value."""

    order: Literal["most", "least"]
    value: Op


@record
class OneOfEach:
    """A filter of legal moves: selects the first of the moves that lead to equal states."""

    what: Literal["result"] = "result"


@record
class LookAhead:
    """The limits of a search: `seconds` (a decimal number or empty), plies, nodes, playouts.

    `evaluation` is the name of the static evaluation, empty for the default.
    """

    seconds: str
    plies: Op | None
    nodes: Op | None
    playouts: Op | None = None
    evaluation: str = ""


@record
class Strategy:
    """A way to choose a move: keys applied one after the other, after a search if there is one."""

    name: str
    keys: tuple[Key, ...]
    search: LookAhead | None = None


@record
class StrategyWithArguments:
    """A strategy with values for its parameters, which its keys read by these names."""

    strategy: Strategy
    names: tuple[str, ...]
    values: tuple[Op, ...]


@record
class ExactChoice:
    """A choice by exact values, with the greatest number of nodes of the search."""

    nodes: Op


Operand = Op | Template | StrategyWithArguments | ExactChoice | None


@record
class Statement:
    """A statement of the I/O script.

    `operands` holds its operations and templates, `words` its names and fixed texts, `body` and
    `otherwise` the blocks inside it; `site` is its source location.
    """

    name: str
    words: tuple[str, ...] = ()
    operands: tuple[Operand, ...] = ()
    body: tuple["Statement", ...] = ()
    otherwise: tuple["Statement", ...] = ()
    site: int = -1


@record
class ClauseText:
    """A text of the spec on one of its clauses: a comment, or an own text that replaces ours.

    `section` is `about`, `registers`, `define`, `effects`, `moves`, `end`, `out` or `rules`; `name`
    is the name of the clause there, the number of an end, or a key of `rules`.
    """

    section: str
    name: str
    text: str
    is_own: bool = False


@record
class CheckedDefinition:
    """A definition of the spec after checking, from the view of `player`.

    `arguments` are the variables of `op` for the arguments of a use. An attribute of the players
    or kinds has one value per player or kind.
    """

    name: str
    op: Op
    arguments: tuple[str, ...] = ()
    is_attribute: bool = False


@record
class Rules:
    """The content of a whole spec.

    The initial position is `diagram`, or the effects `start` on an empty board. `outs` are the
    conditions under which a player leaves while the others go on. Groups are numbered through the
    tiers, then `steps`, which only `then` leads to, then the branches of chance. All moves of the
    tiers in `unranked` pass `keep`; lowering computes these. Playouts of a search follow the
    strategy `playouts`, if there is one. `definitions` and `texts` are for
    explanations only: programs have none.
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
    look: Appearance | None = None
    playouts: str = ""
    definitions: tuple[CheckedDefinition, ...] = ()
    texts: tuple[ClauseText, ...] = ()
    formats: tuple[FormatOptions, ...] = ()
    sees: Visibility | None = None
    together: SimultaneousChoices | None = None
    stacks: Stacks | None = None

    @property
    def units(self) -> int:
        """Return the number of units of the score that make one point."""
        return self.look.point if self.look else 1

    @property
    def likely(self) -> tuple[Key, ...]:
        """Return the keys that select among legal moves in the playouts of a search."""
        return next((s.keys for s in self.strategies if s.name == self.playouts), ())

    @property
    def groups(self) -> tuple[Group, ...]:
        """Return all groups in the order of their numbers."""
        branches = self.chance.branches if self.chance else ()
        return (*(group for tier in self.tiers for group in tier), *self.steps, *branches)

    @property
    def has_free_chance(self) -> bool:
        """True if chance moves at times and its moves are not plies."""
        return self.chance is not None and not self.chance.counts

    @property
    def has_free_moves(self) -> bool:
        """True if some moves are not plies: those of chance, or choices of a round."""
        return self.has_free_chance or self.together is not None


def is_always_together(rules: Rules) -> bool:
    """True if all players move together in all positions."""
    return rules.together is not None and constant(rules.together.when) == 1


def choice_values(choices: tuple[Choice, ...], place: int) -> tuple[Op, ...]:
    """Return the values of a combination of named choices."""
    values: list[Op] = []
    for choice in reversed(choices):
        place, number = divmod(place, len(choice.values))
        values.append(choice.values[number])
    return tuple(reversed(values))


def written_as(rules: Rules) -> tuple[tuple[int, bool], ...]:
    """Return for each group the number of its notation, and if that shows a direction.

    Equal steps with different notations are different moves. 0 is the notation of the game. The
    choice of a step that covers a tile has its meaning only among the tiles of its group.
    """
    forms: dict[tuple[str, tuple[TileForm, ...]], int] = {}
    keys = []
    for written, tiles in ((group.written, group.tiles) for group in rules.groups):
        key = written.text if written else "", tiles
        number = forms.setdefault(key, len(forms) + 1) if any(key) else 0
        fields = operations(written) if written else []
        keys.append((number, any(reads_variable(op, "direction") for op in fields)))
    return tuple(keys)


_RECALLING = "last "
# The register with the move at which each player has left the game.
OUT = "out"
# The beginning of the names of registers and groups for choices of a round; no spec can use them.
CHOSEN = "chosen "
# The register with the number of the group of each player's choice; -1 before it.
CHOSEN_GROUP = f"{CHOSEN}group"
# The variable that is true while chance makes a move; no spec can use this name.
BY_CHANCE = "by chance"
# The value of `can_move` in a `forbid`: it reads the answers to a move. See `ir.answers`.
ANSWERS = "answers"
# Separates the name of a register of kinds from the kind, in the name of the register of a kind.
OF_KIND = " of "
# The number of the group of a move's last step, where whole moves are ranked.
GROUP = "the group"


def recalling(word: str) -> str:
    """Return the register with the cells that the last move changed; no spec can use this name."""
    return f"{_RECALLING}{word}"


def recalled(register: str) -> str:
    """Return the change that a register records of the last move; empty for a declared one."""
    return register.removeprefix(_RECALLING) if register.startswith(_RECALLING) else ""


def rewrite(value: T, change: Callable[[Op], Op]) -> T:
    """Return a copy of a record with `change` applied to every operation in it."""
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


def without_effect(rules: Rules, effect: Op) -> Rules:
    """Return the rules without one effect in the effects of groups, moves and the start."""

    def listed(effects: tuple[Op, ...]) -> tuple[Op, ...]:
        return tuple(op for op in effects if op != effect)

    def reduced(groups: tuple[Group, ...]) -> tuple[Group, ...]:
        return tuple(replace(group, effects=listed(group.effects)) for group in groups)

    chance = rules.chance
    return replace(
        rules,
        start=listed(rules.start),
        effects=listed(rules.effects),
        tiers=tuple(map(reduced, rules.tiers)),
        steps=reduced(rules.steps),
        chance=chance and replace(chance, branches=reduced(chance.branches)),
    )


# The statements of a script that read a position.
READ_BOARD = frozenset({"read_board", "read_symbols", "read_whole_board"})

# The statements that take moves back.
TAKING_BACK = frozenset({"take_back", "take_back_all"})


def statements(script: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yield the statements of a script and of all its blocks, in the order of the text."""
    for statement in script:
        yield statement
        yield from statements(statement.body)
        yield from statements(statement.otherwise)


def operations(value: object) -> list[Op]:
    """Return the operations directly inside a record, in order."""
    ops: list[Op] = []
    _gather(value, ops)
    return ops


def _gather(value: object, ops: list[Op]) -> None:
    if isinstance(value, Op):
        ops.append(value)
        return
    parts = [getattr(value, name) for name in names_of(value) or ()]
    for part in value if isinstance(value, tuple) else parts:
        if type(part) not in _LEAVES:
            _gather(part, ops)


_LEAVES = frozenset({bool, int, str, type(None)})
