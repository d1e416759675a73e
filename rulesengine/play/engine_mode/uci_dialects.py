"""UCI and the protocols derived from it, as data: words of commands, options and answers.

Sources: the Universal Chess Interface (Meyer-Kahlen and Huber, 2006), the Universal Shogi Interface
(Romstad, 2007), the Universal Chinese Chess Protocol 3.0 (Huang, 2004).
"""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.play.engine_mode.scores import Scored, centipawns, moves_to_end, plies_to_end
from rulesengine.support.frozen import record

_MATE = 10_000


@record
class Dialect:
    """A protocol of the family.

    - `name` is the command that starts a session; the reply to it ends in `NAMEok`.
    - `no_move` is the answer if there is no legal move.
    - `clocks` are the words for the time of the first and of the second player, then those for the
      time that each move adds.
    - `own_clock` is true if clocks are those of the player to move.
    - `time_unit` is the number of units of time in a second; 0 if the client sets it.
    - `score` returns the value of a search as text.
    - `positions` are the words before a position in Forsyth-Edwards notation.
    - `separator` is written for blanks in the names of options.
    - `prefix` begins the names of options that the protocol defines.
    - `quit_reply` is the reply to `quit`.
    """

    name: str
    no_move: str
    clocks: tuple[str, str, str, str]
    score: Callable[[Scored], str]
    positions: tuple[str, ...] = ("fen",)
    own_clock: bool = False
    time_unit: int = 1000
    separator: str = " "
    prefix: str = "UCI_"
    quit_reply: str = ""

    @property
    def new_game(self) -> str:
        """Return the command before a new game."""
        return f"{self.name}newgame"


def mate_in_moves(result: Scored) -> str:
    """Return a value as `cp` or, with the moves of the winner, as `mate`."""
    plies = plies_to_end(result)
    return f"cp {centipawns(result)}" if plies is None else f"mate {moves_to_end(plies)}"


def mate_in_plies(result: Scored) -> str:
    """Return a value as `cp` or, with the plies of both sides, as `mate`."""
    plies = plies_to_end(result)
    return f"cp {centipawns(result)}" if plies is None else f"mate {plies}"


def plain_score(result: Scored) -> str:
    """Return a value as a number in hundredths of a pawn; mates are near 10,000."""
    plies = plies_to_end(result)
    if plies is None:
        return str(centipawns(result))
    return str(_MATE - plies if plies > 0 else -_MATE - plies)


UCI = Dialect(
    name="uci",
    no_move="bestmove (none)",
    clocks=("wtime", "btime", "winc", "binc"),
    score=mate_in_moves,
)
USI = Dialect(
    name="usi",
    positions=("sfen", "fen"),
    no_move="bestmove resign",
    clocks=("btime", "wtime", "binc", "winc"),
    score=mate_in_plies,
    separator="_",
    prefix="USI_",
)
UCCI = Dialect(
    name="ucci",
    no_move="nobestmove",
    clocks=("time", "opptime", "increment", "oppincrement"),
    score=plain_score,
    own_clock=True,
    time_unit=0,
    separator="",
    prefix="",
    quit_reply="bye",
)
DIALECTS: MappingProxyType[str, Dialect] = MappingProxyType(
    {row.name: row for row in (UCI, USI, UCCI)}
)
