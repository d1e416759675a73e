"""The symbol table of the checker, with the findings and source locations that it collects."""

from dataclasses import dataclass, field
from types import MappingProxyType

from rulesengine.board.topology import Topology
from rulesengine.language.check.builtins import FUNCTIONS, NAMES
from rulesengine.language.document.nodes import Mapping, Node
from rulesengine.language.ir.hiding import HiddenInformation
from rulesengine.language.ir.ops import OPS, Op, Type, literal
from rulesengine.language.ir.rules import Kind, Parameter, Player, Register, Site, Track
from rulesengine.language.ir.signature import Part
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Diagnostic, Note
from rulesengine.support.source import Span

PLAYER = Op("variable", "side", (), "player")
# Names of operations for invalid variables of scripts: the board is gone, or the loop has ended.
GONE = "gone"
ENDED = "ended"

# The cells of the current step or, in a script outside a step, of the last move.
STEP = MappingProxyType(
    {
        "to": Op("variable", "cell", (), "to"),
        "from": Op("variable", "cell", (), "from"),
    }
)
LAST_STEP = MappingProxyType(dict(STEP))

# The place of an expression in a spec. A word that reads moves or outcomes is not allowed where
# these are computed, because that would be recursion.
Slot = str
# Slots that are evaluated before any position exists.
EARLIEST = frozenset({"board", "pieces"})
# Slots that generate moves: those of a player, those of chance, and the cells that a player sees.
_MOVING = frozenset({"moves", "chance", "sees"})
# Slots in which a player chooses: words read the observation of this player.
VIEWED = frozenset({"moves", "keep", "strategy"})
_EARLY = (
    EARLIEST
    | _MOVING
    | frozenset({"start", "before", "effects", "forbid", "turn", "end", "score", "evaluate"})
)
_MADE_IN: MappingProxyType[Part, frozenset[Slot]] = MappingProxyType(
    {
        "record": EARLIEST | _MOVING | frozenset({"start", "before", "score", "evaluate", "count"}),
        "moves": EARLIEST
        | _MOVING
        | frozenset({"start", "before", "effects", "keep", "score", "evaluate"}),
        "outcome": _EARLY | {"keep"},
        "future": _EARLY | {"count"},
    }
)


def _forbidden(op: str) -> frozenset[Slot]:
    """Return the slots where an operation is not allowed, because the part that it reads is
    computed there.
    """
    reads = OPS[op].reads if op in OPS else frozenset()
    return frozenset().union(*(slots for part, slots in _MADE_IN.items() if part in reads))


# By word; a score does not contain the score.
FORBIDDEN = MappingProxyType(
    {
        **{word: _forbidden(row.op) for word, row in {**NAMES, **FUNCTIONS}.items()},
        **{word: _forbidden(word) for word in ("after", "replies")},
        "score": EARLIEST | frozenset({"start", "score"}),
        "unknown": EARLIEST | frozenset({"start", "sees", "score"}),
    }
)
# The words that read results of moves, earlier positions or the moves of others: the observation of
# a player does not decide them.
_BEYOND: tuple[Part, ...] = ("record", "history", "moves", "future")
BEYOND_VIEW = frozenset(
    word
    for word, row in {**NAMES, **FUNCTIONS}.items()
    if row.op in OPS and not OPS[row.op].reads.isdisjoint(_BEYOND)
) | {"after", "replies"}
# The words that read earlier positions.
RECALLING = frozenset(
    word
    for word, row in {**NAMES, **FUNCTIONS}.items()
    if row.op in OPS and "history" in OPS[row.op].reads
)
# The names of parts of a position, which a board cannot contain.
BOARD_ONLY = frozenset(word for word, row in NAMES.items() if row.op in OPS and OPS[row.op].reads)


