"""Sets that random games update from ply to ply: the same games as the interpreter's."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.code.form import Instr, Value, instructions
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.emit import incremental
from rulesengine.engine.kernel.emit.context import Context, Fill
from rulesengine.engine.kernel.emit.incremental import maintaining_incremental
from rulesengine.engine.kernel.emit.state_values import Position
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.emit.values import union
from rulesengine.engine.kernel.passes import optimised
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import (
    QUICK,
    Difference,
    Engines,
    needs_engines,
    needs_native,
    spec_engines,
)

pytestmark = needs_engines

BETWEEN_SIDES = """\
spec: 1
name: Sides
board: {shape: rhombus, rows: 5, columns: 5}
players: {red: {near: top, far: bottom}, blue: {near: left, far: right}}
pieces: {stone: {red: x, blue: o}, rock: {neutral: "#"}, empty: "."}
"""
ALIKE = """\
spec: 1
name: Alike
board: {rows: 5, columns: 5, origin: top-left}
players: [red, blue]
pieces: {stone: {red: x, blue: o}, rock: {neutral: "#"}, empty: "."}
"""
THREE = """\
spec: 1
name: Three
board: {rows: 6, columns: 6, origin: top-left}
players: [red, blue, green]
pieces: {stone: {red: x, blue: o, green: g}, empty: "."}
"""
PLACE = "  moves: {place: stone, to: empty}\n"
JOINED = "any(fill(own and near, own) and far)"
ACROSS = "any(fill(own and top, own) and bottom)"


@dataclass(frozen=True)
class Case:
    """A spec, the number of fills that its games update, and whether moves only add pieces."""

    name: str
    text: str
    fills: int
    adds: bool


def case(name: str, fills: int, head: str, moves: str, *ends: str, adds: bool = True) -> Case:
    asked = "".join(f"    - {{when: '{end}', result: player wins}}\n" for end in ends)
    return Case(name, f"{head}rules:\n{moves}  end:\n{asked}", fills, adds)


def placing(effect: str) -> str:
    return f"  moves: {{place: stone, to: empty, do: '{effect}'}}\n"


CASES = [
    case("sides", 2, BETWEEN_SIDES, PLACE, JOINED),
    case("alike", 2, ALIKE, PLACE, ACROSS),
    case("three players", 3, THREE, PLACE, ACROSS),
    case("two ends", 4, ALIKE, PLACE, ACROSS, "any(fill(own and left, own) and right)"),
    case("seeds without bounds", 2, ALIKE, PLACE, "any(fill(top, own) and bottom)"),
    case("less than own", 2, ALIKE, PLACE, "any(fill(own and top, own minus c3) and bottom)"),
    case("in a part", 2, ALIKE, PLACE, "any(fill(top and own, own and not a3) and bottom)"),
    case("stones and rocks", 2, ALIKE, PLACE, "any(fill(top, own or neutral) and bottom)"),
    case("a number too", 2, ALIKE, PLACE, f"{ACROSS} and count(own) > 9"),
    case("nothing there", 2, ALIKE, PLACE, "none(fill(top, own)) and count(empty) < 20"),
    case("twice", 2, ALIKE, PLACE, f"{ACROSS} or count(fill(own and top, own)) > 6"),
    case(
        "by swap",
        2,
        BETWEEN_SIDES,
        "  moves:\n    - {place: stone, to: empty}\n    - swap:\n      when: plies = 1\n",
        JOINED,
    ),
    case("by pass", 2, ALIKE, "  moves:\n    - {place: stone, to: empty}\n    - pass:\n", ACROSS),
    case(
        "rocks beside",
        2,
        ALIKE,
        placing("put rock on shift(to, north) and empty"),
        "any(fill(top, own or neutral) and bottom)",
    ),
    case("more stones", 2, ALIKE, placing("put stone on corners and empty"), ACROSS),
    case(
        "any stones",
        0,
        ALIKE,
        placing("put stone on neighbours(to) and corners"),
        ACROSS,
        adds=False,
    ),
    case("of the other side", 2, ALIKE, PLACE, "any(fill(enemy and top, enemy) and bottom)"),
    # If a move has removed pieces inside a fill, the fill is computed again.
    case(
        "taking", 2, ALIKE, placing("remove neighbours(to) and enemy and edge"), ACROSS, adds=False
    ),
    case(
        "taking groups",
        2,
        BETWEEN_SIDES,
        placing("remove enemy minus fill(enemy touching empty, enemy)"),
        JOINED,
        "not can_move(mover)",
        adds=False,
    ),
    case("taking own", 2, ALIKE, placing("remove neighbours(to) and corners"), ACROSS, adds=False),
    case("turning", 0, ALIKE, placing("flip shift(to, north) and enemy"), ACROSS, adds=False),
    case("free ways", 0, ALIKE, PLACE, "none(fill(top, own or empty) and bottom)"),
    # Nor if its seeds are not cells of a constant.
    case("from a cell", 0, ALIKE, PLACE, "any(own) and none(own minus fill(first(own), own))"),
    # An end that queries moves is tested before the next ply, and those before it are not.
    case("before no move", 2, ALIKE, PLACE, ACROSS, "not can_move(mover)"),
    case("from others", 0, ALIKE, PLACE, "any(fill(neighbours(enemy) and own, own) and bottom)"),
]
with_cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def repeated(body: list[Instr]) -> Iterator[Instr]:
    """Yield the instructions inside loops."""
    for instr in instructions(body):
        if instr.op in ("loop", "bits", "range"):
            yield from instructions(instr.blocks[0])


def repeated_in_games(text: str) -> list[Instr]:
    """Return the instructions inside the loops of a spec's random games."""
    game = load_source(Source("spec.yaml", text), engine="interpreter")
    module = emitted(Interpreter(game.program), "playouts")
    return [i for function in module.functions.values() for i in repeated(function.body)]


