"""`gtp:` players: programs that speak GTP (version 2; Farnebäck, 2002).

The board is square. Vertices are those of `formats: gtp`: columns without the letter `i`, or the
names of the cells. The komi is sent if the spec declares it, the time left if there is a clock. A
program that does not know these commands plays without them. Rules are options of the program. If
the players are not named black and white, the first one is black.
"""

from rulesengine.errors import UsageError
from rulesengine.formats.cell_moves import CellMoves, CellNames
from rulesengine.formats.options import option
from rulesengine.game import Game
from rulesengine.play.engine_mode.gtp_game import vertices
from rulesengine.play.players.base import CRASH, OUTPUT, Fault, Turn, cut, notated_move
from rulesengine.play.players.subprocess_player import SubprocessPlayer
from rulesengine.state import Move, State

_COLOURS = ("black", "white")
_PASS, _RESIGN = "pass", "resign"


class GtpPlayer(SubprocessPlayer):
    """A program that places stones; one process plays all games of a unit."""

    def __init__(self, game: Game, command: str) -> None:
        super().__init__(command)
        topology = game.program.topology
        rows, columns = len(topology.row_labels), len(topology.column_labels)
        if rows != columns or rows == 0 or len(game.players) != 2:
            raise UsageError(f"gtp: {game.name} is not played by two on a square board")
        self._size = rows
        names = CellNames(vertices(game), folds_case=True)
        self._moves = CellMoves(game, names, "-", ((_PASS, game.rules.notation.pass_),))
        named = [name.lower() for name in game.players]
        self._colours = named if sorted(named) == sorted(_COLOURS) else _COLOURS

    def start(self) -> None:
        self.run()
        self.query(f"boardsize {self._size}")
        self.query("clear_board")
        if komi := self._komi():
            self._offer(f"komi {komi}")
        self._sent = 0

    def choose(self, turn: Turn) -> Move:
        self.in_turn(turn)
        state = self.seat.start
        for ply, move in enumerate(turn.moves):
            if ply >= self._sent:
                self._send_move(state, move)
            state = self.seat.game.apply(state, move, check=False)
        if turn.left is not None:
            colour = self._colour(turn.state.mover)
            self._offer(f"time_left {colour} {max(0, int(turn.left))} 0")
        answer = self.query(f"genmove {self._colour(turn.state.mover)}").lower()
        self._sent = len(turn.moves) + 1
        if answer == _RESIGN:
            raise Fault(_RESIGN, "has resigned")
        return notated_move(self._moves.find, turn.state, answer)

    def end(self, moves: object) -> None:
        """Leave the process running for the next game."""

    def _offer(self, command: str) -> None:
        """Send a command that a program may reject."""
        try:
            self.query(command)
        except Fault as fault:
            if fault.kind != CRASH:
                raise

    def _komi(self) -> str:
        """Return the komi in points; empty if the spec declares none."""
        game = self.seat.game
        names = {key: option(game.program, "gtp", key, ("",))[0] for key in ("komi", "half")}
        values = game.parameters
        if not names["komi"]:
            return ""
        return f"{int(values[names['komi']]) + (0.5 if values.get(names['half']) else 0):g}"

    def _send_move(self, state: State, move: Move) -> None:
        """Send a move of the game to the program.

        GTP states the colour of every move, so a program may reject a pass that the rules force.
        The error is ignored, and the next colour implies the pass.
        """
        try:
            text = self._moves.write(move, state)
            vertex = _PASS if move.steps[0].kind == _PASS else text.upper()
            self.query(f"play {self._colour(state.mover)} {vertex}")
        except Fault as fault:
            if fault.kind != CRASH or move.steps[0].kind != _PASS:
                raise

    def query(self, command: str) -> str:
        """Send a command and return its response. Raises Fault if the command fails."""
        self.send(command)
        answer = self.read_line()
        if answer[:1] not in ("=", "?"):
            raise Fault(OUTPUT, f"`{cut(answer)}` is no answer of the protocol")
        if answer[0] == "?":
            raise Fault(CRASH, f"`{command}`: {cut(answer[1:].strip())}")
        return answer[1:].strip()

    def _colour(self, name: str) -> str:
        return self._colours[self.seat.game.players.index(name)]
