"""Carries out a script statement by statement: reads, prints and plays."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Literal, TypeVar

from rulesengine.errors import EvaluationError, InputError, LimitError, NotationError, UsageError
from rulesengine.game import Game
from rulesengine.interpreter import DECIDED, JUDGE, KEPT, LAST_MOVE
from rulesengine.ir.ops import ON_BOARD, Op
from rulesengine.ir.rules import Statement, Template
from rulesengine.limits import INTEGER_MAX, INTEGER_MIN, MAX_PLIES
from rulesengine.protocol.patterns import match
from rulesengine.protocol.view import View
from rulesengine.protocol.words import EndOfInput, Readable, Words, number
from rulesengine.state import Move, State
from rulesengine.text.reading import read_row

T = TypeVar("T")
Signal = Literal["stop", "leave", "next"]
Block = Callable[[], tuple[Statement, ...]]


def run(game: Game, source: Readable, target: BinaryIO) -> None:
    """Run a game's script; returns when it stops or the input ends.

    Output is flushed before every read that may wait, and at the end. Raises InputError for
    input that the protocol rules out; what was printed before stays printed.
    """
    runner = _Runner(game, source, target)
    try:
        runner.run()
    finally:
        target.flush()


def read_parameters(game: Game) -> frozenset[str]:
    """The names of the parameters that the game's own input gives."""
    return frozenset(_parameters_in(game.rules.script))


def _parameters_in(block: tuple[Statement, ...]) -> list[str]:
    found = []
    for statement in block:
        if statement.name == "read_parameter":
            found.append(statement.words[0])
        found += _parameters_in(statement.body) + _parameters_in(statement.otherwise)
    return found


class _Failed(Exception):
    """A read or a play that did not succeed; the message is for input without an `else`."""


