"""Who makes a player's moves: a person, chance, a strategy of the spec, or a search."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import (
    LIMITS,
    TREES,
    Budget,
    level_of,
    read_budget,
    read_level,
)
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.state import Move, State

if TYPE_CHECKING:
    from rulesengine.search.searches import Searcher

    # Who searches for a player, by the player's name and the limits.
    Searchers = dict[tuple[str, str], Searcher]

HUMAN, RANDOM = "human", "random"
# The method of each kind of player that looks ahead; a budget stands behind the colon.
METHODS = MappingProxyType({"search": "auto"} | {kind: kind for kind in TREES})
# A player that estimates by what it has learned: the file, if it is not the bundled one, then
# limits behind commas.
LEARNED = "learned"
_LIMIT = f"(?:{'|'.join(LIMITS)})=[^,]*"
_BUNDLED = re.compile(rf"{LEARNED}:((?:{_LIMIT}(?:,{_LIMIT})*)?)")
_LEARNED = re.compile(rf"{LEARNED}:(.+?)((?:,{_LIMIT})*)", re.DOTALL)
_USUAL = "seconds=1"
_HINT = "search:seconds=0.5"


def seated(game: Game, given: Iterable[str], default: str = HUMAN) -> dict[str, str]:
    """Who plays for each player, from texts `NAME=human|random|STRATEGY|search:LIMITS`,
    `mcts:LIMITS` or `learned:FILE`.

    Raises UsageError.
    """
    chosen: dict[str, str] = {}
    for text in given:
        name, equals, who = text.partition("=")
        if not (name and equals and who):
            raise UsageError(f"--player: expected NAME=WHO, found `{text[:40]}`")
        if name not in game.players:
            players = ", ".join(game.players)
            raise UsageError(f"--player: no player `{name[:40]}`: there is {players}")
        if name in chosen:
            raise UsageError(f"--player: `{name}` is given twice")
        chosen[name] = who
    full = {name: chosen.get(name, default) for name in game.players}
    require_known(game, full)
    return full


def require_known(game: Game, players: Mapping[str, str]) -> None:
    """Raise UsageError unless everyone is a person, chance, a strategy of the game or a search."""
    searching = (*(f"{kind}:{_USUAL}" for kind in METHODS), f"{LEARNED}:FILE")
    known = (HUMAN, RANDOM, *game.strategies, *searching)
    for name, who in players.items():
        if budget_of(game, who) is None and who not in known:
            raise UsageError(f"{name}: nobody is called `{who[:40]}`: there is {', '.join(known)}")


def budget_of(game: Game, who: str, number: int = 0) -> Budget | None:
    """How long a player looks ahead, and by which method; None of one who does not.

    What a level takes hangs on a number of the move. Raises UsageError for a budget that is none,
    and for a file of something else.
    """
    learned = learned_by(game, who)
    if learned:
        file, limits = learned
        game.learned_in(file)
        return read_budget(limits or _USUAL, "alpha-beta")
    kind, colon, limits = who.partition(":")
    if not colon or kind not in METHODS:
        return None
    level = read_level(limits)
    if level is None:
        return read_budget(limits, METHODS[kind])
    method = METHODS[kind] if kind in TREES else game.search_method
    moves = len(game.legal_moves(game.initial_state()))
    return level_of(level, method, moves).budget(number)


def learned_by(game: Game, who: str) -> tuple[str, str] | None:
    """The file and the limits of a player who has learned.

    Raises UsageError for one who goes by the bundled file where there is none.
    """
    bundled = _BUNDLED.fullmatch(who)
    if bundled:
        return str(game.bundled_learning), bundled[1]
    found = _LEARNED.fullmatch(who)
    return (found[1], found[2].removeprefix(",")) if found else None


def hint(game: Game, state: State, seed: int, ply: int) -> Move | None:
    """A move that may be good: of the first strategy, but for that of random games, or what a
    short search finds.
    """
    strategies = [name for name in game.strategies if name != game.rules.playouts]
    return choose(game, state, strategies[0] if strategies else _HINT, seed, ply)


def choose(
    game: Game,
    state: State,
    who: str,
    seed: int,
    ply: int,
    searchers: "Searchers | None" = None,
    *,
    job: Job | None = None,
) -> Move | None:
    """The move of a player who is no person, or what chance does; None if there is no legal one.

    Chance draws from (seed, ply) alone, so that a game taken back or resumed goes on as before; so
    do searches, but for those that time ends: these keep what they have found in `searchers`. A
    `job` can stop a search.
    """
    if who == HUMAN:
        raise UsageError("a person's move cannot be chosen for him")
    budget = budget_of(game, who, seed + ply)
    if who != RANDOM and budget is None:
        return game.choose(who, state)
    moves = game.legal_moves(state)
    if moves and budget:
        wanted = {name: getattr(budget, name) for name in LIMITS}
        learned = learned_by(game, who)
        file = learned[0] if learned else None
        if searchers is not None and budget.seconds is not None:
            new = game.searcher(**wanted, method=budget.method, seed=seed, learned=file)
            return searchers.setdefault((state.mover, who), new).search(state, job=job).move
        method, seed = budget.method, seed + ply
        return game.search(state, **wanted, method=method, seed=seed, learned=file, job=job).move
    weights = game.weights(state) or [1] * len(moves)
    return moves[Generator(seed, ply).among(weights)] if moves else None
