"""Games of an authority as lines of text: each move with the number and a digest of the legal ones.

A game is a line: the result and a colon, then `move/count/digest` for each ply. The digest is the
CRC-32 of the texts of the legal moves, sorted and joined by blanks. A line with `#` is a remark.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "authorities"


@dataclass(frozen=True, slots=True)
class KnownPly:
    """A move, and the number and the digest of the legal moves before it."""

    move: str
    count: int
    digest: str


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A result, such as the name of the winner, and the plies."""

    result: str
    plies: tuple[KnownPly, ...]


def to_ply(move: str, legal: Iterable[str]) -> KnownPly:
    texts = sorted(legal)
    return KnownPly(move, len(texts), f"{zlib.crc32(' '.join(texts).encode()):08x}")


def write_game(game: KnownGame) -> str:
    plies = " ".join(f"{ply.move}/{ply.count}/{ply.digest}" for ply in game.plies)
    return f"{game.result}: {plies}"


def read_games(name: str) -> Iterator[KnownGame]:
    """Yield the games of a file."""
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            result, _, plies = line.partition(":")
            yield KnownGame(result, tuple(_read_ply(text) for text in plies.split()))


def _read_ply(text: str) -> KnownPly:
    move, count, digest = text.rsplit("/", 2)
    return KnownPly(move, int(count), digest)
