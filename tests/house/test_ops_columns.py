"""The rows of operations list all reads, changes and failures of each operation, and no others."""

import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any

import pytest

from rulesengine import EvaluationError, Game, LimitError, SpecError, load
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.passes import optimised
from rulesengine.language.ir.ops import OPS, Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.signature import (
    ACTIONS,
    CAUSES,
    PARTS,
    Signature,
    effect_row,
    value_row,
)
from rulesengine.language.lower import kind_registers, stacks, tiles
from rulesengine.loading import load_source
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN, MAX_CHOICE_STEPS
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import QUICK, Difference, spec_engines
from tests.helpers.rule_games import make as small_game
from tests.helpers.spec_strategies import random_spec
from tests.helpers.watched_interpreter import BudgetExceeded, RecordingInterpreter

# Lowering replaces them.
REPLACED = kind_registers.REPLACED | stacks.REPLACED | tiles.REPLACED
Table = MappingProxyType[str, Signature]
BUNDLED = ("tic-tac-toe", "hex", "english-draughts", "nim")
# A spec with all operations that the bundled games above do not use; their moves do everything
# that the rows permit.
REST = """
spec: 1
name: Rest
board: {rows: 3, columns: 3}
players: [white, black]
pieces: {man: {white: o, black: x, values: {worth: 1}}, king: {white: O, black: X}, empty: "."}
registers: {n: {type: number, from: 0, to: 9}}
rules:
  moves:
    - place: man
      to: empty
      do:
        - put king on a1
        - promote a1 to man
        - carry a1 to b1
        - carry own to north
        - carry c in own to last(shift(c, east) or c)
        - drop own to south
        - if any(placed) and kind(to) = man and owner(to) = player then set n to 1
        - repeat set n to (n + 1) % 5 until n = 0
        - flip enemy and top
        - remove bottom
        - if before(any(bottom)) and worth of kind(first(empty)) > 0 then set n to 2
    - {pass: true, when: none(empty)}
  end:
    - {when: not can_act(mover), result: draw}
    - {when: position_age > 9 or board_repeats > 9 or plies > 9, result: draw}
strategies:
  ahead:
    - prefer after(won)
    - prefer after(drawn)
    - prefer after(over)
    - most least(replies, count(own))
"""
# The same for stacks.
STACKED = """
spec: 1
name: Stacked
board: {rows: 3, columns: 3, stacks: {height: 9}}
players: [white, black]
pieces: {man: {white: o, black: x}, king: {white: O, black: X}, empty: "."}
start: ["put man of black on all", "put king on all"]
rules:
  moves:
    - move: own
      along: all
      to: shift(from, direction)
      do:
        - if below(1, any(enemy)) then put man of opponent on to
        - carry to to first(own) taking 1
        - if height(a1) > 2 then carry a1 to east laying 1
        - remove enemy taking 1
    - {place: man, to: empty}
  end: [{when: plies > 9, result: draw}]
"""
SEEDS = range(16)  # of generated specs, for facts that rows leave out
EFFECTS = {name for name, row in OPS.items() if row.result == "effect"}
# Replaced before a program runs, and the domain of a loop, which the loop evaluates.
NEVER_ASKED = REPLACED | {
    "parameter",
    "players",
    "region",
    "named_cell",
    "named_direction",
    "range",
    "seen",
    "track",
}


def with_columns(row: Signature, **columns: Any) -> Signature:
    return replace(row, **columns)


# the table


def test_a_row_that_leaves_a_column_out_cannot_be_made() -> None:
    row = OPS["count"]
    whole = {name: getattr(row, name) for name in row.__dataclass_fields__}
    assert Signature(**whole) == row
    for name in whole:
        with pytest.raises(TypeError, match=name):
            Signature(**{other: whole[other] for other in whole if other != name})


@pytest.mark.parametrize("column", ["reads", "changes", "fails", "does", "laws"])
def test_a_row_with_a_word_that_is_none_of_the_columns_cannot_be_made(column: str) -> None:
    with pytest.raises(ValueError, match="plys"):
        with_columns(OPS["plies"], **{column: frozenset({"plys"})})
    with pytest.raises(ValueError, match="plys"):
        with_columns(OPS["count"], traits=(frozenset({"plys"}),))


def test_a_row_with_a_word_that_is_no_role_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="sieve"):
        with_columns(OPS["and"], role="sieve")


