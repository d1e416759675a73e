"""Generated input for a script: words are generated when the script reads them.

Some values select a move. Such a name gets the value for a random legal move, derived backwards
from the condition or text of the statement that plays it. Other values are boundary values: the
bounds of a number, constants of the script, the cases of a command, the alphabet of a board. The
probabilities vary by case, so that some cases end early and others play long games. Some cases
contain words that the protocol has to reject or skip.
"""

import re
from math import inf
from random import Random

from rulesengine.contests.judge.read_analysis import (
    ReadAnalysis,
    ends,
    equalities,
    fields,
    reads_of,
)
from rulesengine.errors import RulesError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import is_variable
from rulesengine.language.ir.rules import Parameter, Statement, Template, TemplateField
from rulesengine.notation.state_reader import alphabet
from rulesengine.script.game_view import GameView
from rulesengine.script.runtime import ScriptState, to_pairs
from rulesengine.script.tokens import EndOfInput
from rulesengine.state import Move, State
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_JUNK = ("abc", "1.5", "3a", "+5", "--1", "-", "x", "99999999999999999999", "-7", "0x1", "a1b2")
_LENGTHS = (6, 40, 150, 400, 400)
_WRONG = (0.0, 0.0, 0.0, 0.0, 0.01, 0.05)
_PATIENCE = (0.5, 0.05, 0.002, 0.002)
_STUCK = 0.0005  # for words that the protocol rejects
_FILLINGS = ("start", "start", "any", "few", "many", "one", "none")
_BLANKS = (" ", "\n", "\n", "\n\n", "\t", " \n")
_ENDS_OF_LINES = ("\n", "\n", "\n", "\n", "\r\n", "")


