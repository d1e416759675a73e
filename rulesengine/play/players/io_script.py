"""`cmd:` for a spec with `io`: the program is what the spec's script describes, byte for byte.

The script runs beside the program, in a thread: what it prints the program has to print, what it
reads is sent to the program, and where it asks a strategy for a move the program makes its own.
That move is known by what is printed next: the script says what would be, for each legal move.
"""

from collections.abc import Sequence
from io import BytesIO
from queue import Queue
from threading import Thread
from typing import Any, cast

from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.language.ir.rules import Statement
from rulesengine.play.players.base import OUTPUT, SCRIPT, Fault, Turn
from rulesengine.play.players.subprocess_player import Talking, cut
from rulesengine.sandbox import Closed, Late
from rulesengine.script.lookahead import printed_next
from rulesengine.script.runner import Runner
from rulesengine.script.runtime import Stage, pairs_of
from rulesengine.state import Move, State
from rulesengine.support.blocking import start_thread

_ASKS = ("play_one", "play_all", "play_many")


class _Over(Exception):
    """The game has ended elsewhere."""


def asks_strategies(game: Game) -> bool:
    """Whether the game has a script in which a program makes moves of its own."""
    return _asks(game.rules.script)


class Scripted(Talking):
    """A program that plays as the spec's script says."""

    def start(self) -> None:
        if self.seat.game.rules.chance:
            raise Fault(SCRIPT, "programs with a script of their own play no games of chance")
        self.run()
        self._turns: Queue[Turn | None] = Queue()
        self._moves: Queue[Move | Exception] = Queue()
        self._known: Sequence[Move] = ()
        self._is_open = False  # whether the referee waits for a move
        self._thread = Thread(target=self._follow, name="script", daemon=True)
        start_thread(self._thread)

    def choose(self, turn: Turn) -> Move:
        moves = self.seat.game.legal_moves(turn.state)
        if len(moves) == 1 and moves[0].steps[0].kind == "pass":
            return moves[0]  # the script passes by itself
        self.in_turn(turn)
        self._turns.put(turn)
        found = self._moves.get()
        if isinstance(found, Exception):
            raise found
        return found

    def end(self, moves: Sequence[Move]) -> None:
        if self._program:
            self._turns.put(None)
            self._thread.join()
        super().end(moves)

    def _follow(self) -> None:
        """The script's side: it ends with the game, or with the first fault."""
        try:
            Runner(_Asking(self.seat.game, self)).whole()
            self._moves.put(Fault(SCRIPT, "has ended before the game"))
        except _Over:
            pass
        except RulesError as error:
            self._moves.put(Fault(SCRIPT, cut(str(error))))
        except Exception as error:
            self._moves.put(error)

    def played(self, plies: int) -> Move:
        """The move that others make after so many plies. Raises Fault if the program has to."""
        while len(self._known) <= plies:
            if self._is_open:
                raise Fault(SCRIPT, f"the script asks for the moves of {self.seat.name}")
            self._wait()
        return self._known[plies]

    def chosen(self, stage: Stage) -> tuple[Move, int]:
        """The move that the program makes, and how many bytes it was told by. Raises Fault."""
        while not self._is_open and len(self._known) <= stage.plies:
            self._wait()
        if len(self._known) > stage.plies:
            raise Fault(SCRIPT, "a program with a script of its own plays from the start")
        move, length = self._told(stage)
        self._is_open = False
        self._moves.put(move)
        return move, length

    def expect(self, text: bytes) -> None:
        """The program has to print this next. Raises Fault."""
        said = self._read(len(text), text)
        if said != text:
            at = next(i for i, (a, b) in enumerate(zip(said, text, strict=True)) if a != b)
            raise Fault(OUTPUT, f"expected `{_shown(text[at:])}`, found `{_shown(said[at:])}`")

    def _told(self, stage: Stage) -> tuple[Move, int]:
        """The legal move behind which the script would print what the program has printed."""
        said = b""
        moves = stage.game.legal_moves(stage.state)
        left = {move: printed_next(stage, move) for move in moves}
        while left:
            move = min(left, key=lambda move: len(left[move]))
            if len(left[move]) <= len(said):
                return move, len(said)
            said += self._read(len(left[move]) - len(said), left[move][len(said) :])
            left = {move: text for move, text in left.items() if _agree(text, said)}
        raise Fault(OUTPUT, f"`{_shown(said)}` tells no legal move")

    def _wait(self) -> None:
        """Wait until the referee asks for a move, by which all moves before are known."""
        turn = self._turns.get()
        if turn is None:
            raise _Over
        self._known, self._is_open = turn.moves, True

    def _read(self, count: int, expected: bytes) -> bytes:
        """So many bytes; the fault of a program that is silent shows what it has printed."""
        if count <= 0:
            return b""
        with self.talked() as program:
            try:
                data = program.read_exactly(count, self.left)
            except (Late, Closed):
                if expected.startswith(program.pending):
                    raise
                found = _shown(program.pending)
                raise Fault(OUTPUT, f"expected `{_shown(expected)}`, found `{found}`") from None
        self._note("< " + data.decode("utf-8", "replace"))
        return data


class _Asking(Stage):
    """The script's stage: input comes from the game, output is asked of the program."""

    def __init__(self, game: Game, host: Scripted) -> None:
        self.host = host
        self._ahead = 0
        self._output = BytesIO()
        super().__init__(game, self, self._output, 0)

    def take(self, game: Game) -> None:
        super().take(game)
        self.game = cast(Game, _Played(self.game, self))

    def read(self, size: int) -> bytes:
        """What the script reads next: the value of a parameter, or a move of somebody else."""
        self._check()
        text = self._parameter() if self._reads("read_parameter") else self._move()
        self.host.say(text)
        return f"{text}\n".encode()

    def ask(self) -> Move:
        """The move of the program, where the script asks a strategy."""
        self._check()
        move, self._ahead = self.host.chosen(self)
        return move

    def _check(self) -> None:
        """The program has to have printed what the script has."""
        text = self._output.getvalue()[self._ahead :]
        self._output.seek(0)
        self._output.truncate()
        self._ahead = 0
        self.host.expect(text)

    def _reads(self, *names: str) -> bool:
        return self.at is not None and self.at.name in names

    def _parameter(self) -> str:
        """The word for a parameter; one whose values are players is the seat of the program."""
        assert self.at is not None
        name, pairs = self.at.words[0], pairs_of(self.at.words[1:])
        row = next(p for p in self.game.rules.parameters if p.name == name)
        value = str(self.game.parameters[name])
        if set(row.choices) == set(self.game.players):
            value = self.host.seat.name
        return next((word for word, meant in pairs.items() if meant == value), value)

    def _move(self) -> str:
        move = self.host.played(self.plies)
        if not self._reads("read_cell", "read_cells"):
            return str(move)
        step, cells = move.steps[0], self.state.form.cells
        return " ".join(cells[cell] for cell in (step.origin, step.target) if cell >= 0)


class _Played:
    """A game whose strategies ask the program."""

    def __init__(self, game: Game, stage: _Asking) -> None:
        self._game = game
        self._stage = stage

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def choose(self, strategy: str, state: State, *, since: float | None = None) -> Move:
        return self._stage.ask()


def _asks(block: Sequence[Statement]) -> bool:
    return any(s.name in _ASKS or _asks(s.body) or _asks(s.otherwise) for s in block)


def _agree(text: bytes, said: bytes) -> bool:
    return text.startswith(said) or said.startswith(text)


def _shown(data: bytes) -> str:
    return cut(data[:40].decode("utf-8", "replace"))
