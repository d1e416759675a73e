"""Moves between the points of a track, numbered from its end: `13/10 8/4`.

See decision 126.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulesengine.engine.interpreter.trace import Change, trace
from rulesengine.errors import NotationError
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.language.ir.program import Program
from rulesengine.state import CellNumbers, Move, State

NAME = "points"
Label = str
Leg = tuple[Label, Label]
_WORD = re.compile(r"([a-z0-9]+\*?(?:/[a-z0-9]+\*?)+)(?:\(([1-9])\))?")
_NUMBERED = re.compile(r"[0-9]+:\s*")  # the dice, as in `31: 8/5 6/5`


class PointMoves:
    """Moves of one game by the points that men leave and reach, counted to the end of the track.

    Points are numbered down to 1 from the side of the mover. The first and the last cell of a track
    have names. A text means the moves with the same men on the same points afterwards.
    """

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._labels = tuple(_labels(game, player) for player in game.players)
        self._numbers = numbers_of(game.program)

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None for other texts.

        Raises NotationError for a text of moves with different results.
        """
        legs = _legs(text)
        if not legs or not self._labels[state.side]:
            return None
        moves = [move for move in self._game.legal_moves(state) if self._fits(move, state, legs)]
        exact = [move for move in moves if sorted(self._legs(move, state)) == sorted(legs)]
        moves = exact or moves
        if len({self._game.apply(state, move, check=False) for move in moves}) > 1:
            shown = " or ".join(f"`{move}`" for move in moves[:3])
            raise NotationError(f"`{text[:40]}` means several moves: {shown}")
        return moves[0] if moves else None

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text; one without points in the notation of the game."""
        texts = [self._leg_text(*changes) for changes in self._changes(move, state)]
        return " ".join(filter(None, texts)) or str(move)

    def _fits(self, move: Move, state: State, legs: Sequence[Leg]) -> bool:
        """True if a move leads as many men to the same points."""
        gained = Counter(target for _, target in legs)
        gained.subtract(origin for origin, _ in legs)
        targets = Counter(target for _, target in self._legs(move, state))
        targets.subtract(origin for origin, _ in self._legs(move, state))
        return {k: n for k, n in gained.items() if n} == {k: n for k, n in targets.items() if n}

    def _legs(self, move: Move, state: State) -> list[Leg]:
        legs = (self._leg(before, after) for before, after in self._changes(move, state))
        return [leg for leg in legs if leg]

    def _changes(self, move: Move, state: State) -> Iterator[tuple[State, State]]:
        """Yield the positions before and after each step."""
        steps: dict[int, list[Change]] = {}
        for change in trace(self._game.machine, state, move.steps):
            if change.group >= 0:
                steps.setdefault(change.step, []).append(change)
        for changes in steps.values():
            yield changes[0].before, changes[-1].after

    def _leg(self, before: State, after: State) -> Leg | None:
        """Return the points that a man of the mover leaves and reaches."""
        labels = self._labels[before.side]
        counts = [self._men(state, before.side) for state in (before, after)]
        left = [label for cell, label in labels.items() if counts[1][cell] < counts[0][cell]]
        reached = [label for cell, label in labels.items() if counts[1][cell] > counts[0][cell]]
        return (left[0], reached[0]) if len(left) == len(reached) == 1 else None

    def _leg_text(self, before: State, after: State) -> str:
        leg = self._leg(before, after)
        if leg is None:
            return ""
        cell = next(c for c, label in self._labels[before.side].items() if label == leg[1])
        others = (side for side in range(len(self._labels)) if side != before.side)
        is_hit = any(self._men(before, side)[cell] for side in others)
        return f"{leg[0]}/{leg[1]}{'*' if is_hit else ''}"

    def _men(self, state: State, side: int) -> Counter[int]:
        """Return the number of men of a side on each cell."""
        sides = len(state.form.players) + 1
        planes = [mask for plane, mask in enumerate(state.planes) if plane % sides == side]
        numbers = self._numbers
        return Counter(
            {
                cell: numbers.at(cell, state.registers) if numbers else 1
                for cell in self._labels[side] or ()
                if any(mask >> cell & 1 for mask in planes)
            }
        )


def track_of(program: Program, player: str) -> tuple[str, ...]:
    """Return the cells of the track that a spec declares for a player; empty without one."""
    declared = dict(option(program, NAME, "tracks", ()))
    (name,) = declared.get(player, ("",))
    return next((track.cells for track in program.rules.tracks if track.name == name), ())


def numbers_of(program: Program) -> CellNumbers | None:
    """Return the declared numbers of men of the cells; None if a cell holds one man."""
    (name,) = option(program, NAME, "counts", ("",))
    return next((each for each in program.form.numbers if each.name == name), None)


def read_legs(word: str) -> list[Leg]:
    """Return the legs of a word, `24/18/13` as two, `8/5(2)` as two; empty for any other word."""
    match = _WORD.fullmatch(word)
    if match is None:
        return []
    points = match[1].replace("*", "").split("/")
    return int(match[2] or 1) * list(pairwise(points))


def _labels(game: FormatGame, player: str) -> dict[int, Label]:
    """Return the label of each cell of a player's track, by its number; empty without a track."""
    cells = track_of(game.program, player)
    (first,) = option(game.program, NAME, "first", ("bar",))
    (last,) = option(game.program, NAME, "last", ("off",))
    number = game.program.form.cells.index
    inner = {number(cell): str(n) for n, cell in enumerate(reversed(cells[1:-1]), 1)}
    ends = {number(cells[0]): first, number(cells[-1]): last} if cells else {}
    return inner | ends


def _legs(text: str) -> list[Leg]:
    """Return the legs of all words of a text; empty for any other text."""
    words = _NUMBERED.sub("", text.strip().lower(), count=1).replace(",", " ").split()
    legs = [read_legs(word) for word in words]
    return [leg for each in legs for leg in each] if all(legs) else []