class _Runner:
    def __init__(self, game: Game, source: Readable, target: BinaryIO) -> None:
        self.loaded = game
        self.state = game.initial_state()
        self.words = Words(source, target.flush)
        self.target = target
        self.variables: dict[str, Any] = {"move": "", "word": "", "reason": ""}
        self.on_board: set[str] = set()
        self.accepted: tuple[int, int] | None = None
        self.separator = ""
        self.printed = 0
        self.plies = 0
        self.symbols = ""
        self.at_end: Block = tuple
        self._take(game)

    def _take(self, game: Game) -> None:
        """Go on with a game, from its start."""
        self.game, self.view = game, View(game)
        self.variables[JUDGE] = self.view.decide
        self._begin(game.initial_state())

    def run(self) -> None:
        """Carry out the script; at the end of input what `at end` says, if it has been met."""
        try:
            self.block(lambda: self.view.script)
        except EndOfInput:
            with suppress(EndOfInput):
                self.block(self.at_end)

    def block(self, block: Block) -> Signal | None:
        """Carry out a block, asked for anew where a parameter that is read has changed the game."""
        game, statements, at = self.game, block(), 0
        while at < len(statements):
            signal = self.statement(statements[at], _nth(block, at))
            if signal:
                return signal
            if self.game is not game:
                game, statements = self.game, block()
            at += 1
        return None

    def statement(self, statement: Statement, again: Callable[[], Statement]) -> Signal | None:
        match statement.name:
            case "stop" | "leave" | "next":
                return statement.name
            case "if":
                test = self.value(statement.operands[0])
                return self.block(lambda: again().body if test else again().otherwise)
            case "repeat":
                return self._repeat(again)
            case "command":
                return self._command(again)
            case "at_end":
                self.at_end = lambda: again().body
                return None
        try:
            getattr(self, "do_" + statement.name)(statement)
        except _Failed as failure:
            if not statement.otherwise:
                raise InputError(str(failure)) from None
            return self.block(lambda: again().otherwise)
        return None

    def value(self, op: Any, move: Move | None = None) -> Any:
        assert isinstance(op, Op)
        return self.view.value(op, self.state, self.variables, move)

    def text(self, template: Any, move: Move | None = None) -> str:
        """A template filled in."""
        assert isinstance(template, Template)
        return self.view.text(template, self.state, self.variables, move)

    def _asked(self, part: T, *names: str) -> T:
        """A part of a statement that is asked for many values of some variables, from now on."""
        self.variables[KEPT] = {}
        return self.view.asked(part, *names)

    def write(self, text: str) -> None:
        if self.separator:
            text, self.separator = self.separator + text, ""
        self.target.write(text.encode("utf-8"))
        self.printed += 1

    # control

    def _repeat(self, again: Callable[[], Statement]) -> Signal | None:
        times, until, _ = again().operands
        limit = self.value(times) if times is not None else INTEGER_MAX
        printed = self.printed
        for _ in range(limit):
            until, separator = again().operands[1:]
            if until is not None and self.value(until):
                break
            if separator is not None and self.printed > printed:
                self.separator = self.text(separator) + "\n"
            signal = self.block(lambda: again().body)
            if signal == "stop":
                return "stop"
            if signal == "leave":
                break
        self.separator = ""
        return None

    def _command(self, again: Callable[[], Statement]) -> Signal | None:
        word = self._word()
        for i, case in enumerate(again().body):
            fields = match(case.words, word)
            if fields is not None:
                self.variables |= fields
                return self._case(again, i)
        return None

    def _case(self, command: Callable[[], Statement], number: int) -> Signal | None:
        return self.block(lambda: command().body[number].body)

    # printing

    def do_print(self, statement: Statement) -> None:
        self.write(self.text(statement.operands[0]) + "\n")

    def do_prompt(self, statement: Statement) -> None:
        self.write(self.text(statement.operands[0]))

    def do_fail(self, statement: Statement) -> None:
        raise InputError(self.text(statement.operands[0]))

    def do_print_board(self, statement: Statement) -> None:
        self.write(self.view.board(self.state) + "\n")

    def do_print_moves(self, statement: Statement) -> None:
        template, separator = statement.operands
        template = self._asked(template, "from", "to", "move")
        played, texts = self.variables["move"], []
        for move in self.game.legal_moves(self.state):
            if not _is_pass(move):
                self.variables["move"] = move.text
                texts.append(self.text(template, move))
        self.variables["move"] = played
        self._print_joined(texts, separator)

    def do_print_each(self, statement: Statement) -> None:
        domain, template, separator = statement.operands
        name, kind = statement.words
        assert isinstance(domain, Op)
        outer, texts = self.variables, []
        self.variables = dict(outer)
        template = self._asked(template, name)
        for value in self.view.members(kind, domain, self.state, outer):
            self.variables[name] = value
            texts.append(self.text(template))
        self._print_joined(texts, separator)
        self.variables = outer

    def _print_joined(self, texts: list[str], separator: Any) -> None:
        if texts:
            between = self.text(separator) if separator is not None else "\n"
            self.write(between.join(texts) + "\n")

    # reading

    def _word(self) -> str:
        """The next word that is not to be ignored."""
        while True:
            word = self.words.word()
            if self.accepted is not None:
                value = number(word)
                if value is None or not self.accepted[0] <= value <= self.accepted[1]:
                    continue
            self.variables["word"] = word
            return word

    def _bounds(self, statement: Statement) -> tuple[int, int]:
        low, high = statement.operands
        least = INTEGER_MIN if low is None else self.value(low)
        return least, INTEGER_MAX if high is None else self.value(high)

    def do_read_number(self, statement: Statement) -> None:
        low, high = self._bounds(statement)
        word, name = self._word(), statement.words[0]
        value = number(word)
        if value is None or not low <= value <= high:
            raise _Failed(f"{name}: expected {_numbers(low, high)}, found `{_cut(word)}`")
        self.variables[name] = value

    def do_read_word(self, statement: Statement) -> None:
        self.variables[statement.words[0]] = self._word()

    def do_read_line(self, statement: Statement) -> None:
        self.variables[statement.words[0]] = self.words.line()

    def do_read_cell(self, statement: Statement) -> None:
        word, cells = self._word(), self.state.form.cells
        if word not in cells:
            raise _Failed(f"expected a cell such as `{cells[0]}`, found `{_cut(word)}`")
        self.variables[statement.words[0]] = cells.index(word)
        self.on_board.add(statement.words[0])

    def do_read_board(self, statement: Statement) -> None:
        self._read_rows(statement, lambda count: self._word())

    def do_read_symbols(self, statement: Statement) -> None:
        self._read_rows(statement, lambda count: "".join(self._symbol() for _ in range(count)))

    def _symbol(self) -> str:
        """The next character of the input that is not blank."""
        if not self.symbols:
            self.symbols = self._word()
        symbol, self.symbols = self.symbols[0], self.symbols[1:]
        return symbol

    def _read_rows(self, statement: Statement, row: Callable[[int], str]) -> None:
        """Read the pieces of a region line by line; everything else is as at the start."""
        region = self.value(statement.operands[0]) if statement.operands else -1
        fresh = self.game.initial_state()
        planes = [mask & ~region for mask in fresh.planes]
        lines = [tuple(cell for cell in line if region >> cell & 1) for line in fresh.form.lines]
        self.symbols = ""
        for at, cells in enumerate(filter(None, lines), start=1):
            try:
                read_row(fresh.form, planes, cells, row(len(cells)), at)
            except NotationError as error:
                raise _Failed(f"malformed board: {error}") from None
        if self.symbols:
            raise _Failed(f"malformed board: `{_cut(self.symbols)}` is too much")
        self._begin(State(tuple(planes), fresh.side, fresh.registers, (), fresh.form))

    def _begin(self, state: State) -> None:
        """Start a game anew: nothing of the one before is left."""
        self.state = state
        self.plies = 0
        self.variables |= {"move": "", "reason": ""}
        self.variables.pop(DECIDED, None)
        self.variables.pop(LAST_MOVE, None)

    def do_read_mover(self, statement: Statement) -> None:
        word, pairs = self._word(), _pairs(statement.words)
        if word not in pairs:
            raise _Failed(f"expected {' or '.join(pairs)}, found `{_cut(word)}`")
        state = self.state
        self.state = State(
            state.planes,
            int(pairs[word]),
            state.registers,
            state.history,
            state.form,
            state.seats,
        )

    def do_read_parameter(self, statement: Statement) -> None:
        word, name = self._word(), statement.words[0]
        pairs = _pairs(statement.words[1:])
        if pairs and word not in pairs:
            raise _Failed(f"{name}: expected {' or '.join(pairs)}, found `{_cut(word)}`")
        try:
            game = self.loaded.bind(**{**self.game.parameters, name: pairs.get(word, word)})
        except UsageError as error:
            raise _Failed(str(error)) from None
        for of_before in self.on_board & self.variables.keys():
            del self.variables[of_before]
        self._take(game)

    def do_accept_numbers(self, statement: Statement) -> None:
        self.accepted = self._bounds(statement)

    def do_accept_all(self, statement: Statement) -> None:
        self.accepted = None

    def do_let(self, statement: Statement) -> None:
        name, value = statement.words[0], statement.operands[0]
        self.variables[name] = self.value(value)
        if isinstance(value, Op) and value.type in ON_BOARD:
            self.on_board.add(name)

    # playing

    def do_play_word(self, statement: Statement) -> None:
        name = statement.words[0]
        if name not in self.variables:
            raise EvaluationError(f"`{name}` has no value yet")
        self._play_written(self.variables[name])

    def do_play_text(self, statement: Statement) -> None:
        self._play_written(self.text(statement.operands[0]))

    def do_play_where(self, statement: Statement) -> None:
        test = self._asked(statement.operands[0], "from", "to")
        self._play_first(
            lambda move: not _is_pass(move) and bool(self.value(test, move)),
            "the move that was read",
        )

    def do_play_pass(self, statement: Statement) -> None:
        self._play_first(_is_pass, "a pass")

    def _play_written(self, text: str) -> None:
        move = None if DECIDED in self.variables else self.game.find(text, self.state)
        if move is None:
            raise _Failed(f"`{_cut(text)}` is not legal")
        self._play(move)

    def _play_first(self, wanted: Callable[[Move], bool], shown: str) -> None:
        moves = () if DECIDED in self.variables else self.game.legal_moves(self.state)
        move = next(filter(wanted, moves), None)
        if move is None:
            raise _Failed(f"{shown} is not legal")
        self._play(move)

    def do_choose(self, statement: Statement) -> None:
        move = self._choice(statement)
        if move is None:
            raise _Failed("there is no move to choose")
        self.variables[statement.words[0]] = move.text

    def do_play_one(self, statement: Statement) -> None:
        self._play_by(statement, 1)

    def do_play_all(self, statement: Statement) -> None:
        self._play_by(statement, INTEGER_MAX)

    def do_play_many(self, statement: Statement) -> None:
        self._play_by(statement, self.value(statement.operands[1]))

    def _play_by(self, statement: Statement, times: int) -> None:
        while times > 0 and DECIDED not in self.variables:
            move = self._choice(statement)
            if move is None:
                break
            self._play(move)
            times -= 1

    def _choice(self, statement: Statement) -> Move | None:
        """What the strategy that a statement names would play."""
        name, chosen = statement.words[-1], statement.operands[0]
        strategy = name if chosen is None else str(self.value(chosen))
        if strategy not in self.game.strategies:
            raise InputError(f"no strategy `{_cut(strategy)}`")
        return self.game.choose(strategy, self.state)

    def _play(self, move: Move) -> None:
        self.plies += 1
        if self.plies > MAX_PLIES:
            raise LimitError(f"a game has at most {MAX_PLIES} plies")
        self.variables[LAST_MOVE] = self.state, move.steps
        self.state = self.game.apply(self.state, move)
        outcome = self.game.outcome(self.state)
        self.variables["move"] = move.text
        self.variables["reason"] = outcome.reason if outcome else ""

    def do_forfeit(self, statement: Statement) -> None:
        players = len(self.game.players)
        winner = 1 - self.state.side if players == 2 else -1
        self.variables[DECIDED] = (winner, "forfeit", (), ())
        self.variables["reason"] = "forfeit"


def _is_pass(move: Move) -> bool:
    return move.steps[0].kind == "pass"


def _nth(block: Block, at: int) -> Callable[[], Statement]:
    """A statement of a block, looked up when it is asked for."""
    return lambda: block()[at]


def _numbers(low: int, high: int) -> str:
    if low == INTEGER_MIN and high == INTEGER_MAX:
        return "a number"
    if high == INTEGER_MAX:
        return f"a number of at least {low}"
    return f"a number from {low} to {high}"


def _pairs(words: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(words[::2], words[1::2], strict=True))


def _cut(text: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in text[:41])
    return shown if len(shown) <= 40 else shown[:39] + "…"
