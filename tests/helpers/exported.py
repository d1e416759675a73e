"""Exported files in tests: written once, and their engines queried in Node, without a browser."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any

from rulesengine.game import Game
from rulesengine.server.export.single_file import one_file
from rulesengine.server.export.web_kernels import PLAIN, web_kernels

NODE = which("node")
ENGINE = Path(__file__).parent / "exported_engine.mjs"
_PATIENCE = 300  # seconds

Request = tuple[str, list[Any]]


def written(game: Game, folder: Path, *parts: str) -> Path:
    """Write a file with these parts of the kernels; without a search it compiles much faster."""
    path = folder / "game.html"
    path.write_text(one_file(game, web_kernels(game, (*PLAIN, *parts))), "utf-8")
    return path


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
