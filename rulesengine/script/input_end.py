"""The end of the input: expected between rounds of a loop, else too early. See decision 103."""

from collections.abc import Iterable
from typing import Final

from rulesengine.language.ir.rules import Statement
from rulesengine.script.error_location import with_location
from rulesengine.script.runtime import ScriptState
from rulesengine.script.tokens import Tokenizer

_COMMANDS = ("command", "command_of_line")
_UNCOUNTED: Final = "repeat"  # the loop that may have no number of rounds
_LOOPS = ("repeat", "repeat_from", "repeat_in")


class EarlyEnd(Exception):
    """The input ended in the middle of a round or a statement."""


def early_end(stage: ScriptState) -> str:
    """Return a message if the input ended too early for the current statement, or nothing.

    It may end where a script or a round of a loop without a number of rounds has read no input.
    """
    statement, words = stage.at, stage.words
    if statement is None or not isinstance(words, Tokenizer):
        return ""
    if statement.site in _openings(stage.view.script) and not words.has_read_since(stage.began):
        return ""
    return with_location(stage, EarlyEnd("the input ends too early"))


def _openings(script: tuple[Statement, ...]) -> set[int]:
    """Return the sites of the reads at which an input may end."""
    reads = _first_reads(script, script)[0]
    for loop in _every(script):
        if loop.name == _UNCOUNTED and loop.operands[0] is None:
            reads |= _first_reads(loop.body, script)[0]
    return reads


def _first_reads(
    block: Iterable[Statement], script: tuple[Statement, ...]
) -> tuple[set[int], bool]:
    """Return the sites of the reads that may be the first in a block, and True if the block may
    read nothing.
    """
    reads = set[int]()
    for statement in block:
        first, passes = _first_reads_of(statement, script)
        reads |= first
        if not passes:
            return reads, False
    return reads, True


def _first_reads_of(statement: Statement, script: tuple[Statement, ...]) -> tuple[set[int], bool]:
    name = statement.name
    if name.startswith("read_") or name in _COMMANDS:
        return {statement.site}, False
    if name == "do":
        named = (s.body for s in script if s.name == "block" and s.words[0] == statement.words[0])
        return _first_reads(next(named), script)
    if name in ("block", "at_end"):
        return set(), True
    one, passes_one = _first_reads(statement.body, script)
    other, passes_other = _first_reads(statement.otherwise, script)
    return one | other, name in _LOOPS or passes_one or passes_other


def _every(block: Iterable[Statement]) -> Iterable[Statement]:
    for statement in block:
        yield statement
        yield from _every(statement.body)
        yield from _every(statement.otherwise)
