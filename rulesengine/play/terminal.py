"""A game between people and machines at a terminal: a line is a move or a command."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rulesengine.errors import NotationError, RulesError, UsageError
from rulesengine.files import replace
from rulesengine.limits import MAX_PLIES
from rulesengine.play.players import HUMAN, hint
from rulesengine.play.record import HEAD, write_record
from rulesengine.play.session import Session, resumed
from rulesengine.play.view import PLAIN, Style, board_text, result_text

_WIDTH = 80
_LONGEST = 4096

_HELP = """\
A line is a move, in the game's notation, or one of these:
  ?            the legal moves
  hint         a move that may be good
  undo         take back your last move and what followed it
  save FILE    write the game to a file
  resume FILE  go on with a game from a file
  help         this text
  quit         leave (so does the end of input)"""


class Reader(Protocol):
    """A stream of text whose `readline` gives an empty text at its end."""

    def readline(self, size: int, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where lines come from and where text goes; `write` shows it at once."""

    source: Reader
    write: Callable[[str], None]
    style: Style = PLAIN

    def say(self, text: str) -> None:
        """A text with its newline."""
        self.write(text + "\n")

    def ask(self, prompt: str) -> str | None:
        """The next line without the blanks around it; None at the end of input."""
        self.write(prompt)
        line = self.source.readline(_LONGEST)
        if not line:
            self.write("\n")
            return None
        return line.strip()


def converse(session: Session, terminal: Terminal) -> Session:
    """Play until the game is over without a person in it, `quit`, or the end of input.

    Returns the session as it was left; KeyboardInterrupt passes through.
    """
    _show(session, terminal)
    while True:
        session = _let_machines_play(session, terminal)
        if _is_over(session) and not session.has_person:
            return session
        line = terminal.ask(_prompt(session))
        if line is None or (line == "quit" and not _names_move(session, line)):
            return session
        session = _obey(session, line, terminal) if line else session


def _let_machines_play(session: Session, terminal: Terminal) -> Session:
    """The session when a person is to move, or nobody."""
    played = False
    while not _is_over(session) and session.who != HUMAN:
        move = session.answer()
        assert move is not None
        by_chance = session.game.weights(session.state)
        terminal.say(f"{'chance' if by_chance else session.state.mover}: {move}")
        session = session.play(move)
        played = True
        if not session.has_person:
            terminal.say(_board(session, terminal))
    if played and session.has_person:
        terminal.say(_board(session, terminal))
    if played and _is_over(session):
        terminal.say(_ending(session))
    return session


def _obey(session: Session, line: str, terminal: Terminal) -> Session:
    """The session after a line; a mistake is told and changes nothing."""
    word, _, rest = line.partition(" ")
    try:
        if not _names_move(session, line):
            match word, rest.strip():
                case "?", "":
                    terminal.say(_legal(session))
                    return session
                case "help", "":
                    terminal.say(_HELP)
                    return session
                case "hint", "":
                    terminal.say(_hint(session))
                    return session
                case "undo", "":
                    return _undo(session, terminal)
                case "save", path:
                    return _save(session, path, terminal)
                case "resume", path:
                    return _resume(session, path, terminal)
        return _move(session, line, terminal)
    except RulesError as error:
        terminal.say(str(error))
        return session


def _names_move(session: Session, line: str) -> bool:
    """Whether a line is a legal move, which counts before a command of the same name."""
    return line in map(str, session.game.legal_moves(session.state))


def _move(session: Session, line: str, terminal: Terminal) -> Session:
    try:
        move = session.game.move(line, session.state)
    except NotationError as error:
        raise NotationError(f"{error}; `help` shows what else can be typed") from None
    session = session.play(move)
    _show(session, terminal)
    return session


def _undo(session: Session, terminal: Terminal) -> Session:
    before = session.undo()
    if before is None:
        terminal.say("there is no move of yours to take back")
        return session
    _show(before, terminal)
    return before


def _hint(session: Session) -> str:
    """The move of the first strategy; without one, that of a short search."""
    move = hint(session.game, session.state, session.seed, len(session.moves))
    return _no_move(session) if move is None else str(move)


def _legal(session: Session) -> str:
    moves = " ".join(map(str, session.game.legal_moves(session.state)))
    return textwrap.fill(
        moves or _no_move(session),
        _WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _no_move(session: Session) -> str:
    outcome = session.game.outcome(session.state)
    return f"the game is over: {result_text(outcome)}" if outcome else "there is no legal move"


def _save(session: Session, name: str, terminal: Terminal) -> Session:
    """Write the record; a file that is no record is left alone."""
    path = _path(name, "save")
    try:
        if path.exists() and not _is_record(path):
            raise UsageError(f"{path}: holds something else, which is left as it is")
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be written').lower()}") from None
    replace(path, write_record(session.record()).encode())
    terminal.say(f"saved in {path}")
    return session


def _is_record(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(HEAD)) in (HEAD.encode(), b"")


def _resume(session: Session, name: str, terminal: Terminal) -> Session:
    after = resumed(session, _path(name, "resume"))
    _show(after, terminal)
    return after


def _path(name: str, word: str) -> Path:
    if not name or "\0" in name:
        raise UsageError(f"`{word}` needs the name of a file")
    return Path(name)


def _show(session: Session, terminal: Terminal) -> None:
    """The board, and the result if the game is over."""
    terminal.say(_board(session, terminal))
    if _is_over(session):
        terminal.say(_ending(session))


def _board(session: Session, terminal: Terminal) -> str:
    last = session.moves[-1] if session.moves else None
    return "\n" + board_text(session.game, session.state, last, terminal.style)


def _prompt(session: Session) -> str:
    if _is_over(session):
        return "undo, save FILE or quit: "
    moves = session.game.legal_moves(session.state)
    only = f" (only {moves[0]} is legal)" if len(moves) == 1 else ""
    return f"{session.state.mover}{only}: "


def _is_over(session: Session) -> bool:
    too_long = len(session.moves) >= MAX_PLIES
    return too_long or not session.game.legal_moves(session.state)


def _ending(session: Session) -> str:
    outcome = session.game.outcome(session.state)
    if outcome is not None:
        return result_text(outcome)
    if len(session.moves) >= MAX_PLIES:
        return f"unfinished: a game has at most {MAX_PLIES} moves"
    return f"unfinished: {session.state.mover} has no legal move, and no end of the rules holds"
