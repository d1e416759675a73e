"""`cmd:` players for a spec with `io`: the program speaks the protocol of the spec's script.

The script runs in a thread. The program must print the bytes that the script prints. Input of the
script is sent to the program. Where the script queries a strategy, the program moves: its move is
recognised by its next output, compared with the output of the script for each legal move.

See decision 044.
"""

from collections.abc import Sequence
from io import BytesIO
from queue import Queue
from threading import Thread
from typing import Any, cast

from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.language.ir.rules import Statement
from rulesengine.play.players.base import OUTPUT, SCRIPT, Fault, Turn, cut
from rulesengine.play.players.subprocess_player import SubprocessPlayer
from rulesengine.sandbox import OutputClosed, TimedOut
from rulesengine.script.lookahead import next_output
from rulesengine.script.runner import Runner
from rulesengine.script.runtime import ScriptState, to_pairs
from rulesengine.state import Move, State
from rulesengine.support.blocking import start_thread

_PLAY_STATEMENTS = ("play_one", "play_all", "play_many")


class _GameOver(Exception):
    """Raised in the script's thread when the game has ended elsewhere."""


def has_program_moves(game: Game) -> bool:
    """True if the game's script queries a strategy for moves, so that a program can replace it."""
    return _has_choice(game.rules.script)


class ScriptPlayer(SubprocessPlayer):
    """A program that speaks the protocol of the spec's script."""

    def start(self) -> None:
        if self.seat.game.rules.chance:
            raise Fault(SCRIPT, "programs with a script of their own play no games of chance")
        self.run()
        self._turns: Queue[Turn | None] = Queue()
        self._moves: Queue[Move | Exception] = Queue()
        self._legal_moves: Sequence[Move] = ()
        self._is_open = False  # the referee is waiting for a move
        self._thread = Thread(target=self._follow, name="script", daemon=True)
        start_thread(self._thread)

    def choose(self, turn: Turn) -> Move:
        moves = self.seat.game.legal_moves(turn.state)
        if len(moves) == 1 and moves[0].steps[0].kind == "pass":
            return moves[0]  # the script passes without input
        self.in_turn(turn)
        self._turns.put(turn)
        move = self._moves.get()
        if isinstance(move, Exception):
            raise move
        return move

    def end(self, moves: Sequence[Move]) -> None:
        if self._program:
            self._turns.put(None)
            self._thread.join()
        super().end(moves)

    def _follow(self) -> None:
        """Run the script in its thread, until the game ends or a fault is queued."""
        try:
            Runner(_ScriptQuery(self.seat.game, self)).run_with_locations()
            self._moves.put(Fault(SCRIPT, "has ended before the game"))
        except _GameOver:
            pass
        except RulesError as error:
            self._moves.put(Fault(SCRIPT, cut(str(error))))
        except Exception as error:
            self._moves.put(error)

    def played(self, plies: int) -> Move:
        """Return the move after `plies` plies, made by another player.

        Waits for it. Raises Fault if it is the program's own turn.
        """
        while len(self._legal_moves) <= plies:
            if self._is_open:
                raise Fault(SCRIPT, f"the script requests the moves of {self.seat.name}")
            self._wait()
        return self._legal_moves[plies]

    def requested_move(self, stage: ScriptState) -> tuple[Move, int]:
        """Return the program's move and the number of bytes printed for it. Raises Fault."""
        while not self._is_open and len(self._legal_moves) <= stage.plies:
            self._wait()
        if len(self._legal_moves) > stage.plies:
            raise Fault(SCRIPT, "a program with a script of its own plays from the start")
        move, length = self._matching_move(stage)
        self._is_open = False
        self._moves.put(move)
        return move, length

    def expect(self, text: bytes) -> None:
        """Read `text` from the program. Raises Fault if it prints anything else."""
        output = self._read(len(text), text)
        if output != text:
            at = next(i for i, (a, b) in enumerate(zip(output, text, strict=True)) if a != b)
            raise Fault(
                OUTPUT, f"expected `{_shorten(text[at:])}`, found `{_shorten(output[at:])}`"
            )

    def _matching_move(self, stage: ScriptState) -> tuple[Move, int]:
        """Return the legal move after which the script would print the program's output."""
        output = b""
        moves = stage.game.legal_moves(stage.state)
        left = {move: next_output(stage, move) for move in moves}
        while left:
            move = min(left, key=lambda move: len(left[move]))
            if len(left[move]) <= len(output):
                return move, len(output)
            output += self._read(len(left[move]) - len(output), left[move][len(output) :])
            left = {move: text for move, text in left.items() if _agree(text, output)}
        raise Fault(OUTPUT, f"`{_shorten(output)}` is no legal move")

    def _wait(self) -> None:
        """Wait until the referee requests a move, and store the moves made so far."""
        turn = self._turns.get()
        if turn is None:
            raise _GameOver
        self._legal_moves, self._is_open = turn.moves, True

    def _read(self, count: int, expected: bytes) -> bytes:
        """Read `count` bytes; the fault of a silent program quotes its output so far."""
        if count <= 0:
            return b""
        with self.guarded() as program:
            try:
                data = program.read_exactly(count, self.remaining_seconds)
            except (TimedOut, OutputClosed):
                if expected.startswith(program.pending):
                    raise
                text = _shorten(program.pending)
                raise Fault(OUTPUT, f"expected `{_shorten(expected)}`, found `{text}`") from None
        self._note("< " + data.decode("utf-8", "replace"))
        return data


class _ScriptQuery(ScriptState):
    """The stage on which the script runs: input comes from the game, output is read from the
    program.
    """

    def __init__(self, game: Game, host: ScriptPlayer) -> None:
        self.host = host
        self._ahead = 0
        self._output = BytesIO()
        super().__init__(game, self, self._output, 0)

    def take(self, game: Game) -> None:
        super().take(game)
        self.game = cast(Game, _QueryingGame(self.game, self))

    def read(self, size: int) -> bytes:
        """Return the script's next input: the value of a parameter, or another player's move."""
        self._check()
        text = self._parameter() if self._reads("read_parameter") else self._move()
        self.host.send(text)
        return f"{text}\n".encode()

    def query(self) -> Move:
        """Return the program's move in place of a strategy's."""
        self._check()
        move, self._ahead = self.host.requested_move(self)
        return move

    def _check(self) -> None:
        """Check that the program has printed the output of the script."""
        text = self._output.getvalue()[self._ahead :]
        self._output.seek(0)
        self._output.truncate()
        self._ahead = 0
        self.host.expect(text)

    def _reads(self, *names: str) -> bool:
        return self.at is not None and self.at.name in names

    def _parameter(self) -> str:
        """Return the word for a parameter; if its values are the players, the program's seat."""
        assert self.at is not None
        name, pairs = self.at.words[0], to_pairs(self.at.words[1:])
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


class _QueryingGame:
    """A proxy of a game; its strategies query the program."""

    def __init__(self, game: Game, stage: _ScriptQuery) -> None:
        self._game = game
        self._stage = stage

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def choose(self, strategy: str, state: State, *, since: float | None = None) -> Move:
        return self._stage.query()


def _has_choice(block: Sequence[Statement]) -> bool:
    return any(
        s.name in _PLAY_STATEMENTS or _has_choice(s.body) or _has_choice(s.otherwise) for s in block
    )


def _agree(text: bytes, output: bytes) -> bool:
    return text.startswith(output) or output.startswith(text)


def _shorten(data: bytes) -> str:
    return cut(data[:40].decode("utf-8", "replace"))
