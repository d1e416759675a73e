"""Tables keyed by names of operations: each is total, or an operation without a row is safe.

A safe default permits nothing: analyses prove less, and the code that they allow is not emitted.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from rulesengine import Game, load
from rulesengine.engine.actions.upper_bounds import UpperBounds
from rulesengine.engine.drivers.search.mobility import mobility
from rulesengine.engine.drivers.search.monotone_counts import lasting, vacant
from rulesengine.engine.evaluation import evaluation_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.effects import EffectExecutor
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.analysis.placement_deltas import PlacedPiece, keeps_other_cells
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.engine.kernel.emit.draft import _set_registers
from rulesengine.engine.kernel.emit.effects import EFFECTS
from rulesengine.engine.kernel.emit.incremental import only_adds_pieces
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.safe_moves import safe_moves_of
from rulesengine.engine.kernel.passes.threats import threats_of
from rulesengine.engine.symmetry import symmetries
from rulesengine.language.ir.constants import NotConstant
from rulesengine.language.ir.ops import OPS, Op, actions, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.signature import ACTIONS, Signature, effect_row, value_row
from rulesengine.language.ir.static_values import StaticEvaluator
from rulesengine.language.lower import kind_registers, stacks, tiles
from rulesengine.language.lower.filter_elision import unranked
from rulesengine.language.lower.lower import SYMBOLS
from rulesengine.language.lower.piece_bounds import PieceBounds
from rulesengine.language.lower.simplify import simplify
from rulesengine.language.lower.size_bounds import SizeBounds
from rulesengine.support.frozen import replace
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN
from rulesengine.tools.lint.unsatisfiable import Proofs
from tests.helpers.modules import parse, walk

# Lowering replaces them.
REPLACED = kind_registers.REPLACED | stacks.REPLACED | tiles.REPLACED
PACKAGE = Path(__file__).parents[2] / "rulesengine"
# Folders of code that knows operations; the others know words of the language of the same names.
FOLDERS = (
    *("engine", "language/ir", "language/lower", "prose", "search", "batch", "adapters"),
    *("notation", "drawing", "certificates", "tools/lint", "tools/mutation"),
)
# Tables by module and name: `total`, or the default for an operation that they do not have.
TABLES = {
    "engine.kernel.emit.effects.EFFECTS": "total over effects",
    "engine.kernel.emit.table.EMIT": "total over values",
    "language.ir.ops.OPS": "the operations themselves",
    "language.ir.stack_ops.STACK_OPS": "those on stacks",
    "language.ir.pass_ops.PASS_OPS": "those that passes create",
    "language.ir.tile_ops.TILE_OPS": "those on tiles",
    "engine.actions.upper_bounds._RULES": "all values are possible",
    "engine.kernel.analysis.facts._COMBINED": "all numbers are possible",
    "engine.kernel.analysis.facts._OF_BOARD": "all numbers are possible",
    "engine.kernel.analysis.placement_deltas._JOINED": "a set may change anywhere",
    "engine.kernel.emit.numbers._INSTRUCTIONS": "an error",
    "engine.kernel.scripts.texts._TEXTS": "the statement is interpreted",
    "engine.kernel.passes.group_sets._JOINED": "a loop over groups remains a loop",
    "engine.kernel.passes.images._FORTH": "a loop is not lifted",
    "engine.kernel.passes.lift._QUESTIONS": "a loop is not lifted",
    "engine.kernel.passes.line_completions._WAYS": "names that it makes, not a table",
    "engine.kernel.passes.preimage._BACK": "a loop is not lifted",
    "language.ir.constants.ARITHMETIC": "not constant",
    "language.ir.static_values._NAMES": "not constant",
    "language.ir.static_values._ON_BOARD": "not constant",
    "language.ir.static_values._PLAIN": "not constant",
    "language.lower.kind_registers._ASSIGNMENTS": "no assignment",
    "language.lower.kind_registers._CHANGES": "not replaced",
    "language.lower.tiles._CHANGES": "not replaced",
    "language.lower.lower.SYMBOLS": "total over operations that read names",
    "language.lower.simplify.OPPOSITES": "not simplified",
    "language.lower.simplify.RULES": "not simplified",
    "prose.effects._CHANGES": "the value is described",
}


def collections(tree: ast.Module) -> Iterator[tuple[ast.expr, list[str]]]:
    """Yield the collections of texts in the assignments of a module, with their keys."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            for inner in walk(node.value):
                parts: list[Any] = []
                if isinstance(inner, ast.Dict):
                    parts = inner.keys
                elif isinstance(inner, ast.Set | ast.Tuple | ast.List):
                    parts = inner.elts
                elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
                    text = inner.func.value
                    if inner.func.attr == "split" and isinstance(text, ast.Constant):
                        parts = [ast.Constant(word) for word in str(text.value).split()]
                keys = [part.value for part in parts if isinstance(part, ast.Constant)]
                yield target, [key for key in keys if isinstance(key, str)]


