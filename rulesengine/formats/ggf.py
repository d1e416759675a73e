"""Games in the Generic Game Format of the Generic Game Server.

Source: the description of GGF by Michael Buro at skatgame.net. A value of a move has parts after
`/`: an evaluation and the seconds that it took.
"""

import re
from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.board_line import BoardLine
from rulesengine.formats.cell_moves import CellMoves, CellNames, forced_pass
from rulesengine.formats.options import option
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.registry_types import Notations
from rulesengine.formats.values import GameResult, Note, Position, Problem, RecordedGame
from rulesengine.state import Move, State

NAME = "ggf"
_GAME = re.compile(r"\(;(.*?)(?:;\s*\)|(?=\(;)|\Z)", re.DOTALL)
_START = re.compile(r"\s*(?:[0-9]+\s*)?\(;\s*GM\[[A-Za-z]")
_PROPERTY = re.compile(r"([A-Z][A-Z0-9]*)\[([^\]]*)\]")
_RESULT = re.compile(r"([+-]?[0-9]+(?:\.[0-9]+)?)(?::([rts]))?")
_REASONS = MappingProxyType({"r": "resignation", "t": "time forfeit", "s": "agreement"})
_PASSES = ("pa", "pass", "ps")
_HEADERS = MappingProxyType({"PB": "Black", "PW": "White", "PC": "Site", "DT": "Date"})
_MOVES = "BW"
_OWN = ("GM", "BO", "B", "W", "RE")


