"""The interactive loop of a game at a terminal: each line of input is a move or a command."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from rulesengine.drawing import cells_of
from rulesengine.errors import NotationError, RulesError, UsageError
from rulesengine.play.game_files import RECORD, format_of_name, written_game
from rulesengine.play.players import HUMAN, Fault
from rulesengine.play.players.search_players import hint
from rulesengine.play.records import format_for, format_of, write_record
from rulesengine.play.records.conversion import from_record
from rulesengine.play.session import Session, resumed
from rulesengine.play.terminal.board_view import (
    PLAIN,
    Style,
    board_text,
    observed_board,
    result_text,
    score_text,
)
from rulesengine.play.terminal.introduction import introduction
from rulesengine.play.terminal.typed_moves import typed_move
from rulesengine.state import Move
from rulesengine.support.files import replace
from rulesengine.support.limits import MAX_PLIES

_LONGEST = 4096
_MOST_HEAD = 65536  # bytes of a file that identify a record
_CLEAR, _ROWS = "\x1b[2J\x1b[3J\x1b[H", 60  # clears the screen, or fills it with empty lines
_COMMANDS = ("?", "hint", "undo", "resign", "save ", "resume ", "help", "quit")

_HELP = """\
A line is a move, in the game's notation, or one of these. The part of a move
is enough if no other legal move has it; case, blanks and hyphens do not matter.
  ?            the legal moves
  ? CELL       those that name a cell
  hint         a move that may be good
  undo         take back your last move and what followed it
  resign       give up the game and leave
  save FILE    write the game to a file, such as game.rec or game.pgn
  resume FILE  go on with a game from a file; of several with game N: resume FILE N
  help         this text
  quit         leave (so does the end of input)"""


# Reads a line of input; the second argument returns the words for completion.
Ask = Callable[[str, Callable[[], Sequence[str]]], str | None]
# Explains in English why a move is not legal.


class Reader(Protocol):
    """A text stream; `readline` returns an empty text at its end."""

    def readline(self, size: int, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Terminal:
    """Input and output of the loop; `write` must flush.

    `edit` reads a line with editing, if available.
    """

    source: Reader
    write: Callable[[str], None]
    style: Style = PLAIN
    edit: Ask | None = None

    def print_text(self, text: str) -> None:
        """Print a text and a newline."""
        self.write(text + "\n")

    def print_wrapped(self, text: str) -> None:
        """Print sentences, wrapped to the width of the terminal."""
        self.print_text("\n".join(_wrapped(line, self.style.width) for line in text.splitlines()))

    def read_line(self, prompt: str, words: Callable[[], Sequence[str]]) -> str | None:
        """Read the next line, stripped; return None at the end of input."""
        if self.edit is not None:
            edited = self.edit(prompt, words)
            return None if edited is None else edited[:_LONGEST].strip()
        self.write(prompt)
        line = self.source.readline(_LONGEST)
        if not line:
            self.write("\n")
            return None
        return line.strip()


def _wrapped(line: str, width: int) -> str:
    """Wrap a line between words; continuation lines have the same indentation."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(
        line.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def run_terminal(session: Session, terminal: Terminal) -> Session:
    """Play until `quit`, the end of input, or the end of a game without a person.

    Returns the last session; KeyboardInterrupt passes through.
    """
    if session.has_person:
        terminal.print_wrapped(introduction(session))
    _show(session, terminal)
    while True:
        session = _let_machines_play(session, terminal)
        if _is_over(session) and not session.has_person:
            return session
        line = terminal.read_line(_prompt(session), partial(_words, session))
        if line is None or (line == "quit" and not _names_move(session, line)):
            return session
        if line == "resign" and not _is_over(session) and not _names_move(session, line):
            terminal.print_text(_resignation(session))
            return session
        session = _obey(session, line, terminal) if line else session


def _resignation(session: Session) -> str:
    """Describe the result of the player to move giving up; of two players the other wins."""
    mover = session.state.mover
    others = [name for name in session.game.players if name != mover]
    return f"{mover} resigns" + (f": {others[0]} wins" if len(others) == 1 else "")