def test_a_row_without_declarations_has_no_property_and_may_do_everything() -> None:
    row = value_row("cells", to="cells", reads="", fails="")
    assert (row.traits, row.laws, row.identity, row.absorbing) == ((), frozenset(), None, None)
    assert row.role == effect_row("cells", reads="", changes="pieces", fails="").role == ""
    assert not row.has("monotone", 0)
    assert effect_row("cells", reads="", changes="pieces", fails="").does == ACTIONS
    assert effect_row("number", reads="", changes="registers", fails="").does == frozenset()
    with pytest.raises(ValueError, match="at least one way"):
        effect_row("cells", reads="", changes="pieces", fails="", does="")


def test_every_word_of_the_columns_is_used_and_only_effects_change_something() -> None:
    assert set().union(*(row.reads | row.changes for row in OPS.values())) == PARTS
    assert set().union(*(row.fails for row in OPS.values())) == CAUSES
    assert {name for name, row in OPS.items() if row.changes} <= EFFECTS


# reads, changes and failures


@dataclass(slots=True)
class Observations:
    """The observed reads, changes and failures of operations, by their names."""

    read: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    changed: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    causes: defaultdict[str, list[set[str]]] = field(default_factory=lambda: defaultdict(list))
    actions: defaultdict[str, set[frozenset[str]]] = field(default_factory=lambda: defaultdict(set))

    def add(self, machine: RecordingInterpreter) -> None:
        for mine, its in ((self.read, machine.read), (self.changed, machine.changed)):
            for name, parts in its.items():
                mine[name] |= parts
        for name, causes in machine.causes.items():
            self.causes[name] += causes
        for name, actions in machine.actions.items():
            self.actions[name] |= actions


def watch(program: Program, plies: int, left: int = 10_000) -> RecordingInterpreter:
    """Play a random game, and query at each ply the outcome and the choices of strategies."""
    machine, draw = RecordingInterpreter(program, left), Generator(0, 0)
    try:
        state = machine.initial_state()
        for _ in range(plies):
            machine.decide(state)
            for strategy in program.rules.strategies:
                machine.choose(state, strategy)
            moves = machine.legal(state)
            if not moves:
                break
            state = machine.apply(state, moves[draw.below(len(moves))])
    except (EvaluationError, LimitError, BudgetExceeded):
        pass
    return machine


def generated(seeds: Iterable[int]) -> list[Program]:
    programs = []
    for seed in seeds:
        try:
            found = load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
        except SpecError:
            continue
        programs.append(found.program)
    return programs


@cache
def seen() -> Observations:
    """Return the observations in games of bundled, written and generated specs."""
    found = Observations()
    for text in (REST, STACKED):
        found.add(watch(load_source(Source("rest.yaml", text), engine="interpreter").program, 6))
    for program in generated(SEEDS):
        found.add(watch(program, 5))
    for name in BUNDLED:
        found.add(watch(load(name, engine="interpreter").program, 3))
    for small in (load("go", n=3), load("othello", n=4), load("breakthrough", rows=5), load("nim")):
        found.add(watch(optimised(small.program), 2, 100_000))
    return found


def missing_facts(table: Table, found: Observations) -> set[tuple[str, str]]:
    """Return the observed facts of operations that are missing from their rows."""
    more = {(n, part) for n, parts in found.read.items() for part in parts - table[n].reads}
    more |= {(n, part) for n, parts in found.changed.items() for part in parts - table[n].changes}
    for name, causes in found.causes.items():
        more |= {(name, min(cause)) for cause in causes if cause.isdisjoint(table[name].fails)}
    for name, actions in found.actions.items():
        more |= {(name, min(any_of)) for any_of in actions if any_of.isdisjoint(table[name].does)}
    return more


@pytest.mark.slow
def test_operations_do_no_more_than_their_rows_say() -> None:
    assert missing_facts(OPS, seen()) == set()


def test_operations_do_all_that_their_rows_say() -> None:
    rows = {name: row for name, row in OPS.items() if name not in NEVER_ASKED}
    assert {name: seen().read[name] for name in rows} == {n: set(r.reads) for n, r in rows.items()}
    changes = {name: set(row.changes) for name, row in rows.items()}
    assert {name: seen().changed[name] for name in rows} == changes


