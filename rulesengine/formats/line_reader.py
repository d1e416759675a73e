"""Reading of lines of moves by a kernel: many moves of a game in one call. See decision 111."""

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from struct import Struct

from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.protocol import UNFINISHED
from rulesengine.engine.drivers.record_reading import (
    BITS,
    BOARD,
    CHOICE,
    EXACT,
    EXCLUDED,
    GOAL,
    ORIGINS,
    OUTPUT,
    PLANES,
    SET_WORDS,
    STATE_PLANES,
    WIDTH,
)
from rulesengine.engine.kernel.backends.protocol import CompiledModule
from rulesengine.errors import RulesError
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.san import San, SanParts
from rulesengine.language.ir.ops import Op, reads_parts
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role, is_reflexive
from rulesengine.language.ir.rules import operations
from rulesengine.state import Move, State, packed_state
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_PLIES
from rulesengine.support.words import STEP

_MOST_BITS = 62  # groups and planes that fit a number
_EXACT_STEPS = 12
_FIRST_ROWS = 4096


_MADE = Struct(f"{STEP.size}s{WORD * OUTPUT - STEP.size}x")  # the step of a ply that was made


class _Rows(dict[str, int]):
    """The numbers of rows by text; a missing row is added by a function."""

    def __init__(self, add: Callable[[str], int]) -> None:
        super().__init__()
        self._add = add

    def __missing__(self, text: str) -> int:
        self[text] = row = self._add(text)
        return row


class _MovesByWords(dict[bytes, Move]):
    """Moves by the words of their steps; a missing move is created by a function."""

    def __init__(self, create: Callable[[bytes], Move]) -> None:
        super().__init__()
        self._create = create

    def __missing__(self, words: bytes) -> Move:
        self[words] = move = self._create(words)
        return move