def compare(engines: Engines) -> None:
    """Compare random games from the start and from states in them."""
    engines.playouts(30, seed=2)
    state = engines.first.initial_state()
    for ply in range(12):
        moves = engines.first.legal_moves(state)
        if not moves:
            break
        state = engines.first.apply(state, moves[(7 * ply + 3) % len(moves)])
        engines.playouts(8, seed=ply, state=state)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=case.name,
            marks=pytest.mark.deep if i % 3 or case.name == "by pass" else pytest.mark.slow,
        )
        for i, case in enumerate(CASES)
    ],
)
def test_random_games_are_those_of_the_interpreter(case: Case) -> None:
    compare(spec_engines(case.text, QUICK))


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.parametrize(
    "case",
    [
        # The Python back end runs every fifth case.
        pytest.param(case, id=case.name, marks=pytest.mark.deep if i % 5 else pytest.mark.slow)
        for i, case in enumerate(CASES)
    ],
)
def test_random_games_are_natively_those_of_the_interpreter(case: Case) -> None:
    compare(spec_engines(case.text, ("native",)))


@with_cases
def test_incremental_values_need_no_flood_fill_per_ply(case: Case) -> None:
    fills = [i for i in repeated_in_games(case.text) if i.op == "mfill"]
    assert (not fills) == (case.fills > 0 and case.adds)


@with_cases
def test_so_many_sets_are_kept(case: Case) -> None:
    game = load_source(Source("spec.yaml", case.text), engine="interpreter")
    kernel = Context(game.program, EMIT)
    with kernel.b.function("any", kernel.layout.types, ()) as values:
        at = Position.of(kernel.layout, values)
        with maintaining_incremental(kernel, at) as kept:
            sets = [value for value in kept.incremental if value.type == "m"]
            assert len(sets) == case.fills + case.adds
            assert not case.adds or sets[-1] == kernel.b.op("mnot", union(kernel, at.planes))


def test_fills_of_decided_bans_are_kept() -> None:
    ban = "any(g in groups(own), count(g) > 3 and none(g and edge))"
    moves = f"  moves: {{place: stone, to: empty, forbid: '{ban}'}}\n"
    text = case("in a ban", 2, ALIKE, moves, "not can_move(mover)").text
    game = load_source(Source("spec.yaml", text), engine="interpreter")
    kernel = Context(optimised(game.program), EMIT)
    with kernel.b.function("any", kernel.layout.types, ()) as values:
        at = Position.of(kernel.layout, values)
        with maintaining_incremental(kernel, at) as kept:
            assert [value.type for value in kept.incremental].count("m") == 3
    compare(spec_engines(text, QUICK))


COUNTED = {"sides", "alike", "three players", "by swap", "by pass", "of the other side"}
RECOUNTED = {"rocks beside", "more stones", "any stones", "taking", "turning"}


@pytest.mark.parametrize("name", sorted(COUNTED | RECOUNTED))
def test_empty_cells_are_counted_again_only_where_more_than_one_may_change(name: str) -> None:
    text = next(case.text for case in CASES if case.name == name)
    counts = [i for i in repeated_in_games(text) if i.op == "mcount"]
    assert (not counts) == (name in COUNTED)


@pytest.mark.parametrize(
    "fault", ["cells that are lost stay in a fill", "cells that are added never extend a fill"]
)
def test_a_planted_fault_in_a_kept_fill_is_found(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = next(case.text for case in CASES if case.name == "taking own")
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))  # kernels with faults are not kept
    if fault.startswith("cells that are lost"):
        monkeypatch.setattr(incremental, "_reach_of", _reach_before)
    else:
        monkeypatch.setattr(incremental, "_grow", lambda ctx, reach, more, rest: reach)
    with pytest.raises(Difference):
        compare(spec_engines(text, QUICK))


def _reach_before(ctx: Context, fill: Fill, at: Position) -> Value:
    """Return the reach in the state before, if a state has one."""
    number = ctx.incremental.fills.index(fill)
    return at.incremental[number] if at.incremental else reach_of(ctx, fill, at)


reach_of = incremental._reach_of
