"""Functions for large `forbid` conditions, which all steps of a side share."""

from rulesengine import load
from rulesengine.engine.kernel.code.form import instructions
from rulesengine.engine.kernel.emission import emitted


def test_a_large_condition_is_one_function_for_each_side() -> None:
    # The five groups of chess have the same condition, which the functions of its four groups that
    # are tried and the two directions of castling call.
    functions = emitted(load("chess").machine, "perft").functions.values()
    shared = [function.name for function in functions if function.name.startswith("forbid")]
    calls = [i.detail for f in functions for i in instructions(f.body) if i.op == "call"]
    assert len(shared) == 2
    assert all(calls.count(name) >= 6 for name in shared)


def test_a_small_condition_is_inline() -> None:
    functions = emitted(load("oware").machine, "perft").functions
    assert not any(name.startswith("forbid") for name in functions)
