"""Transcripts and lists of moves: a line is a game, with or without spaces between the moves.

Moves are those of the game, names of cells, or those of SAN. A pass that is the only legal move may
be missing. See decision 122.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rulesengine.errors import RulesError
from rulesengine.formats.cell_moves import CellMoves, CellNames, forced_pass
from rulesengine.formats.entries import GameEntry
from rulesengine.formats.options import is_declared, option
from rulesengine.formats.registry_types import Notations
from rulesengine.formats.turn_words import TurnWords
from rulesengine.formats.values import NO_NOTES, Position, Problem, RecordedGame
from rulesengine.state import Move, State

NAME = "transcript"
_NUMBER = re.compile(r"(?<!\S)[0-9]+\.+")
_CONTINUED = re.compile(r"\s*(?:[2-9]|[1-9][0-9]+)\.")
_COMMENT = "#"
_SHOWN = 4096  # characters from which the format is recognised


class Transcript:
    """Games of one game as lines of moves."""

    def __init__(self, notations: Notations) -> None:
        self._game = game = notations.game.without_claims
        program = game.program
        self._names = CellNames(program.form.cells, folds_case=True)
        own_pass = program.rules.notation.pass_
        declared: tuple[str, ...] = option(program, NAME, "passes", ())
        self._moves = CellMoves(game, self._names, "", [(text, own_pass) for text in declared])
        self._san = notations.moves("san") if is_declared(program, "san") else None
        self._turns = TurnWords(program, NAME, self._names)
        self._is_joined = option(program, NAME, "joined", ()) == ("true",)

    def recognises(self, text: str) -> bool:
        """True if the first word of a text begins with a legal move."""
        words = next(_games(text[:_SHOWN]), [])
        state = self._game.initial_state()
        try:
            return bool(words) and self._find(self._parts(words[0], state)[0], state) is not None
        except RulesError:
            return False

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text. Lines that begin with `#` are comments."""
        for number, words in enumerate(_games(text), start=1):
            yield self.read_game(number, words)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text."""
        for number, words in enumerate(_games(text), start=1):
            yield GameEntry(number, (), "", partial(self.read_game, number, words))

    def write(self, game: RecordedGame) -> str:
        """Return a game as a line, joined and without forced passes if the spec declares that."""
        state, texts, sides = game.start.state, list[str](), list[int]()
        for move in game.moves:
            sides.append(state.side)
            if not self._is_joined:
                texts.append(str(move))
            elif forced_pass(self._game, state) is None:
                texts.append(self._moves.write(move, state))
            state = self._game.apply(state, move, check=False)
        if self._is_joined:
            return "".join(texts)
        groups = self._turns.groups(sides, NO_NOTES)
        return " ".join(self._turns.joined([texts[p - 1] for p in plies]) for plies in groups)

    def read_game(self, number: int, words: Sequence[str]) -> RecordedGame:
        """Return a game of words; its moves end before the first illegal one."""
        start = state = self._game.initial_state()
        moves: list[Move] = []
        problem: Problem | None = None
        for word in words:
            for text in self._parts(word, state):
                try:
                    passed = self._missing_pass(text, state)
                    if passed is not None:
                        moves.append(passed)
                        state = self._game.apply(state, passed, check=False)
                    move = self._find(text, state)
                    reason = self._illegal(state) if move is None else ""
                except RulesError as error:
                    move, reason = None, str(error)
                if move is None:
                    problem = Problem(number, len(moves) + 1, text[:60], reason)
                    break
                moves.append(move)
                state = self._game.apply(state, move, check=False)
            if problem is not None:
                break
        problems = (problem,) if problem is not None else ()
        return RecordedGame(number, (), Position(start), tuple(moves), state, None, {}, problems)

    def _parts(self, word: str, state: State) -> list[str]:
        """Return the moves of a word: one, or several names of cells and a rest."""
        if self._turns.joint:
            return list(self._turns.parts(word))
        if self._names.cell(word) >= 0 or self._find(word, state) is not None:
            return [word]
        return self._names.split(word)

    def _find(self, text: str, state: State) -> Move | None:
        move = self._moves.find(text, state) or self._game.find(text, state)
        if move is None and self._san is not None:
            move = self._san.find(text, state)
        return move

    def _missing_pass(self, text: str, state: State) -> Move | None:
        """Return the pass before a move that is not legal, if that pass is the only legal move."""
        passed = forced_pass(self._game, state)
        return passed if passed is not None and self._find(text, state) is None else None

    def _illegal(self, state: State) -> str:
        outcome = self._game.outcome(state)
        return f"the game is over, {outcome.reason}" if outcome else "no legal move is written so"


def _games(text: str) -> Iterator[list[str]]:
    """Yield the words of each game; a line that begins with a number after 1 continues a game."""
    words: list[str] = []
    for line in text.splitlines():
        if line.lstrip().startswith(_COMMENT) or not line.strip():
            continue
        if words and not _CONTINUED.match(line):
            yield words
            words = []
        words += _NUMBER.sub(" ", line).split()
    if words:
        yield words
