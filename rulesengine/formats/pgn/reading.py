"""Reading of games in Portable Game Notation: moves by the rules, variations and comments kept."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.cell_moves import CellNames
from rulesengine.formats.entries import GameEntry, persons
from rulesengine.formats.null_moves import NULL_MOVE, after_null, is_null_text
from rulesengine.formats.options import is_declared, option
from rulesengine.formats.pgn.chunks import chunks
from rulesengine.formats.pgn.declared_moves import declared_moves
from rulesengine.formats.pgn.quick import QuickReader
from rulesengine.formats.pgn.results import (
    names_of_players,
    one_point_result,
    order_of_results,
    read_result,
    result_text,
)
from rulesengine.formats.pgn.tokens import Kind, RawGame, raw_games
from rulesengine.formats.registry_types import MoveNotation, Notations
from rulesengine.formats.turn_words import TurnWords
from rulesengine.formats.values import (
    NO_NOTES,
    GameResult,
    Note,
    Notes,
    Position,
    Problem,
    RecordedGame,
    Variation,
)
from rulesengine.state import Move, State

_GLYPHS = MappingProxyType({"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6})
_MAX_DEPTH = 64


class PgnReader:
    """A reader of games of one game.

    `moves` and `players` are those of a notation that has the syntax of PGN. The first player is
    that of `1-0`; the default is `white`, if there is one.
    """

    def __init__(
        self,
        notations: Notations,
        *,
        moves: MoveNotation | None = None,
        players: tuple[str, ...] = (),
    ) -> None:
        self.notations = notations
        self.game = game = notations.game.without_claims
        program = notations.game.program
        self.moves = moves or declared_moves(notations)
        self._has_san = moves is None and is_declared(program, "san")
        has_uci = self._has_san and is_declared(program, "uci")
        self._uci = notations.moves("uci") if has_uci else None
        self.players = players or order_of_results(program.form.players)
        self.start = Position(game.initial_state())
        self.turns = TurnWords(program, "pgn", CellNames(program.form.cells))
        names = (game.name, *option(program, "pgn", "variants", ()))
        self._variants = {_plain(name) for name in names}

    def games(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text, with their errors as problems."""
        quick = QuickReader.of(self.game, self.start, text) if self._has_san else None
        if quick is None:
            yield from self._games(text, 1)
            return
        number = 1
        for chunk in chunks(text):
            recorded = quick.game(number, chunk)
            for game in (recorded,) if recorded else self._games(chunk.text, number):
                yield game
                number += 1

    def _games(self, text: str, first: int) -> Iterator[RecordedGame]:
        """Yield the games of a text, numbered from `first`, by their tokens."""
        for number, raw in enumerate(raw_games(text), start=first):
            yield self.read_game(number, raw)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text."""
        for number, raw in enumerate(raw_games(text), start=1):
            yield self.entry(number, raw)

    def entry(self, number: int, raw: RawGame) -> GameEntry:
        """Return the entry of the game of tokens."""
        headers = dict(raw.headers)
        results = (text for kind, text in reversed(raw.tokens) if kind == Kind.RESULT)
        result = one_point_result(next(results, headers.get("Result", "")))
        named = persons(headers, names_of_players(self.notations.game.program, self.players))
        return GameEntry(number, named, result, partial(self.read_game, number, raw))

    def read_game(self, number: int, raw: RawGame) -> RecordedGame:
        """Return the game of tokens."""
        return _GameReader(self, number, raw).read()

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none. Raises RulesError.

        Some programs write moves or drops of pawns in UCI, `g1f3` and `P@e4`.
        """
        move = self.moves.find(text, state) if self.moves else None
        if move is None and self._uci is not None:
            return self._uci.find(text.rstrip("+#"), state)
        return self.game.find(text, state) if move is None and not self._has_san else move

    def is_move_number(self, word: str) -> bool:
        """True if a word is the number of a move without periods, which the standard permits."""
        return self._has_san and word.isdecimal() and not is_null_text(word)

    def is_variant(self, name: str) -> bool:
        """True if a header names this game."""
        return not name or _plain(name) in self._variants


@dataclass(slots=True)
class _Draft:
    """A note under construction."""

    comments: list[str] = field(default_factory=list)
    nags: list[int] = field(default_factory=list)
    variations: list[Variation] = field(default_factory=list)

    def note(self) -> Note:
        return Note(tuple(self.comments), tuple(self.nags), tuple(self.variations))


class _Line:
    """A line of moves under construction, which begins after `base` plies of the game."""

    __slots__ = ("base", "drafts", "is_broken", "moves", "previous", "state")

    def __init__(self, state: State, base: int) -> None:
        self.state = state
        self.previous: State | None = None
        self.base = base
        self.moves: list[Move] = []
        self.drafts: dict[int, _Draft] = {}
        self.is_broken = False

    def draft(self) -> _Draft:
        """Return the note on the last move."""
        return self.drafts.setdefault(len(self.moves), _Draft())

    def notes(self) -> Notes:
        """Return the notes by ply."""
        return (
            {ply: draft.note() for ply, draft in self.drafts.items()} if self.drafts else NO_NOTES
        )


