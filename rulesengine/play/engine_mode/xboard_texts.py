"""Lines of the Chess Engine Communication Protocol: the greeting, scores and results."""

from collections.abc import Iterator

from rulesengine.engine.drivers.search.result import SearchResult
from rulesengine.game import Game
from rulesengine.play.engine_mode.options import (
    DEFAULT_OVERHEAD,
    FULL,
    MOST_OVERHEAD,
    methods,
)
from rulesengine.play.engine_mode.scores import centipawns, moves_to_end, plies_to_end
from rulesengine.play.engine_mode.variant_names import variant_in_uci, variant_in_xboard
from rulesengine.search.levels import LEVELS
from rulesengine.state import Outcome
from rulesengine.version import __version__

_MATE = 100_000  # the score of a mate, plus the moves to it
_FEATURES = "ping=1 setboard=1 playother=1 usermove=1 time=1 analyze=1 colors=0 sigint=0 sigterm=0"


def greeting(game: Game) -> Iterator[str]:
    """Yield the features and options of an engine."""
    name = f"rulesengine {__version__} {game.name}".replace('"', "")
    known = " /// ".join(f"*{each}" if each == "auto" else each for each in methods(game))
    yield "feature done=0"
    yield f'feature myname="{name}" variants="{variant_in_xboard(variant_in_uci(game))}"'
    yield f"feature {_FEATURES} memory=1 smp=1 debug=1 reuse=1"
    yield f'feature option="Level -spin {FULL} {FULL} {LEVELS}"'
    yield f'feature option="Method -combo {known}"'
    yield f'feature option="Move_Overhead -spin {DEFAULT_OVERHEAD} 0 {MOST_OVERHEAD}"'
    yield "feature done=1"


def score(result: SearchResult) -> int:
    """Return a value as the protocol writes it: a mate in N moves is 100,000 + N."""
    plies = plies_to_end(result)
    if plies is None:
        return centipawns(result)
    return moves_to_end(plies) + (_MATE if plies > 0 else -_MATE)


def result_text(game: Game, outcome: Outcome) -> str:
    """Return the result of a game, with its reason in braces."""
    reason = " ".join((outcome.reason or "by the rules").replace("}", "").split())
    if outcome.winner is None:
        return f"1/2-1/2 {{{reason}}}"
    return f"{'1-0' if outcome.winner == game.players[0] else '0-1'} {{{reason}}}"


def read_number(words: list[str]) -> int | None:
    """Return the first word as a number; None if it is none."""
    return int(words[0][:9]) if words and words[0].isascii() and words[0].isdigit() else None
