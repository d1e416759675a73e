"""Instrumentation of a program: wrappers that expose the values of operations."""

from collections.abc import Iterable, Mapping

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import Rules, rewrite
from rulesengine.language.lower.kind_registers import kind_expansion
from rulesengine.language.lower.lower import Lowering, lower, make_explicit
from rulesengine.language.lower.piece_limits import with_piece_limits
from rulesengine.language.lower.tiles import Tiles
from rulesengine.support.frozen import record, replace

INSTRUMENTED = "watched"


@record
class InstrumentedProgram:
    """An instrumented program, for interpreters that evaluate `watched(x)` as `x`.

    `marks` maps the `id` of each wrapper to the numbers that it was made for; `constant` are the
    numbers of operations that lowering folded to true.
    """

    program: Program
    marks: Mapping[int, frozenset[int]]
    constant: frozenset[int]


def lower_instrumented(
    rules: Rules, parameters: Mapping[str, int | str], ops: Iterable[tuple[int, Op]]
) -> InstrumentedProgram:
    """Lower rules as `lower` does with the operations of `ops` wrapped; raises LoweringError."""
    program = lower(rules, parameters)
    explicit, board = make_explicit(rules, parameters)
    lowering = _InstrumentingLowering(explicit, program, ops)
    watched = replace(rewrite(explicit, lowering.lower), unranked=program.rules.unranked)
    kinds = kind_expansion(with_piece_limits(watched, board))
    expanded = kinds.expanded_rules() if kinds.families else kinds.rules
    tiles = Tiles(expanded, board)
    instrumented = replace(program, rules=rewrite(_sampled(expanded, tiles), tiles.expanded))
    # The wrappers of the rules after both replacements.
    marks = {id(tiles.expanded(kinds.expanded(op))): lowering.marks[id(op)] for op in lowering.made}
    return InstrumentedProgram(instrumented, marks, frozenset(lowering.constant))


def _sampled(rules: Rules, tiles: Tiles) -> Rules:
    """Return the rules with narrowed targets of steps that cover tiles."""
    sample = lambda group: tiles.sampled(group, rewrite(group.when, _plain))  # noqa: E731
    return replace(
        rules,
        tiers=tuple(tuple(map(sample, tier)) for tier in rules.tiers),
        steps=tuple(map(sample, rules.steps)),
    )


def _plain(op: Op) -> Op:
    """Return an operation without wrappers."""
    if op.name == INSTRUMENTED:
        return _plain(op.args[0])
    args = tuple(map(_plain, op.args))
    return op if args == op.args else replace(op, args=args)


class _InstrumentingLowering(Lowering):
    def __init__(self, rules: Rules, program: Program, ops: Iterable[tuple[int, Op]]) -> None:
        super().__init__(rules, program.topology, dict(program.parameters))
        self.marks: dict[int, frozenset[int]] = {}
        self.constant: set[int] = set()
        self._queries: dict[int, tuple[Op, set[int]]] = {}
        self._made: dict[int, Op] = {}
        for number, op in ops:
            self._queries.setdefault(id(op), (op, set()))[1].add(number)

    @property
    def made(self) -> Iterable[Op]:
        """Return all wrappers."""
        return self._made.values()

    def lower(self, op: Op) -> Op:
        plain = super().lower(op)
        if id(op) not in self._queries:
            return plain
        numbers = self._queries[id(op)][1]
        if is_constant(plain):
            self.constant |= numbers if plain.value else set()
            return plain
        if id(op) not in self._made:
            instrumented = self._made[id(op)] = Op(INSTRUMENTED, plain.type, (plain,))
            self.marks[id(instrumented)] = frozenset(numbers)
        return self._made[id(op)]
