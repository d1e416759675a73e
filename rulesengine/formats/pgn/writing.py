"""Writing of games in Portable Game Notation, in the export format of the standard."""

from collections.abc import Iterator, Sequence

from rulesengine.formats.cell_moves import CellNames
from rulesengine.formats.null_moves import NULL_TEXT, after_noted, is_null
from rulesengine.formats.options import option
from rulesengine.formats.pgn.declared_moves import declared_moves
from rulesengine.formats.pgn.results import names_of_players, order_of_results, result_text
from rulesengine.formats.registry_types import MoveNotation, Notations
from rulesengine.formats.turn_words import TurnWords
from rulesengine.formats.values import Note, Notes, Position, RecordedGame
from rulesengine.state import Move, State

_WIDTH = 80
_ROSTER = (("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"))
_NO_NOTE = Note()


class PgnWriter:
    """A writer of games of one game.

    `moves` and `players` are those of a notation that has the syntax of PGN, without a header for
    the variant. The first player is that of `1-0`; the default is `white`, if there is one.
    """

    def __init__(
        self,
        notations: Notations,
        *,
        moves: MoveNotation | None = None,
        players: tuple[str, ...] = (),
    ) -> None:
        self._notations = notations
        self._game = game = notations.game.without_claims
        program = notations.game.program
        self._moves = moves or declared_moves(notations)
        self._players = players = players or order_of_results(program.form.players)
        self._turns = TurnWords(program, "pgn", CellNames(program.form.cells))
        self._variant = next(iter(option(program, "pgn", "variants", ())), game.name)
        if moves is not None:
            self._variant = ""
        self._names = names_of_players(program, players)

    def text(self, game: RecordedGame) -> str:
        """Return a game with headers in the order of the standard and lines of 80 columns."""
        result = result_text(game.result, self._players)
        headers = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in self._headers(game))
        words = [*self._line(game.start, game.moves, game.notes), result]
        return f"{headers}\n{_wrapped(words)}\n"

    def _headers(self, game: RecordedGame) -> Iterator[tuple[str, str]]:
        """Yield the headers: the roster first, the others in the order of the game."""
        headers = dict(game.headers)
        roster = [*_ROSTER, *((name, "?") for name in self._names)]
        yield from ((name, headers.pop(name, default)) for name, default in roster)
        headers.pop("Result", None)
        yield "Result", result_text(game.result, self._players)
        start = game.start.state
        is_set_up = start != self._game.initial_state()
        for name in ("SetUp", "FEN"):
            headers.pop(name, None)
        if self._variant:
            headers.setdefault("Variant", self._variant)
        yield from headers.items()
        if is_set_up:
            yield "SetUp", "1"
            yield "FEN", self._notations.positions("fen").write(game.start)

    def _line(self, start: Position, moves: Sequence[Move], notes: Notes) -> Iterator[str]:
        """Yield the words of a line of moves with its notes."""
        positions = list(self._positions(start, moves))
        sides = [before.state.side for before in positions]
        yield from _comments(notes.get(0, _NO_NOTE))
        is_numbered = True
        for plies in self._turns.groups(sides, notes):
            before = positions[plies[0] - 1]
            is_first = before.state.side == 0
            if is_first or is_numbered:
                yield f"{before.fullmove}." if is_first else f"{before.fullmove}..."
            texts = [self._text(moves[p - 1], positions[p - 1].state) for p in plies]
            yield self._turns.joined(texts)
            for ply in plies:
                note = notes.get(ply, _NO_NOTE)
                yield from self._note(note, positions[ply - 1])
                is_numbered = bool(note.comments or note.variations)

    def _positions(self, start: Position, moves: Sequence[Move]) -> Iterator[Position]:
        """Yield the position before each move, with the number of the full move."""
        state, number, last = start.state, start.fullmove, len(self._players) - 1
        for move in moves:
            yield Position(state, number)
            side, state = state.side, after_noted(self._game, state, move)
            number += side == last and (self._turns.joint is None or state.side != last)

    def _note(self, note: Note, before: Position) -> Iterator[str]:
        """Yield the words of a note on a move that was made in a position."""
        yield from (f"${glyph}" for glyph in note.nags)
        yield from _comments(note)
        for variation in note.variations:
            words = list(self._line(before, variation.moves, variation.notes))
            if words:
                words[0], words[-1] = "(" + words[0], words[-1] + ")"
                yield from words

    def _text(self, move: Move, state: State) -> str:
        if is_null(move):
            return NULL_TEXT
        return self._moves.write(move, state) if self._moves else str(move)


def _comments(note: Note) -> Iterator[str]:
    for comment in note.comments:
        yield from ("{" + comment.replace("}", ")") + "}").split()


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: Sequence[str]) -> str:
    """Return words in lines of at most 80 columns, unless a word is longer."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) >= _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "".join(f"{line}\n" for line in [*lines, line])