def tables(tree: ast.Module) -> set[str]:
    """Return the names of the collections whose members are mostly names of operations."""
    return {
        ast.unparse(target)
        for target, keys in collections(tree)
        if len(keys) > 1 and sum(key in OPS for key in keys) * 4 >= len(keys) * 3
    }


def trees() -> dict[str, ast.Module]:
    found = {}
    for folder in FOLDERS:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            found[module] = parse(path)
    return found


def test_every_table_of_operations_is_known_here_with_its_default() -> None:
    found = {f"{module}.{name}" for module, tree in trees().items() for name in tables(tree)}
    assert found == TABLES.keys()


@pytest.mark.parametrize(
    "text",
    [
        '_LEAVES = frozenset({"remove", "carry"})',
        'T: M = MappingProxyType({"and": 1, "or": 2})',
        'N = ("any", "none", "else")[:2] + ("put",)',
        'W = frozenset("and or not".split())',
    ],
)
def test_a_table_of_operations_is_found(text: str) -> None:
    assert tables(ast.parse(text)) != set() or "else" in text


# an operation that no code but the table knows


VANISH = Op("vanish", "effect", (make("empty"),))
TWIST = Op("twist", "cells", (make("owned", Op("variable", "side", (), "player")),))
ADDED: dict[str, Signature] = {
    "vanish": effect_row("cells", reads="", changes="pieces record registers", fails=""),
    "twist": value_row("cells", to="cells", reads="", fails=""),
    "overlap": value_row(
        "cells", "cells", to="cells", reads="", fails="", traits="contains, contains", role="meet"
    ),
    "guess": value_row("number", "number", to="number", reads="", fails=""),
}


