"""Positions in Forsyth-Edwards notation and EPD, by the fields that a spec declares.

See decision 108. Without declared fields these are the board, the side to move and the registers
that differ from the initial state, each as `name=value`. Sources: the PGN standard of 1994,
section 16.1 (FEN) and 16.2 (EPD).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulesengine.errors import EvaluationError, NotationError
from rulesengine.formats.fen_board import BoardNotation
from rulesengine.formats.fen_hands import HandNotation
from rulesengine.formats.options import Words, option
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.refusals import refuse
from rulesengine.formats.values import Position
from rulesengine.language.ir.ops import Op
from rulesengine.notation.state_reader import read_register
from rulesengine.state import State, Step, shown_registers

NONE = "-"
_HANDS = ("pocket", "hand")  # fields of pieces in hand
_PLAIN = (("board", ()), ("side", ()))
_COUNTERS = ("number", "fullmove", "ply")
_STRING = r'"[^"]*"'
_ESCAPED_STRING = r'(?>"(?:[^"\\]|\\.)*")'  # some programs escape quotes; the standard does not
_OPERATIONS = tuple(
    re.compile(rf'\s*([A-Za-z][A-Za-z0-9_]{{0,14}})((?:\s+(?:{string}|[^\s;"]+))*+)\s*(?:;|$)')
    for string in (_ESCAPED_STRING, _STRING)
)
_NUMBER = re.compile(r"[0-9]{1,9}")

_Field = tuple[str, Any]


class Fen:
    """Positions of one game in FEN and EPD."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._form = form = game.program.form
        self._board = BoardNotation(game.program)
        fields: Sequence[_Field] = option(game.program, "fen", "fields", _PLAIN)
        self._is_plain = fields is _PLAIN
        self._fields = tuple(field for field in fields if field[0] != "pocket")
        self._hands = {
            field: HandNotation(game.program, register, self._board.written, order)
            for field, (register, order, *_) in (row for row in fields if row[0] in _HANDS)
        }
        declared = dict(option(game.program, "fen", "sides", ()))
        initials = [player[0] for player in form.players]
        if len(set(initials)) < len(initials):
            initials = [str(number) for number in range(1, len(initials) + 1)]
        self._sides: list[Words] = [
            declared.get(player, (initial, player))
            for player, initial in zip(form.players, initials, strict=True)
        ]

    def recognises(self, text: str) -> bool:
        """True if a text is one line and its first word has the rows of the board."""
        words = text.split(maxsplit=1)
        rows = len(self._form.lines)
        is_line = "\n" not in text.strip() and bool(words)
        return is_line and words[0].count("/") == rows - 1 and (rows > 1 or len(words) > 1)

    def write(self, position: Position) -> str:
        """Return a position as FEN, or as EPD if it has operations."""
        words = [self._field_text(field, position) for field in self._fields]
        if self._is_plain:
            words += self._registers_text(position.state)
        operations = [
            f"{name} {operand};" if operand else f"{name};" for name, operand in position.operations
        ]
        if operations:  # EPD has no counters
            words = words[: len(words) - len(self._counters())]
        return " ".join(words + operations)

    def read(self, text: str) -> Position:
        """Parse a position in FEN or EPD. Raises NotationError with the number of the field.

        Fields at the end may be missing. A cell that changes no legal move is dropped, as the cell
        of an en passant capture that is not legal.
        """
        words, draft = text.split(), _Draft(self._game)
        used = self._read_fields(words, draft)
        rest = self._registers(words[used:], draft) if self._is_plain else words[used:]
        operations = tuple(self._operations(" ".join(rest)))
        state = draft.state()
        refuse(self._game, state)
        for slot in draft.cells:
            state = self._without_idle_cell(state, slot)
        return Position(state, draft.fullmove, operations)

    # writing

    def _field_text(self, field: _Field, position: Position) -> str:
        state = position.state
        match field:
            case "board", _:
                return self._board.write(state) + self._pocket_text(state)
            case "hand", _:
                return self._hands["hand"].write(state.registers, has_counts=True)
            case "side", _:
                return self._sides[state.side][0]
            case "-", _:
                return NONE
            case "fullmove", _:
                return str(self._fullmove(position))
            case "ply", _:
                players = len(self._form.players)
                return str((self._fullmove(position) - 1) * players + state.side + 1)
            case "number", (register, *_):
                return str(max(0, state.registers[self._slot(register)]))
            case "cell", (register, _, _, always):
                cell = state.registers[self._slot(register)]
                if cell < 0 and always is not None and position.last is not None:
                    cell = self._passed(always, state, position.last.steps[0])
                return self._form.cells[cell] if cell >= 0 else NONE
        register, letters, derived, _ = field[1]
        mask = state.registers[self._slot(register)]
        places = dict(reversed(list(self._derived_places(state, derived))))
        texts = []
        for name, words in letters:
            cell = 1 << self._form.cells.index(name)
            if mask & cell:
                texts.append(places.get(cell, words[0]))
        return "".join(texts) or NONE

    def _passed(self, always: Op, state: State, step: Step) -> int:
        """Return the cell that a step has passed, by the spec; -1 if there is none."""
        side = (state.side - 1) % len(self._form.players)
        at = {"player": side, "from": step.origin, "to": step.target, "direction": step.direction}
        cells = self._game.machine.evaluate(always, state, at) if step.origin >= 0 else 0
        return int((cells & -cells).bit_length()) - 1

    def _pocket_text(self, state: State) -> str:
        """Return the letters of the pieces in hand in brackets; empty without such a field."""
        pocket = self._hands.get("pocket")
        return f"[{pocket.write(state.registers, has_counts=False)}]" if pocket else ""

    def _registers_text(self, state: State) -> Iterator[str]:
        form = self._form
        at_start = dict(shown_registers(form, form.starts))
        if state.seats:
            yield "seats=" + ",".join(form.players[seat] for seat in state.seats)
        for name, value in shown_registers(form, state.registers):
            if value != at_start[name]:
                yield f"{name}={value}".replace(" ", ",")

    def _fullmove(self, position: Position) -> int:
        program = self._game.program
        if program.keeps_plies:
            return position.state.registers[-1] // len(self._form.players) + 1
        return position.fullmove

    # reading

    def _read_fields(self, words: list[str], draft: "_Draft") -> int:
        """Read the fields from words; return the number of words read."""
        for number, field in enumerate(self._fields):
            is_counter = field[0] in _COUNTERS
            if number >= len(words) or (is_counter and not _NUMBER.fullmatch(words[number])):
                if number == 0:
                    raise NotationError("expected a position in FEN")
                return number
            try:
                self._read_field(field, words[number], draft)
            except NotationError as error:
                raise NotationError(f"field {number + 1}, {_field_name(field)}: {error}") from None
        return len(self._fields)

    def _read_field(self, field: _Field, word: str, draft: "_Draft") -> None:
        match field:
            case "board", _:
                self._read_board(word, draft)
            case "hand", _:
                self._hands["hand"].read(word, draft.registers)
            case "side", _:
                draft.side = self._side(word)
            case "fullmove", _:
                draft.fullmove = max(1, int(word))
            case "ply", _:
                draft.fullmove = max(0, int(word) - 1) // len(self._form.players) + 1
            case "number", (register, *_):
                draft.registers[self._slot(register)] = self._number(register, int(word))
            case "cell", (register, *_):
                slot = self._slot(register)
                draft.registers[slot] = -1 if word == NONE else self._cell(word)
                draft.cells += [] if word == NONE else [slot]
            case "cells", (register, letters, derived, _):
                index = self._form.cells.index
                known = {letter: 1 << index(name) for name, words in letters for letter in words}
                places = self._derived_places(draft.state(), derived)
                known |= {letter: cell for cell, letter in places}
                draft.registers[self._slot(register)] = self._mask(word, known)

    def _read_board(self, word: str, draft: "_Draft") -> None:
        """Read the board, and the pieces in hand in brackets behind it, which may be missing."""
        if "pocket" in self._hands:
            word, bracket, pocket = word.partition("[")
            if bracket and not pocket.endswith("]"):
                raise NotationError("expected `]` after the pieces in hand")
            self._hands["pocket"].read(pocket.removesuffix("]"), draft.registers)
        draft.planes = self._board.read(word)

    def _side(self, word: str) -> int:
        for side, words in enumerate(self._sides):
            if word in words:
                return side
        known = " or ".join(f"`{words[0]}`" for words in self._sides)
        raise NotationError(f"expected {known}, found `{word[:40]}`")

    def _cell(self, word: str) -> int:
        if word not in self._form.cells:
            raise NotationError(f"no cell `{word[:40]}`")
        return self._form.cells.index(word)

    def _number(self, name: str, number: int) -> int:
        register = next(r for r in self._game.program.rules.registers if r.name == name)
        if not register.low <= number <= register.high:
            raise NotationError(f"`{name}` is {register.range}, found {number}")
        return number

    @staticmethod
    def _mask(word: str, known: Mapping[str, int]) -> int:
        """Return the cells of a word of letters; `known` has the cell of each, as a mask."""
        mask = 0
        for letter in "" if word == NONE else word:
            if letter not in known:
                expected = " ".join(known)
                raise NotationError(f"no letter `{letter}`, expected some of {expected} or `-`")
            mask |= known[letter]
        return mask

    def _derived_places(
        self, state: State, derived: Sequence[tuple[str, Op]]
    ) -> Iterator[tuple[int, str]]:
        """Yield the cell, as a mask, and the letter of each place that has a cell."""
        for letter, op in derived:
            try:
                cells = self._game.machine.evaluate(op, state, {"player": state.side})
            except EvaluationError as error:
                raise NotationError(f"letter `{letter}`: {error}") from None
            if cells:
                yield cells & -cells, letter

    def _registers(self, words: list[str], draft: "_Draft") -> list[str]:
        """Read words `name=value`; return the words after them."""
        for at, word in enumerate(words):
            name, equals, value = word.partition("=")
            if not equals:
                return words[at:]
            if name == "seats":
                draft.seats = tuple(self._side(player) for player in value.split(","))
                if sorted(draft.seats) != list(range(len(self._form.players))):
                    raise NotationError(f"expected each player once as seats, found `{value[:60]}`")
            else:
                name, value = (part.replace(",", " ") for part in (name, value))
                read_register(self._form, draft.registers, name, value)
        return []

    @staticmethod
    def _operations(text: str) -> Iterator[tuple[str, str]]:
        """Yield the operations of EPD. Raises NotationError."""
        at = 0
        while text[at:].strip():
            match = next(filter(None, (row.match(text, at) for row in _OPERATIONS)), None)
            if match is None:
                raise NotationError(f"expected an operation of EPD, found `{text[at : at + 40]}`")
            yield match[1], match[2].strip()
            at = match.end()

    def _without_idle_cell(self, state: State, slot: int) -> State:
        """Return a state without a cell that changes no legal move."""
        registers = list(state.registers)
        registers[slot] = -1
        without = State(state.planes, state.side, tuple(registers), (), self._form, state.seats)
        moves = [[move.steps for move in self._game.legal_moves(s)] for s in (state, without)]
        return without if moves[0] == moves[1] else state

    # helpers

    def _counters(self) -> list[_Field]:
        """Return the fields at the end that EPD omits."""
        return [field for field in self._fields if field[0] in _COUNTERS]

    def _slot(self, register: str) -> int:
        return dict(self._game.program.slots)[register]


class _Draft:
    """The parts of a state that is being read."""

    def __init__(self, game: FormatGame) -> None:
        form = game.program.form
        self._game = game
        self.planes: tuple[int, ...] = ()
        self.side = 0
        self.registers = list(form.starts)
        self.seats: tuple[int, ...] = ()
        self.cells: list[int] = []  # the slots of registers with a cell
        self.fullmove = 1

    def state(self) -> State:
        """Return the state of the parts."""
        program = self._game.program
        if program.keeps_plies and self.fullmove > 1:
            players = len(program.form.players)
            self.registers[-1] = (self.fullmove - 1) * players + self.side
        registers = tuple(self.registers)
        return State(self.planes, self.side, registers, (), program.form, self.seats)


def _field_name(field: _Field) -> str:
    """Return the name of a field for messages."""
    return str(field[1][0] if field[1] else field[0])
