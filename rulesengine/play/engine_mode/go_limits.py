"""The arguments of `go` in UCI and the protocols derived from it, as limits of a search."""

import re
from collections.abc import Callable

from rulesengine.play.engine_mode.session import Clock, SearchLimits
from rulesengine.play.engine_mode.uci_dialects import Dialect
from rulesengine.state import Move
from rulesengine.support.frozen import record, replace

_NUMBERS = frozenset("movestogo depth nodes mate movetime perft byoyomi".split())
_WHOLE = re.compile(r"-?[0-9]+")
_FLAGS = frozenset({"infinite", "ponder", "searchmoves"})


@record
class GoLimits:
    """The arguments of `go`.

    - `search` has the limits of the search.
    - `after_hit` has those that count from `ponderhit` on.
    - `perft` is the depth of a count, 0 without one.
    """

    search: SearchLimits
    after_hit: SearchLimits
    perft: int = 0


def read_go(
    words: list[str],
    dialect: Dialect,
    side: int,
    unit: int,
    find: Callable[[str], Move | None],
) -> GoLimits:
    """Read the arguments of `go`; unknown ones are ignored.

    `unit` is the number of units of time in a second, and `find` returns the move of a text.
    """
    numbers: dict[str, int] = {}
    flags, among, at = set[str](), list[Move](), 0
    known = _NUMBERS | set(dialect.clocks)
    while at < len(words):
        word, at = words[at], at + 1
        if word in known and at < len(words) and _WHOLE.fullmatch(words[at]):
            numbers[word], at = int(words[at][:18]), at + 1
        elif word in _FLAGS:
            flags.add(word)
        elif "searchmoves" in flags and (move := find(word)) is not None:
            among.append(move)
    waits = bool(flags & {"infinite", "ponder"})
    full = _limits(numbers, dialect, side, unit)
    allowed = frozenset(among)
    search = SearchLimits(among=allowed, waits=True) if waits else replace(full, among=allowed)
    return GoLimits(search, full, max(numbers["perft"], 1) if "perft" in numbers else 0)


def _limits(numbers: dict[str, int], dialect: Dialect, side: int, unit: int) -> SearchLimits:
    plies = numbers.get("depth") or (2 * numbers["mate"] - 1 if numbers.get("mate") else None)
    seconds = numbers["movetime"] / 1000 if "movetime" in numbers else None
    clock = None if seconds is not None else _clock(numbers, dialect, side, unit)
    return SearchLimits(seconds, clock, numbers.get("nodes"), plies)


def _clock(numbers: dict[str, int], dialect: Dialect, side: int, unit: int) -> Clock | None:
    """Return the clock of the player to move; None if the client sends none."""
    at = 0 if dialect.own_clock else side
    left, more = dialect.clocks[at], dialect.clocks[at + 2]
    byoyomi = numbers.get("byoyomi", 0) / unit
    if left not in numbers and not byoyomi:
        return None
    seconds = numbers.get(left, 0) / unit
    # A move that is within the byoyomi costs no time of the clock.
    if byoyomi and seconds <= byoyomi:
        return Clock(seconds + byoyomi, 0.0, 1)
    return Clock(seconds, numbers.get(more, 0) / unit + byoyomi, numbers.get("movestogo"))
