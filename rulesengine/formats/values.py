"""The values of formats: positions, and games with headers, comments and variations."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulesengine.state import Move, State
from rulesengine.support.frozen import field, record

if TYPE_CHECKING:
    from rulesengine.formats.protocol import FormatGame

_CLOCK = re.compile(r"\[%clk\s+(\d+):(\d+):(\d+(?:\.\d+)?)\s*\]")


@record
class Position:
    """A position as a text has it: a state, and facts that no rule reads.

    - `fullmove` is the number of the full move, from 1.
    - `operations` are those of EPD, such as `bm` and `id`, with their operands as one text.
    - `last` is the last move if the text has the cells that it passed, also those that no rule
      reads.
    """

    state: State
    fullmove: int = 1
    operations: tuple[tuple[str, str], ...] = ()
    last: Move | None = None


@record
class GameResult:
    """The result that a record states, separate from the outcome by the rules.

    `winner` is the name of a player; None for a draw. `reason` is that of the record, such as
    `time forfeit`; empty if it has none.
    """

    winner: str | None
    reason: str = ""


@record
class Problem:
    """An error in a record: the number of the game, the ply, the text and the reason.

    Both are counted from 1; a `ply` of 0 is a place before the first move.
    """

    game: int
    ply: int
    text: str
    reason: str

    def __str__(self) -> str:
        place = f"game {self.game}, ply {self.ply}" if self.ply else f"game {self.game}"
        return f"{place}, `{self.text}`: {self.reason}" if self.text else f"{place}: {self.reason}"


@record
class Note:
    """The notes on a move of a record.

    - `comments` follow the move.
    - `nags` are numeric annotation glyphs.
    - `variations` are lines that replace the move.
    """

    comments: tuple[str, ...] = ()
    nags: tuple[int, ...] = ()
    variations: "tuple[Variation, ...]" = ()

    @property
    def clock(self) -> float | None:
        """Return the seconds left on the clock of the mover; None if no comment has them."""
        for comment in self.comments:
            if match := _CLOCK.search(comment):
                hours, minutes, seconds = match.groups()
                return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        return None


Notes = Mapping[int, Note]
NO_NOTES: Notes = MappingProxyType({})


@record
class Variation:
    """A line of moves, with notes by its plies from 1; those at 0 precede the first move."""

    moves: tuple[Move, ...]
    notes: Notes = field(default_factory=dict)


@record
class RecordedGame:
    """A game of a file in a format.

    - `number` counts the games of the file from 1.
    - `headers` are the facts about the game in the order of the text.
    - `start` is the first position, `final` the state after the last move.
    - `notes` are by ply, from 1; those at 0 precede the first move.
    - `problems` are the errors; the moves end before the first illegal one.
    - `parameters` are the values that the text states and that differ from those of the game.
    - `replayer` computes the final state of a game that was made without it.
    """

    number: int
    headers: tuple[tuple[str, str], ...]
    start: Position
    moves: tuple[Move, ...]
    final: State
    result: GameResult | None
    notes: Notes = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    parameters: tuple[tuple[str, int | str], ...] = ()
    replayer: "FormatGame | None" = field(default=None, compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        """Compute the final state on first use, for a game without it."""
        if name != "final" or self.replayer is None:
            raise AttributeError(f"a recorded game has no `{name}`")
        state = self.start.state
        for move in self.moves:
            state = self.replayer.apply(state, move, check=False)
        object.__setattr__(self, name, state)
        return state

    @property
    def is_refused(self) -> bool:
        """True if the position of the text is refused; `start` is then that of the game."""
        return not self.moves and any(problem.ply == 0 for problem in self.problems)

    def header(self, name: str) -> str:
        """Return the value of a header; empty if there is none."""
        return next((value for key, value in self.headers if key == name), "")


def replayed_game(
    game: "FormatGame",
    number: int,
    headers: tuple[tuple[str, str], ...],
    start: Position,
    moves: tuple[Move, ...],
    result: GameResult | None,
    notes: Notes,
) -> RecordedGame:
    """Return a game without errors; its final state is computed on first use."""
    made = object.__new__(RecordedGame)
    values = (number, headers, start, moves, result, notes, (), (), game)
    for name, value in zip(_WITHOUT_FINAL, values, strict=True):
        object.__setattr__(made, name, value)
    return made


_WITHOUT_FINAL = tuple(name for name in RecordedGame.__match_args__ if name != "final")
