"""The bundled files of learned weights: the one of a game, and stale ones.

A file is found by the board and the rules. A file of a game of the same name is stale if its board,
rules or patterns differ, or if it is damaged.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.search.learned_weights import (
    difference,
    features_of,
    hash_of,
    identity_of,
    read_head,
    read_learned,
    weighs_moves,
)
from rulesengine.support.resources import bundled_learned


def bundled_of(dispatcher: Dispatcher, *, moves: bool = False) -> Path:
    """Return the path of the bundled weights of a game, identified by board and rules: those of
    positions, or of moves.

    Raises UsageError if there is none.
    """
    program = dispatcher.machine.program
    own = dict[str, str]()
    for path, head in _files_of(program, moves=moves):
        own = own or identity_of(program)
        if all(head[name] == own[name] for name in ("board", "rules")):
            return path
    if moves:
        raise UsageError(
            "the package has no weights of moves of this game: `learn --moves` computes them"
        )
    raise UsageError("the package has no learned evaluation of this game: `learn` computes one")


def stale_of(dispatcher: Dispatcher) -> str:
    """Return why the bundled weights of a game are not valid; empty if they are, or without any."""
    program = dispatcher.machine.program
    for path, head in _files_of(program):
        own = identity_of(program, hash_of(features_of(head, dispatcher)))
        return _problem(path, head, own, dispatcher)
    return ""


def _problem(path: Path, head: dict[str, Any], own: dict[str, str], dispatcher: Dispatcher) -> str:
    """Return why a file is not valid for a game; empty if it is."""
    difference_text = difference(head, own)
    if difference_text:
        return f"{path.name} {difference_text}"
    try:
        read_learned(path, dispatcher)
    except UsageError as error:
        return str(error).replace(str(path), path.name)
    return ""


def _files_of(program: Program, *, moves: bool = False) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the bundled files of games of the same name, with their first lines.

    The name is part of the rules. It is compared first, because the hashes of large games take a
    while.
    """
    for path in map(Path, bundled_learned()):
        head = read_head(path)
        if head and head.get("game") == program.rules.name and weighs_moves(head) == moves:
            yield path, head
