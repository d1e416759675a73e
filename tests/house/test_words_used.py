"""Every word of the language is used by two bundled games at least, so none exists for a single
game.

The words that a game uses are read from its compiled rules, in which definitions and phrases are
expanded.
"""

from collections.abc import Callable
from types import MappingProxyType

import pytest

import rulesengine
from rulesengine.language.ir.ops import Op, walk
from rulesengine.language.ir.rules import Rules, operations, recalled
from rulesengine.support.resources import bundled_names

Uses = Callable[[Rules], bool]


def ops(value: object) -> list[Op]:
    """Return all operations in a part of the rules, nested ones included."""
    return [inner for op in operations(value) for inner in walk(op)]


def op(*names: str, holds: Callable[[Op], bool] = lambda op: True) -> Uses:
    """Return a predicate: one of these operations occurs anywhere in the rules."""
    return lambda rules: any(found.name in names and holds(found) for found in ops(rules))


def of_what(word: str) -> Callable[[Op], bool]:
    """Return a predicate: a loop computes this from its members."""
    return lambda op: isinstance(op.value, tuple) and op.value[0] == word


def shape(name: str) -> Uses:
    return lambda rules: rules.board.shape == name


def reads_last_move(rules: Rules) -> bool:
    """True if an end reads the record of the last move."""
    read = ops((rules.ends, rules.outs))
    return any(
        op.name == "record" or (op.name == "register" and recalled(str(op.value))) for op in read
    )


WORDS: MappingProxyType[str, Uses] = MappingProxyType(
    {
        "written": lambda rules: any(group.written for group in rules.groups),
        "a number at each cell": lambda rules: any(r.each == "cell" for r in rules.registers),
        "for … do": op("for"),
        "along a track": op("along"),
        "carry of a set": op("carry_each", "push"),
        "drop": op("drop"),
        "repeat … until": op("repeat"),
        "repeat … until nothing changes": op("repeat", holds=lambda op: len(op.args) == 1),
        "effects with arguments": op("bind"),
        "reach": op("each", holds=of_what("reach")),
        "one of each result": lambda rules: any(not hasattr(k, "order") for k in rules.keep),
        "compared": lambda rules: any(r.compared for r in rules.registers),
        "named choices": lambda rules: any(g.choices for g in rules.groups),
        "chance": lambda rules: rules.chance is not None,
        "chance that counts": lambda rules: rules.chance is not None and rules.chance.counts,
        "out": lambda rules: rules.outs != (),
        "payoffs": lambda rules: any(end.result == "pays" for end in rules.ends),
        "what the last move did, in an end": reads_last_move,
        "is": lambda rules: any(kind.attributes for kind in rules.kinds),
        "a register of kind": lambda rules: any(r.type == "kind" for r in rules.registers),
        "at_most": lambda rules: any(kind.limit for kind in rules.kinds),
        "holes by expression": lambda rules: rules.board.missing is not None,
        "a drawn map": lambda rules: rules.board.hole_map != (),
        "joins": lambda rules: rules.board.joins != (),
        "triangle": shape("triangle"),
        "staggered": shape("staggered"),
        "mesh": shape("mesh"),
    }
)


@pytest.mark.slow
def test_each_word_is_used_by_two_bundled_games_at_least() -> None:
    rules = [rulesengine.load(name).rules for name in bundled_names()]
    counts = {word: sum(map(uses, rules)) for word, uses in WORDS.items()}
    assert {word: count for word, count in counts.items() if count < 2} == {}


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("drop", "popout"),
        ("reach", "halma"),
        ("joins", "surakarta"),
        ("out", "connect-four-knockout"),
        ("chance that counts", "okiya"),
        ("carry of a set", "pentago"),
        ("what the last move did, in an end", "chain-reaction"),
        ("what the last move did, in an end", "yavalath-3"),
    ],
)
def test_a_word_is_found_where_it_is_used(word: str, name: str) -> None:
    assert WORDS[word](rulesengine.load(name).rules)
    assert not WORDS[word](rulesengine.load("connect-four").rules)