def _let_machines_play(session: Session, terminal: Terminal) -> Session:
    """Return the session in which a person is to move or the game is over."""
    played = False
    while not _is_over(session) and session.current_player != HUMAN:
        try:
            move = session.answer()
        except Fault as fault:
            session = _take_over(session, fault, terminal)
            continue
        assert move is not None
        by_chance = session.game.weights(session.state)
        name = "chance" if by_chance else session.state.mover
        session = session.play(move)
        if session.is_noticed(len(session.moves) - 1, session.viewer):
            terminal.print_text(f"{name}: {move}")
        _print_revealed_moves(session, terminal)
        played = True
        if not session.has_person:
            terminal.print_text(_board(session, terminal))
    if played and session.has_person:
        terminal.print_text(_board(session, terminal))
    if played and _is_over(session):
        terminal.print_wrapped(_ending(session))
    return session


def _print_revealed_moves(session: Session, terminal: Terminal) -> None:
    """Print the moves of others that the viewer is told at the end of a round."""
    for name, text in session.revealed_moves():
        terminal.print_text(f"{name}: {text}")


def _take_over(session: Session, fault: Fault, terminal: Terminal) -> Session:
    """Return the session in which a person replaces a program. Raises RulesError without one."""
    name = session.state.mover
    description = f"{name}: {fault.kind}: {fault}"
    if not session.has_person:
        raise RulesError(description)
    terminal.print_wrapped(f"{description}; you play for {name} now")
    return session.with_players({**session.players, name: HUMAN})


def _obey(session: Session, line: str, terminal: Terminal) -> Session:
    """Return the session after a line of input; an error is printed and changes nothing."""
    word, _, arguments = line.partition(" ")
    try:
        if not _names_move(session, line):
            match word, arguments.strip():
                case "?", cell:
                    terminal.print_wrapped(_legal(session, cell))
                    return session
                case "help", "":
                    terminal.print_wrapped(_HELP)
                    return session
                case "hint", "":
                    terminal.print_wrapped(_hint(session))
                    return session
                case "undo", "":
                    return _undo(session, terminal)
                case "save", path:
                    return _save(session, path, terminal)
                case "resume", path:
                    return _resume(session, path, terminal)
        return _move(session, line, terminal)
    except RulesError as error:
        terminal.print_wrapped(str(error))
        return session


def _names_move(session: Session, line: str) -> bool:
    """True if a line is a legal move, which takes precedence over a command of the same name."""
    return line in map(str, session.game.legal_moves(session.state))


def _move(session: Session, line: str, terminal: Terminal) -> Session:
    try:
        move = typed_move(session.game, session.state, line)
    except NotationError as error:
        raise NotationError(f"{error}; `help` lists the commands") from None
    if str(move) != line:
        terminal.print_text(f"{session.state.mover}: {move}")
    mover = session.state.mover
    session = session.play(move)
    _hand_over(session, mover, terminal)
    _print_revealed_moves(session, terminal)
    _show(session, terminal)
    return session


def _hand_over(session: Session, before: str, terminal: Terminal) -> None:
    """Clear the screen before another person at the same terminal sees a hidden position."""
    people = [name for name, player in session.players.items() if player == HUMAN]
    mover = session.state.mover
    if session.game.is_hidden and len(people) > 1 and mover in people and mover != before:
        terminal.read_line(f"{mover} is to move; press Enter at the keyboard: ", list)
        terminal.write(_CLEAR if terminal.style.colour else "\n" * _ROWS)


def _undo(session: Session, terminal: Terminal) -> Session:
    before = session.undo()
    if before is None:
        terminal.print_text("there is no move of yours to take back")
        return session
    _show(before, terminal)
    return before


def _hint(session: Session) -> str:
    """Return the move of the first strategy, or of a short search if there is none."""
    move = hint(session.game, session.state, session.seed, len(session.moves))
    return _no_move(session) if move is None else str(move)


def _legal(session: Session, cell: str) -> str:
    """List the legal moves, or those that name a cell."""
    moves = session.game.legal_moves(session.state)
    if not cell or not moves:
        return " ".join(map(str, moves)) or _no_move(session)
    number = session.state.cell(cell if cell in session.state.form.cells else cell.lower())
    named = [str(move) for move in moves if number in cells_of(move)]
    return " ".join(named) or f"no legal move names {session.state.form.cells[number]}"


