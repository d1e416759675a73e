"""Copies of specs that must load forever, each with its meaning at the time of the copy.

`python -m tests.helpers.freeze` freezes the bundled specs that are not frozen yet. Frozen files are
never rewritten: a change that breaks one breaks the specs of users.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from rulesengine import Game, load
from rulesengine.engine.drivers.random import Generator
from rulesengine.state import State
from rulesengine.support.resources import bundled_names, bundled_path

FROZEN = Path(__file__).parents[1] / "data" / "frozen"
# One folder for each version of the language.
VERSION = FROZEN / "1"
PLIES = 40
NODES = 2_000
# A frozen spec extends frozen ones only.
_EXTENDS = re.compile(r"^(extends: *)([a-z0-9-]+)(?= *$)", re.MULTILINE)


def main() -> int:
    VERSION.mkdir(parents=True, exist_ok=True)
    for name in bundled_names():
        spec = VERSION / f"{name}.yaml"
        if not spec.exists():
            text = bundled_path(name).read_text(encoding="utf-8")
            spec.write_text(_EXTENDS.sub(r"\1./\2.yaml", text), encoding="utf-8")
        if not spec.with_suffix(".json").exists():
            text = json.dumps(record(load(spec)), indent=1, ensure_ascii=False)
            spec.with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")
            sys.stdout.write(f"{name}\n")
    return 0


def record(game: Game) -> dict[str, Any]:
    """Return the observable facts of a game: names, counts of moves, the first random game."""
    state, draw, moves = game.initial_state(), Generator(1, 0), list[str]()
    while len(moves) < PLIES and (legal := game.legal_moves(state)):
        move = legal[draw.below(len(legal))]
        moves.append(move.text)
        state = game.apply(state, move)
    outcome = game.outcome(state)
    return {
        "name": game.name,
        "players": list(game.players),
        "parameters": game.parameters,
        "strategies": list(game.strategies),
        "cells": " ".join(game.program.form.cells),
        "perft": _counts(game),
        "start": _lines(game.initial_state()),
        "moves": " ".join(moves),
        "state": _lines(state),
        "outcome": [outcome.winner, outcome.reason, outcome.scores] if outcome else None,
    }


def _lines(state: State) -> list[str]:
    """Return the board and all values that differ from the start, without earlier positions."""
    return [line for line in str(state).splitlines() if not line.startswith("before:")]


def _counts(game: Game) -> list[int]:
    """Return the perft counts at depths 1, 2, …, while they are small."""
    counts: list[int] = []
    while len(counts) < 4:
        count = game.perft(len(counts) + 1)
        counts.append(count)
        if count * count > NODES:
            break
    return counts


if __name__ == "__main__":
    sys.exit(main())
