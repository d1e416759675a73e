"""The game of a session of the Go Text Protocol: board size, komi, handicap, moves and undo.

See decision 121. A spec declares in `formats: gtp` the parameters for the size and the komi.
Source: Specification of the Go Text Protocol, version 2, draft 2 (Farnebäck, 2002).
"""

from collections.abc import Sequence

from rulesengine.board.coordinates import label
from rulesengine.errors import RulesError, UsageError
from rulesengine.formats.cell_moves import CellMoves, CellNames
from rulesengine.formats.options import option
from rulesengine.game import Game
from rulesengine.state import Move, State

NAME = "gtp"
COLOURS = ("black", "white")
PASS = "pass"
_ILLEGAL, _BAD_SIZE, _BAD_KOMI = "illegal move", "unacceptable size", "unacceptable komi"
# Sizes of boards with handicap, and of those with it on the fourth line, as in GNU Go.
_SMALLEST, _LARGE = 7, 12
_MOST_KOMI = 10_000


class GtpGame:
    """A position of one game, with the commands that change it. All raise UsageError."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._handicap: tuple[int, ...] = ()
        self._played: list[Move] = []
        self._states: list[State] = []
        self._late_passes = 0  # after the end of the game; they change no state
        self._rebuild(game)

    @property
    def state(self) -> State:
        """Return the current state."""
        return self._states[-1]

    @property
    def ply(self) -> int:
        """Return the number of moves."""
        return len(self._played)

    @property
    def is_over(self) -> bool:
        """True if the game has ended by the rules, without a claim."""
        return self.game.without_claims.outcome(self.state) is not None

    def colour(self, text: str) -> str:
        """Return the player of a colour such as `b` or `white`."""
        for number, name in enumerate(COLOURS):
            if text.lower() in (name, name[0]):
                players = self.game.players
                return name if set(players) == set(COLOURS) else players[number]
        raise UsageError("invalid color")

    def colour_of(self, player: str) -> str:
        """Return `B` or `W` for a player."""
        return next(name[0].upper() for name in COLOURS if self.colour(name) == player)

    # settings

    def resize(self, size: int) -> None:
        """Set the size of the board and begin a new game."""
        game = self.game
        if name := self._parameter("size"):
            try:
                game = game.bind(**{name: size})
            except UsageError:
                raise UsageError(_BAD_SIZE) from None
        lines = game.program.form.lines
        if (len(lines), max(map(len, lines))) != (size, size):
            raise UsageError(_BAD_SIZE)
        self._restart(game)

    def set_komi(self, points: float) -> None:
        """Set the komi; the moves stay. A game without a declared komi ignores it."""
        integer_part, half = self._parameter("komi"), self._parameter("half")
        if not integer_part:
            return
        if not -_MOST_KOMI < points < _MOST_KOMI or 2 * points != round(2 * points):
            raise UsageError(_BAD_KOMI)
        full, half_points = divmod(round(2 * points), 2)
        if half_points and not half:
            raise UsageError(_BAD_KOMI)
        values: dict[str, int | bool] = {integer_part: full} | (
            {half: bool(half_points)} if half else {}
        )
        try:
            self._rebuild(self.game.bind(**values))
        except UsageError:
            raise UsageError(_BAD_KOMI) from None

    def clear(self) -> None:
        """Begin a new game."""
        self._restart(self.game)

    # moves

    def play(self, colour: str, text: str) -> None:
        """Play a move. A player that is not to move plays after a pass of the other one."""
        player = self.colour(colour)
        if self.is_over and text.lower() == PASS:
            self.pass_after_end()
            return
        self._give_turn(player)
        try:
            move = self._moves.find(text.lower(), self.state)
        except RulesError:
            move = None
        if move is None:
            raise UsageError(_ILLEGAL if self._is_vertex(text) else "invalid color or coordinate")
        self.apply(move)

    def give_turn(self, colour: str) -> None:
        """Set the player to move next, after a pass of the other one if that is to move."""
        player = self.colour(colour)
        if not self.is_over:
            self._give_turn(player)

    def apply(self, move: Move) -> None:
        """Play a legal move of the position."""
        self._states.append(self.game.without_claims.apply(self.state, move))
        self._played.append(move)

    def pass_after_end(self) -> None:
        """Count a pass after the end of the game, which a client may take back."""
        self._late_passes += 1

    def undo(self) -> None:
        """Take the last move back."""
        if self._late_passes:
            self._late_passes -= 1
            return
        if not self._played:
            raise UsageError("cannot undo")
        self._played.pop()
        self._states.pop()

    def text(self, move: Move) -> str:
        """Return a move as a vertex, several of them or `pass`."""
        if move.steps[0].kind == PASS:
            return PASS
        return self._moves.write(move, self.state).upper()

    def load(self, state: State, moves: Sequence[Move]) -> None:
        """Set a game that begins in a state."""
        if state != self.game.initial_state():
            raise UsageError("cannot load a game that begins in another position")
        self.clear()
        for move in moves:
            self.apply(move)

    def stones(self) -> str:
        """Return the vertices with pieces, a line for each player."""
        form, planes = self.game.program.form, self.state.planes
        lines = []
        for side in range(len(form.players)):
            occupied = sum(planes[side :: len(form.players) + 1])
            names = self._names.names
            stones = [name for cell, name in enumerate(names) if occupied >> cell & 1]
            lines += [" ".join(stones).upper()] if stones else []
        return "\n".join(lines)

    def picture(self) -> str:
        """Return the board with the labels of the protocol, then the side to move."""
        form, state, names = self.game.program.form, self.state, self._names.names
        width = max(map(len, (name[1:] for name in names)))
        columns = max(form.lines, key=len)
        top = " " * (width + 1) + " ".join(names[cell][:1].upper() for cell in columns)
        rows = [
            f"{names[line[0]][1:]:>{width}} "
            + " ".join(state.piece_at(cell) or form.empty for cell in line)
            for line in form.lines
            if line
        ]
        return "\n".join(["", top, *rows, f"{self.colour_of(state.mover)} to move"])

    # handicap

    def fixed_handicap(self, count: int) -> list[str]:
        """Place stones of the first player on the usual points; return their vertices."""
        points = self._handicap_points()
        if not 2 <= count <= len(points):
            raise UsageError("invalid number of stones")
        wide = points[:4] + points[5:9] if len(points) > 4 else points
        # An odd number above four has a stone in the centre.
        chosen = wide[: count - 1] + points[4:5] if count > 4 and count % 2 else wide[:count]
        self._place(chosen)
        return [self._names.names[cell].upper() for cell in chosen]

    def set_handicap(self, vertices: Sequence[str]) -> None:
        """Place stones of the first player on some vertices."""
        cells = [self._names.cell(vertex) for vertex in vertices]
        if min(cells, default=-1) < 0 or len(set(cells)) < len(cells) or len(cells) < 2:
            raise UsageError("bad vertex list")
        self._place(cells)

    def _place(self, cells: Sequence[int]) -> None:
        if self._played or any(self.state.planes):
            raise UsageError("board not empty")
        self._handicap = tuple(cells)
        self._rebuild(self.game)

    def _handicap_points(self) -> list[int]:
        """Return the corners, the centre and the sides in the order of the protocol."""
        lines = self.game.program.form.lines
        size, rows = len(lines), lines[::-1]
        if size < _SMALLEST or any(len(line) != size for line in lines):
            return []
        low = 2 if size < _LARGE else 3
        high, middle = size - 1 - low, size // 2
        places = [(low, low), (high, high), (high, low), (low, high)]
        if size % 2 and size > _SMALLEST:
            places += [(middle, middle), (middle, low), (middle, high)]
            places += [(low, middle), (high, middle)]
        return [rows[row][column] for row, column in places]

    # helpers

    def _restart(self, game: Game) -> None:
        self._handicap, self._played, self._late_passes = (), [], 0
        self._rebuild(game)

    def _rebuild(self, game: Game) -> None:
        """Play the handicap and the moves in a game with other parameters."""
        self.game = game
        form = game.program.form
        self._names = CellNames(vertices(game), folds_case=True)
        self._moves = CellMoves(game, self._names, "-", ((PASS, game.rules.notation.pass_),))
        state = game.initial_state()
        if self._handicap:
            planes = list(state.planes)
            for cell in self._handicap:
                planes[0] |= 1 << cell
            state = State(tuple(planes), 1, state.registers, (), form, state.seats)
        self._states = [state]
        for move in self._played:
            self._states.append(game.without_claims.apply(self._states[-1], str(move)))

    def _give_turn(self, player: str) -> None:
        if self.state.mover == player:
            return
        game = self.game.without_claims
        passes = [m for m in game.legal_moves(self.state) if m.steps[0].kind == PASS]
        if not passes:
            raise UsageError(_ILLEGAL)
        self.apply(passes[0])

    def _is_vertex(self, text: str) -> bool:
        return text.lower() == PASS or self._names.cells(text) is not None

    def _parameter(self, key: str) -> str:
        return str(next(iter(option(self.game.program, NAME, key, ())), ""))


def vertices(game: Game) -> list[str]:
    """Return the vertex of each cell: letters without `i` for the column, and the row."""
    if option(game.program, NAME, "vertices", ()) == ("names",):
        return list(game.program.form.cells)
    places = game.program.topology.coordinates
    return [f"{label(column, 'letters-without-i')}{row}" for row, column in places]
