"""Values of positions for the page: a number, a text, and the length of a bar."""

from collections.abc import Callable

from rulesengine.engine.drivers.search.result import WIN, SearchResult, Value
from rulesengine.language.ir.score_decided import SCALE
from rulesengine.server.web.position import steps_of

Table = dict[str, object]
_LEAD = 10  # a lead or an estimate that fills half of one side of the bar
_CERTAIN = 1000  # the number of a certain chance
_EVEN, _CLEAR = 0.05, 0.25  # lengths of the bar from which an estimate is better, clearly better


def shown_value(
    value: Value, point: int = 1, *, is_bound: bool = False, chance: float | None = None
) -> Table:
    """Return a value from its player's point of view; `bar` is from -1 (lost) to 1 (won).

    `description` is a predicate, as in `black wins in 5 moves`. `short` has a few characters, for a
    tag on the board. `point` is the number of units of the score that make one point. With
    `is_bound` the value is an upper bound only. `chance` is the calibrated chance to win of an
    estimate, if there is one.
    """
    is_calibrated = value.unit == "estimate" and chance is not None
    bar = round(2 * chance - 1 if is_calibrated and chance is not None else _bar(value), 3)
    short, long = _words(value, bar, point)
    if is_calibrated:
        short = f"{_percent(bar)} %"
        long = f"{_comparison(bar)}, with a chance of {short} ({value.number:+})"
    if is_bound:
        short, long = _bound_words(value, short, long)
    return {
        "number": value.number,
        "unit": value.unit,
        "text": str(value),
        "short": short,
        "description": long,
        "bar": bar,
        "chance": None if chance is None else round(chance, 3),
    }


def _words(value: Value, bar: float, point: int) -> tuple[str, str]:
    """Return a few characters for a tag, and a predicate."""
    number = value.number
    match value.unit:
        case "chance":
            percent = f"{round((number / _CERTAIN + 1) * 50)} %"
            return percent, f"wins with a chance of {percent}"
        case "estimate":
            return f"{number:+}", f"{_comparison(bar)} ({number:+})"
        case "payoff" | "mean":
            return str(value).partition(" point")[0], f"gets {value}"
        case "points" if number:
            lead = f"{abs(number) / point:g} point{'s' if abs(number) != point else ''}"
            return f"{number / point:+g}", f"{'wins' if number > 0 else 'loses'} by {lead}"
    if not number:
        return "draw", "draws"
    short, long = ("win", "wins") if number > 0 else ("loss", "loses")
    if value.unit == "result":
        return short, long
    moves = WIN - abs(number)
    return f"{short} {moves}", f"{long} in {moves} move{'s' if moves != 1 else ''}"


def _percent(bar: float) -> int:
    """Return the chance of a bar in percent; an estimate is never certain."""
    return max(1, min(99, round((bar + 1) * 50)))


def _bound_words(value: Value, short: str, long: str) -> tuple[str, str]:
    """Return the words of an upper bound: a loss that may come sooner, or a value at best."""
    if value.unit == "plies" and value.number < 0:
        return short.replace(" ", " ≤"), long.replace(" in ", " in at most ")
    return f"≤{short}", f"{long} at best"


def _comparison(bar: float) -> str:
    """Return an estimate in words, from the length of its bar."""
    size, word = abs(bar), "better" if bar > 0 else "worse"
    if size < _EVEN:
        return "is about even"
    return f"is slightly {word}" if size < _CLEAR else f"is clearly {word}"


def _bar(value: Value) -> float:
    match value.unit:
        case "chance":
            return value.number / _CERTAIN
        case "plies" | "result":
            return float((value.number > 0) - (value.number < 0))
    number = value.number / SCALE if value.unit == "mean" else value.number
    return number / (abs(number) + _LEAD)


def shown_found(
    result: SearchResult, point: int, chance: Callable[[Value, str], float | None]
) -> Table:
    """Return a search result with the values of all legal moves, best first.

    `chance` returns the chance to win that a value of a named evaluation states.
    """
    best, evaluation = result.moves[0][1], result.evaluation
    return {
        "move": str(result.move),
        "value": shown_value(best, point, chance=chance(best, evaluation)),
        "line": [str(move) for move in result.line],
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 3),
        "moves": [
            {
                "text": str(move),
                "steps": steps_of(move),
                "value": shown_value(
                    value, point, is_bound=result.is_bound(move), chance=chance(value, evaluation)
                ),
                "at_most": result.is_bound(move),
            }
            for move, value in result.moves
        ],
    }
