"""`gtp:`: a program that speaks GTP (version 2; Farnebäck, 2002).

The board is square, a move is a placement or a pass. Komi and rules are the program's own
options. Of a game with players of other names the first one is black.
"""

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.players.base import CRASH, OUTPUT, Fault, Turn
from rulesengine.play.players.subprocess_player import Talking, cut
from rulesengine.state import Move

_COLOURS = ("black", "white")
_SKIPPED, _AFTER = "i", "j"  # no column has the first of these letters
_PASS, _RESIGN = "pass", "resign"


class Vertices(Talking):
    """A program that places stones; it plays all games of a unit."""

    def __init__(self, game: Game, command: str) -> None:
        super().__init__(command)
        topology = game.program.topology
        rows, columns = len(topology.row_labels), len(topology.column_labels)
        if topology.shape != "rectangle" or rows != columns or len(game.players) != 2:
            raise UsageError(f"gtp: {game.name} is not played by two on a square board")
        self._size = rows
        named = [name.lower() for name in game.players]
        self._colours = named if sorted(named) == sorted(_COLOURS) else _COLOURS

    def start(self) -> None:
        self.run()
        self.ask(f"boardsize {self._size}")
        self.ask("clear_board")
        self._told = 0

    def choose(self, turn: Turn) -> str:
        self.in_turn(turn)
        state = self.seat.start
        for ply, move in enumerate(turn.moves):
            if ply >= self._told:
                self._tell(state.mover, move)
            state = self.seat.game.apply(state, move, check=False)
        said = self.ask(f"genmove {self._colour(turn.state.mover)}").lower()
        self._told = len(turn.moves) + 1
        if said == _RESIGN:
            raise Fault(_RESIGN, "has resigned")
        return self._text(said)

    def end(self, moves: object) -> None:
        """The program waits for the next game."""

    def _tell(self, mover: str, move: Move) -> None:
        """Say what was played.

        A pass that the rules force may be no word of the program's: GTP names the colour of each
        move, so that such a program passes by itself.
        """
        try:
            self.ask(f"play {self._colour(mover)} {self._vertex(move)}")
        except Fault as fault:
            if fault.kind != CRASH or move.steps[0].kind != "pass":
                raise

    def ask(self, command: str) -> str:
        """What a command gives. Raises Fault where it fails."""
        self.say(command)
        answer = self.hear()
        if answer[:1] not in ("=", "?"):
            raise Fault(OUTPUT, f"`{cut(answer)}` is no answer of the protocol")
        if answer[0] == "?":
            raise Fault(CRASH, f"`{command}`: {cut(answer[1:].strip())}")
        return answer[1:].strip()

    def _colour(self, name: str) -> str:
        return self._colours[self.seat.game.players.index(name)]

    def _vertex(self, move: Move) -> str:
        """A placement as the protocol writes it."""
        step = move.steps[0]
        if step.kind == "pass":
            return _PASS
        name = self.seat.game.program.form.cells[step.target]
        return (_beside(name[0], 1) + name[1:]).upper()

    def _text(self, vertex: str) -> str:
        """The text of a move that the protocol has written."""
        if vertex == _PASS:
            return self.seat.game.rules.notation.pass_
        return _beside(vertex[:1], -1) + vertex[1:]


def _beside(letter: str, by: int) -> str:
    """The letter of a column with the skipped one (`by` 1), or without it (-1)."""
    return (
        chr(ord(letter) + by) if letter and letter >= (_SKIPPED if by > 0 else _AFTER) else letter
    )
