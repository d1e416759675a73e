"""Interpreters with one mistake each, of the kind that a compiled engine may have.

A comparison of engines is useful only if it finds them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType, MethodType
from typing import Any

from rulesengine import Game
from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.effects import EffectExecutor
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.game_operations import GameOperations
from rulesengine.engine.interpreter.loop_operations import LoopOperations
from rulesengine.engine.interpreter.move_execution import MoveExecutor
from rulesengine.engine.interpreter.move_generation import MoveGenerator
from rulesengine.engine.interpreter.move_selection import MoveSelector
from rulesengine.engine.interpreter.outcomes import OutcomeRules
from rulesengine.engine.interpreter.scalar_operations import ScalarOperations
from rulesengine.engine.interpreter.set_operations import SetOperations
from rulesengine.engine.interpreter.state_operations import StateOperations
from rulesengine.language.ir.program import Program
from rulesengine.support.limits import INTEGER_MAX

Method = Callable[..., Any]
Maker = Callable[[Program], Interpreter]
WORD = 2**64 - 1


def broken(game: Game, mistake: str) -> Game:
    """Return the same game by an engine with the mistake of this name."""
    machine = MISTAKES[mistake](game.program)
    return Game(game.rules, game.parameters, "interpreter", game.tests, machine)


def _with(kind: type, **methods: Method) -> Maker:
    """Make an interpreter with a part of a kind that has other methods."""

    def make(program: Program) -> Interpreter:
        if kind is Evaluator:
            broken: type[Evaluator] = type("Broken", (Evaluator,), methods)
            return Interpreter(program, broken(program))
        machine = Interpreter(program)
        part = next(part for part in _parts(machine) if isinstance(part, kind))
        for name, method in methods.items():
            setattr(part, name, MethodType(method, part))
            if name.startswith("op_"):
                machine.evaluator.methods[name[3:]] = MethodType(method, part)
        return machine

    return make


def _parts(machine: Interpreter) -> Iterator[object]:
    yield machine
    yield from vars(machine).values()
    yield from (getattr(method, "__self__", None) for method in machine.evaluator.methods.values())


def _geometry(**methods: Method) -> Maker:
    """Return an interpreter with other geometry methods; each receives the right one first."""

    def make(program: Program) -> Interpreter:
        machine = Interpreter(program)
        for name, method in methods.items():
            setattr(
                machine.evaluator.geometry,
                name,
                _bound(method, getattr(machine.evaluator.geometry, name)),
            )
        return machine

    return make


def _bound(method: Method, right: Method) -> Method:
    return lambda *arguments, **options: method(partial(right, **options), *arguments)


def _rules(**values: Any) -> Maker:
    """Return an interpreter of rules in which these parts are replaced."""
    return lambda program: Interpreter(replace(program, rules=replace(program.rules, **values)))


def _registers(**values: Any) -> Maker:
    def make(program: Program) -> Interpreter:
        registers = tuple(replace(r, **values) for r in program.rules.registers)
        return _rules(registers=registers)(program)

    return make


def _groups(**values: Any) -> Maker:
    """Return an interpreter of rules in which these parts of every group of moves are replaced."""

    def make(program: Program) -> Interpreter:
        rules = program.rules
        tiers = tuple(tuple(replace(g, **values) for g in tier) for tier in rules.tiers)
        steps = tuple(replace(g, **values) for g in rules.steps)
        return _rules(tiers=tiers, steps=steps)(program)

    return make


def _backwards(self: Any, op: Any, frame: Any, name: str, among: int) -> Iterator[int]:
    for value in reversed(bits(self.evaluate(op, frame) & among)) if op else (-1,):
        frame.variables[name] = value
        yield value


def _as_written(self: Any, state: Any, side: int, tier: Any) -> Iterator[Any]:
    for group in tier:
        yield from self.steps(Frame(state, {"player": side}), self._groups.index(group))


def _must_go_on(self: Any, step: Any, frame: Any) -> Any:
    return MoveGenerator._following(self, step, frame)[0], False


def _may_always_stop(self: Any, step: Any, frame: Any) -> Any:
    return MoveGenerator._following(self, step, frame)[0], True


def _without_stopping(self: Any, op: Any, function: str, values: Any, at: Any) -> Any:
    found = {value: at(value) for value in values}
    return LoopOperations._fold(self, op, function, values, found.__getitem__)


def _all_of(join: Callable[[Any], bool]) -> Method:
    return lambda self, op, frame: int(join([self.value(arg, frame) for arg in op.args]))


def _both_branches(self: Any, op: Any, frame: Any) -> Any:
    test, one, other = [self.value(arg, frame) for arg in op.args]
    return one if test else other


def _towards_zero(self: Any, op: Any, frame: Any) -> int:
    a, b = self._two(op, frame)
    if b == 0:
        raise self.fail(op, "a division by zero")
    found: int = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def _sign_of_the_first(self: Any, op: Any, frame: Any) -> int:
    a, b = self._two(op, frame)
    found: int = ScalarOperations.op_modulo(self, op, frame)
    return found - b if found and (a < 0) != (b < 0) else found


def _last_of_the_best(self: Any, state: Any, strategy: Any) -> Any:
    moves = self.legal(state)
    self.operations.lookahead_moves = len(moves)
    best = self.selector.best(state, moves, strategy.keys, {})
    return best[-1] if best else None


def _carried_onto(self: Any, frame: Any, origin: int, target: int) -> None:
    """A piece on the target of a move stays there."""
    right = EffectExecutor.take
    self.take = lambda *_: None
    EffectExecutor.carry(self, frame, origin, target)
    self.take = right.__get__(self)


def _one_by_one(self: Any, frame: Any, cells: int, direction: int) -> None:
    """Drop each piece onto those before it, which have not fallen yet."""
    for cell in bits(cells):
        EffectExecutor._drop(self, frame, 1 << cell, direction)


def _through_others(self: Any, cell: int, direction: int, taken: int, cells: int) -> int:
    """Pieces that stay stop none."""
    return EffectExecutor._rest(self, cell, direction, taken & cells, cells)


def _first_of_the_leaders(self: Any, end: Any, state: Any, frame: Any) -> Any:
    winner, reason, scores, paid = OutcomeRules._decision(self, end, state, frame)
    shared = end.result in ("highest", "lowest") and winner < 0
    return 0 if shared else winner, reason, scores, paid


def _passing_is_moving(self: Any, op: Any, frame: Any) -> int:
    side = self.value(op.args[0], frame)
    rules = self._rules
    at = frame.at if not hasattr(frame.at, "placed") else rules.finished(frame.at)
    return int(any(list(rules.tier(at, side, tier)) for tier in self.program.rules.tiers))


def _one_step_recorded(self: Any, at: Any, steps: Any, side: int) -> Any:
    state, record = MoveExecutor.play(self, at, steps, side)
    return state, replace(record, removed=0) if len(steps) > 1 else record


def _own_captured(self: Any, frame: Any, cells: int) -> None:
    EffectExecutor.take(self, frame, cells)
    frame.at.captured |= frame.at.removed


def _as_the_mover(self: Any, op: Any, frame: Any) -> Any:
    """Evaluate `after` as if the side to move made the move, for any side."""
    return self.value(op.args[1], frame.on(self._rules.result(frame, frame.at.side)[0]))


def _history_lost(self: Any, before: Any, draft: Any, frame: Any) -> None:
    MoveExecutor._end_turn(self, before, draft, frame)
    draft.history = draft.history[-1:]


MISTAKES: Mapping[str, Maker] = MappingProxyType(
    {
        "cells in the wrong order": _with(MoveGenerator, _each_of=_backwards),
        "passes where they are written": _with(MoveGenerator, tier=_as_written),
        "the same step twice": _with(MoveGenerator, _same=lambda *_: True),
        "conditions of moves left out": _groups(when=None),
        "forbidden steps": _groups(forbid=None),
        "a chain that never stops by choice": _with(MoveGenerator, _following=_must_go_on),
        "a chain that may always stop": _with(MoveGenerator, _following=_may_always_stop),
        "every move kept": _with(MoveSelector, select=lambda self, state, side, moves: moves),
        "no effects after each move": _rules(effects=()),
        "a swap that does nothing": _with(MoveExecutor, _swap=lambda *_: None),
        "turns that only go round": _with(
            StateOperations, op_next=lambda self, op, frame: (self._one(op, frame) - 1) % self.sides
        ),
        "a history of one position": _with(MoveExecutor, _end_turn=_history_lost),
        "registers that live for the game": _registers(lives="game"),
        "one register for all players": _with(
            StateOperations,
            op_register=lambda self, op, frame: frame.at.registers[self.slots[op.value]],
        ),
        "registers of any number": _registers(low=-(2**63), high=INTEGER_MAX),
        "numbers that wrap round": _with(
            Evaluator, checked=lambda self, op, number: (number + 2**63 & WORD) - 2**63
        ),
        "division towards zero": _with(ScalarOperations, op_divide=_towards_zero),
        "a remainder with the sign of the first": _with(
            ScalarOperations, op_modulo=_sign_of_the_first
        ),
        "every member looked at": _with(LoopOperations, _fold=_without_stopping),
        "`and` that goes on": _with(ScalarOperations, op_both=_all_of(all)),
        "`or` that goes on": _with(ScalarOperations, op_either=_all_of(any)),
        "both branches worked out": _with(ScalarOperations, op_if=_both_branches),
        "no more than 64 cells": _with(
            SetOperations,
            op_and=lambda self, op, frame: SetOperations.op_and(self, op, frame) & WORD,
        ),
        "the last for the first": _with(
            SetOperations, op_first=lambda self, op, frame: SetOperations.op_last(self, op, frame)
        ),
        "errors without their place": _with(
            Evaluator, fail=lambda self, op, what: Evaluator.fail(self, replace(op, value=""), what)
        ),
        "runs that need no end": _geometry(
            run=lambda right, start, over, until, *rest: right(start, over, -1, *rest)
        ),
        "runs of any length": _geometry(
            run=lambda right, start, over, until, *rest: right(
                start, over, until, 1, INTEGER_MAX, *rest[2:]
            )
        ),
        "lines that may be longer": _geometry(
            line=lambda right, cells, low, high, *rest: right(cells, low, INTEGER_MAX, *rest)
        ),
        "slides of one step": _geometry(
            slide=lambda right, cells, directions, through: (
                right(cells, directions, through)
                & ~right(right(cells, directions, through), directions, through)
            )
        ),
        "fills along every direction": _geometry(
            fill=lambda right, cells, within, *rest: right(cells, within)
        ),
        "fills of one step": _geometry(fill=lambda right, cells, within, *rest: within & cells),
        "a piece carried onto another": _with(EffectExecutor, carry=_carried_onto),
        "own pieces captured": _with(EffectExecutor, take=_own_captured),
        "a record without what is removed on the way": _with(MoveExecutor, play=_one_step_recorded),
        "no promotion": _with(EffectExecutor, _promote=lambda *_: None),
        "pieces that fall one by one": _with(EffectExecutor, _drop=_one_by_one),
        "pieces that fall through others": _with(EffectExecutor, _rest=_through_others),
        "a shared lead that wins": _with(OutcomeRules, _decision=_first_of_the_leaders),
        "losing that wins": _rules(misere=False),
        "ends asked in the players' order": _with(
            OutcomeRules, _order=lambda self, state: list(range(self.sides))
        ),
        "passes that count as moves": _with(GameOperations, op_can_move=_passing_is_moving),
        "the last of the best moves": _with(Interpreter, choose=_last_of_the_best),
        "what follows a move of another": _with(GameOperations, op_after=_as_the_mover),
    }
)
