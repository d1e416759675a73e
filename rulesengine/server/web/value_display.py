"""Values of positions for the page: a number, a text, and the length of a bar."""

from rulesengine.engine.drivers.search.result import SearchResult, Value
from rulesengine.language.ir.score_decided import SCALE
from rulesengine.server.web.position import steps_of

Table = dict[str, object]
_LEAD = 10  # a lead or an estimate that fills half of one side of the bar
_SURE = 1000  # the number of a certain chance


def shown_value(value: Value) -> Table:
    """Return a value from its player's point of view; `bar` is from -1 (lost) to 1 (won)."""
    bar = round(_bar(value), 3)
    return {"number": value.number, "unit": value.unit, "text": str(value), "bar": bar}


def _bar(value: Value) -> float:
    match value.unit:
        case "chance":
            return value.number / _SURE
        case "plies" | "result":
            return float((value.number > 0) - (value.number < 0))
    number = value.number / SCALE if value.unit == "mean" else value.number
    return number / (abs(number) + _LEAD)


def shown_found(found: SearchResult) -> Table:
    """Return a search result with the values of all legal moves, best first."""
    return {
        "move": str(found.move),
        "value": shown_value(found.moves[0][1]),
        "line": [str(move) for move in found.line],
        "depth": found.depth,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 3),
        "moves": [
            {
                "text": str(move),
                "steps": steps_of(move),
                "value": shown_value(value),
                "at_most": found.is_bound(move),
            }
            for move, value in found.moves
        ],
    }