@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression of the spec and the names of its arguments."""

    name: str
    arguments: tuple[str, ...]
    body: n.Node
    span: Span
    leads: bool = False  # declared under `directions`


@dataclass(frozen=True, slots=True)
class NamedEffect:
    """Effects with a name of the spec, and the names of their arguments."""

    name: str
    arguments: tuple[str, ...]
    body: tuple[n.Node, ...]
    span: Span


Names = MappingProxyType[str, Op]


def no_names() -> Names:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ExpressionContext:
    """The context of an expression: its slot, side, variables, step and depth of look-ahead.

    See decision 002.
    """

    slot: Slot
    side: Op = PLAYER
    variables: Names = field(default_factory=no_names)
    step: Names = field(default_factory=no_names)
    ahead: int = 0

    def with_variable(self, word: str, op: Op) -> "ExpressionContext":
        variables = MappingProxyType({**self.variables, word: op})
        return ExpressionContext(self.slot, self.side, variables, self.step, self.ahead)

    def by(self, side: Op) -> "ExpressionContext":
        return ExpressionContext(self.slot, side, self.variables, self.step, self.ahead)

    def further(self) -> "ExpressionContext":
        return ExpressionContext(self.slot, self.side, self.variables, self.step, self.ahead + 1)

    def before_move(self) -> "ExpressionContext":
        """Return the view of a value before the move: the changes of the move are not known."""
        return ExpressionContext("before", self.side, self.variables, self.step, self.ahead)

    def inside_definition(self, arguments: dict[str, Op]) -> "ExpressionContext":
        """Return the view of a definition: it has the step and its arguments, but no other
        variables.
        """
        return ExpressionContext(
            self.slot, self.side, MappingProxyType(arguments), self.step, self.ahead
        )


@dataclass(frozen=True, slots=True)
class DefinitionUse:
    """A use of a definition or a named effect: the types of its arguments, and its view."""

    definition: Definition | NamedEffect
    types: tuple[Type, ...]
    view: ExpressionContext

    def generic_view(self) -> ExpressionContext:
        """Return the view of the body, for `player`, with variables for the arguments."""
        names = self.definition.arguments
        variables = {a: Op("variable", t, (), a) for a, t in zip(names, self.types, strict=True)}
        return self.view.inside_definition(variables).by(PLAYER)


@dataclass(frozen=True, slots=True)
class ParameterizedStrategy:
    """A strategy with parameters: their names, and its keys."""

    name: str
    arguments: tuple[str, ...]
    keys: Node
    span: Span


@dataclass(slots=True)
class Context:
    """All declarations of a spec; the checker fills it section by section."""

    players: tuple[Player, ...] = ()
    kinds: tuple[Kind, ...] = ()
    # The numbers of the kinds that have an attribute, by its name.
    kinds_by_attribute: dict[str, tuple[int, ...]] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    registers: dict[str, Register] = field(default_factory=dict)
    # The values that kinds of piece have in `pieces`, by name; None for a kind without it.
    kind_values: dict[str, tuple[n.Node | None, ...]] = field(default_factory=dict)
    kind_value_spans: dict[str, Span] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    attributes: dict[str, tuple[n.Node, ...]] = field(default_factory=dict)
    named: dict[str, Definition] = field(default_factory=dict)
    # A use of each definition and types of arguments, the first one for `player` if there is one.
    uses: dict[tuple[str, tuple[Type, ...]], "DefinitionUse"] = field(default_factory=dict)
    # The same for named effects.
    performed: dict[tuple[str, tuple[Type, ...]], "DefinitionUse"] = field(default_factory=dict)
    # The drawn regions, with the rows of their drawings.
    drawn: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)
    effects: dict[str, NamedEffect] = field(default_factory=dict)
    strategies: tuple[str, ...] = ()
    # Strategies with parameters, which only scripts use.
    strategy_templates: dict[str, ParameterizedStrategy] = field(default_factory=dict)
    score: n.Node | None = None
    topology: Topology | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    # The changes of the last move that ends read; a state must store them.
    recalled: set[str] = field(default_factory=set)
    # Names with an invalid declaration; their uses are not reported again.
    broken: set[str] = field(default_factory=set)
    # The parts of a position that some players do not see.
    hiding: HiddenInformation = field(default_factory=lambda: HiddenInformation(pieces=False))
    # The maps of groups of moves and of ends, by section and name.
    clauses: dict[tuple[str, str], Node] = field(default_factory=dict)
    # True if cells of the board hold stacks of pieces.
    stacks: bool = False
    variable_count: int = 0
    root: Mapping | None = None

    @property
    def free_slot(self) -> Slot:
        """Return the slot of what reads the whole position where moves are generated."""
        return "chance" if self.hiding else "moves"

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        label: str = "",
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.findings.append(Diagnostic(code, span, message, help, label, notes))

    def site(self, span: Span) -> int:
        """Register a source location for an operation that may fail, and return its number."""
        line, column = span.source.position(span.start)
        self.sites.append(Site(span.source.name, line, column, " ".join(span.text.split())[:200]))
        self.spans.append(span)
        return len(self.sites) - 1

    def fresh(self, word: str) -> str:
        """Return a variable name that no other binding of the spec has."""
        self.variable_count += 1
        return f"{word}_{self.variable_count}"

    def side_named(self, word: str) -> Op | None:
        for i, player in enumerate(self.players):
            if player.name == word:
                return literal("side", i)
        return None

    def kind_named(self, word: str) -> Op | None:
        for i, kind in enumerate(self.kinds):
            if kind.name == word:
                return literal("kind", i)
        return None

    @property
    def piece_names(self) -> frozenset[str]:
        """Return the names of kinds and of their attributes."""
        return self.kind_names | frozenset(self.kinds_by_attribute)

    @property
    def kind_names(self) -> frozenset[str]:
        return frozenset(k.name for k in self.kinds)


SHOWN_TYPES: MappingProxyType[str, str] = MappingProxyType(
    {
        "number": "a number",
        "flag": "a condition",
        "cells": "a set of cells",
        "cell": "a cell",
        "direction": "a direction",
        "directions": "directions",
        "side": "a player",
        "kind": "a kind of piece",
        "kinds": "several kinds of piece",
        "text": "a text",
        "track": "a track",
        "numbers": "a list of numbers",
        "texts": "a list of words",
        "effect": "an effect",
        "error": "something wrong",
        "range": "a range of numbers",
    }
)


def error_op(type: Type | None = None) -> Op:
    """Return a placeholder for an expression with a reported error; it fits every type."""
    return Op("literal", "error", (), 0)  # type: ignore[arg-type]


def is_error(op: Op) -> bool:
    return op.type == "error"  # type: ignore[comparison-overlap]
