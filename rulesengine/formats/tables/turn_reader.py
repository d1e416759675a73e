"""Games of tables, turn by turn: throws and moves of men to plies, and plies to turns."""

import re
from collections.abc import Iterator, Sequence

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.tables.mapping import Dice, TablesMapping
from rulesengine.formats.tables.turns import (
    Turn,
    find_turn,
    forced_turn,
    is_turn_over,
    read_hops,
    turn_hops,
)
from rulesengine.formats.values import (
    GameResult,
    Note,
    Position,
    Problem,
    RecordedGame,
    Variation,
)
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_CUBE = "[%cube {}]"
CUBE_ACTION = re.compile(r"\[%cube (.*)\]")
_POINTS = re.compile(r"(\d+) points?")
_NO_MOVES = ("cannot", "????")


@record
class WrittenTurn:
    """A turn of a side.

    - `dice` has the greater one first.
    - `text` has the moves of men.
    - `plies` are the numbers of the first and of the last ply, from 1.
    - `before` is the state before the turn.
    """

    side: int
    dice: Dice
    text: str
    plies: tuple[int, int]
    before: State


class TurnReader:
    """A reader of the turns of one game, or of a variation that begins after `base` plies."""

    def __init__(
        self, mapping: TablesMapping, number: int, start: State | None = None, base: int = 0
    ) -> None:
        self._mapping = mapping
        self._number = number
        self._base = base
        self._start = self._state = start or mapping.game.initial_state()
        self._moves: list[Move] = []
        self._notes: dict[int, Note] = {}
        self._problems: list[Problem] = []
        self._problems_of_variations: list[Problem] = []
        self._result: GameResult | None = None
        self.headers: list[tuple[str, str]] = []

    def turn(self, text: str, dice: Dice, moves: str, side: int) -> None:
        """Add a turn of a player; an illegal one ends the line."""
        if self._problems:
            return
        try:
            self._turn(dice, moves, side)
        except RulesError as error:
            self.problem(text, str(error))

    def win(self, side: int, reason: str) -> None:
        """Set the result."""
        self._result = GameResult(self._mapping.players[side], reason)

    def cube(self, text: str) -> None:
        """Add an action of the doubling cube as a comment on the last move."""
        self.comment(_CUBE.format(text))

    def comment(self, text: str) -> None:
        """Add a comment on the last move."""
        note = self._notes.get(len(self._moves), Note())
        comments = (*note.comments, text)
        self._notes[len(self._moves)] = Note(comments, note.nags, note.variations)

    def branch(self) -> "TurnReader":
        """Return a reader of a variation that replaces the next turn."""
        base = self._base + len(self._moves)
        return TurnReader(self._mapping, self._number, self._state, base)

    def add_variations(self, ply: int, branches: "Sequence[TurnReader]") -> None:
        """Add variations that replace the turn that begins at a ply; their errors are kept."""
        added = []
        for branch in branches:
            self._problems_of_variations += [*branch._problems, *branch._problems_of_variations]
            if branch._moves or branch._notes:
                added.append(Variation(tuple(branch._moves), branch._notes))
        if added:
            note = self._notes.get(ply, Note())
            variations = (*note.variations, *added)
            self._notes[ply] = Note(note.comments, note.nags, variations)

    @property
    def next_ply(self) -> int:
        """Return the number of the next ply of this line, from 1."""
        return len(self._moves) + 1

    def problem(self, text: str, reason: str) -> None:
        """Add an error at the next ply."""
        ply = self._base + self.next_ply
        self._problems.append(Problem(self._number, ply, text[:60], reason))

    def game(self) -> RecordedGame:
        """Return the game; a result that contradicts the rules is a problem."""
        outcome, result = self._mapping.game.outcome(self._state), self._result
        if outcome is not None and result is not None and result.winner != outcome.winner:
            reason = f"by the rules {outcome.winner} wins, {outcome.reason}"
            self.problem(f"{result.winner} wins", reason)
        return RecordedGame(
            self._number,
            tuple(self.headers),
            Position(self._start),
            tuple(self._moves),
            self._state,
            result,
            self._notes,
            (*self._problems, *self._problems_of_variations),
        )

    def _turn(self, dice: Dice, text: str, side: int) -> None:
        mapping = self._mapping
        throw = mapping.throw(self._state, dice, side)
        player = mapping.players[side]
        if throw is None:
            raise NotationError(f"{player} cannot throw {dice[0]} and {dice[1]} here")
        state = mapping.game.apply(self._state, throw, check=False)
        turn = self._find(state, text)
        if turn is None:
            raise NotationError(f"{player} has no such legal moves")
        self._moves += [throw, *turn.moves]
        self._state = turn.state

    def _find(self, state: State, text: str) -> Turn | None:
        if not text or text.lower().startswith(_NO_MOVES):
            return forced_turn(self._mapping, state)
        return find_turn(self._mapping, state, read_hops(text))


def turns_of(mapping: TablesMapping, game: RecordedGame) -> Iterator[WrittenTurn]:
    """Yield the turns of a game."""
    return turns_of_line(mapping, game.start.state, game.moves)


def turns_of_line(
    mapping: TablesMapping, state: State, moves: Sequence[Move]
) -> Iterator[WrittenTurn]:
    """Yield the turns of a line of moves."""
    at = 0
    while at < len(moves):
        begin, before = at, state
        if mapping.is_throw(state):
            state = mapping.game.apply(state, moves[at], check=False)
            at += 1
        side, dice = state.side, mapping.dice(state) or (0, 0)
        first, after = at, state
        while at < len(moves) and (at == first or not is_turn_over(mapping, after, side)):
            after = mapping.game.apply(after, moves[at], check=False)
            at += 1
        text, state = turn_hops(mapping, state, moves[first:at])
        plies = (begin + 1, at)
        yield WrittenTurn(side, (max(dice), min(dice)), text, plies, before)


def points_of(mapping: TablesMapping, game: RecordedGame) -> int:
    """Return the points that the winner of a game wins: by the rules, by the result, or 1."""
    outcome = mapping.game.outcome(game.final)
    if outcome is not None and outcome.winner is not None:
        return max(1, outcome.payoffs.get(outcome.winner, 1))
    stated = _POINTS.match(game.result.reason) if game.result is not None else None
    return int(stated[1]) if stated else 1


def points_text(points: int) -> str:
    """Return a number of points in words: `1 point`, `2 points`."""
    return f"{points} point{'s' * (points > 1)}"


def names_of(mapping: TablesMapping) -> tuple[str, str]:
    """Return the headers with the names of the players."""
    first, second = mapping.players
    is_named = {first, second} == {"white", "black"}
    return (first.capitalize(), second.capitalize()) if is_named else ("White", "Black")
