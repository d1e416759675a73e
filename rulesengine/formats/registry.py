"""The registry of formats: a row for each, by which the API and all commands use it.

To add a format, write a module with the classes of a row, and add the row to `FORMATS`.
"""

from collections.abc import Callable

from rulesengine.formats.board_line import BoardLine
from rulesengine.formats.column_records import ColumnRecords
from rulesengine.formats.fen import Fen
from rulesengine.formats.file_moves import FileMoves
from rulesengine.formats.ggf import Ggf
from rulesengine.formats.options import is_declared
from rulesengine.formats.pdn import Pdn
from rulesengine.formats.pdn.moves import PdnMoves
from rulesengine.formats.pdn.positions import PdnFen
from rulesengine.formats.pgn import Pgn
from rulesengine.formats.point_moves import PointMoves
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.registry_types import (
    GameNotation,
    MoveNotation,
    Notations,
    PositionNotation,
)
from rulesengine.formats.san import San
from rulesengine.formats.sgf import Sgf, stated_parameters
from rulesengine.formats.stated_parameters import Values
from rulesengine.formats.tables.ids import PositionId, Xgid
from rulesengine.formats.tables.match_file import MatchFile
from rulesengine.formats.tables.sgf_games import TablesSgf
from rulesengine.formats.transcript import Transcript
from rulesengine.formats.uci import Uci
from rulesengine.formats.wthor import Wthor
from rulesengine.support.frozen import record


@record
class Format:
    """A format, with a constructor for each kind of text that it has.

    - `name` is that of commands and of the section `formats`.
    - `title` is the full name.
    - `suffixes` are the ends of the names of its files.
    - `is_default` is true if a game has the format without declaring it.
    - `is_written` is false for a format that is only read.
    - `parameters` returns the values of parameters that the first game of a text states.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    is_default: bool = False
    is_written: bool = True
    positions: Callable[[FormatGame], PositionNotation] | None = None
    moves: Callable[[FormatGame], MoveNotation] | None = None
    games: Callable[[Notations], GameNotation] | None = None
    parameters: Callable[[FormatGame, str], Values] | None = None


def _sgf(notations: Notations) -> GameNotation:
    """Return the notation of games: that of dice and men if the spec declares `tables`."""
    is_tables = is_declared(notations.game.program, "tables")
    return TablesSgf(notations) if is_tables else Sgf(notations)


# FEN also recognises texts of the formats before it.
FORMATS: tuple[Format, ...] = (
    Format("xgid", "positions of eXtreme Gammon", positions=Xgid),
    Format("gnubgid", "positions of gnubg", positions=PositionId),
    Format("fen", "Forsyth-Edwards notation", (".fen", ".epd"), is_default=True, positions=Fen),
    Format("san", "standard algebraic notation", moves=San),
    Format("points", "moves between points and by dice", moves=PointMoves),
    Format(
        "wxf",
        "moves by column and direction (WXF)",
        (".wxf",),
        moves=FileMoves,
        games=ColumnRecords,
    ),
    Format("uci", "Universal Chess Interface", moves=Uci),
    Format(
        "pdn",
        "Portable Draughts Notation",
        (".pdn",),
        positions=PdnFen,
        moves=PdnMoves,
        games=Pdn,
    ),
    Format("pgn", "Portable Game Notation", (".pgn",), is_default=True, games=Pgn),
    Format("obf", "Othello Board Format", (".obf",), positions=BoardLine),
    Format("wthor", "files of the WTHOR database", (".wtb",), is_written=False, games=Wthor),
    Format("ggf", "Generic Game Format", (".ggf",), games=Ggf),
    Format("tables", "match files of tables", (".mat",), games=MatchFile),
    Format("sgf", "Smart Game Format", (".sgf",), games=_sgf, parameters=stated_parameters),
    Format("transcript", "lines of moves", (".txt",), is_default=True, games=Transcript),
)


def format_named(name: str) -> Format | None:
    """Return the format of a name; None if there is none."""
    return next((row for row in FORMATS if row.name == name), None)
