"""Settings, budgets and results of searches."""

import re
from collections.abc import Callable, Iterator
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal

from rulesengine.engine.drivers.search.layout import CERTAIN, DEEPEST, MOST, STAKE, WON
from rulesengine.errors import UsageError
from rulesengine.language.ir.score_decided import SCALE
from rulesengine.state import Move
from rulesengine.support.frozen import field, record
from rulesengine.support.validate import check_number, check_text, excerpt

if TYPE_CHECKING:
    from fractions import Fraction

# A game won at once; each ply until the end subtracts 1.
WIN = 10**6
LIMITS = ("seconds", "nodes", "plies", "playouts")
NOISE = "noise"  # of a choice; see `Budget`
TREES = ("mcts", "uct", "grave")  # tree search: chosen by the game, plain UCT, GRAVE
WEIGHING = ("mcts", "grave")  # tree search that takes weights of moves
METHODS = ("auto", "alpha-beta", *TREES)
IS_MCTS = "is-mcts"  # the method for games with hidden information
DUCT = "duct"  # decoupled UCT, for games with simultaneous moves and nothing else hidden
INFORMED = (IS_MCTS, DUCT)  # the methods that search information states
EVALUATIONS = ("rules", "fitted", "learned")
FITTED_BY_PLAYOUTS = "the evaluation `fitted` is for alpha-beta, which plays no random games"
MOST_NOISE = 100
MOST_COUNT = 1 << 62  # the greatest limit of nodes or playouts
_WHOLE = re.compile(r"[0-9]{1,15}")
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,6})?")
Unit = Literal["points", "plies", "estimate", "chance", "result", "payoff", "mean"]


@record
class Value:
    """The value of a position for the side to move, with its unit.

    - `points`: the score difference at the end of the game.
    - `plies`: a positive number is a win, a negative one a loss, 0 a draw. Its size is `WIN` minus
      the plies to the end; a search limited by nodes or time may report more plies than necessary.
    - `estimate`: the static evaluation of the game, which is not exact.
    - `chance`: from -1000 for a loss to 1000 for a win. It is estimated by playouts, where -1000
      and 1000 are exact; after alpha-beta it is the mean over chance of a game that was searched to
      its end.
    - `result`: 1 for a win, -1 for a loss, 0 for a draw.
    - `payoff`: the payoff or score of a single player at the end of the game.
    - `mean`: an estimate of that payoff, in thousandths.
    """

    number: int
    unit: Unit

    def __str__(self) -> str:
        if self.unit == "points":
            return f"{self.number:+} points" if abs(self.number) != 1 else f"{self.number:+} point"
        if self.unit == "payoff":
            return points_text(self.number)
        if self.unit == "mean":
            return f"about {self.number / SCALE:.3f}".rstrip("0").rstrip(".") + " points"
        if self.unit == "chance":
            return f"{self.number / 10:+.1f} %"
        if self.unit == "estimate":
            return f"{self.number:+}"
        if self.number == 0:
            return "draw"
        if self.unit == "result":
            return "won" if self.number > 0 else "lost"
        return f"{'win' if self.number > 0 else 'loss'} in {WIN - abs(self.number)}"


def points_text(points: object) -> str:
    """Return the payoff of a single player with its unit."""
    return f"{points} points" if points not in (1, -1) else f"{points} point"


@record
class Variation:
    """One of the best moves with its principal variation.

    - `move` is the move.
    - `value` is its value for the side to move, in the unit `unit` (see `Value`), never a bound.
    - `line` is the principal variation; it begins with the move.
    - `depth` is the depth of the iteration that the value is from, or the length of the line after
      tree search.
    """

    move: Move
    value: int
    unit: Unit
    line: tuple[Move, ...]
    depth: int


