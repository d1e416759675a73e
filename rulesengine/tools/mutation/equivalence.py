"""Equivalence of two specs: the same program, or no difference in random games."""

from collections.abc import Sequence
from typing import Any

from rulesengine.engine.drivers.random import Generator
from rulesengine.errors import InternalError, RulesError
from rulesengine.game import Game
from rulesengine.language.ir.ops import OPS, Op
from rulesengine.language.ir.roles import loop_function
from rulesengine.language.ir.rules import Rules, Site, rewrite
from rulesengine.language.ir.scripted_ops import SCRIPTED
from rulesengine.language.ir.text import show
from rulesengine.state import Move, State
from rulesengine.support.frozen import replace

_NO_SITE = Site("", 0, 0, "")
# The length limit of a random game: two games without a difference until then count as equal.
_MAX_PLIES = 200


def is_same_program(one: Game, other: Game) -> bool:
    """True if the programs are equal, ignoring source locations and reasons."""
    return show(_without_sites(one.program.rules)) == show(_without_sites(other.program.rules))


def plays_equal_games(one: Game, other: Game, games: int, seed: int) -> bool:
    """True if random games show no difference in moves, positions, outcomes or scores."""
    return all(_plays_equal_game(one, other, Generator(seed, number)) for number in range(games))


def _plays_equal_game(one: Game, other: Game, draw: Generator) -> bool:
    try:
        state, other_state = one.initial_state(), other.initial_state()
        for _ in range(_MAX_PLIES):
            moves, others = one.legal_moves(state), other.legal_moves(other_state)
            if _view(one, state) != _view(other, other_state) or _texts(moves) != _texts(others):
                return False
            if not moves:
                return True
            number = draw.below(len(moves))
            state, other_state = (
                one.apply(state, moves[number]),
                other.apply(other_state, others[number]),
            )
    except InternalError:
        raise
    except RulesError:
        return False
    return True


def _view(game: Game, state: State) -> tuple[Any, ...]:
    outcome = game.outcome(state)
    ended = (outcome.winner, dict(outcome.scores)) if outcome else None
    return str(state), ended, game.scores(state)


def _texts(moves: Sequence[Move]) -> list[str]:
    return [str(move) for move in moves]


def _without_sites(rules: Rules) -> Rules:
    """Return the rules without source locations and reasons."""
    tiers = tuple(tuple(replace(g, site=_NO_SITE) for g in tier) for tier in rules.tiers)
    steps = tuple(replace(group, site=_NO_SITE) for group in rules.steps)
    ends = tuple(replace(end, reason="") for end in rules.ends)
    chance = rules.chance
    if chance is not None:
        branches = tuple(replace(group, site=_NO_SITE) for group in chance.branches)
        chance = replace(chance, branches=branches, site=_NO_SITE)
    plain = replace(rules, tiers=tiers, steps=steps, ends=ends, chance=chance, sites=())
    done: dict[int, tuple[Op, Op]] = {}

    def change(op: Op) -> Op:
        if id(op) not in done:
            args = tuple(change(arg) for arg in op.args)
            done[id(op)] = op, Op(op.name, op.type, args, _value_of(op))
        return done[id(op)][1]

    return rewrite(plain, change)


def _value_of(op: Op) -> Any:
    kind = (OPS.get(op.name) or SCRIPTED[op.name]).value
    if kind == "site":
        return None
    if "site" in kind or loop_function(op):
        assert isinstance(op.value, tuple)
        return op.value[:-1]
    return op.value