@pytest.mark.deep
def test_operations_of_many_specs_do_no_more_than_their_rows_say() -> None:
    found = Observations()
    for program in generated(range(16, 80)):
        found.add(watch(program, 8))
    assert missing_facts(OPS, found) == set()
    assert sum(map(len, found.causes.values())) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(name for name, row in OPS.items() if row.does))
def test_an_action_that_a_row_leaves_out_is_found(name: str) -> None:
    other = "promotes" if "flips" in OPS[name].does else "flips"
    row = with_columns(OPS[name], does=frozenset({other}))
    assert missing_facts(MappingProxyType({**OPS, name: row}), seen()) != set()


@pytest.mark.slow
def test_a_part_that_a_row_leaves_out_is_found() -> None:
    """Leave out a part such as plies; finished games would go on."""
    for name, row in OPS.items():
        for column, done in (("reads", seen().read), ("changes", seen().changed)):
            for part in done[name]:
                less = with_columns(row, **{column: getattr(row, column) - {part}})
                assert missing_facts(MappingProxyType({**OPS, name: less}), seen()) == {
                    (name, part)
                }


def test_only_operations_on_names_have_no_interpreter_method() -> None:
    machine = RecordingInterpreter(game().program)
    without = OPS.keys() - machine.evaluator.methods.keys() - EFFECTS - {"range"}
    assert without == {name for name, row in OPS.items() if "names" in row.reads} - EFFECTS


# causes of failure

NOBODY, NO_CELL, NO_KIND = literal("side", -1), literal("cell", -1), literal("kind", -1)
NOWHERE = literal("cells", 0)
ALL, MAN, CELL = literal("cells", 3), literal("kind", 0), literal("cell", 0)
ONE, MOST, LEAST = (literal("number", n) for n in (1, INTEGER_MAX, INTEGER_MIN))
ZERO, MINUS = literal("number", 0), literal("number", -1)
FAILURES: tuple[tuple[str, Op], ...] = (
    ("unset", Op("variable", "number", (), "unbound")),
    ("player", make("register", NOBODY, value="each", type="number")),
    ("player", make("can_move", NOBODY)),
    ("player", make("can_act", NOBODY)),
    ("player", make("after", NOBODY, ONE, type="number")),
    ("player", make("next", NOBODY)),
    ("player", make("by_side", NOBODY, ONE, ONE, type="number")),
    ("kind", make("by_kind", NO_KIND, ONE, ONE, ONE, value=("worth", "0"), type="number")),
    ("limit", make("replies", ONE, value="most", type="number")),
    ("nothing", make("each", NOWHERE, ONE, value=("least", "x", "cells", "0"), type="number")),
    ("overflow", make("each", ALL, MOST, value=("sum", "x", "cells", "0"), type="number")),
    *(("nothing", make(name, NOWHERE, value=0)) for name in ("first", "last")),
    ("place", make("at", ZERO, ONE, value=0)),
    *(
        ("cell", make(name, NO_CELL, value=0))
        for name in ("row", "column", "row_label", "column_label", "screen_row", "screen_column")
    ),
    ("overflow", make("add", MOST, ONE, value=0)),
    ("overflow", make("subtract", LEAST, ONE, value=0)),
    ("overflow", make("multiply", MOST, MOST, value=0)),
    ("overflow", make("divide", LEAST, MINUS, value=0)),
    ("zero", make("divide", ONE, ZERO, value=0)),
    ("zero", make("modulo", ONE, ZERO, value=0)),
    ("overflow", make("negative", LEAST, value=0)),
    ("overflow", make("abs", LEAST, value=0)),
    ("piece", make("put", literal("kind", -1), literal("side", 0), ALL)),
    ("piece", make("flip", ALL, NOBODY)),
    ("piece", make("promote", ALL, literal("kind", 1))),
    ("cell", make("carry", NO_CELL, CELL, value=0)),
    ("limit", make("along", literal("track", 0), NO_CELL, MOST)),
    ("clash", make("carry_each", ALL, CELL, value=("carry", "c", "cells", "0"))),
    ("limit", make("repeat", make("remove", NOWHERE), literal("flag", 0), value=0)),
    ("player", make("set", ONE, NOBODY, value=("each", "0"))),
    ("bounds", make("set", literal("number", 9), value=("few", "0"))),
    ("cell", make("number_at", NO_CELL, value=("load", "0"))),
    ("bounds", make("ensure", literal("flag", 0), value=("too many `man`", ""))),
    ("bounds", make("set_at", literal("number", 9), ALL, value=("load", "0"))),
    ("bounds", make("lay", literal("kind", 0), literal("side", 0), ALL, value=("on", "0"))),
    ("piece", make("lay", literal("kind", -1), literal("side", 0), ALL, value=("on", "0"))),
    ("cell", make("carry_stack", ONE, NO_CELL, CELL, value=("on", "0"))),
    ("bounds", make("carry_stack", MINUS, CELL, CELL, value=("on", "0"))),
    ("bounds", make("unstack", MINUS, ALL, value=0)),
    ("cell", make("sow", ONE, NO_CELL, literal("direction", 0), value=0)),
    ("bounds", make("sow", ZERO, CELL, literal("direction", 0), value=0)),
)


