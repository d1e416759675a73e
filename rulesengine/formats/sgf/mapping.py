"""The mapping of a game to Smart Game Format, by the declarations of its spec.

See decision 119. Points are two letters from the first printed row, or the names of the cells.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rulesengine.formats.cell_moves import CellMoves, CellNames, letter_names
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.turn_words import TurnWords
from rulesengine.state import State

NAME = "sgf"
COLOURS = ("B", "W")
EMPTY = "AE"
# Properties of the whole game, and the headers that other formats have for them.
HEADERS: Mapping[str, str] = MappingProxyType(
    {"EV": "Event", "RO": "Round", "PC": "Site", "DT": "Date", "AN": "Annotator"}
)
# Properties that judge a move, and numeric annotation glyphs.
GLYPHS: Mapping[tuple[str, str], int] = MappingProxyType(
    {
        ("TE", "1"): 1,
        ("BM", "1"): 2,
        ("TE", "2"): 3,
        ("BM", "2"): 4,
        ("IT", ""): 5,
        ("DO", ""): 6,
    }
)


class SgfMapping:
    """The points, colours, set-up properties and moves of one game."""

    def __init__(self, game: FormatGame) -> None:
        self.game = game.without_claims
        self.program = program = game.program
        self.form = form = program.form
        self.numbers: tuple[str, ...] = self._option("game", ())
        has_letters = self._option("points", ("letters",)) == ("letters",)
        names = letter_names(form.lines, len(form.cells)) if has_letters else form.cells
        self.points = CellNames(names, folds_case=not has_letters)
        joint = next(iter(self._option("joint", ())), "")
        self.moves = CellMoves(self.game, self.points, joint, self._option("also", ()))
        self.turns = TurnWords(program, NAME, self.points)
        self.colours = self._colours()
        self.setup = dict(self._setup())
        self.is_agreed = self._option("agreed", ()) == ("true",)
        self.resignations: tuple[str, ...] = self._option("resigns", ("resign",))

    @property
    def size(self) -> tuple[int, int]:
        """Return the number of columns and of rows."""
        lines = self.form.lines
        return max(map(len, lines)), len(lines)

    def size_hint(self, size: str) -> str:
        """Return the parameter that has the size of a square board; empty without such a size."""
        names = option(self.program, "gtp", "size", ())
        own = (p for p in self.program.rules.parameters if p.name == next(iter(names), ""))
        sizes = (f"{n}" for p in own for n in range(p.low, p.high + 1, p.step))
        return f": load it with {names[0]}={size.strip()}" if size.strip() in sizes else ""

    def header_of(self, colour: str) -> str:
        """Return the header with the name of the player of a colour."""
        players = self.form.players
        if sorted(players) == ["black", "white"]:
            return players[self.colours.index(colour)].capitalize()
        return ("White", "Black")[self.colours.index(colour)]

    def doubled_komi(self) -> int | None:
        """Return twice the points that the second player receives; None if not declared."""
        value = self._option("doubled_komi", None)
        if value is None:
            return None
        start = self.game.initial_state()
        return int(self.game.machine.evaluate(value, start, {"player": start.side}))

    def cells(self, value: str) -> list[int]:
        """Return the cells of a point or of a rectangle `aa:cc`; empty for a wrong text."""
        first, colon, last = value.partition(":")
        ends = [self.points.cell(first), self.points.cell(last if colon else first)]
        if min(ends) < 0:
            return []
        places = {cell: (row, column) for row, column, cell in self._places()}
        (top, left), (bottom, right) = (places[cell] for cell in ends)
        return [c for r, i, c in self._places() if top <= r <= bottom and left <= i <= right]

    def plane_of(self, cell: int, state: State) -> int:
        """Return the plane with a piece on a cell; -1 if the cell is empty."""
        return next((p for p, mask in enumerate(state.planes) if mask >> cell & 1), -1)

    def _option(self, key: str, default: object) -> Any:
        return option(self.program, NAME, key, default)

    def _places(self) -> Iterator[tuple[int, int, int]]:
        for row, line in enumerate(self.form.lines):
            for column, cell in enumerate(line):
                yield row, column, cell

    def _colours(self) -> tuple[str, ...]:
        """Return the colour of each player."""
        players = self.form.players
        by_name = {player: player[0].upper() for player in ("black", "white")}
        usual = (
            by_name if set(players) == set(by_name) else dict(zip(players, COLOURS, strict=False))
        )
        declared = dict(self._option("players", ()))
        return tuple(next(iter(declared.get(p, ())), usual.get(p, "")) for p in players)

    def _setup(self) -> Iterator[tuple[str, int]]:
        """Yield the properties that add pieces, each with the plane of the pieces."""
        sides, kinds = len(self.form.players), self.form.kinds
        declared = self._option("setup", ())
        if not declared:
            first = (
                (player, ("A" + c,))
                for player, c in zip(self.form.players, self.colours, strict=True)
            )
            declared = ((kinds[0], tuple(first)),)
        for kind, by_player in declared:
            base = kinds.index(kind) * (sides + 1)
            for player, names in by_player:
                side = self.form.players.index(player) if player else sides
                yield from ((name, base + side) for name in names)
