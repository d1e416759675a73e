"""The mapping of a game of tables to the notations of other programs: men on tracks, and dice.

See decision 135. Each of two players moves men along a track, from the bar to the tray. Places of
a track count from 0, the bar; points count down to 0, the tray. The tracks run in opposite
directions.
"""

from collections.abc import Sequence

from rulesengine.errors import NotationError
from rulesengine.formats.options import option
from rulesengine.formats.point_moves import numbers_of, track_of
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.refusals import refuse
from rulesengine.state import Move, State

NAME = "tables"
BAR = 25
LENGTH = BAR + 1
Counts = tuple[int, ...]
Dice = tuple[int, int]


class TablesMapping:
    """Men and dice of one game, by `points` and `tables` of its spec.

    Raises NotationError if the tracks do not have 26 cells in opposite directions.
    """

    def __init__(self, game: FormatGame) -> None:
        self.game = game.without_claims
        self._program = program = game.program
        self.players = program.form.players
        cells = [track_of(program, player) for player in self.players]
        if len(cells) != 2 or any(len(row) != LENGTH for row in cells):
            raise NotationError("`tables` needs `points: tracks` of 26 cells for 2 players")
        if cells[0][1:BAR] != cells[1][BAR - 1 : 0 : -1]:
            raise NotationError("`tables` needs `points: tracks` that run in opposite directions")
        self.tracks = [[program.form.cells.index(name) for name in row] for row in cells]
        numbers = numbers_of(program)
        if numbers is None:
            raise NotationError("`tables` needs `points: counts`, the men of each cell")
        self._men = numbers
        dice: tuple[str, ...] = option(program, NAME, "dice", ())
        slots = dict(program.slots)
        self._dice = [slots[name] for name in dice]
        self.start = self.game.initial_state()
        self.total = sum(self.counts(self.start, 0))

    def is_variant(self, name: str) -> bool:
        """True if a variation that a file names is this game."""
        return name.casefold() == self.game.name.casefold()

    # men

    def counts(self, state: State, side: int) -> Counts:
        """Return the men of a player by places of its track."""
        plane = state.planes[side]
        return tuple(
            self._men.at(cell, state.registers) if plane >> cell & 1 else 0
            for cell in self.tracks[side]
        )

    def state(self, counts: Sequence[Counts], side: int, dice: Dice | None) -> State:
        """Return the state with men of both players and the dice of one.

        Raises NotationError for an impossible position.
        """
        men = [self._complete(row, player) for player, row in enumerate(counts)]
        start = self.start
        planes, registers = [0] * len(start.planes), list(start.registers)
        numbers = self._men
        slots = range(numbers.first, numbers.first + numbers.bits)
        registers[slots.start : slots.stop] = [0] * numbers.bits
        for player, (row, track) in enumerate(zip(men, self.tracks, strict=True)):
            for count, cell in zip(row, track, strict=True):
                if count and any(mask >> cell & 1 for mask in planes):
                    raise NotationError("both players have men on a point")
                planes[player] |= bool(count) << cell
                for bit, slot in enumerate(slots):
                    registers[slot] |= (count - numbers.low * bool(count) >> bit & 1) << cell
        is_start = tuple(planes) == start.planes and tuple(registers) == start.registers
        if self._program.keeps_plies and not is_start:
            registers[-1] = 1
        form = start.form
        state = State(tuple(planes), side, tuple(registers), (), form, start.seats)
        refuse(self.game, state)
        return state if dice is None else self.after_throw(state, dice, side)

    def _complete(self, counts: Counts, player: int) -> Counts:
        """Return men with those that are borne off."""
        missing = self.total - sum(counts[:BAR])
        if missing < 0:
            raise NotationError(f"{self.players[player]} has more than {self.total} men")
        return (*counts[:BAR], missing)

    # dice

    def dice(self, state: State) -> Dice | None:
        """Return the dice that are to be played; None before a throw or within a turn."""
        numbers = [state.registers[slot] for slot in self._dice]
        return (numbers[0], numbers[1]) if len(numbers) == 2 and all(numbers) else None

    def throw(self, state: State, dice: Dice, side: int) -> Move | None:
        """Return the chance event that throws dice for a player; None if there is none."""
        for text in dict.fromkeys((f"{max(dice)}-{min(dice)}", f"{min(dice)}-{max(dice)}")):
            move = self.game.find(text, state)
            if move is not None and self.game.apply(state, move, check=False).side == side:
                return move
        return None

    def after_throw(self, state: State, dice: Dice, side: int) -> State:
        """Return the state after a throw. Raises NotationError."""
        move = self.throw(state, dice, side)
        if move is None:
            raise NotationError(f"{self.players[side]} cannot throw {dice[0]} and {dice[1]} here")
        return self.game.apply(state, move, check=False)

    # moves

    def hops(self, move: Move, side: int) -> list[tuple[int, int]]:
        """Return the moves of men, each with the points that a man leaves and reaches.

        The choice of a step is its number of points.
        """
        track, hops = self.tracks[side], []
        for step in move.steps:
            if step.target in track and step.choice >= 0:
                place = track.index(step.target)
                hops.append((BAR - place, max(0, BAR - place - step.choice)))
        return hops

    def is_throw(self, state: State) -> bool:
        """True if chance is to move."""
        return bool(self.game.weights(state))