class _GameReader:
    """A reader of one game, used once."""

    def __init__(self, reader: PgnReader, number: int, raw: RawGame) -> None:
        self._reader = reader
        self._number = number
        self._raw = raw
        self._problems: list[Problem] = []
        self._result = ""
        self._skipped = 0  # open variations that are nested too deeply

    def read(self) -> RecordedGame:
        """Return the game."""
        raw, headers = self._raw, dict(self._raw.headers)
        for text in raw.broken:
            self._problem(0, text, 'expected a header such as `[Event "?"]`')
        start = self._start(headers)
        line = _Line(start.state, 0)
        if self._problems and any(not p.ply and p.text not in raw.broken for p in self._problems):
            line.is_broken = True
        self._main_line(line)
        result = self._checked_result(headers, line)
        notes, moves = line.notes(), tuple(line.moves)
        problems = tuple(self._problems)
        return RecordedGame(
            self._number, raw.headers, start, moves, line.state, result, notes, problems
        )

    def _start(self, headers: dict[str, str]) -> Position:
        """Return the first position, by the headers."""
        variant, fen = headers.get("Variant", ""), headers.get("FEN", "")
        if not self._reader.is_variant(variant):
            self._problem(0, variant, f"a game of another variant than {self._reader.game.name}")
        elif fen:
            try:
                return self._reader.notations.positions("fen").read(fen)
            except RulesError as error:
                self._problem(0, fen, str(error))
        return self._reader.start

    def _main_line(self, line: _Line) -> None:
        """Read the tokens into a line and its variations."""
        lines = [line]
        for kind, text in self._raw.tokens:
            if self._skipped:
                self._skipped += (kind == Kind.OPEN) - (kind == Kind.CLOSE)
            elif kind == Kind.WORD and self._reader.is_move_number(text):
                continue
            elif kind == Kind.WORD and not line.is_broken:
                plain = text.rstrip("!?")
                if not self._is_read(line, plain, is_main=len(lines) == 1):
                    continue
                if plain is not text and plain != text:
                    line.draft().nags.append(_GLYPHS.get(text[len(plain) :], 0))
            elif kind != Kind.WORD:
                self._mark(kind, text, lines)
                line = lines[-1]
        if len(lines) > 1:
            line = lines[-1]
            self._problem(line.base + len(line.moves), "(", "a variation without its end")
        while len(lines) > 1:
            self._close(lines)

    def _is_read(self, line: _Line, word: str, *, is_main: bool) -> bool:
        """Play the moves of a word; return False and report the first one that is illegal."""
        text, side = word, line.state.side
        try:
            for text in self._reader.turns.parts(word):
                if line.state.side != side:
                    raise NotationError(f"the turn of {line.state.player(side)} is over")
                move = self._reader.find(text, line.state)
                if move is not None:
                    after = self._reader.game.apply(line.state, move)
                elif is_null_text(text) and not is_main:
                    move, after = NULL_MOVE, after_null(self._reader.game, line.state)
                else:
                    self._illegal(line, text)
                    return False
                line.previous, line.state = line.state, after
                line.moves.append(move)
        except RulesError as error:
            self._problem(line.base + len(line.moves) + 1, text, str(error))
            line.is_broken = True
        return not line.is_broken

    def _mark(self, kind: int, text: str, lines: list[_Line]) -> None:
        """Read a token that is no move."""
        line = lines[-1]
        match kind:
            case Kind.COMMENT | Kind.LINE_COMMENT:
                line.draft().comments.append(" ".join(text.split()))
            case Kind.GLYPH:
                glyph = int(text[1:]) if text[0] == "$" else _GLYPHS.get(text, 0)
                line.draft().nags.append(glyph)
            case Kind.OPEN:
                self._open(lines)
            case Kind.CLOSE if len(lines) > 1:
                self._close(lines)
            case Kind.RESULT if len(lines) == 1:
                self._result = text
            case Kind.CLOSE:
                self._problem(line.base + len(line.moves), text, "no variation to close")
            case Kind.CUT:
                self._problem(line.base + len(line.moves), text, "a comment without its end")
            case Kind.UNKNOWN:
                self._problem(line.base + len(line.moves), text, "unexpected character")

    def _open(self, lines: list[_Line]) -> None:
        """Begin a variation, which replaces the last move."""
        line = lines[-1]
        ply = line.base + len(line.moves)
        if len(lines) > _MAX_DEPTH:
            self._skipped = 1
            self._problem(ply, "(", "nested too deeply")
            return
        new = _Line(line.previous or line.state, max(ply - 1, 0))
        new.is_broken = line.is_broken or line.previous is None
        if new.is_broken and not line.is_broken:
            self._problem(ply, "(", "a variation before any move")
        lines.append(new)

    @staticmethod
    def _close(lines: list[_Line]) -> None:
        line = lines.pop()
        if line.moves or line.drafts:
            variation = Variation(tuple(line.moves), line.notes())
            lines[-1].draft().variations.append(variation)

    def _illegal(self, line: _Line, text: str) -> None:
        """Report a text that is no legal move; the rest of its line is skipped."""
        line.is_broken = True
        outcome = self._reader.game.outcome(line.state)
        reason = "no legal move is written so"
        if outcome is not None:
            reason = f"the game is over, {outcome.reason}"
        elif is_null_text(text):
            reason = "a null move, which only variations may have"
        self._problem(line.base + len(line.moves) + 1, text, reason)

    def _checked_result(self, headers: dict[str, str], line: _Line) -> GameResult | None:
        """Return the result of the text; report one that contradicts header or position."""
        header = headers.get("Result", "*").strip()
        text = self._result or header
        expected = one_point_result(self._result)
        if self._result and one_point_result(header) not in ("*", "?", "", expected):
            self._problem(len(line.moves), self._result, f"the header has the result {header}")
        reason = headers.get("Termination", "")
        result = read_result(text, self._reader.players, reason)
        outcome = None if line.is_broken else self._reader.game.outcome(line.state)
        if outcome is not None and result is not None and result.winner != outcome.winner:
            by_rules = result_text(GameResult(outcome.winner), self._reader.players)
            why = f"by the rules the result is {by_rules}, {outcome.reason}"
            self._problem(len(line.moves), text, why)
        return result

    def _problem(self, ply: int, text: str, reason: str) -> None:
        self._problems.append(Problem(self._number, ply, text[:60], reason))


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())