@record
class SearchResult:
    """The result of a search.

    - `move` is the best move.
    - `value` is its value for the side to move, in the unit `unit` (see `Value`).
    - `line` is the principal variation.
    - `nodes` is the number of positions searched.
    - `depth` is the depth of the last completed iteration, in plies.
    - `moves` are the searched root moves with their values, best first. If `bounded`, as after
      alpha-beta, the values of moves that are not among `best` are upper bounds.
    - `whole` is true if nothing was estimated.
    - `best` are the moves with the best value, the first one first. With `ties` these are all.
    - `depths` are the depths of the rounds that the values of `moves` are from; empty after a tree
      search. If the budget ends within a round, some values are from the round before.
    - `evaluation` is the name of the static evaluation, one of `EVALUATIONS`.
    - `quiescence_nodes` is the number of positions searched by quiescence search, part of `nodes`.
    - `lines` are the variations of the best moves, best first, as many as were requested. If the
      budget ends within an iteration, the last ones are from the iteration before.
    """

    move: Move
    value: int
    unit: Unit
    line: tuple[Move, ...]
    nodes: int
    depth: int
    seconds: float
    moves: tuple[tuple[Move, Value], ...]
    whole: bool
    best: tuple[Move, ...] = ()
    bounded: bool = False
    depths: tuple[int, ...] = ()
    evaluation: str = "rules"
    quiescence_nodes: int = 0
    lines: tuple[Variation, ...] = ()

    def is_bound(self, move: Move) -> bool:
        """True if the value of a move is only an upper bound."""
        return self.bounded and move not in self.best and not self._has_line(move)

    def _has_line(self, move: Move) -> bool:
        """True if the value of a move is that of a variation, from the same iteration."""
        depth = next((line.depth for line in self.lines if line.move == move), None)
        return any(
            searched == depth and other == move
            for (other, _), searched in zip(self.moves, self.depths, strict=True)
        )


Result = Literal["win", "loss", "draw"]


@record
class MoveProbabilities:
    """The strategy of a player in one information set.

    - `player` is the name of the player.
    - `information` describes the information set.
    - `moves` are the moves with their probabilities.
    """

    player: str
    information: str
    moves: tuple[tuple[str, float], ...]


@record
class Equilibrium:
    """An approximate equilibrium of a game, and its value for the first player.

    - `player` is the name of the first player.
    - `at_least` and `at_most` bound the value: a best response to the average strategy of a player
      proves each. They are None after a sampled search, which proves no bound.
    - `estimate` is an estimate of the value: the mean of the bounds if they are known.
    - `is_precise` is true if the bounds are as near as requested.
    - `histories` is the number of nodes of the tree, or of visited nodes of a sampled search.
    - `information_sets` is the number of information sets of both players.
    - `iterations` is the number of updates of both players.
    - `seconds` is the time taken.
    - `source` computes the strategies.
    """

    player: str
    at_least: float | None
    at_most: float | None
    estimate: float | None
    is_precise: bool
    histories: int
    information_sets: int
    iterations: int
    seconds: float
    source: Callable[[], Iterator[MoveProbabilities]] = field(repr=False, compare=False)

    @property
    def strategies(self) -> tuple[MoveProbabilities, ...]:
        """Return the average strategies of both players: a row for each information set."""
        return tuple(self.source())


@record
class Solved:
    """The exact value of a position, or bounds of it if the budget did not suffice.

    - `value` is the result for the side to move under best play; None if the budget did not
      suffice.
    - `score` is the final score difference for that side in a game of points, else None.
    - `move` is a best move, and `line` the principal variation.
    - `distance` is the number of plies to the end, minimal for the winner and maximal for the
      loser. It is None in games of points, in draws, and where only the value was computed.
    - `nodes` is the number of positions searched.
    - `at_least` and `at_most` are bounds of a value that was not found.
    - `depth` is the search depth of such a value; an exact value has none.
    - `memory` is the size of the tables in megabytes, if less was allocated than requested.
    - `endless` is true if chance may return to an earlier position; such a game is not searched to
      its end.
    - `is_single` is true in games of one player. There `score` is the payoff or score at the end,
      and `value` its sign. `score_at_least` and `score_at_most` are its known bounds; `line` leads
      to an end with the lower bound.
    - `expected` is the greatest expected payoff of a single player in a game with chance. Without
      payoffs and scores a win counts as 1 and a loss as -1. With more players it is the mean result
      for the side to move, rounded to thousandths. A sure win or loss has none.
    - `equilibrium` has the value and the strategies of a game with hidden information, else None.
    """

    value: Result | None
    score: int | None
    move: Move | None
    distance: int | None
    line: tuple[Move, ...]
    nodes: int
    depth: int | None
    seconds: float
    at_least: Result = "loss"
    at_most: Result = "win"
    memory: int | None = None
    endless: bool = False
    is_single: bool = False
    score_at_least: int | None = None
    score_at_most: int | None = None
    expected: "Fraction | None" = None
    equilibrium: Equilibrium | None = None


