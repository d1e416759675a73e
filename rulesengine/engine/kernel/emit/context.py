"""The context of code generation for one module: the builder, the program and its analyses."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from rulesengine.engine.evaluation import NullMoves, Tactics
from rulesengine.engine.kernel.analysis.board_tables import BoardTables
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.analysis.manager import AnalysisManager
from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Type, Value, Var
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.answers import answer_bans
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program

T = TypeVar("T")
Emission = Callable[["Context", Op, Environment], Value]


@dataclass(frozen=True, slots=True)
class SearchFacts:
    """Facts about a game that a module for searches by captures uses; absent in other modules.

    - `tactics`: the captures that a search follows; None if it follows none.
    - `exchange`: the evaluation that orders captures.
    - `null_moves`: the null moves of a search; None if it uses none.
    - `risk`: the value of a piece on an attacked cell; None if attacks are not known.
    - `corrects`: True if weights correct the evaluation of the rules.
    """

    tactics: Tactics | None = None
    null_moves: NullMoves | None = None
    exchange: Op | None = None
    risk: Op | None = None
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Fill:
    """A fill for one side; its seeds are the cells of the constant `seeds` within its bounds."""

    op: Op
    side: int
    seeds: Value


@dataclass(slots=True)
class IncrementalValues:
    """The incremental values of a state, in this order: fills, the empty cells, their number.

    `growth` maps the seeds and bounds of a maintained fill to a flag that is true if it has grown.
    """

    fills: list[Fill] = field(default_factory=list)
    has_empty: bool = False
    counts_empty: bool = False
    growth: dict[tuple[Value, Value], tuple[object, Value]] = field(default_factory=dict)


class Context:
    """The state of code generation for one module of one program.

    `table` has the emitter of each operation. `optional` has the optional analyses that the module
    may request; they examine the program before passes. Emitted values are cached with their block,
    and reused wherever that block dominates.

    Options of a module:

    - `splits`: a step from a cell to a cell is two actions.
    - `seats`: the maximum number of interleaved playouts.
    - `weight_types`: the types of the tables of a learned evaluation; empty without one.
    - `search`: facts for searches; its fields are attributes of the context.
    """

    def __init__(
        self,
        program: Program,
        table: Mapping[str, Emission],
        optional: AnalysisManager | None = None,
        *,
        splits: bool = False,
        seats: int = 1,
        weight_types: tuple[Type, ...] = (),
        search: SearchFacts | None = None,
    ) -> None:
        self.table = table
        self.program = program
        self.splits = splits
        self.seats = seats
        self.weight_types = weight_types
        search = search or SearchFacts()
        self.tactics = search.tactics
        self.null_moves = search.null_moves
        self.exchange = search.exchange
        self.risk = search.risk
        self.corrects = search.corrects
        self._analyses = AnalysisManager(program)
        self._optional = optional
        self.rules = program.rules
        self.layout = StateLayout.of(program)
        self.sides = len(program.rules.players)
        self.slots = dict(program.slots)
        self.b = Builder(program.topology.cells)
        # Cells that are certainly on the board.
        self.cells_on_board: set[Value] = set()
        # Functions with incomplete code.
        self.open_functions: set[str] = set()
        # The lists of the current function, and the number of moves that a choice has listed.
        self.lists: list[Value] = []
        self.listed: Var | None = None
        # The job memory of the caller, in entry points that may take long.
        self.job_block: Value | None = None
        # The tables of a learned evaluation in the current function.
        self.weights: tuple[Value, ...] = ()
        # True if the moves of the last ply are on lists.
        self.lists_last = False
        # True to append a position to the history only where it is compared or a move follows.
        self.appends_late = False
        # True if steps are certainly legal for the side that makes them.
        self.trusts = True
        # True while steps are generated as answers, where no ban reads mobility.
        self.answers = False
        self.incremental = IncrementalValues()
        # Caches of emitted values, with their blocks.
        self.histories: dict[tuple[Value, Value, tuple[Value, ...]], tuple[object, Value]] = {}
        self.target_cache: dict[tuple[int, Value, tuple[Value, ...]], tuple[object, Value]] = {}
        self.state_bans: dict[
            tuple[int, bool, Value, tuple[Value, ...]],
            tuple[object, tuple[Value, Value, Value, Value, Value]],
        ] = {}
        # The numbers of moves up to each part, and the sides with moves that are counted so.
        self.part_counts: dict[
            tuple[Value, tuple[Value, ...]], tuple[object, tuple[Value, ...]]
        ] = {}
        self.counts_parts: dict[int, bool] = {}
        self.components: dict[tuple[Value, Value], tuple[object, tuple[Value, Value, Value]]] = {}
        self.large_groups: dict[tuple[Value, int], tuple[object, tuple[Value, Value]]] = {}
        self._texts: dict[str, int] = {}
        self._memo: dict[tuple[int, int], tuple[Op, Environment, object, Value]] = {}

    def analysis(self, run: Callable[[Program], T]) -> T:
        """Return the result of an analysis of the program, computed on the first request."""
        return self._analyses.get(run)

    def optional(self, result: type[T]) -> T | None:
        """Return the result of an optional analysis; None if this module may not use it."""
        return self._optional.optional(result) if self._optional else None

    @cached_property
    def facts(self) -> Facts:
        return self.analysis(Facts)

    @cached_property
    def shape(self) -> BoardTables:
        return BoardTables(self.program.topology)

    def value(self, op: Op, scene: Environment) -> Value:
        """Return the value of an operation, cached by operation, scene and block."""
        key = id(op), id(scene)
        if key in self._memo:
            _, _, scope, value = self._memo[key]
            if self.b.reaches(scope):
                return value
        emission = self.table.get(op.name)
        if emission is None:
            raise Unsupported(f"the operation {op.name}")
        value = emission(self, op, scene)
        self._memo[key] = op, scene, self.b.scope(), value
        return value

    def text_number(self, text: str) -> int:
        """Return a number for a text: texts are only compared, and never stored in a state."""
        return self._texts.setdefault(text, len(self._texts))

    def is_on_board(self, cell: Value) -> bool:
        """True if a cell is certainly on the board."""
        known = cell.constant
        return known >= 0 if known is not None else cell in self.cells_on_board

    def each_cell(self, mask: Value, body: Callable[[Value], None]) -> None:
        def at(cell: Value) -> None:
            self.cells_on_board.add(cell)
            body(cell)

        self.b.bits(mask, at)

    def named(self, name: str) -> str:
        """Return the name of a function of a state.

        States with incremental values have functions of their own.
        """
        return f"{name}_kept" if self.layout.incremental else name

    def fail_unless(self, flag: Value) -> None:
        if flag.constant != 1:
            self.b.when(self.b.op("fnot", flag), self.b.fail)

    @contextmanager
    def appending_late(self) -> Iterator[None]:
        """Append a position to the history only where it is compared or a move follows."""
        self.appends_late = True
        try:
            yield
        finally:
            self.appends_late = False

    def ban(self, group: int) -> Op | None:
        """Return the condition that forbids the steps of a group."""
        if self.answers:
            return self.analysis(_answer_bans)[group]
        return self.rules.groups[group].forbid

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Emit steps as answers to a move that `forbid` tries."""
        before, self.answers = self.answers, True
        try:
            yield
        finally:
            self.answers = before

    @contextmanager
    def trusting(self, trusts: bool) -> Iterator[None]:
        """Emit steps that are certainly legal, or steps that may be illegal."""
        before, self.trusts = self.trusts, trusts
        try:
            yield
        finally:
            self.trusts = before


def _answer_bans(program: Program) -> tuple[Op | None, ...]:
    return answer_bans(program.rules)
