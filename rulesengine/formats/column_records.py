"""Games with moves by piece, column and direction in `.wxf` files.

A file has lines of a name and a value, such as `RED` and `DATE`, then `START{`, numbered moves and
`}END`. Moves of the second player have small letters. Source: the file format of the WXF, drafted
by H. Yang, and example files of S. Pipping.
"""

import re
from collections.abc import Iterator
from functools import partial
from types import MappingProxyType

from rulesengine.errors import RulesError
from rulesengine.formats.entries import GameEntry, persons
from rulesengine.formats.fen_board import BoardNotation
from rulesengine.formats.file_moves import NAME, SIDEWAYS
from rulesengine.formats.options import option
from rulesengine.formats.pgn.reading import PgnReader
from rulesengine.formats.pgn.results import result_text
from rulesengine.formats.pgn.tokens import RawGame, raw_games
from rulesengine.formats.registry_types import Notations
from rulesengine.formats.values import Note, Position, Problem, RecordedGame
from rulesengine.state import State
from rulesengine.support.frozen import replace

_START = re.compile(r"^[ \t]*START[ \t]*\{", re.MULTILINE)
_END = re.compile(r"\}[ \t]*END\b|\Z")
_SECTION = re.compile(r"^[ \t]*(SETUP|COMMENT)[ \t]*\{([^}]*)\}?(?:[ \t]*END)?", re.MULTILINE)
_LINE = re.compile(r"^[ \t]*([A-Z][A-Z_]{1,30})[ \t]*(?:[ \t:][ \t]*(.*\S))?[ \t]*$", re.MULTILINE)
_PLACED = re.compile(r"([A-Za-z])([a-z])([0-9]{1,2})")
_FORMAT, _RESULT, _FEN = "FORMAT", "RESULT", "FEN"
# Names of lines, and the headers that other formats have for them.
_HEADERS = MappingProxyType(
    {"EVENT": "Event", "SITE": "Site", "DATE": "Date", "ROUND": "Round", "RESULT": "Result"}
)
_SHOWN = 8192  # characters from which the format is recognised
_IN_ROW = 3  # full moves in a line
_NO_NOTE = Note()


