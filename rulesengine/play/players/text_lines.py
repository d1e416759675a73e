"""`cmd:` players for a spec without `io`: a program with a line protocol.

The program reads, in this order: `game NAME`, a line `set NAME=VALUE` for each parameter, `position
FEN` unless the game begins at the initial position, and `you PLAYER`. A line `play MOVE` follows
for each move made by other players or chosen for it. It responds to `move` with a line that is a
move. Its input ends with the game.
"""

from rulesengine.play.players.base import OUTPUT, Fault, Turn
from rulesengine.play.players.subprocess_player import SubprocessPlayer


class LinePlayer(SubprocessPlayer):
    """A program that reads every move on a line; one process plays one game."""

    def start(self) -> None:
        self.run()
        game = self.seat.game
        parameters = (f"set {name}={value}" for name, value in game.parameters.items())
        start = self.seat.start
        position = [] if start == game.initial_state() else [f"position {game.export(start)}"]
        self.send(f"game {game.name}", *parameters, *position, f"you {self.seat.name}")
        self._sent = 0

    def choose(self, turn: Turn) -> str:
        self.in_turn(turn)
        with self.guarded() as program:
            if program.pending:
                raise Fault(OUTPUT, "has sent a move before its turn")
        self.send(*(f"play {move}" for move in turn.moves[self._sent :]), "move")
        self._sent = len(turn.moves) + 1
        return self.read_line()
