"""Cached trials of search methods: match results for a game."""

import json
from itertools import starmap

from rulesengine.language.ir.json_table import pack
from rulesengine.language.ir.program import Program
from rulesengine.support.cache import Cache, digest
from rulesengine.support.frozen import record
from rulesengine.support.resources import stamp_below

SOURCES = ("engine/drivers", "engine/evaluation", "engine/patterns", "search")  # of a trial
_KIND, _ANY = "trial", "trials"


@record
class Match:
    """The result of a match between two methods: two points for a win, one for a draw."""

    methods: tuple[str, str]
    points: tuple[int, int]

    @property
    def games(self) -> int:
        return sum(self.points) // 2

    def __str__(self) -> str:
        (one, other), (won, lost) = self.methods, self.points
        return f"{one} {won / 2:g}, {other} {lost / 2:g}"


@record
class Trial:
    """The method that suits a game, and the matches that selected it.

    It depends on the program alone: the searches are limited by counts, and the seeds are fixed.
    """

    method: str
    matches: tuple[Match, ...] = ()

    @property
    def results(self) -> str:
        """Return the results of the matches."""
        return "; ".join(map(str, self.matches))

    def __str__(self) -> str:
        if not self.matches:
            return f"{self.method} (by the rules; a trial needs two players)"
        return f"{self.method} (by games: {self.results})"


def keep(program: Program, trial: Trial) -> None:
    """Cache a trial."""
    cache = Cache.open()
    if cache:
        rows = [[*match.methods, *match.points] for match in trial.matches]
        cache.put(_KIND, _key(program), json.dumps([trial.method, rows]).encode())
        cache.put(_ANY, _hint(program), b"")


def recall(program: Program) -> Trial | None:
    """Return the cached trial of a program, or None."""
    cache = Cache.open()
    # The exact key is slow to compute, and a first move may not have that time.
    if cache is None or not cache.has(_ANY, _hint(program)):
        return None
    data = cache.get(_KIND, _key(program))
    if data is None:
        return None
    method, rows = json.loads(data)
    return Trial(method, tuple(starmap(_match, rows)))


def _match(one: str, other: str, won: int, lost: int) -> Match:
    return Match((one, other), (won, lost))


def _hint(program: Program) -> bytes:
    """Return a cheap digest of a program; different programs may share it."""
    shape = (program.topology.cells, program.rules.players, len(program.rules.groups))
    return digest(_stamp(), repr(shape).encode("utf-8", "surrogatepass"))


def _key(program: Program) -> bytes:
    return digest(_stamp(), json.dumps(pack((program,))).encode())


def _stamp() -> bytes:
    return stamp_below(*SOURCES).encode("utf-8", "surrogatepass")
