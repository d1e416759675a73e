"""Moves of the built-in players: random moves, strategies of the spec, and searches.

A player that searches is a text such as `search:seconds=1`, `search:nodes=500,evaluation=fitted` or
`learned:FILE,nodes=1000`.
"""

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import (
    EVALUATIONS,
    INFORMED,
    LIMITS,
    NOISE,
    TREES,
    Budget,
    read_budget,
)
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.players.base import HUMAN, RANDOM
from rulesengine.search.imperfect_information.information_searcher import require_sampled
from rulesengine.search.levels import read_level
from rulesengine.state import Move, State
from rulesengine.support.frozen import replace
from rulesengine.support.validate import check_choice

if TYPE_CHECKING:
    from rulesengine.search.searches import Searcher

    # The searcher of each player that is limited by time, by the player's name and text.
    Searchers = dict[tuple[str, str], Searcher]

# The search method of each kind of player that searches; its limits follow a colon.
SEARCH = "search"
METHODS = MappingProxyType({SEARCH: "auto"} | {kind: kind for kind in (*TREES, *INFORMED)})
# A player that searches with a learned evaluation: a file, by default the bundled one, and limits
# after commas.
LEARNED, RULES = "learned", "rules"
_LIMIT = f"(?:{'|'.join((*LIMITS, NOISE))})=[^,]*"
_BUNDLED = re.compile(rf"{LEARNED}:((?:{_LIMIT}(?:,{_LIMIT})*)?)")
_LEARNED = re.compile(rf"{LEARNED}:(.+?)((?:,{_LIMIT})*)", re.DOTALL)
_EVALUATION = "evaluation="
_DEFAULT = "seconds=1"
_HINT = "search:seconds=0.5"
_DEEP = 40  # plies that are worth every kernel


def budget_of(game: Game, text: str, number: int = 0) -> Budget | None:
    """Return the search budget and method of a player; None for a player that does not search.

    The budget of a level depends on the `number` of the move. Raises UsageError for invalid limits,
    and for a file that does not contain a learned evaluation.
    """
    learned = learned_by(game, text)
    if learned:
        file, limits = learned
        method = "grave" if _counts_playouts(limits) else "alpha-beta"
        if method == "alpha-beta":
            game.learned_in(file)
        return replace(read_budget(limits or _DEFAULT, method), evaluation=LEARNED)
    kind, colon, limits = text.partition(":")
    if not colon or kind not in METHODS:
        return None
    limits, evaluation = _without_evaluation(limits)
    level = read_level(limits)
    if level is None:
        budget = replace(read_budget(limits, METHODS[kind]), evaluation=evaluation)
        if is_informed(game, budget):
            require_sampled(budget)
    else:
        budget = game.level(level, method=METHODS[kind]).budget(number)
        budget = replace(budget, evaluation=evaluation or budget.evaluation)
    if budget.evaluation and is_informed(game, budget):
        raise UsageError("a search by random games has no `evaluation`")
    plays = budget.method in TREES or budget.playouts is not None
    if plays and budget.evaluation not in ("", RULES, LEARNED):
        name = budget.evaluation
        raise UsageError(f"the evaluation `{name}` is for alpha-beta, which plays no random games")
    return budget


def is_informed(game: Game, budget: Budget) -> bool:
    """True if a player with a budget searches its information state, not the state."""
    return game.is_hidden or budget.method in INFORMED


def _without_evaluation(limits: str) -> tuple[str, str]:
    """Return the other limits of a player, and the name of its evaluation, empty for the default.

    Raises UsageError.
    """
    parts = limits.split(",")
    names = [part.removeprefix(_EVALUATION) for part in parts if part.startswith(_EVALUATION)]
    if not names:
        return limits, ""
    if len(names) > 1:
        raise UsageError("the limit `evaluation` is given twice")
    check_choice("evaluation", names[0][:40], EVALUATIONS)
    return ",".join(part for part in parts if not part.startswith(_EVALUATION)), names[0]


def learned_by(game: Game, text: str) -> tuple[str, str] | None:
    """Return the file and the limits of a player with a learned evaluation; None for others.

    Raises UsageError if the bundled file is requested and the game has none.
    """
    bundled = _BUNDLED.fullmatch(text)
    if bundled:
        return str(game.bundled_learning), bundled[1]
    match = _LEARNED.fullmatch(text)
    return (match[1], match[2].removeprefix(",")) if match else None


