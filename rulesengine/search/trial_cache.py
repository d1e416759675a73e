"""Which way to search suits a game: what came of games between them, kept in the cache."""

import json
from itertools import starmap

from rulesengine.language.ir.json_table import pack
from rulesengine.language.ir.program import Program
from rulesengine.support.cache import Cache, digest
from rulesengine.support.frozen import record
from rulesengine.support.resources import stamp_below

_KIND, _ANY = "trial", "trials"


@record
class Match:
    """What came of games between two methods: two points for each that was won, one for a draw."""

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
    """The method that suits a game, and the matches by which that was found.

    It follows from the program: searches in it are counted, and what is drawn has a fixed seed.
    """

    method: str
    matches: tuple[Match, ...] = ()

    def __str__(self) -> str:
        if not self.matches:
            return f"{self.method} (by the rules: only games of two players are tried)"
        return f"{self.method} (by games: {'; '.join(map(str, self.matches))})"


def keep(program: Program, trial: Trial) -> None:
    """Keep a trial."""
    cache = Cache.open()
    if cache:
        rows = [[*match.methods, *match.points] for match in trial.matches]
        cache.put(_KIND, _key(program), json.dumps([trial.method, rows]).encode())
        cache.put(_ANY, _hint(program), b"")


def recall(program: Program) -> Trial | None:
    """The trial that was kept of a program, if there is one."""
    cache = Cache.open()
    # To tell a program from all others takes time, which a first move may not have.
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
    """What programs have in common that may be one."""
    shape = (program.topology.cells, program.rules.players, len(program.rules.groups))
    return digest(_stamp(), repr(shape).encode("utf-8", "surrogatepass"))


def _key(program: Program) -> bytes:
    return digest(_stamp(), json.dumps(pack((program,))).encode())


def _stamp() -> bytes:
    return stamp_below("search", "engine/drivers").encode("utf-8", "surrogatepass")