class ColumnRecords:
    """Games of one game in `.wxf` files.

    The syntax of moves, comments and results is that of PGN, so that its reader reads them.
    """

    def __init__(self, notations: Notations) -> None:
        self._notations = notations
        self._game = game = notations.game.without_claims
        self._moves = notations.moves(NAME)
        self._players = game.program.form.players
        self._reader = PgnReader(notations, moves=self._moves, players=self._players)
        named = dict(option(game.program, "pgn", "players", ()))
        self._names = {
            player.upper(): named.get(player, (player.capitalize(),))[0] for player in self._players
        }

    def recognises(self, text: str) -> bool:
        """True if a text begins with a line of a name, and has moves in `START{`."""
        first = text[:_SHOWN].lstrip().partition("\n")[0]
        is_named = first.startswith((_FORMAT, "START", "GAME", *self._names))
        return is_named and _START.search(text) is not None

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text."""
        for number, (head, moves) in enumerate(_parts(text), start=1):
            yield self._read(number, head, moves)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text."""
        for number, (head, moves) in enumerate(_parts(text), start=1):
            headers = dict(self._headers(_lines_of(head)))
            named = persons(headers, tuple(self._names.values()))
            read = partial(self._read, number, head, moves)
            yield GameEntry(number, named, headers.get("Result", ""), read)

    def write(self, game: RecordedGame) -> str:
        """Return a game as text; variations are left out."""
        lines = [f"{_FORMAT}\tWXF"]
        lines += [f"{name}\t{value}".rstrip() for name, value in self._lines(game)]
        words, rows = list(self._words(game)), []
        for at in range(0, len(words), _IN_ROW):
            rows.append("  ".join(words[at : at + _IN_ROW]))
        return "\n".join([*lines, "START{", *rows, "}END"]) + "\n"

    # reading

    def _read(self, number: int, head: str, moves: str) -> RecordedGame:
        """Return the game of the lines before the moves, and of the moves."""
        lines = _lines_of(head)
        sections = {match[1]: match[2] for match in _SECTION.finditer(head)}
        headers = tuple(self._headers(lines))
        result = lines.get(_RESULT, "").strip()
        comment = " ".join(sections.get("COMMENT", "").split())
        text = f"{{{comment}}} {moves}" if comment else moves
        raw = next(raw_games(f"{text}\n{result or '*'}"), RawGame((), (), ()))
        if "SETUP" not in sections or _FEN in lines:
            return self._reader.read_game(number, RawGame(headers, raw.tokens, ()))
        try:
            fen = self._placed(sections["SETUP"])
        except RulesError as error:
            start = self._reader.start
            problem = Problem(number, 0, "SETUP", str(error))
            return RecordedGame(number, headers, start, (), start.state, None, {}, (problem,))
        set_up = (*headers, (_FEN, fen))
        record = self._reader.read_game(number, RawGame(set_up, raw.tokens, ()))
        return replace(record, headers=headers)

    def _headers(self, lines: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the headers of lines; further fields of a player have the name of the line."""
        names = {**_HEADERS, **self._names, _FEN: _FEN}
        for name, value in lines.items():
            if name in self._names:
                first, _, rest = value.partition(";")
                if first.strip():
                    yield self._names[name], first.strip()
                if rest.strip("; \t"):
                    yield f"{self._names[name]}Details", rest.strip("; \t")
            elif name != _FORMAT and value:
                yield names.get(name, name.capitalize()), value

    def _placed(self, text: str) -> str:
        """Return the FEN of pieces such as `Ke0`; rows count from 0 at the bottom."""
        form = self._game.program.form
        planes, board = [0] * len(form.symbols), BoardNotation(self._game.program)
        for letter, column, row in _PLACED.findall(text):
            line = form.lines[-1 - int(row)] if int(row) < len(form.lines) else ()
            at = ord(column) - ord("a")
            if letter not in board.planes or at >= len(line):
                raise RulesError(f"no piece or cell `{letter}{column}{row}`")
            planes[board.planes[letter]] |= 1 << line[at]
        side = int(re.search(rf"\b{self._players[1].upper()}\b", text) is not None)
        state = State(tuple(planes), side, form.starts, (), form)
        return self._notations.positions("fen").write(Position(state))

    # writing

    def _lines(self, game: RecordedGame) -> Iterator[tuple[str, str]]:
        """Yield the lines before the moves."""
        headers = dict(game.headers)
        for line, header in self._names.items():
            details = headers.pop(f"{header}Details", "")
            yield line, headers.pop(header, "") + (f" ; {details}" if details else "")
        yield _RESULT, result_text(game.result, self._players)
        for name, header in _HEADERS.items():
            if name != _RESULT and headers.get(header):
                yield name, headers[header]
        for header, value in headers.items():
            is_other = header not in (*_HEADERS.values(), _FEN, "SetUp", "Variant")
            if is_other and re.fullmatch("[A-Z][A-Za-z]{1,30}", header):
                yield header.upper(), value
        if game.start.state != self._game.initial_state():
            yield _FEN, self._notations.positions("fen").write(game.start)

    def _words(self, game: RecordedGame) -> Iterator[str]:
        """Yield the full moves, each with its number, and the comments after them."""
        state, number, word = game.start.state, game.start.fullmove, ""
        last = len(game.moves)
        for ply, move in enumerate(game.moves, start=1):
            text = self._moves.write(move, state).replace(SIDEWAYS, ".")
            if state.side == 0:
                word = f"{number}. {text}"
            else:
                word = f"{word or f'{number}...'} {text.lower()}"
            comments = game.notes.get(ply, _NO_NOTE).comments
            if comments:
                shown = " ".join(comments).replace("{", "(").replace("}", ")")
                word += f" {{{shown}}}"
            if state.side == len(self._players) - 1 or ply == last:
                yield word
                word = ""
            number += state.side == len(self._players) - 1
            state = self._game.apply(state, move, check=False)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines before the moves of each game, and the moves."""
    at = 0
    while start := _START.search(text, at):
        end = _END.search(text, start.end())
        assert end is not None
        yield text[at : start.start()], text[start.end() : end.start()]
        at = end.end()


def _lines_of(head: str) -> dict[str, str]:
    return {match[1]: match[2] or "" for match in _LINE.finditer(_SECTION.sub("", head))}
