"""A game record, independent of its text format, and the hash of the rules it was played by."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulesengine.formats.values import GameResult
from rulesengine.game import Game
from rulesengine.language.ir.fingerprint import rules_text
from rulesengine.state import Outcome


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A recorded game.

    `game` is its name and `rules` the hash of its rules; both are empty if the format of the record
    does not have them. `start` is the text of its first state, or empty for the initial state of
    the game. `players` maps each player to the text of a player. `result` is None for an unfinished
    game. `forfeit` is `NAME, REASON` if the game was lost by something else than the rules.
    `stated` is the result by resignation, agreement or time of a game that is unfinished by the
    rules. `tags` are the headers of a game in another format.
    """

    game: str
    rules: str
    moves: tuple[str, ...]
    result: Outcome | None
    spec: str = ""
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    start: str = ""
    forfeit: str = ""
    stated: GameResult | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def settlement(self) -> str:
        """Return a result that is not by the rules, as a sentence; empty if there is none."""
        if self.stated:
            result = f"{self.stated.winner} wins" if self.stated.winner else "a draw"
            link = ": " if self.stated.winner else " by "
            return result + link + self.stated.reason if self.stated.reason else result
        loser, _, reason = self.forfeit.partition(", ")
        return f"{loser} loses: {reason}" if loser else ""


def rules_hash(game: Game) -> str:
    """Return the SHA-256, in hexadecimal digits, of the rules that moves and results depend on.

    These are board, pieces, start, moves, ends, scores, notation and the ranges of parameters (the
    values are fields of the record). Path, comments, layout, drawing, pictures, strategies and
    script are not included.
    """
    return hashlib.sha256(rules_text(game.rules).encode()).hexdigest()