def _counts_playouts(limits: str) -> bool:
    """True if limits are those of tree search, which takes weights of moves."""
    return any(limit.startswith("playouts=") for limit in limits.split(","))


def plies_of_move(game: Game, text: str, length: int) -> dict[str, float]:
    """Estimate the plies that a move of a player takes, by part of the kernels.

    `length` is the number of plies of a game. It is empty for players that are limited by time, and
    for those that do not compute.
    """
    if text in game.strategies:
        number = game.strategies.index(text)
        search = game.program.rules.strategies[number].search
        moves = len(game.legal_moves(game.initial_state()))
        if search is None:
            return {f"choose {number}": float(moves)}
        from rulesengine.search.searches import budget_of as budget_of_strategy

        budget = budget_of_strategy(search)
    else:
        parsed = budget_of(game, text)
        if not parsed:
            return {}
        budget = parsed
    name = budget.evaluation or game.evaluation_choice.name
    return _plies_of(game, budget, lambda: _part_of(game, name, text), length)


def _part_of(game: Game, evaluation: str, text: str) -> str:
    """Return the part of kernels of a player that searches by a named evaluation."""
    if evaluation == RULES:
        return "search"
    if evaluation == "fitted":
        return "fitted" if len(game.players) > 1 else "learned"
    named = learned_by(game, text)
    return game.learned_in(named[0] if named else game.bundled_learning).part


def _plies_of(
    game: Game, budget: Budget, part_of: Callable[[], str], length: int
) -> dict[str, float]:
    """Estimate the plies of a move; `part_of` returns the part of kernels of alpha-beta."""
    if is_informed(game, budget):
        return {"singles": float((budget.playouts or 0) * length)} if budget.playouts else {}
    if budget.playouts is not None:
        is_default = not budget.evaluation and budget.method != "uct"
        weighs = is_default and game.evaluation_choice.weighs_moves
        part = "guided" if weighs or budget.evaluation == LEARNED else "tree"
        return {part: float(budget.playouts * length)}
    if budget.nodes is not None:
        return {part_of(): float(budget.nodes)}
    if budget.plies is not None and budget.seconds is None:
        moves = len(game.legal_moves(game.initial_state()))
        return {part_of(): float(max(moves, 2)) ** min(budget.plies, _DEEP)}
    return {}


def names_file(argument: str) -> bool:
    """True if a `learned:` player with this argument reads a file of the user's."""
    return _BUNDLED.fullmatch(f"{LEARNED}:{argument}") is None


def hint(game: Game, state: State, seed: int, ply: int) -> Move | None:
    """Return a move of the first strategy that is not for playouts, or of a short search."""
    strategies = [name for name in game.strategies if name != game.rules.playouts]
    return choose(game, state, strategies[0] if strategies else _HINT, seed, ply)


def choose(
    game: Game,
    state: State,
    text: str,
    seed: int,
    ply: int,
    searchers: "Searchers | None" = None,
    *,
    job: Job | None = None,
) -> Move | None:
    """Return the move of a built-in player other than a person, or a chance event.

    Returns None if there is no legal move. Chance draws from (seed, ply) alone, so a game continues
    identically after undo or resume. The same holds for searches, except those limited by time,
    which reuse their results in `searchers`. A `job` can cancel a search.
    """
    if text == HUMAN:
        raise UsageError("a person's move cannot be chosen by the engine")
    budget = budget_of(game, text, seed + ply)
    if text != RANDOM and budget is None:
        return game.choose(text, state)
    moves = game.legal_moves(state)
    if moves and budget:
        wanted: dict[str, Any] = {name: getattr(budget, name) for name in (*LIMITS, NOISE)}
        learned = learned_by(game, text)
        file = learned[0] if learned else None
        name = budget.evaluation
        if searchers is not None and budget.seconds is not None:
            new = game.searcher(
                **wanted, method=budget.method, seed=seed, learned=file, evaluation=name
            )
            return searchers.setdefault((state.mover, text), new).search(state, job=job).move
        named: dict[str, Any] = {
            **wanted,
            "method": budget.method,
            "seed": seed + ply,
            "evaluation": name,
        }
        return game.search(state, **named, learned=file, job=job).move
    weights = game.weights(state) or [1] * len(moves)
    return moves[Generator(seed, ply).among(weights)] if moves else None
