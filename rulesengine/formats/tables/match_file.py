"""Match files of tables (`.mat`): a line for the turns of both players, `1) 31: 8/5 6/5`.

Source: the format of Jellyfish, as gnubg reads and writes it.
"""

import re
from collections.abc import Iterator

from rulesengine.formats.registry_types import Notations
from rulesengine.formats.tables.mapping import TablesMapping
from rulesengine.formats.tables.turn_reader import (
    TurnReader,
    names_of,
    points_of,
    points_text,
    turns_of,
)
from rulesengine.formats.tables.turns import read_dice
from rulesengine.formats.values import RecordedGame

_HEADER = re.compile(r';\s*\[(\w[\w ]*)\s+"([^"]*)"\]')
_MATCH = re.compile(r"\s*(\d+) point match")
_GAME = re.compile(r"\s*Game (\d+)\s*")
_NAMES = re.compile(r"\s*(\S.*?) : (\d+)\s{2,}(\S.*?) : (\d+)\s*")
_ROW = re.compile(r"\s*(\d+)\)")
_ENTRY = re.compile(
    r"([1-6]{2}): ?((?:(?!\s{3,}|[1-6]{2}:).)*)"
    r"|(Doubles => \d+|Takes|Drops|Wins \d+ points?[^\n]*?)(?=\s{2,}|\s*$)"
)
_WINS = re.compile(r"Wins (\d+) point")
_HALF = 34  # columns of the turn of the first player


class MatchFile:
    """Games of one game in match files."""

    def __init__(self, notations: Notations) -> None:
        self._mapping = TablesMapping(notations.game)

    def recognises(self, text: str) -> bool:
        """True if a text has the length of a match or the title of a game before any turn."""
        for line in text[:8192].splitlines():
            if _MATCH.match(line) or _GAME.fullmatch(line):
                return True
            if line.strip() and not line.lstrip().startswith(";"):
                return False
        return False

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a match."""
        headers: list[tuple[str, str]] = []
        reader: _Rows | None = None
        for line in text.splitlines():
            if match := _HEADER.match(line):
                headers.append((match[1].replace(" ", ""), match[2]))
            elif match := _MATCH.match(line):
                headers.append(("MatchLength", match[1]))
            elif match := _GAME.fullmatch(line):
                if reader is not None:
                    yield reader.game()
                reader = _Rows(self._mapping, int(match[1]), headers)
            elif reader is not None:
                reader.read(line)
        if reader is not None:
            yield reader.game()

    def write(self, game: RecordedGame) -> str:
        """Return a game as a match of one game."""
        mapping = self._mapping
        length = game.header("MatchLength") or "0"
        first, second = (game.header(name) or name for name in names_of(mapping))
        lines = [
            f" {length} point match",
            "",
            " Game 1",
            _columns(f" {first} : 0", f"{second} : 0"),
        ]
        turns = [
            (turn.side, f"{turn.dice[0]}{turn.dice[1]}: {turn.text}".rstrip())
            for turn in turns_of(mapping, game)
        ]
        if turns and turns[0][0] == 1:
            turns.insert(0, (0, ""))
        for number in range(0, len(turns), 2):
            row = turns[number : number + 2]
            left = f"{number // 2 + 1:3}) {row[0][1]}"
            lines.append(_columns(left, row[1][1]) if len(row) > 1 else left)
        if game.result is not None and game.result.winner is not None:
            side = mapping.players.index(game.result.winner)
            won = f"Wins {points_text(points_of(mapping, game))}"
            lines.append(_columns("", won) if side else f"      {won}")
        return "\n".join(lines) + "\n"


class _Rows:
    """A reader of the lines of one game."""

    def __init__(self, mapping: TablesMapping, number: int, headers: list[tuple[str, str]]) -> None:
        self._line = TurnReader(mapping, number)
        self._line.headers += headers
        variation = dict(headers).get("Variation", "")
        if variation and not mapping.is_variant(variation):
            reason = f"a game of another variant than {mapping.game.name}"
            self._line.problem(variation, reason)
        self._names = names_of(mapping)
        self._second = _HALF  # the column of the second player

    def read(self, line: str) -> None:
        """Read a line of names, turns or results."""
        if match := _NAMES.fullmatch(line):
            names, headers = self._names, self._line.headers
            headers += [(names[0], match[1]), (names[1], match[3])]
            headers += [(f"{names[0]}Score", match[2]), (f"{names[1]}Score", match[4])]
            self._second = match.start(3) - 4
            return
        row = _ROW.match(line)
        at = row.end() if row else 0
        for match in _ENTRY.finditer(line, at):
            self._between(line[at : match.start()], is_row=row is not None)
            self._entry(match, int(match.start() >= self._second))
            at = match.end()
        self._between(line[at:], is_row=row is not None)

    def game(self) -> RecordedGame:
        """Return the game."""
        return self._line.game()

    def _between(self, text: str, *, is_row: bool) -> None:
        """Report a turn of a row that cannot be read; comments and other words are skipped."""
        if is_row and not {":", "/"}.isdisjoint(text):  # a turn without dice or with wrong ones
            reason = "expected a throw and its moves such as `31: 8/5 6/5`"
            self._line.problem(text.strip(), reason)

    def _entry(self, match: re.Match[str], side: int) -> None:
        """Read a turn, an action of the cube or a result of a player."""
        if match[1] is not None:
            self._line.turn(match[0].strip(), read_dice(match[1]), match[2].strip(), side)
        elif won := _WINS.match(match[3]):
            self._line.win(side, points_text(int(won[1])))
        else:
            self._line.cube(match[3])


def _columns(left: str, right: str) -> str:
    return f"{left:<{_HALF}} {right}"