class InputGenerator:
    """A word source for a stage that generates its input; `text` is the input so far."""

    def __init__(self, stage: ScriptState, chance: Random) -> None:
        self._stage, self._chance = stage, chance
        self._most = chance.choice(_LENGTHS)
        self._wrong = chance.choice(_WRONG)
        self._patience = chance.choice(_PATIENCE)
        self._filling = chance.choice(_FILLINGS)
        self._newline = chance.choice(_ENDS_OF_LINES)
        self._weights: dict[object, float] = {}
        self._plan: dict[str, str] = {}
        self._planned: State | None = None
        self._view: tuple[GameView, ReadAnalysis] | None = None
        self._rows: list[str] = []
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """Return the input so far."""
        return "".join(self._lines)

    @property
    def place(self) -> tuple[int, int]:
        """Return a dummy position: generated input has no lines."""
        return 1, 0

    @property
    def arrived(self) -> float:
        """Return the time of arrival: generated input is available immediately."""
        return -inf

    def word(self) -> str:
        """Return the next word. Raises EndOfInput."""
        word = self._word()
        self._append(word, self._newline or self._chance.choice(_BLANKS))
        return word

    def line(self) -> str:
        """Return the next line. Raises EndOfInput."""
        at = self._stage.at
        line = self._word() if at and at.name == "command_of_line" else self._line()
        self._append(line, self._newline or "\n")
        return line

    def row(self) -> str:
        """Return the next line of a board. Raises EndOfInput."""
        row = self._word()
        self._append(row, self._newline or "\n")
        return row

    def ends_line(self) -> bool:
        """True if a list ends here, at random."""
        over = self._chance.random() < 0.3
        if self._lines:
            word = self._lines[-1].rstrip()
            self._lines[-1] = word + (self._newline or "\n" if over else " ")
        return over

    def layout(self, kind: str) -> None:
        """Ignore a `layout` statement: the layout is random."""

    def _append(self, text: str, end: str) -> None:
        if len(self._lines) >= self._most:
            raise EndOfInput
        self._lines.append(text + end)

    def _word(self) -> str:
        if self._chance.random() < self._wrong:
            return self._chance.choice((*_JUNK, *self._stage.state.form.cells[:3]))
        at = self._stage.at
        assert at is not None
        match at.name:
            case "read_board" | "read_symbols" | "read_whole_board":
                return self._row(at)
            case "read_mover":
                return self._draw_text(at.site, list(to_pairs(at.words)))
            case "read_parameter":
                return self._parameter(at)
            case "read_cell" | "read_cells":
                return self._planned_for(at.words) or self._chance.choice(self._cells)
            case "read_number" | "read_numbers" | "read_some_numbers":
                return self._planned_for(at.words) or self._number(at)
            case "command" | "command_of_line":
                return self._command(at)
        return self._planned_for(at.words) or self._other_word(at)

    def _other_word(self, at: Statement) -> str:
        """Return a word that selects no move."""
        return self._chance.choice((*_JUNK, *self._cells[:9]))

    def _line(self) -> str:
        return " ".join(self._chance.choices((*_JUNK, "some", "text"), k=self._chance.randrange(5)))

    @property
    def _cells(self) -> tuple[str, ...]:
        return self._stage.state.form.cells

    # Values that select moves

    @property
    def _reads(self) -> ReadAnalysis:
        """Return the analysis of the script; rebuilt when a parameter that is read changes the
        game.
        """
        view = self._stage.view
        if self._view is None or self._view[0] is not view:
            self._view = view, reads_of(view.script)
        return self._view[1]

    def _planned_for(self, names: tuple[str, ...]) -> str:
        """Return the value of the first name that has one, from a random legal move."""
        stage = self._stage
        due = [name for name in names if name in self._reads.plays]
        if not due or self._chance.random() < 0.02:
            return ""
        if self._planned is not stage.state or not self._plan.keys() & {*due}:
            self._planned = stage.state
            self._plan = self._plan_by(self._chance.choice(self._reads.plays[due[0]]))
        planned = next((name for name in due if name in self._plan), "")
        return self._plan.pop(planned, "")

    def _plan_by(self, play: Statement) -> dict[str, str]:
        """Return the values of names with which a statement plays a random legal move."""
        state, moves = self._moves()
        if not moves:
            return {}
        move, operand = self._chance.choice(moves), play.operands[0] if play.operands else None
        if play.name == "play_word":
            return {play.words[0]: move.text}
        if isinstance(operand, Template):
            return self._matched_text(operand, state, move.text)
        assert isinstance(operand, Op)
        texts = {name: self._text_of(op, state, move) for name, op in equalities(operand)}
        return {name: text for name, text in texts.items() if text}

    def _matched_text(self, template: Template, state: State, text: str) -> dict[str, str]:
        """Return the values of a template's names with which it produces a text, if it does."""
        stage, values = self._stage, _matched(template, text)
        fields = (part for part in template.parts if isinstance(part, TemplateField))
        if values and not all(is_variable(part.value) for part in fields):
            try:
                written = stage.view.text(template, state, {**stage.variables, **values})
            except (RulesError, TypeError):
                return {}
            return values if written == text else {}
        return values

    def _moves(self) -> tuple[State, list[Move]]:
        """Return the legal moves except passes; if only passes are legal, those after a pass."""
        game, state = self._stage.game, self._stage.state
        moves = list(game.legal_moves(state))
        if moves and all(move.steps[0].kind == "pass" for move in moves):
            state = game.apply(state, moves[0])
            moves = list(game.legal_moves(state))
        return state, [move for move in moves if move.steps[0].kind != "pass"]

    def _text_of(self, op: Op, state: State, move: Move) -> str:
        """Return the value of an expression for a move, as input text."""
        stage = self._stage
        try:
            value = stage.view.value(op, state, stage.variables, move)
        except RulesError:
            return ""
        return self._cells[value] if op.type == "cell" else str(value)

    # Other values

    def _number(self, at: Statement) -> str:
        """Return a boundary value, or any valid number."""
        low, high = self._bounds(at)
        edges = {low, low + 1} if low > INTEGER_MIN else {0, 1}
        if high < INTEGER_MAX:
            edges |= {high - 1, high, self._chance.randint(max(low, high - 100), high)}
        for name in at.words:
            edges |= {*self._reads.constants.get(name, (1, 2, 3))}
        allowed = sorted(number for number in edges if low <= number <= high)
        if not allowed:
            return self._chance.choice(_JUNK)
        return self._draw_text(
            (at.site, "number"), list(map(str, allowed)), self._ending(at, allowed)
        )

    def _ending(self, at: Statement, numbers: list[int]) -> list[float]:
        """Return the weights of numbers; those that end the script or a loop have this case's
        patience.
        """
        ending = self._reads.ending
        ends = [any((name, number) in ending for name in at.words) for number in numbers]
        return [self._ending_weight() if end else 1.0 for end in ends]

    def _ending_weight(self) -> float:
        """Return the weight of a value that ends the script or a loop."""
        return self._patience

    def _bounds(self, at: Statement) -> tuple[int, int]:
        """Return the range of numbers that a statement reads and does not skip."""
        accepted = self._stage.accepted or (INTEGER_MIN, INTEGER_MAX)
        low, high = at.operands[-2:]
        least = INTEGER_MIN if low is None else self._stage.value(low)
        most = INTEGER_MAX if high is None else self._stage.value(high)
        return max(least, accepted[0]), min(most, accepted[1])

    def _parameter(self, at: Statement) -> str:
        name, *pairs = at.words
        if pairs:
            return self._draw_text(at.site, pairs[::2])
        parameters = self._stage.game.rules.parameters
        return self._value_of(next(each for each in parameters if each.name == name))

    def _value_of(self, parameter: Parameter) -> str:
        """Return a value of a parameter, valid or not."""
        return self._chance.choice(_edges(parameter, self._chance))

    def _plan_of(self, case: Statement) -> tuple[dict[str, str], tuple[Statement, ...]]:
        """Return values for a case that select a legal move, and the statements that play it."""
        names = [part.partition(":")[0] for part in case.words if not part.startswith("'")]
        plays = tuple(s for name in names for s in self._reads.plays.get(name, ()))
        return self._plan_by(plays[0]) if plays else {}, plays

    def _command(self, at: Statement) -> str:
        """Return the text of a case; cases that are not playable now are rare."""
        cases, plans = at.body, list[dict[str, str]]()
        hard = list[float]()
        for case in cases:
            plan, plays = self._plan_of(case)
            plans.append(plan)
            stuck = not case.words or bool(plays and not plan)
            hard.append(_STUCK if stuck else self._patience if ends(case.body) else 1.0)
        number = int(self._draw_text(at.site, [str(i) for i in range(len(cases))], hard))
        return self._filled(cases[number], plans[number])

    def _filled(self, case: Statement, plan: dict[str, str]) -> str:
        """Fill in the pattern of a case; the default case gets a word that no other pattern
        matches.
        """
        if not case.words:
            return self._chance.choice(_JUNK)
        text = ""
        for part in case.words:
            name, _, kind = part.partition(":")
            text += part[1:] if part.startswith("'") else plan.get(name) or self._field(kind)
        return text

    def _field(self, kind: str) -> str:
        if kind in ("digit", "number"):
            return str(self._chance.randrange(10))
        return self._chance.choice("abcdefgh") if kind == "letter" else self._chance.choice(_JUNK)

    def _draw_text(self, key: object, texts: list[str], factors: list[float] | None = None) -> str:
        """Draw a text by random weights that are fixed for this case, multiplied by factors."""
        weights = []
        for text, factor in zip(texts, factors or [1.0] * len(texts), strict=True):
            weight = self._weights.setdefault((key, text), 0.01 + self._chance.random() ** 2)
            weights.append(weight * factor)
        return self._chance.choices(texts, weights)[0]

    # Boards

    def _row(self, at: Statement) -> str:
        if not self._rows:
            self._rows = self._board(at)
        return self._rows.pop(0)

    def _board(self, at: Statement) -> list[str]:
        """Return the lines of a board: the initial position, or random pieces."""
        if at.name == "read_whole_board":
            return self._whole_board(at)
        stage, region = self._stage, at.operands[0]
        inside = -1 if region is None else int(stage.value(region))
        state = self._position()
        known = self._accepted_symbols(at.words)
        lines = [[c for c in cells if inside >> c & 1] for cells in state.form.lines]
        symbols = [self._symbol(known, state, cell) for line in lines for cell in line]
        left = iter(self._limited(known, state, symbols))
        return ["".join(next(left) for _ in line) for line in lines if line]

    def _limited(self, known: dict[str, int], state: State, symbols: list[str]) -> list[str]:
        return symbols

    def _whole_board(self, at: Statement) -> list[str]:
        rows, columns, *pairs = at.words
        known, height = self._accepted_symbols(tuple(pairs)), self._chance.randint(1, 8)
        width = height if rows == columns else self._chance.randint(1, 8)
        state = self._stage.game.initial_state()
        board = [[self._symbol(known, state, -1) for _ in range(width)] for _ in range(height)]
        return [*map("".join, board), ""]

    def _position(self) -> State:
        """Return the initial position, or one of a random game for the filling `played`."""
        game = self._stage.game
        state = game.initial_state()
        if self._filling == "played":
            for _ in range(self._chance.randrange(len(state.form.cells) + 1)):
                moves = game.legal_moves(state)
                if not moves:
                    break
                state = game.apply(state, self._chance.choice(moves))
        return state

    def _accepted_symbols(self, words: tuple[str, ...]) -> dict[str, int]:
        symbols = {symbol: int(plane) for symbol, plane in to_pairs(words).items()}
        return symbols or dict(alphabet(self._stage.state.form))

    def _symbol(self, known: dict[str, int], state: State, cell: int) -> str:
        if self._filling in ("start", "played") and cell >= 0:
            there = (plane for plane, mask in enumerate(state.planes) if mask >> cell & 1)
            plane = next(there, -1)
            return next((s for s, p in known.items() if p == plane), self._chance.choice([*known]))
        empty = [symbol for symbol, plane in known.items() if plane < 0]
        pieces = [symbol for symbol, plane in known.items() if plane >= 0]
        match self._filling:
            case "few":
                pieces = pieces[: len(pieces) * (self._chance.random() < 0.3)]
            case "many" if pieces:
                empty = empty[: self._chance.random() < 0.1]
            case "one":
                pieces = pieces[:1]
            case "none" if empty:
                pieces = pieces[: self._chance.random() < 0.02]
        return self._chance.choice([*empty, *pieces] or [*known])


def _edges(parameter: Parameter, chance: Random) -> list[str]:
    """Return the boundary values of a parameter, its default, and a random value."""
    if parameter.choices:
        return [str(choice) for choice in parameter.choices]
    low, high, step = parameter.low, parameter.high, parameter.step or 1
    inner = low + step * chance.randint(0, max(0, (high - low) // step))
    small = [low, low, low + step, low + 2 * step] * 4  # large boards are slow
    edges = [*small, parameter.default, inner, high, low - 1, low + 1, high + 1]
    return list(map(str, edges))


def _matched(template: Template, text: str) -> dict[str, str]:
    """Return the values of a template's names with which it produces a text."""
    parts = (re.escape(p) if isinstance(p, str) else "(.+?)" for p in template.parts)
    match = re.fullmatch("".join(parts), text)
    if match is None:
        return {}
    pairs = zip(fields(template), match.groups(), strict=True)
    return {name: part for name, part in pairs if name}