@cache
def game() -> Game:
    """Return a game with a piece of a player without a king, and registers of small range."""
    rules = """
        moves: [{place: man, to: empty}]
        end: [{when: none(empty), result: draw}]
        """
    rest = """
        registers:
          few: {type: number, from: 0, to: 3}
          each: {type: number, from: 0, to: 3, each: player}
          load: {type: number, from: 0, to: 3, each: cell}
        start: ["put rock on a1 or b1"]
        """
    return small_game(3, 3, rules, rest)


def fails_at(op: Op) -> list[set[str]]:
    """Return the possible causes of an operation's failure when evaluated alone, by its message."""
    has_stacks = op.name in ("lay", "unstack", "carry_stack", "sow")
    text = Source("stacked.yaml", STACKED.replace("height: 9", "height: 2"))
    tested_game = load_source(text, engine="interpreter") if has_stacks else game()
    machine = RecordingInterpreter(tested_game.program)
    state = machine.initial_state()
    machine.operations.lookahead_moves = MAX_CHOICE_STEPS
    effect = op.type == "effect"
    at = Draft.of(state) if effect else state
    with pytest.raises((EvaluationError, LimitError)):
        (machine.effects.execute if effect else machine.value)(op, Frame(at, {"player": 0}))
    return machine.causes[op.name]


@pytest.mark.parametrize(("cause", "op"), FAILURES, ids=lambda v: getattr(v, "name", v))
def test_an_operation_fails_at_a_cause(cause: str, op: Op) -> None:
    assert [cause in meant for meant in fails_at(op)] == [True]


@pytest.mark.parametrize(("cause", "op"), FAILURES, ids=lambda v: getattr(v, "name", v))
def test_kernels_know_that_an_operation_may_fail(cause: str, op: Op) -> None:
    # Rules bind the values they read, and effects are not part of this analysis.
    if cause != "unset" and op.type != "effect":
        assert Facts(game().program).may_fail(op)


def test_rows_name_the_causes_at_which_operations_fail() -> None:
    rows = {name: row for name, row in OPS.items() if name not in REPLACED}
    causes = {(cause, name) for name, row in rows.items() for cause in row.fails}
    assert causes == {(cause, op.name) for cause, op in FAILURES}


# uses of the table

SPEC = """
spec: 1
name: ends
board: {{rows: 3, columns: 3}}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, empty: "."}}
rules:
  moves:
    - {{place: man, to: empty}}
    - {{select: own, do: ["remove to"]}}
  end: [{{when: "player = white and {when}", result: player wins}}]
"""
ENDS = (
    ("plies", "plies >= 3"),
    ("mover", "mover = black"),
    ("empty", "count(empty) < 7"),
    ("repeats", "board_repeats > 0"),
)


@pytest.mark.slow
@pytest.mark.skipif(not QUICK, reason="there is no quick engine")
@pytest.mark.parametrize(("name", "when"), ENDS)
def test_a_kernel_goes_by_what_the_operations_of_an_end_read(
    monkeypatch: pytest.MonkeyPatch, name: str, when: str
) -> None:
    text = SPEC.format(when=when)
    right = spec_engines(text, QUICK)
    right.play(0, 12)
    right.playouts(5, seed=1)
    row = with_columns(OPS[name], reads=frozenset())
    table = MappingProxyType({**OPS, name: row})
    monkeypatch.setenv("RULESENGINE_CACHE", "")  # kernels are compiled again
    for module, found in list(sys.modules.items()):
        if module.startswith("rulesengine.engine.kernel.") and hasattr(found, "OPS"):
            monkeypatch.setattr(found, "OPS", table)
    with pytest.raises(Difference):
        spec_engines(text, QUICK).playouts(5, seed=1)
