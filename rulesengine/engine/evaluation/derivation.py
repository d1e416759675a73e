"""The static evaluation of a program and further analyses for searches, cached on disk.

The analysis of a program takes some tenths of a second. Its result depends on the program and the
package alone. A missing, read-only or damaged cache changes the time, not the result.
"""

import json
from typing import Any

from rulesengine.engine.evaluation.activity import derive_activity
from rulesengine.engine.evaluation.attacks import derive_risk
from rulesengine.engine.evaluation.heuristic import derive_evaluation, derive_exchange
from rulesengine.engine.evaluation.material import Material, derive_material, follows_captures
from rulesengine.engine.evaluation.null_moves import NullMoves, derive_null_moves
from rulesengine.engine.evaluation.tactics import Tactics, tactics_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.json_table import pack, unpack
from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.program import Program
from rulesengine.support.cache import Cache, digest
from rulesengine.support.frozen import record, replace
from rulesengine.support.resources import stamp_below

_KIND = "evaluation"
_SOURCES = ("board", "engine", "language", "support", "state.py")


@record
class Derivation:
    """The result of the analysis of a program.

    - `material` has the values of the kinds.
    - `evaluation` is the static evaluation for `player`, without `activity`.
    - `activity` is a part that king-relative tables take the place of, None if there is none.
    - `exchange` is the evaluation of the pieces alone, None if there is none.
    - `null_moves` are the null moves, None if a search is not to use them.
    - `risk` is the value of a piece on an attacked cell, None if attacks are not known.
    """

    material: Material
    evaluation: Op
    activity: Op | None
    exchange: Op | None
    null_moves: NullMoves | None
    risk: Op | None


def derivation_of(machine: Interpreter) -> Derivation:
    """Return the analysis of a program, from memory or the cache on disk if possible."""
    return machine.derived(_load)


def material_of(machine: Interpreter) -> Material:
    """Return the values of the kinds and the share of captures; `PIECE` for kinds without moves."""
    return derivation_of(machine).material


def evaluation_of(machine: Interpreter, *, activity: bool = True) -> Op:
    """Return an expression for `player`: the spec's evaluation, else its score, else a heuristic.

    For a single player with payoffs it is the payoff of the first end that has one.

    The heuristic counts pieces by their values, places and steps, and cells in lines that are
    nearly long enough to win. Mobility counts where the side without a move loses. Attacks on the
    zone of a royal piece count, and all other activity, unless `activity` is false.
    """
    derivation = derivation_of(machine)
    if not activity or derivation.activity is None:
        return derivation.evaluation
    return make("add", derivation.evaluation, derivation.activity, value=0)


def exchange_evaluation(machine: Interpreter) -> Op:
    """Return an evaluation that is cheaper and changes by captures alone, if there is one.

    Searches order captures by it. Without values of pieces it is the whole evaluation.
    """
    derivation = derivation_of(machine)
    return derivation.evaluation if derivation.exchange is None else derivation.exchange


def null_moves(machine: Interpreter) -> NullMoves | None:
    """Return the null moves of a game; None if a search is not to use them."""
    return derivation_of(machine).null_moves


def piece_at_risk(machine: Interpreter) -> Op | None:
    """Return the value of a piece on an attacked cell; see `attacks`."""
    return derivation_of(machine).risk


def followed_tactics(machine: Interpreter) -> Tactics | None:
    """Return the captures that searches follow, if some moves are captures, but not too many."""
    return tactics_of(machine.program) if follows_captures(material_of(machine)) else None


def with_evaluation(machine: Interpreter, *, activity: bool = True) -> Program:
    """Return the program with an evaluation; see `evaluation_of`."""
    program = machine.program
    rules = replace(program.rules, evaluation=evaluation_of(machine, activity=activity))
    return replace(program, rules=rules)


def _load(machine: Interpreter) -> Derivation:
    """Return the cached analysis, or analyse the program and cache the result."""
    cache = Cache.open()
    if cache is None:
        return _derive(machine)
    program = json.dumps(pack((machine.program,))).encode()
    key = digest(b"evaluation 4", _stamp(), program)
    data = cache.get(_KIND, key)
    if data is not None:
        return _unpack(json.loads(data))
    derivation = _derive(machine)
    cache.put(_KIND, key, json.dumps(pack(_pack(derivation))).encode())
    return derivation


def _derive(machine: Interpreter) -> Derivation:
    material = derive_material(machine)
    return Derivation(
        material,
        derive_evaluation(machine, material),
        derive_activity(machine, material),
        derive_exchange(machine, material),
        derive_null_moves(machine, material),
        derive_risk(machine, material),
    )


def _pack(derivation: Derivation) -> tuple[Any, ...]:
    """Return a derivation as nested tuples of numbers and operations."""
    material, passes = derivation.material, derivation.null_moves
    numbers = (material.values, material.captures, material.steps, material.groups)
    return (
        numbers,
        derivation.evaluation,
        derivation.activity,
        derivation.exchange,
        passes and (passes.pieces, passes.resets),
        derivation.risk,
    )


def _unpack(rows: list[Any]) -> Derivation:
    numbers, evaluation, activity, exchange, passes, risk = unpack(rows)
    moves = NullMoves(*passes) if passes else None
    return Derivation(Material(*numbers), evaluation, activity, exchange, moves, risk)


def _stamp() -> bytes:
    return stamp_below(*_SOURCES).encode("utf-8", "surrogatepass")
