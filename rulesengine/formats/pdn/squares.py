"""Squares, letters and colours of a game with numbered squares, as its spec declares them."""

from collections.abc import Iterator
from itertools import chain

from rulesengine.errors import EvaluationError, UsageError
from rulesengine.formats.cell_moves import CellNames
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame

NAME = "pdn"
WHITE, BLACK = "W", "B"


class Squares:
    """The numbers of the squares in reading order, the letters of kinds and the colours.

    - `numbers` and `names` are the two notations of the squares.
    - `colours` has `W` or `B` for each player.
    - `letters` has the letter of each kind; that of men is empty.
    - `types` are the values of the header `GameType`, the first one for writing.
    """

    def __init__(self, game: FormatGame) -> None:
        self.game = game = game.without_claims
        self.program = program = game.program
        self.form = form = program.form
        self.types: tuple[str, ...] = option(program, NAME, "types", ())
        numbers, region = [""] * len(form.cells), self._region()
        for number, cell in enumerate((c for c in self._order() if region >> c & 1), start=1):
            numbers[cell] = str(number)
        self.numbers = CellNames(numbers)
        self.names = CellNames(form.cells, folds_case=True)
        is_numeric = option(program, NAME, "notation", ("numbers",)) == ("numbers",)
        self.written = self.numbers if is_numeric else self.names
        self.colours = self._colours()
        self.letters = self._letters()

    def cell(self, text: str) -> int:
        """Return the cell of a number or name; -1 if there is none."""
        cell = self.numbers.cell(text)
        return cell if cell >= 0 else self.names.cell(text)

    def cells(self, text: str) -> tuple[int, ...] | None:
        """Return the cells of a move; None if a text names other squares."""
        cells = tuple(map(self.cell, text.replace("x", "-").replace(":", "-").split("-")))
        return None if -1 in cells or len(cells) < 2 else cells

    def plane(self, kind: int, side: int) -> int:
        """Return the plane of the pieces of a kind and side."""
        return kind * (len(self.form.players) + 1) + side

    def _order(self) -> Iterator[int]:
        """Yield the cells row by row, from the first or the last printed row."""
        is_down = option(self.program, NAME, "first", ("top",)) == ("top",)
        lines = self.form.lines
        return chain.from_iterable(lines if is_down else reversed(lines))

    def _region(self) -> int:
        value = option(self.program, NAME, "squares", None)
        start = self.game.initial_state()
        if value is None:
            return (1 << len(self.form.cells)) - 1
        try:
            return int(self.game.machine.evaluate(value, start, {"player": start.side}))
        except EvaluationError as error:
            raise UsageError(f"`formats: pdn: squares`: {error}") from None

    def _colours(self) -> tuple[str, ...]:
        declared = dict(option(self.program, NAME, "players", ()))
        usual = [player[0].upper() for player in self.form.players]
        if sorted(usual) != [BLACK, WHITE]:
            usual = [WHITE, BLACK]
        players = zip(self.form.players, usual, strict=False)
        return tuple(next(iter(declared.get(player, ())), colour) for player, colour in players)

    def _letters(self) -> tuple[str, ...]:
        declared = dict(option(self.program, NAME, "letters", ()))
        return tuple(
            next((words[0] for _, words in declared.get(kind, ())), "K" if number else "")
            for number, kind in enumerate(self.form.kinds)
        )