def solved(result: SearchResult) -> Solved:
    """Return the exact part of the result of a search."""
    certain = result.unit in ("points", "plies")
    value: Result | None = None
    if certain:
        value = "win" if result.value > 0 else "loss" if result.value < 0 else "draw"
    points, plies = result.unit == "points", result.unit == "plies" and result.value != 0
    distance = WIN - abs(result.value) if plies else None
    # A win beyond the next depth, in a round that was not completed, may take more plies than
    # necessary.
    is_exact = distance is not None and distance <= result.depth + 1
    mean = None
    if result.whole and result.unit == "chance":
        from fractions import Fraction

        mean = Fraction(result.value, SCALE)
    return Solved(
        value,
        result.value if points and result.whole else None,
        result.move if certain or mean is not None else None,
        distance if is_exact else None,
        result.line if certain else (),
        result.nodes,
        None if certain or mean is not None else result.depth,
        result.seconds,
        expected=mean,
    )


@record
class Learning:
    """The state of a learning run: all `games` played, the `new` ones, the number of `patterns`,
    and the number of `entries` in their tables.
    """

    games: int
    new: int
    patterns: int
    entries: int


@record
class Settings:
    """Resources of a search: table size in megabytes, seed, threads.

    - `keeps`: reuse the transposition table of the previous search. With a budget of nodes each
      search starts with an empty table, which makes its result depend on the position alone.
    - `solves`: treat positions equivalent under symmetry as one. Estimates may differ between such
      positions.
    - `ties`: find all moves with the best value by alpha-beta, not only the first.
    - `evaluation`: the name of the static evaluation, empty for the default.
    - `score`: a solver always searches for the distance to the end.
    - `lines`: the number of best moves with a principal variation and a value that is no bound.
    - `root_moves`: the moves of the root that are searched, all if it is empty.
    """

    memory: int | None = None
    seed: int = 0
    threads: int = 1
    keeps: bool = False
    solves: bool = False
    ties: bool = False
    evaluation: str = ""
    score: bool = False
    lines: int = 1
    root_moves: frozenset[Move] = frozenset()

    def checked(self) -> "Settings":
        """Return the settings; raise UsageError for a value of a wrong type or range."""
        check_number("number of threads", self.threads, 1)
        check_number("seed", self.seed)
        check_number("number of lines", self.lines, 1)
        check_text("name of an evaluation", self.evaluation)
        if self.memory is not None:
            check_number("number of megabytes", self.memory, 1)
        return self


@record
class Budget:
    """The limits of a search; the first one reached ends it, and None is no limit.

    - `noise` has the search choose by values with noise: its standard deviation is so many times
      the mean deviation of the values.
    - `evaluation` is the name of the evaluation that a level uses, empty for the default.
    """

    seconds: float | None = None
    nodes: int | None = None
    plies: int | None = None
    playouts: int | None = None
    method: str = "auto"
    noise: float = 0.0
    evaluation: str = ""

    @property
    def is_timed(self) -> bool:
        """True if time is the only limit, so that any method may be used."""
        counted = (self.nodes, self.plies, self.playouts)
        return self.method == "auto" and counted == (None, None, None)

    def checked(self) -> "Budget":
        """Return the budget; raise UsageError if it has no limit or an invalid one."""
        limits = {name: getattr(self, name) for name in LIMITS}
        if all(limit is None for limit in limits.values()):
            raise UsageError(f"say how long to search: {', '.join(LIMITS[:-1])} or {LIMITS[-1]}")
        check_method(self.method)
        limited = [name for name in ("nodes", "plies") if limits[name] is not None]
        if limited and (self.playouts is not None or self.method in (*TREES, *INFORMED)):
            raise UsageError(f"random games are counted by playouts, not by {limited[0]}")
        if self.playouts is not None and self.method == "alpha-beta":
            raise UsageError("alpha-beta counts nodes and plies: it plays no playouts")
        if self.evaluation == "fitted" and (self.playouts is not None or self.method in TREES):
            raise UsageError(FITTED_BY_PLAYOUTS)
        for name, limit in limits.items():
            check_limit(name, limit)
        noise: object = self.noise
        is_number = isinstance(noise, int | float) and not isinstance(noise, bool)
        if not is_number or not 0 <= self.noise <= MOST_NOISE:
            raise UsageError(f"`noise` is a number from 0 to {MOST_NOISE}, found {noise!r:.40}")
        return self