class LineReader:
    """Reads the moves of one game in algebraic notation, if `reader_for` returns one."""

    def __init__(self, game: FormatGame, plain: FormatGame, part: CompiledModule) -> None:
        self._game = game
        self._plain = plain
        self._part = part
        self._san = San(plain)
        self._occurrences = occurrences(game.program) if plain.program is not game.program else 0
        self._needs_outcome = any(needs_no_move(end.when) for end in plain.program.rules.ends)
        form = game.program.form
        self._sets = (len(form.cells) + BITS - 1) // BITS
        self._visible = [plane for plane, symbol in enumerate(form.symbols) if symbol]
        self._width = ORIGINS + max(self._sets, _EXACT_STEPS)
        self._rows = _Rows(self._row)
        self._moves_by_words = _MovesByWords(self._move)
        self._start = plain.initial_state()
        self._table = Memory(self._width * _FIRST_ROWS)
        self._header()
        self._work = Memory(form.packing.size // WORD + 1)
        self._descriptions, self._made = Memory(MAX_PLIES), Memory(OUTPUT * MAX_PLIES)

    def read(self, start: State, words: Sequence[str]) -> tuple[tuple[Move, ...], int] | None:
        """Return the moves of a line, and the winning side, -1 for a draw, or `UNFINISHED`.

        Returns None for a line with an error, and for one that ends by repetition.
        """
        state, moves, boards = start, list[Move](), list[int]()
        size = start.form.packing.size
        try:
            rows = list(map(self._rows.__getitem__, words))
        except RulesError:
            return None
        if len(rows) > MAX_PLIES or start.packed is None:
            return None
        self._work.bytes[:size] = start.packed
        done, winner = 0, UNFINISHED
        while True:
            count = len(rows) - done
            self._descriptions.bytes[: WORD * count] = array("q", rows[done:]).tobytes()
            result = self._call(count)
            if result is None:
                return None
            made, winner = result
            moves += self._moves(made)
            boards += self._made.numbers[BOARD : OUTPUT * made : OUTPUT] if made else ()
            done += made
            if done == len(rows):
                break
            state = packed_state(start.form, bytes(self._work.bytes[:size]))
            move = self._unknown(words[done], rows[done], state)
            if move is None:
                return None
            moves.append(move)
            done += 1
            after = self._plain.apply(state, move, check=False)
            assert after.packed is not None
            self._work.bytes[:size] = after.packed
            if done == len(rows):
                if self._plain.outcome(after) is not None:
                    return None
                break
        if self._occurrences and self._ends(start, moves, boards):
            return None
        if self._needs_outcome:
            winner = self._winner(packed_state(start.form, bytes(self._work.bytes[:size])))
        return tuple(moves), winner

    def _winner(self, state: State) -> int:
        """Return the winning side of a state, -1 for a draw, or `UNFINISHED`."""
        outcome = self._plain.outcome(state)
        if outcome is None:
            return UNFINISHED
        return -1 if outcome.winner is None else self._plain.players.index(outcome.winner)

    def _call(self, count: int) -> tuple[int, int] | None:
        memories = (self._descriptions, self._table, self._work, self._made)
        arguments = (*(memory.bytes for memory in memories), count)
        result = self._part.call("read_moves", arguments)
        return None if result is None else (int(result[0]), int(result[1]))

    def _moves(self, count: int) -> list[Move]:
        """Return the moves that a call has made."""
        data, known = self._made.bytes[: WORD * OUTPUT * count], self._moves_by_words
        return [known[words] for (words,) in _MADE.iter_unpack(data)]

    def _move(self, words: bytes) -> Move:
        """Return the move of the words of a step; moves do not depend on the state."""
        return self._game.move_of(words, self._start)

    def _ends(self, start: State, moves: Sequence[Move], boards: Sequence[int]) -> bool:
        """True if the game ends by repetition.

        `boards` are hashes of the positions before the moves of a kernel. If other moves were
        made, every position is checked.
        """
        counts = Counter(boards)
        is_complete = len(boards) == len(moves)
        if is_complete and max(counts.values(), default=0) + 1 < self._occurrences:
            return False
        repeated = [not is_complete or counts[board] > 1 for board in boards]
        repeated += [True] * (len(moves) - len(boards))
        state = start
        for move, is_repeated in zip(moves, repeated, strict=True):
            if is_repeated and self._game.outcome(state) is not None:
                return True
            state = self._game.apply(state, move, check=False)
        return self._game.outcome(state) is not None

    def _unknown(self, word: str, row: int, state: State) -> Move | None:
        """Return the move of a text that the table does not describe; it is added to the table."""
        at = row * self._width
        if self._table.numbers[at + GOAL] != EXACT:
            return None
        try:
            move = self._san.find(word, state)
        except RulesError:
            return None
        count = self._table.numbers[at + CHOICE]
        if move is not None and count < _EXACT_STEPS:
            step = STEP.unpack(move.words)[0]
            self._table.numbers[at + ORIGINS + count] = step
            self._table.numbers[at + CHOICE] = count + 1
        return move

    # the table

    def _header(self) -> None:
        numbers = self._table.numbers
        numbers[SET_WORDS], numbers[STATE_PLANES] = self._sets, len(self._visible)
        numbers[WIDTH], numbers[EXCLUDED] = self._width, self._san.special_mask

    def _row(self, word: str) -> int:
        """Return the number of the row of a text, which is added. Raises NotationError."""
        row = len(self._rows) + 1
        if (row + 1) * self._width > len(self._table):
            grown = Memory(2 * len(self._table))
            grown.bytes[: len(self._table.bytes)] = self._table.bytes
            self._table = grown
        parts, at, numbers = self._san.parts(word), row * self._width, self._table.numbers
        if parts is None:
            numbers[at + GOAL], numbers[at + CHOICE] = EXACT, 0
        else:
            numbers[at + GOAL], numbers[at + CHOICE] = parts.target, parts.promotion
            numbers[at + PLANES] = self._planes(parts)
            for number in range(self._sets):
                part = parts.origins >> BITS * number & (1 << BITS) - 1
                numbers[at + ORIGINS + number] = part - (part >> BITS - 1 << BITS)
        return row

    def _planes(self, parts: SanParts) -> int:
        owners = len(self._game.program.form.players) + 1
        return sum(
            1 << number
            for number, plane in enumerate(self._visible)
            if plane // owners in parts.kinds
        )


def reader_for(game: FormatGame, plies: float) -> LineReader | None:
    """Return a reader for about so many plies; None if the rules or the work do not suit it."""
    program = game.program
    plain = without_repetition(program)
    if plain is None or not _is_suited(program):
        return None
    other = game if plain is program else game.with_program(plain)
    quick = without_ends_by_moves(plain)
    part = game.with_program(quick).compiled_part("records", plies)
    return LineReader(game, other, part) if part is not None else None


def without_repetition(program: Program) -> Program | None:
    """Return a program without ends that read earlier positions; None if anything else does."""
    rules = program.rules
    ends = tuple(end for end in rules.ends if not reads_parts(end.when, "history"))
    left = replace(rules, ends=ends)
    others = operations(replace(left, formats=(), strategies=(), script=()))
    if any(reads_parts(op, "history") for op in others):
        return None
    if len(ends) == len(rules.ends):
        return program
    return replace(program, rules=left, keeps_history=False)


def without_ends_by_moves(program: Program) -> Program:
    """Return a program without ends that hold only if the side to move has no legal move.

    A recorded move shows that they do not hold before it, so they are evaluated after the last one.
    """
    rules = program.rules
    ends = tuple(end for end in rules.ends if not needs_no_move(end.when))
    return replace(program, rules=replace(rules, ends=ends))


def needs_no_move(when: Op) -> bool:
    """True if a condition is, or requires, that the side to move has no legal move."""
    if has_role(when, "meet"):
        return any(map(needs_no_move, when.args))
    mobility = when.args[0] if has_role(when, "complement") else None
    return (
        mobility is not None
        and has_role(mobility, "mobility")
        and has_role(mobility.args[0], "mover")
    )


def occurrences(program: Program) -> int:
    """Return the least number of occurrences of a position by which a game may end."""
    ends = (end.when for end in program.rules.ends if reads_parts(end.when, "history"))
    return 1 + min((_repeats(when) for when in ends), default=1)


def _repeats(when: Op) -> int:
    """Return the number of earlier occurrences that a condition needs, at least."""
    if not has_role(when, "order") or not is_reflexive(when):
        return 1
    times, counted = constant(when.args[0]), when.args[1]
    is_count = has_role(counted, "repetition") and counted.value == "position"
    return times if is_count and times is not None and times > 0 else 1


def _is_suited(program: Program) -> bool:
    """True if every move is one step from a cell, with a kind as its choice if it has one."""
    rules, form = program.rules, program.form
    is_plain = not (rules.steps or rules.chance or form.swaps or rules.outs)
    return (
        is_plain
        and len(rules.groups) <= _MOST_BITS
        and len(form.symbols) <= _MOST_BITS
        and not any(group.then or group.choices for group in rules.groups)
        and all(op.type == "kind" for group in rules.groups for op in group.choice)
    )
