"""What code is made in: the builder, the program, and what is known of both so far."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from rulesengine.board.automorphisms import Automorphism
from rulesengine.engine.drivers.search.tree_settings import goes_by_target
from rulesengine.engine.kernel.analysis.board_tables import Shape
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.analysis.side_symmetry import is_side_symmetric
from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Type, Value, Var
from rulesengine.engine.kernel.emit.state_values import Scene
from rulesengine.engine.kernel.passes.components import Parts
from rulesengine.engine.kernel.passes.lift import Lifting
from rulesengine.engine.kernel.passes.safe_moves import Reserves
from rulesengine.engine.kernel.passes.threats import Urgency
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.patterns import Network
from rulesengine.language.ir.ops import Op, reads
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import written_as

Emission = Callable[["Context", Op, Scene], Value]


@dataclass(frozen=True, slots=True)
class Fill:
    """A fill as one side asks for it; its seeds are the cells of a constant within its bounds."""

    op: Op
    side: int
    seeds: Value


@dataclass(slots=True)
class Kept:
    """What a driver keeps beside a state, in this order: fills, the empty cells, their number.

    `growth` tells whether a fill has grown, by its seeds and bounds, where it has been extended.
    """

    fills: list[Fill] = field(default_factory=list)
    keeps_empty: bool = False
    counts_empty: bool = False
    growth: dict[tuple[Value, Value], tuple[object, Value]] = field(default_factory=dict)


class Context:
    """The making of one module for one program.

    `table` says how each operation is emitted. What is made of a value is remembered with the
    block that it was made in: it can be used again wherever that block reaches. `network` is
    there for code that looks at the patterns of a learned evaluation, `urgency` for code that asks
    what cannot wait, `symmetries` for code in which states that are alike are one; in code that
    `splits` steps, one from a cell to a cell is two actions; `reserves` are there for code that
    asks who wins by moves in reserve. Where pieces that are not `alive` are left out of the states
    that moves lead to, it tells which are; `parts` are there for code that tells those of a
    position apart.
    """

    def __init__(
        self,
        program: Program,
        table: Mapping[str, Emission],
        network: Network | None = None,
        urgency: Urgency | None = None,
        symmetries: tuple[Automorphism, ...] = (),
        splits: bool = False,
        reserves: Reserves | None = None,
        alive: Op | None = None,
        parts: Parts | None = None,
    ) -> None:
        self.table = table
        self.program = program
        self.urgency = urgency
        self.symmetries = symmetries
        self.splits = splits
        self.reserves = reserves
        self.alive = alive
        self.parts = parts
        self._network = network
        self.rules = program.rules
        self.layout = StateLayout.of(program)
        self.shape = Shape(program.topology)
        self.facts = Facts(program)
        self.sides = len(program.rules.players)
        self.slots = dict(program.slots)
        self.forms = written_as(program.rules)
        self.b = Builder(program.topology.cells)
        self.is_side_symmetric = is_side_symmetric(program, self.layout)
        # The moves that ends ask for are those that are played next: they are found once.
        self.asks_first = any(reads(end.when, "can_move") for end in program.rules.ends)
        # Cells that are known to be on the board.
        self.there_cells: set[Value] = set()
        # Functions that are being written.
        self.open_functions: set[str] = set()
        # The lists of the function in hand, and how many moves a choice has listed.
        self.lists: list[Value] = []
        self.listed: Var | None = None
        # The lane of the caller's job, in entry points that take long.
        self.lane: Value | None = None
        # Whether a move's place in statistics is that of its target.
        self.goes_by_target = goes_by_target(program)
        # How many random games may be played in turn.
        self.seats = 1
        # The tables of a learned evaluation, where the code has one, in the function in hand.
        self.weight_types: tuple[Type, ...] = ()
        self.weights: tuple[Value, ...] = ()
        # Whether the last ply's moves are on lists.
        self.lists_last = False
        # Whether a position is remembered only where it is looked for, or a move leads on.
        self.remembers_late = False
        # Whether steps that are made are known to be legal for the side that makes them.
        self.trusts = True
        self.kept = Kept()
        # What has been made before, with the block where it was.
        self.histories: dict[tuple[Value, Value, tuple[Value, ...]], tuple[object, Value]] = {}
        self.found_targets: dict[tuple[int, Value, tuple[Value, ...]], tuple[object, Value]] = {}
        self.components: dict[tuple[Value, Value], tuple[object, tuple[Value, Value, Value]]] = {}
        self._texts: dict[str, int] = {}
        self._made: dict[tuple[int, int], tuple[Op, Scene, object, Value]] = {}

    @property
    def network(self) -> Network:
        """What a learned evaluation looks at."""
        assert self._network is not None
        return self._network

    @cached_property
    def lifting(self) -> Lifting:
        return Lifting(self.program)

    def value(self, op: Op, scene: Scene) -> Value:
        """The value of an operation; made before in the same place, it is used again."""
        key = id(op), id(scene)
        if key in self._made:
            _, _, scope, value = self._made[key]
            if self.b.reaches(scope):
                return value
        emission = self.table.get(op.name)
        if emission is None:
            raise Unsupported(f"the operation {op.name}")
        value = emission(self, op, scene)
        self._made[key] = op, scene, self.b.scope(), value
        return value

    def text_number(self, text: str) -> int:
        """What stands for a text: texts are compared, and are in no state."""
        return self._texts.setdefault(text, len(self._texts))

    def there(self, cell: Value) -> bool:
        """Whether a cell is known to be on the board."""
        known = cell.known
        return known >= 0 if known is not None else cell in self.there_cells

    def each_cell(self, mask: Value, body: Callable[[Value], None]) -> None:
        def at(cell: Value) -> None:
            self.there_cells.add(cell)
            body(cell)

        self.b.bits(mask, at)

    def named(self, name: str) -> str:
        """The name of a function that takes a state: there may be one for states alone, and one
        for those with what is kept beside them.
        """
        return f"{name}_kept" if self.layout.kept else name

    def fail_unless(self, flag: Value) -> None:
        if flag.known != 1:
            self.b.when(self.b.op("fnot", flag), self.b.fail)

    @contextmanager
    def remembering_late(self) -> Iterator[None]:
        """Remember a position only where it is looked for, or a move leads on."""
        self.remembers_late = True
        try:
            yield
        finally:
            self.remembers_late = False

    @contextmanager
    def trusting(self, trusts: bool) -> Iterator[None]:
        """Make steps that are legal, or such as may not be."""
        before, self.trusts = self.trusts, trusts
        try:
            yield
        finally:
            self.trusts = before
