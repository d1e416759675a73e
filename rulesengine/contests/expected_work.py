"""Estimates of the work of a contest in plies, by the part of the kernels that does it.

The engine `auto` compares them with the time to compile.
"""

from collections.abc import Iterable, Mapping, Sequence

from rulesengine.engine.kernel.game_sample import sample_game
from rulesengine.engine.kernel.selection import TYPICAL_PLIES
from rulesengine.game import Game
from rulesengine.play.players import plies_of_move
from rulesengine.support.frozen import record

_MOST_SAMPLED = 200  # plies of the game that shows how long games are
_CALLS = 2.0  # plies of single calls for each ply of a game: of the referee and of the players


@record
class Games:
    """Games between players, given as texts by seat; `judge` is the playouts per position."""

    players: tuple[str, ...]
    count: int
    judge: int = 0


def counted_plies(game: Game, games: int) -> dict[str, float]:
    """Return the plies of random games that a kernel counts."""
    return {"playouts": games * _length(game)} if game.engine == "auto" else {}


def expected_plies(
    game: Game, groups: Iterable[Games], *, measures: bool = False
) -> dict[str, float]:
    """Return the plies of games played move by move; with `measures` each game is measured too.

    It is empty unless the engine is `auto`.
    """
    if game.engine != "auto":
        return {}
    length, expected = _length(game), dict[str, float]()
    for group in groups:
        plies = float(group.count * length)
        _add(expected, {"singles": _CALLS + measures}, plies)
        if group.judge:
            part = game.searcher(playouts=group.judge, method="mcts").part
            _add(expected, {part: float(group.judge * length)}, plies)
        for text in group.players:
            _add(expected, plies_of_move(game, text, length), plies / len(group.players))
    return {part: plies for part, plies in expected.items() if plies}


def batch_plies(game: Game, games: int, playouts: int) -> dict[str, float]:
    """Return the plies of games of a batch, each position valued by `playouts` playouts."""
    if game.engine != "auto":
        return {}
    length = _length(game)
    part = "halves" if game.actions.splits else "batch"
    return {part: float(games * length * (1 + playouts * length))}


def between_pairs(players: Sequence[str], games: int) -> list[Games]:
    """Return `games` games for each pair of players."""
    pairs = len(players) * (len(players) - 1) // 2
    return [Games(tuple(players), games * pairs)]


def _length(game: Game) -> int:
    return sample_game(game.machine, _MOST_SAMPLED, TYPICAL_PLIES).plies


def _add(totals: dict[str, float], more: Mapping[str, float], times: float) -> None:
    for part, plies in more.items():
        totals[part] = totals.get(part, 0.0) + times * plies
