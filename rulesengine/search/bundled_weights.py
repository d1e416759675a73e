"""The bundled files of learned weights: the one of a game, and stale ones.

A file is found by the board and the rules, whatever the name of the game. A file of a game of the
same name is stale if its board, rules or patterns differ, or if it is damaged. See decision 198.
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
    hash_of_board,
    hash_of_rules,
    identity_of,
    read_head,
    read_learned,
    weighs_moves,
)
from rulesengine.support.resources import bundled_learned


def bundled_of(dispatcher: Dispatcher, *, moves: bool = False) -> Path:
    """Return the path of the bundled weights of a game, identified by board and rules: those of
    positions, or of moves.

    The hash of the rules in a file has the name of the game that was learned, so the rules are
    hashed under that name. Raises UsageError if there is none.
    """
    program = dispatcher.machine.program
    own = program.rules.name
    files = sorted(_files(moves=moves), key=lambda file: file[1]["game"] != own)
    board = hash_of_board(program) if files else ""
    for path, head in files:
        if head["board"] == board and head["rules"] == hash_of_rules(program, head["game"]):
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


def _files_of(program: Program) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the bundled files of positions of games of the same name, with their first lines."""
    for path, head in _files(moves=False):
        if head["game"] == program.rules.name:
            yield path, head


def _files(*, moves: bool) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the bundled files of moves or positions, with their first lines."""
    for path in map(Path, bundled_learned()):
        head = read_head(path)
        if head and "game" in head and weighs_moves(head) == moves:
            yield path, head