def check_method(name: object) -> None:
    """Raise UsageError for a name that no search method has."""
    if name not in (*METHODS, *INFORMED):
        known = ", ".join((*METHODS, *INFORMED))
        raise UsageError(f"no method `{str(name)[:40]}`: there is {known}")


def check_limit(name: str, limit: Any) -> None:
    """Raise UsageError for an invalid limit of a search; None is no limit."""
    if limit is None:
        return
    kind, number = ("number", Real) if name == "seconds" else ("whole number", Integral)
    is_number = isinstance(limit, number) and not isinstance(limit, bool)
    if not is_number:
        raise UsageError(f"the limit of {name} is a {kind}, found {excerpt(limit)}")
    if not limit > 0:
        raise UsageError(f"a search needs more than 0 {name}, found {excerpt(limit)}")
    if name == "plies" and limit > DEEPEST:
        raise UsageError(f"a search goes at most {DEEPEST} plies deep, found {excerpt(limit)}")
    if isinstance(limit, Integral) and int(limit) > MOST_COUNT:
        raise UsageError(f"a search has at most {MOST_COUNT} {name}, found {excerpt(limit)}")


def read_budget(text: str, method: str = "auto") -> Budget:
    """Parse a budget such as `seconds=0.5,plies=6`. Raises UsageError."""
    limits: dict[str, float] = {}
    for part in text.split(",") if text else ():
        name, _, number = part.partition("=")
        if name == "level":
            raise UsageError(f"a level is a whole number without other limits, found `{text[:40]}`")
        if name not in (*LIMITS, NOISE):
            known = ", ".join(f"{word}=N" for word in (*LIMITS, NOISE))
            expected = f"level=N, or {known} or evaluation=NAME with commas between them"
            raise UsageError(f"expected {expected}, found `{part[:40]}`")
        if name in limits:
            raise UsageError(f"the limit `{name}` is given twice")
        is_whole = name in ("nodes", "plies", "playouts")
        if not (_WHOLE if is_whole else _NUMBER).fullmatch(number):
            kind = "whole number" if is_whole else "number"
            raise UsageError(f"the limit of {name} is a {kind}, found `{number[:40]}`")
        limits[name] = int(number) if is_whole else float(number)
    return Budget(**limits, method=method).checked()  # type: ignore[arg-type]


def payoff_of(number: int, unit: int, *, whole: bool) -> Value:
    """Convert a search value to a `Value` of a single player; `unit` is that of the search.

    A number without a payoff is that of a position from which no end is reached.
    """
    if number <= -MOST:
        return Value(-1, "result")
    if whole and number % unit == 0:
        return Value(number // unit, "payoff")
    return Value(number * SCALE // unit, "mean")


def value_of(number: int, *, points: bool, whole: bool) -> Value:
    """Convert a search value to a `Value`; `whole` if nothing below it was estimated.

    A number between a draw and a sure result is then a mean of results over chance, of `STAKE` for
    a win.
    """
    if number == 0 and whole:
        return Value(0, "points" if points else "plies")
    if abs(number) < CERTAIN:
        is_mean = whole and not points
        return Value(number * SCALE // STAKE, "chance") if is_mean else Value(number, "estimate")
    size = abs(number) - WON if points else WIN - (WON - abs(number))
    return Value(size if number > 0 else -size, "points" if points else "plies")