def _words(session: Session) -> list[str]:
    """Return the words for completion: legal moves and commands."""
    return [*map(str, session.game.legal_moves(session.state)), *_COMMANDS]


def _no_move(session: Session) -> str:
    outcome = session.game.outcome(session.state)
    return (
        f"the game is over: {result_text(session.game, outcome)}"
        if outcome
        else "there is no legal move"
    )


def _save(session: Session, name: str, terminal: Terminal) -> Session:
    """Write the game in the format of the file's name, by default as a record.

    A file that is no game in this format is not overwritten.
    """
    path = _path(name, "save")
    format = format_of_name(session.game, path.suffix)
    try:
        if path.exists() and not _has_format(session, path, format):
            raise UsageError(f"{path}: is not a game record; it is unchanged")
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be written').lower()}") from None
    replace(path, _text(session, path, format).encode())
    terminal.print_text(f"saved in {path}")
    return session


def _text(session: Session, path: Path, format: str) -> str:
    """Return the game as text in a format."""
    record = session.record()
    if format == RECORD:
        return write_record(record, format_for(path))
    return written_game(session.game, from_record(session.game, record), format)


def _has_format(session: Session, path: Path, format: str) -> bool:
    """True if a file begins like a text in a format, or is empty."""
    with path.open("rb") as file:
        head = file.read(_MOST_HEAD).decode("utf-8", "replace")
    if not head or format == RECORD:
        return not head or format_of(head) is not None
    formats = session.game.formats
    is_game = formats.game_format(head) == format
    return is_game or (format not in formats.names("games") and formats.recognises_position(head))


def _resume(session: Session, name: str, terminal: Terminal) -> Session:
    path, number = _path(name, "resume"), 1
    words = name.rsplit(maxsplit=1)
    if not path.exists() and len(words) > 1 and words[1].isdecimal():
        path, number = Path(words[0]), int(words[1])
    after = resumed(session, path, number=number)
    _show(after, terminal)
    return after


def _path(name: str, word: str) -> Path:
    if not name or "\0" in name:
        raise UsageError(f"`{word}` needs the name of a file")
    return Path(name)


def _show(session: Session, terminal: Terminal) -> None:
    """Print the board, the scores, and the result if the game is over."""
    terminal.print_text(_board(session, terminal))
    if _is_over(session):
        terminal.print_wrapped(_ending(session))


def _board(session: Session, terminal: Terminal) -> str:
    last = session.moves[-1] if session.moves else None
    if session.game.is_hidden:
        return _observed(session, last, terminal)
    board = board_text(session.game, session.state, last, terminal.style, _targets(session))
    look = session.game.program.rules.look
    is_hidden = _is_over(session) or (look is not None and look.score != "always")
    score = "" if is_hidden else score_text(session.game, session.game.scores(session.state))
    return f"\n{board}" + (f"\n{_wrapped(score, terminal.style.width)}" if score else "")


def _observed(session: Session, last: Move | None, terminal: Terminal) -> str:
    """Return the board as the viewer sees it; a move of others is marked if all are told of it."""
    viewer, game = session.viewer, session.game
    is_shown = last is not None and session.is_noticed(len(session.moves) - 1, viewer)
    shown = observed_board(game, session.state, viewer, last if is_shown else None, terminal.style)
    return f"\n{shown}"


def _targets(session: Session) -> frozenset[int]:
    """Return the cells where a person may place something, unless these are all empty cells."""
    state = session.state
    if session.current_player != HUMAN or _is_over(session):
        return frozenset()
    firsts = [move.steps[0] for move in session.game.legal_moves(state) if move.steps]
    if any(step.origin >= 0 for step in firsts):
        return frozenset()
    occupied_count = sum(mask.bit_count() for mask in state.planes)
    targets = frozenset(step.target for step in firsts if step.target >= 0)
    return targets if len(targets) < len(state.form.cells) - occupied_count else frozenset()


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
        return result_text(session.game, outcome)
    if len(session.moves) >= MAX_PLIES:
        return f"unfinished: a game has at most {MAX_PLIES} moves"
    return f"unfinished: {session.state.mover} has no legal move, and no end of the rules holds"