class Ggf:
    """Games of one game in the Generic Game Format."""

    def __init__(self, notations: Notations) -> None:
        self._game = game = notations.game.without_claims
        self._boards = BoardLine(game, NAME)
        self._name = str(option(game.program, NAME, "game", (game.name,))[0])
        own_pass = game.program.rules.notation.pass_
        names = CellNames(game.program.form.cells, folds_case=True)
        self._moves = CellMoves(game, names, "-", [(text, own_pass) for text in _PASSES])

    def recognises(self, text: str) -> bool:
        """True if a text begins with a game of a named type."""
        return _START.match(text) is not None

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text."""
        for number, match in enumerate(_GAME.finditer(text), start=1):
            is_closed = match[0].endswith(")")
            yield _Reader(self, self._game, number, match[1], is_closed=is_closed).read()

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        names = {header: name for name, header in _HEADERS.items()}
        size = len(self._game.program.form.lines)
        parts = [f"GM[{self._name}]"]
        for header, value in game.headers:
            name = names.get(header, header)
            if _PROPERTY.fullmatch(f"{name}[{value}]") and name not in _OWN:
                parts.append(f"{name}[{value}]")
        parts += [
            f"RE[{self._result_text(game)}]",
            f"BO[{size} {self._boards.text(game.start.state)}]",
        ]
        state = game.start.state
        for ply, move in enumerate(game.moves, start=1):
            note = game.notes.get(ply, Note())
            value = next((c[6:-1] for c in note.comments if c.startswith("[%ggf ")), "")
            text = self.move_text(move, state) + (f"/{value}" if value else "")
            parts.append(f"{_MOVES[state.side]}[{text}]")
            state = self._game.apply(state, move, check=False)
        return f"(;{''.join(parts)};)"

    def is_type(self, name: str) -> bool:
        """True if a name is that of this game."""
        return name.strip().lower() == self._name.lower()

    def start(self, text: str) -> Position:
        """Return the first position of a property `BO`. Raises NotationError."""
        size, _, letters = text.strip().partition(" ")
        letters = "".join(letters.split())
        count = len(self._game.program.form.cells)
        if not size.isdigit() or int(size) ** 2 != count:
            raise NotationError(f"the board of the game has {count} cells")
        planes, side = self._boards.board(letters)
        initial, form = self._game.initial_state(), self._game.program.form
        if (planes, side) == (initial.planes, initial.side):
            return Position(initial)
        return Position(State(planes, side, form.starts, (), form))

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none."""
        return self._moves.find(text, state)

    def move_text(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        text = self._moves.write(move, state)
        return _PASSES[0].upper() if move.steps[0].kind == "pass" else text.upper()

    def result(self, text: str) -> GameResult | None:
        """Return the result of a property `RE`, a margin for the first player."""
        match = _RESULT.fullmatch(text.strip())
        if match is None:
            return None
        margin, reason = float(match[1]), _REASONS.get(match[2] or "", "")
        first, second = self._game.program.form.players
        winner = None if margin == 0 else first if margin > 0 else second
        return GameResult(winner, reason or f"{abs(margin):g} points")

    def _result_text(self, game: RecordedGame) -> str:
        result = game.header("RE")
        if result and self.result(result) == game.result:
            return result
        if game.result is None:
            return "?"
        if game.result.winner is None:
            return "0"
        points, _, unit = game.result.reason.partition(" ")
        margin = points if unit == "points" else "1"
        sign = "+" if game.result.winner == self._game.program.form.players[0] else "-"
        flags = {reason: f":{flag}" for flag, reason in _REASONS.items()}
        return sign + margin + flags.get(game.result.reason, "")


class _Reader:
    """A reader of one game, used once."""

    def __init__(
        self, ggf: Ggf, game: FormatGame, number: int, text: str, *, is_closed: bool
    ) -> None:
        self._ggf = ggf
        self._game = game
        self._number = number
        self._properties = _PROPERTY.findall(text)
        self._problems: list[Problem] = []
        if not is_closed:
            self._problem(0, "", "the text ends before the end of the game")

    def read(self) -> RecordedGame:
        """Return the game."""
        properties, ggf = dict(reversed(self._properties)), self._ggf
        start, is_readable = (
            Position(self._game.initial_state()),
            ggf.is_type(properties.get("GM", "")),
        )
        if not is_readable:
            reason = f"a game of another type than {self._game.name}"
            self._problem(0, f"GM[{properties.get('GM', '')}]", reason)
        elif "BO" in properties:
            try:
                start = ggf.start(properties["BO"])
            except NotationError as error:
                self._problem(0, "BO", str(error))
                is_readable = False
        moves, notes, state = self._line(start.state) if is_readable else ([], {}, start.state)
        headers = tuple(
            (_HEADERS.get(name, name), value)
            for name, value in self._properties
            if name not in _OWN or name == "RE"
        )
        result = ggf.result(properties.get("RE", ""))
        outcome = self._game.outcome(state)
        if outcome is not None and result is not None and outcome.winner != result.winner:
            by_rules = f"{outcome.winner} wins" if outcome.winner else "a draw"
            self._problem(len(moves), properties["RE"], f"by the rules the result is {by_rules}")
        problems = tuple(self._problems)
        return RecordedGame(
            self._number, headers, start, tuple(moves), state, result, notes, problems
        )

    def _line(self, state: State) -> tuple[list[Move], dict[int, Note], State]:
        """Return the moves with their values, and the last state."""
        moves: list[Move] = []
        notes: dict[int, Note] = {}
        for name, value in self._properties:
            if name not in tuple(_MOVES):
                continue
            text, _, rest = value.partition("/")
            passed = forced_pass(self._game, state)
            if passed is not None and _MOVES[state.side] != name:
                moves.append(passed)
                state = self._game.apply(state, passed, check=False)
            move, reason = self._found(name, text.strip(), state)
            if move is None:
                self._problem(len(moves) + 1, f"{name}[{value}]", reason)
                break
            moves.append(move)
            state = self._game.apply(state, move, check=False)
            if rest:
                notes[len(moves)] = Note((f"[%ggf {rest}]",))
        return moves, notes, state

    def _found(self, name: str, text: str, state: State) -> tuple[Move | None, str]:
        """Return the move of a text, and the reason if there is none."""
        outcome = self._game.outcome(state)
        if outcome is not None:
            return None, f"the game is over, {outcome.reason}"
        if _MOVES[state.side] != name:
            return None, f"it is the move of {state.mover}"
        try:
            return self._ggf.find(text, state), "no legal move is written so"
        except RulesError as error:
            return None, str(error)

    def _problem(self, ply: int, text: str, reason: str) -> None:
        self._problems.append(Problem(self._number, ply, text[:60], reason))
