"""Results in Portable Game Notation: `1-0`, `0-1`, `1/2-1/2` and `*`.

A draw is also read as `½-½`, with a hyphen or a dash. Portable Draughts Notation has results with
two points for a win too, such as `2-0`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rulesengine.formats.options import option
from rulesengine.formats.values import GameResult
from rulesengine.language.ir.program import Program

UNFINISHED, DRAWN = "*", "1/2-1/2"
_WON = ("1-0", "0-1")
# The results with two points for a win, and those with one.
_TWO_POINTS: Mapping[str, str] = MappingProxyType(
    {"2-0": "1-0", "0-2": "0-1", "1-1": DRAWN, "0-0": UNFINISHED}
)
_HALVES: Mapping[str, str] = MappingProxyType({"½-½": DRAWN, "½–½": DRAWN})


def order_of_results(players: tuple[str, ...]) -> tuple[str, ...]:
    """Return the players in the order of `1-0`: `white` first, else the order of the game."""
    return players[::-1] if len(players) == len(_WON) and players[1] == "white" else players


def names_of_players(program: Program, players: Sequence[str]) -> tuple[str, ...]:
    """Return the headers with the names of the players, in the order of `1-0`."""
    usual = ("White", "Black") if len(players) == len(_WON) else players
    declared = dict(option(program, "pgn", "players", ()))
    named = zip(players, usual, strict=True)
    return tuple(declared.get(player, (name,))[0] for player, name in named)


def one_point_result(text: str) -> str:
    """Return a result with one point for a win, in ASCII; any other text is returned stripped."""
    text = text.strip()
    return _TWO_POINTS.get(text) or _HALVES.get(text, text)


def read_result(text: str, players: tuple[str, ...], reason: str = "") -> GameResult | None:
    """Return the result of a text; None for `*` and any other text."""
    text = one_point_result(text)
    if text == DRAWN:
        return GameResult(None, reason)
    if text in _WON and len(players) == len(_WON):
        return GameResult(players[_WON.index(text)], reason)
    return None


def result_text(result: GameResult | None, players: tuple[str, ...]) -> str:
    """Return the text of a result; `*` for an unfinished game and for more than two players."""
    if result is None or len(players) != len(_WON):
        return UNFINISHED
    return DRAWN if result.winner is None else _WON[players.index(result.winner)]
