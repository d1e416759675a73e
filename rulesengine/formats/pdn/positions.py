"""Positions by squares: the side to move, then the squares of each colour, `W:WK5,31:B1-4`.

Source: Portable Draughts Notation 3.0, header FEN.
"""

import re

from rulesengine.errors import NotationError
from rulesengine.formats.pdn.squares import Squares
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.refusals import refuse
from rulesengine.formats.values import Position
from rulesengine.state import State

_POSITION = re.compile(r"\s*[WB]\s*:", re.IGNORECASE)
_FULLMOVE = re.compile(r"F([0-9]{1,6})")
_COUNTER = re.compile(r"[HF][0-9]*|[0-9]*")


class PdnFen:
    """Positions of one game by squares."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._squares = Squares(game)

    def recognises(self, text: str) -> bool:
        """True if a text is one line that begins with a side to move."""
        return _POSITION.match(text) is not None and "\n" not in text.strip()

    def read(self, text: str) -> Position:
        """Parse a position. Raises NotationError."""
        side, *parts = (part.strip(" .\t") for part in text.strip().split(":"))
        squares, form = self._squares, self._squares.form
        planes = [0] * len(form.symbols)
        fullmove = 1
        for part in parts:
            match = _FULLMOVE.fullmatch(part)
            fullmove = int(match[1]) if match else fullmove
            if part[:1].upper() in squares.colours:
                owner = squares.colours.index(part[:1].upper())
                for item in filter(None, map(str.strip, part[1:].split(","))):
                    self._add(planes, owner, item)
            elif not _COUNTER.fullmatch(part):
                raise NotationError(f"expected squares of W or B, found `{part[:40]}`")
        mover = squares.colours.index(side.upper())
        state = State(tuple(planes), mover, form.starts, (), form)
        refuse(self._game, state)
        return Position(state, max(1, fullmove))

    def write(self, position: Position) -> str:
        """Return a position as text."""
        squares, state = self._squares, position.state
        texts = [squares.colours[state.side]]
        for side in sorted(range(len(squares.colours)), key=lambda s: squares.colours[s] == "B"):
            items = [
                letter + squares.written.names[cell]
                for line in squares.form.lines
                for cell in line
                for kind, letter in enumerate(squares.letters)
                if state.planes[squares.plane(kind, side)] >> cell & 1
            ]
            texts.append(squares.colours[side] + ",".join(items))
        return ":".join(texts)

    def _add(self, planes: list[int], side: int, item: str) -> None:
        """Add the pieces of an item such as `31`, `K5` or `1-12`."""
        squares = self._squares
        kind = next(
            (k for k, letter in enumerate(squares.letters) if letter and item.startswith(letter)), 0
        )
        first, dash, last = item.removeprefix(squares.letters[kind]).partition("-")
        names = [first]
        if dash and first.isdigit() and last.isdigit() and len(first + last) < 8:
            names = [str(number) for number in range(int(first), int(last) + 1)]
        for name in names:
            cell = squares.cell(name)
            if cell < 0 or not names:
                raise NotationError(f"no square `{item[:40]}`")
            if any(mask >> cell & 1 for mask in planes):
                raise NotationError(f"two pieces on `{name}`")
            planes[squares.plane(kind, side)] |= 1 << cell
