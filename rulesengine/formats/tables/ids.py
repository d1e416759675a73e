"""Positions of tables in one word: XGID, and the position and match IDs of gnubg.

Sources: the manual of gnubg, "A technical description of the Position ID" and "of the Match ID";
the documentation of eXtreme Gammon.
"""

import base64
import binascii
import re
from string import ascii_lowercase, ascii_uppercase

from rulesengine.errors import NotationError
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.tables.mapping import BAR, Counts, TablesMapping
from rulesengine.formats.values import Position

_XGID = re.compile(
    r"(?:XGID=)?([-A-Oa-o]{26}):(\d+):(-?[01]):(-?1):([1-6]{2}|00|[A-Z]{1,2})((?::\d+)*)"
)
_ID = re.compile(r"([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?")
_BITS = 80
_TURN, _DICE_1, _DICE_2 = 11, 15, 18  # first bits of the match ID
_CUBE, _OWNER, _ROLLS, _STATE, _LENGTH = 0, 4, 6, 8, 21
_CENTRED, _PLAYING = 3, 1


class Xgid:
    """Positions of one game as XGID; capital letters are the first player."""

    def __init__(self, game: FormatGame) -> None:
        self._mapping = TablesMapping(game)

    def recognises(self, text: str) -> bool:
        """True if a text is an XGID."""
        return _XGID.fullmatch(text.strip()) is not None

    def read(self, text: str) -> Position:
        """Parse a position; the cube and the score are not read. Raises NotationError."""
        match = _XGID.fullmatch(text.strip())
        if match is None:
            raise NotationError("expected a position such as `XGID=-b----E-C---eE---c-e----B-:0:…`")
        first = tuple(_men(letter, ascii_uppercase) for letter in reversed(match[1]))
        second = tuple(_men(letter, ascii_lowercase) for letter in match[1])
        side = 0 if match[4] == "1" else 1
        dice = (int(match[5][0]), int(match[5][1])) if match[5][0] in "123456" else None
        return Position(self._mapping.state((first, second), side, dice))

    def write(self, position: Position) -> str:
        """Return a position with a centred cube and no score."""
        mapping, state = self._mapping, position.state
        first, second = (mapping.counts(state, side) for side in (0, 1))
        letters = ""
        for point in range(BAR + 1):
            own, other = first[BAR - point] if point else 0, second[point] if point < BAR else 0
            letter = ascii_uppercase[own - 1] if own else ascii_lowercase[other - 1]
            letters += letter if own or other else "-"
        dice = mapping.dice(state) or (0, 0)
        turn = 1 if state.side == 0 else -1
        return f"XGID={letters}:0:0:{turn}:{dice[0]}{dice[1]}:0:0:0:0:10"


class PositionId:
    """Positions of one game as the position ID of gnubg, with its match ID."""

    def __init__(self, game: FormatGame) -> None:
        self._mapping = TablesMapping(game)

    def recognises(self, text: str) -> bool:
        """True if a text is a position ID of two players with as many men as the game has."""
        match = _ID.fullmatch(text.strip())
        if match is None:
            return False
        rows = _rows(_bits(match[1]))
        return rows is not None and max(map(sum, rows)) <= self._mapping.total

    def read(self, text: str) -> Position:
        """Parse a position. Without a match ID the first player is to throw.

        The cube and the score are not read. Raises NotationError.
        """
        match = _ID.fullmatch(text.strip())
        rows = _rows(_bits(match[1])) if match else None
        if match is None or rows is None:
            raise NotationError("expected a position such as `4HPwATDgc/ABMA:cAkAAAAAAAAA`")
        side, dice = 0, None
        if match[2]:
            facts = _bits(match[2])
            side = facts >> _TURN & 1
            throw = facts >> _DICE_1 & 7, facts >> _DICE_2 & 7
            dice = throw if all(throw) else None
        other, own = rows
        counts = (own, other) if side == 0 else (other, own)
        return Position(self._mapping.state(counts, side, dice))

    def write(self, position: Position) -> str:
        """Return the IDs of a position with a centred cube, outside of a match."""
        mapping, state = self._mapping, position.state
        side, dice = state.side, mapping.dice(state) or (0, 0)
        bits = at = 0
        for player in (1 - side, side):
            counts = mapping.counts(state, player)
            for place in (*range(BAR - 1, 0, -1), 0):
                bits |= ((1 << counts[place]) - 1) << at
                at += counts[place] + 1
        facts = _CENTRED << _OWNER | side << _ROLLS | _PLAYING << _STATE | side << _TURN
        facts |= dice[0] << _DICE_1 | dice[1] << _DICE_2
        return f"{_encoded(bits, 10)}:{_encoded(facts, 9)}"


def _men(letter: str, letters: str) -> int:
    return letters.index(letter) + 1 if letter in letters else 0


def _rows(bits: int) -> tuple[Counts, Counts] | None:
    """Return the men of both players by places; None for bits that are no position."""
    at, rows = 0, []
    for _ in range(2):
        counts = [0] * (BAR + 1)
        for place in (*range(BAR - 1, 0, -1), 0):
            while bits >> at & 1:
                counts[place] += 1
                at += 1
            at += 1
        rows.append(tuple(counts))
    return (rows[0], rows[1]) if at <= _BITS and not bits >> at else None


def _bits(text: str) -> int:
    """Decode base 64 as bits, the least significant first."""
    try:
        return int.from_bytes(base64.b64decode(text + "=" * (-len(text) % 4)), "little")
    except (binascii.Error, ValueError):
        return -1


def _encoded(bits: int, count: int) -> str:
    return base64.b64encode(bits.to_bytes(count, "little")).decode().rstrip("=")