@pytest.fixture
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add operations with default rows to the table, wherever a module has it."""
    table = MappingProxyType({**OPS, **ADDED})
    for name, module in list(sys.modules.items()):
        if name.startswith("rulesengine.") and getattr(module, "OPS", None) is OPS:
            monkeypatch.setattr(module, "OPS", table)


def game(name: str) -> Game:
    return load(name, engine="interpreter")


def with_effect(program: Program) -> Program:
    """Return a program with the added effect after each move."""
    rules = replace(program.rules, effects=(*program.rules.effects, VANISH))
    return replace(program, rules=rules)


@pytest.mark.usefixtures("_added")
def test_an_added_effect_may_do_everything() -> None:
    assert actions(VANISH) == ACTIONS
    assert actions(make("block", VANISH)) == ACTIONS


@pytest.mark.usefixtures("_added")
def test_no_count_is_monotone_with_an_added_effect() -> None:
    placing, moving = game("gomoku").program, game("breakthrough").program
    assert vacant(placing) is not None
    assert vacant(with_effect(placing)) is None
    assert lasting(moving) is not None
    assert lasting(with_effect(moving)) is None


@pytest.mark.usefixtures("_added")
def test_pieces_count_in_the_evaluation_with_an_added_effect() -> None:
    program = game("tic-tac-toe").program
    for changed, counts in ((program, False), (with_effect(program), True)):
        endless = replace(changed, rules=replace(changed.rules, ends=()))
        assert ("owned" in names(evaluation_of(Interpreter(endless)))) is counts


def names(op: Op) -> set[str]:
    return {op.name, *(name for arg in op.args for name in names(arg))}


@pytest.mark.usefixtures("_added")
def test_nothing_bounds_pieces_with_an_added_effect() -> None:
    program, cells = game("breakthrough").program, 64
    bound = SizeBounds(program.topology).cells
    plain, added = (PieceBounds(p.rules, cells, bound) for p in (program, with_effect(program)))
    assert all(plain.most((plane,)) < cells for plane in plain.planes)
    assert all(added.most((plane,)) == cells for plane in added.planes)
    assert added.added_planes(VANISH, ()) == added.planes


@pytest.mark.usefixtures("_added")
def test_kernels_assume_nothing_of_an_added_effect() -> None:
    placing = game("hex").program
    assert only_adds_pieces(placing.rules)
    assert not only_adds_pieces(with_effect(placing).rules)
    filling = game("domineering").program
    assert safe_moves_of(filling) is not None
    assert safe_moves_of(with_effect(filling)) is None
    lines = game("gomoku").program
    assert threats_of(lines) is not None
    assert threats_of(with_effect(lines)) is None
    registers = {"few": None, "many": None}
    ctx: Any = SimpleNamespace(slots=registers, facts=SimpleNamespace(registers=registers))
    assert set(_set_registers(ctx, [VANISH])) == {"few", "many"}
    assert set(_set_registers(ctx, [make("set", VANISH, value=("few", "0"))])) == {"few"}


@pytest.mark.usefixtures("_added")
def test_moves_are_ranked_with_an_added_effect() -> None:
    draughts = game("international-draughts").program.rules
    assert unranked(draughts)
    assert unranked(replace(draughts, effects=(*draughts.effects, VANISH))) == ()


@pytest.mark.usefixtures("_added")
def test_an_added_operation_breaks_symmetry() -> None:
    program = game("tic-tac-toe").program
    assert len(symmetries(program)) == 8
    assert len(symmetries(with_effect(program))) == 1


@pytest.mark.usefixtures("_added")
def test_nothing_is_assumed_of_an_added_value() -> None:
    program = game("tic-tac-toe").program
    one, cells = literal("number", 1), program.topology.cells
    guess = make_added("guess", "number", one, one)
    assert Facts(program).range(guess) == (INTEGER_MIN, INTEGER_MAX)
    assert simplify(guess, program.topology) == guess
    assert simplify(TWIST, program.topology) == TWIST
    assert SizeBounds(program.topology).cells(TWIST) == cells
    assert UpperBounds(Interpreter(program)).most(TWIST, {}) == (1 << cells) - 1
    assert not keeps_other_cells(TWIST, 0, PlacedPiece(0, 2, 1))
    assert not Proofs(program).is_empty(replace(TWIST, args=(literal("cells", 0),)))
    with pytest.raises(NotConstant):
        StaticEvaluator(program.topology, {}).value(replace(TWIST, args=(literal("cells", 0),)))


@pytest.mark.usefixtures("_added")
def test_no_loop_over_an_added_operation_is_lifted() -> None:
    lifting = Vectoriser(game("tic-tac-toe").program)
    single = make("single", Op("variable", "cell", (), "x"))
    twisted = replace(TWIST, args=(single,))
    empty = make("empty")
    assert lifting.image(single, "x", empty) is not None
    assert lifting.image(twisted, "x", empty) is None
    assert lifting.preimage(single, "x", lifting.all) is not None
    assert lifting.preimage(twisted, "x", lifting.all) is None


@pytest.mark.usefixtures("_added")
def test_mobility_is_no_aim_with_an_added_operation() -> None:
    rules = game("amazons").program.rules
    assert mobility(rules) is not None
    origin = Op("variable", "cell", (), "from")
    groups = tuple(
        tuple(replace(g, target=replace(TWIST, args=(make("single", origin),))) for g in tier)
        for tier in rules.tiers
    )
    more = mobility(replace(rules, tiers=groups))
    assert more is None or "multiply" not in names(more)


@pytest.mark.usefixtures("_added")
def test_an_added_operation_takes_part_in_analyses_by_its_role() -> None:
    program = game("tic-tac-toe").program
    own = make("owned", Op("variable", "side", (), "player"))
    overlap = Op("overlap", "cells", (make("not", make("empty")), own))
    assert planes_of(overlap, 2, 1, 1) == planes_of(own, 2, 1, 1)
    assert EMPTY not in (planes_of(overlap, 2, 1, 1) or {EMPTY})
    nothing = Op("overlap", "cells", (make("empty"), own))
    proofs = Proofs(program)
    assert proofs.is_empty(nothing)
    assert proofs.truth(make("none", nothing)) is True
    assert not proofs.is_empty(overlap)


def make_added(name: str, type: Any, *args: Op) -> Op:
    return Op(name, type, args, 0)


def test_total_tables_have_every_operation() -> None:
    effects = {name for name, row in OPS.items() if row.result == "effect"} - REPLACED
    unread = {name for name, row in OPS.items() if "names" in row.reads} | {"range", "along"}
    assert EFFECTS.keys() == effects
    assert EMIT.keys() == OPS.keys() - effects - unread - REPLACED
    assert SYMBOLS.keys() == {n for n, row in OPS.items() if "names" in row.reads} - REPLACED


def test_the_interpreter_executes_every_effect() -> None:
    prefixes = ("op_", "inside_")
    methods = [name for name in dir(EffectExecutor) if name.startswith(prefixes)]
    names = {name.partition("_")[2] for name in methods}
    assert names == {name for name, row in OPS.items() if row.result == "effect"} - REPLACED
