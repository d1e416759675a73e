"""Exported files in tests: written once, and their engines queried in Node, without a browser."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any

from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.server.export.single_file import one_file
from rulesengine.server.export.web_kernels import PLAIN, web_kernels
from rulesengine.state import State

NODE = which("node")
ENGINE = Path(__file__).parent / "exported_engine.mjs"
_PATIENCE = 300  # seconds
_MOST = 150  # plies of a game

Request = tuple[str, list[Any]]


def written(game: Game, folder: Path, *parts: str) -> Path:
    """Write a file with these parts of the kernels; without a search it compiles much faster."""
    path = folder / "game.html"
    path.write_text(one_file(game, web_kernels(game, (*PLAIN, *parts))), "utf-8")
    return path


def line(game: Game, seed: int, most: int = _MOST) -> tuple[list[State], list[str]]:
    """Return the positions and the moves of a random game."""
    state, draw = game.initial_state(), Generator(seed, 0)
    states, moves = [state], list[str]()
    while game.outcome(state) is None and (legal := game.legal_moves(state)) and len(moves) < most:
        chosen = str(legal[draw.among(game.weights(state) or [1] * len(legal))])
        state = game.apply(state, next(move for move in legal if str(move) == chosen))
        states.append(state)
        moves.append(chosen)
    return states, moves


def responses(page: Path, requests: Sequence[Request]) -> list[Any]:
    """Return the responses of the engine in a file; an error fails the test."""
    assert NODE is not None
    given = [{"page": str(page), "requests": [{"name": n, "args": args} for n, args in requests]}]
    done = subprocess.run(
        [NODE, ENGINE],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [response["error"] for response in found if "error" in response] == []
    return [response["value"] for response in found]
