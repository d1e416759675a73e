"""The four programs of the documents by the names of their specs, and their transcripts."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles import acm92, aps105, bio04, bio97

DATA = Path(__file__).parent.parent / "data"

PROGRAMS: dict[str, Callable[..., tuple[bytes, int]]] = {
    "bio97-othello": bio97.run,
    "acm92-othello": acm92.run,
    "aps105-reversi": aps105.run,
    "bio04-four-in-a-line": bio04.run,
}


@dataclass(frozen=True, slots=True)
class Transcript:
    """A run of a document: `blank_lines` is true if the document's own are intact."""

    name: str
    spec: str
    parameters: dict[str, Any]
    input: bytes
    output: bytes
    exit: int
    blank_lines: bool
    source: str


def transcripts() -> list[Transcript]:
    """Read all runs of `data/transcripts`, by name."""
    folder = DATA / "transcripts"
    return [_transcript(folder, e) for e in json.loads((folder / "index.json").read_text())]


def _transcript(folder: Path, entry: dict[str, Any]) -> Transcript:
    entry["input"] = (folder / entry["input"]).read_bytes()
    entry["output"] = (folder / entry["output"]).read_bytes()
    return Transcript(**entry)


def without_blank_lines(output: bytes) -> list[str]:
    return [line for line in output.decode().split("\n") if line]
