"""Learned weights in a file: a line of JSON, then the numbers of the tables.

The line identifies the rules and the board, and has the name of the game and the number of games
played. The weights come first, then the data that only further learning needs. Loading a file
executes nothing in it.

A brief file is for playing only. Its weights are signed numbers of one or two bytes in units of a
power of two, and no further data follow. See decisions 061, 131 and 192.
"""

import json
import sys
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.search.payoff_scale import in_thousandths
from rulesengine.engine.drivers.search.sigmoid import FLAT, ONE, apply_sigmoid
from rulesengine.engine.patterns import KingRelative, Network, active_entries, king_relative_of
from rulesengine.errors import UsageError
from rulesengine.language.ir.fingerprint import renamed, rules_text
from rulesengine.language.ir.hiding import hidden_in, require_perfect_information
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.score_decided import points_of
from rulesengine.language.ir.text import show
from rulesengine.state import State
from rulesengine.support.cache import digest
from rulesengine.support.files import read_at_most, replace

_VERSION = 1
_TABLES = 3  # the weights, and two further numbers for each
CORRECTION = 2  # words after the weights of a correction: its unit and the factor of the rules
_FINE = 256  # least unit of a search by corrections
_LONGEST = 1 << 12  # maximum bytes of the first line
_MOST = 1 << 53  # bound of all numbers; sums of them fit into 64 bits
_MOST_BYTES = 1 << 30
_WORD = 2**64
_BYTE, _HALF_WORD = 127, 2**15 - 1  # the largest numbers of a brief file, by bytes of a number
_MOST_BRIEF = 150_000  # bytes of a brief file, unless one byte for each number takes more
_HEAD = 500  # bytes for the first line of a brief file
_FITTING = 10_000  # one in so many weights may be clamped to that number
_MOST_PLAYERS = 2
_PER_BATCH = 32  # games for each game of a batch
MOST_BATCH = 1 << 10
_USUAL_BATCH = 128
_MOST_RECORDED = 1 << 28  # bytes of the games of a batch


Features = Network | KingRelative  # the features that weights belong to


class TrainingTables:
    """Tables in training: their weights, the seed and the number of games played.

    With a `unit`, weights correct the rules: it is the lead that counts as one weight. The unit and
    the factor of a search follow the weights then, as in `LearnedWeights`. Within a batch of games,
    `first` has the weights before its first game, which choose the moves of all of them. `batch` is
    the largest number of games of a batch.
    """

    def __init__(self, network: Features, seed: int, unit: int = 0, batch: int = 1) -> None:
        self.network, self.seed, self.games, self.unit = network, seed, 0, unit
        self.ways = network.size + CORRECTION * (unit > 0)
        self.memory = Memory(self.ways + (_TABLES - 1) * network.size)
        self.batch, self.first = batch, Memory(0)

    @property
    def batch_size(self) -> int:
        """Return the number of games of the current batch.

        It is a power of two, and at most one in 32 of the games before. It therefore divides the
        number of games where it begins.
        """
        grown = 1 << max(0, (self.games // _PER_BATCH).bit_length() - 1)
        return min(self.batch, grown)

    @property
    def single_games(self) -> int:
        """Return the number of games at the start that are batches of one game."""
        return 2 * _PER_BATCH

    @property
    def games_in_batch(self) -> int:
        """Return the number of games of the current batch that have been played."""
        return self.games % self.batch_size

    def copy_first(self) -> None:
        """Store a copy of the weights, as those before the first game of a batch."""
        if not len(self.first):
            self.first = Memory(self.network.size)
        self.first.bytes[:] = self.memory.bytes[: WORD * self.network.size]


class LearnedWeights:
    """Weights that estimate positions: payoffs of a single player, if there are any, or results.

    `name` is the name of the evaluation.
    """

    def __init__(
        self, network: Features, memory: Memory, *, pays: bool, name: str = "learned"
    ) -> None:
        self.network, self.memory, self.pays, self.name = network, memory, pays, name
        # Two words after the weights are the unit and the factor of corrections.
        self.corrects = len(memory) > network.size

    @property
    def replaces_activity(self) -> bool:
        """Return True if the weights take the place of the activity of pieces."""
        return isinstance(self.network, KingRelative)

    @property
    def part(self) -> str:
        """Return the name of the part of kernels that uses the weights."""
        if self.replaces_activity:
            return "royal"
        return "fitted" if self.corrects else "learned"

    @property
    def words(self) -> bytes:
        """Return the words that kernels read."""
        return bytes(self.memory.bytes)

    @property
    def half(self) -> int:
        """Return the value of a search by corrections that is worth half a win; 0 for others."""
        return self.memory.numbers[self.network.size] if self.corrects else 0

    @property
    def factor(self) -> int:
        """Return the factor of values of the rules in a search by these weights."""
        return self.memory.numbers[self.network.size + 1] if self.corrects else 1

    def correction(self, state: State, player: int) -> int:
        """Return the correction of the evaluation of the rules for the player to move; 0 for the
        opponent.
        """
        viewer = state.seats[state.side] if state.seats else state.side
        if player != viewer:
            return 0
        clamped = max(-FLAT, min(FLAT, self._total(state)))
        return clamped * self.memory.numbers[self.network.size] >> ONE.bit_length() - 1

    def estimate(self, state: State, player: int) -> int:
        """Return the learned value of a state for the player to move, 0 for the opponent.

        A payoff is in thousandths of a point.
        """
        viewer = state.seats[state.side] if state.seats else state.side
        if player != viewer:
            return 0
        total = self._total(state)
        return in_thousandths(total) if self.pays else apply_sigmoid(total)

    def _total(self, state: State) -> int:
        numbers = self.memory.numbers
        return sum(numbers[entry] for entry in active_entries(self.network, state))


def write(path: Path, program: Program, lessons: TrainingTables) -> None:
    """Write the tables to a file, atomically. Raises UsageError."""
    size = WORD * lessons.network.size
    content, ways = memoryview(lessons.memory.bytes), WORD * lessons.ways
    first = lessons.first.bytes if lessons.games_in_batch else b""
    parts = [zlib.compress(part, 1) for part in (content[:size], b"".join((content[ways:], first)))]
    _write(path, program, lessons, parts, 0)


def write_brief(
    path: Path, program: Program, lessons: TrainingTables, size: int | None = None
) -> None:
    """Write a brief file, for playing only, of at most 150,000 bytes or `size`. Raises UsageError.

    Its unit is the smallest power of two that makes the file small enough. A file with one byte for
    each number may be larger.
    """
    largest = (_MOST_BRIEF if size is None else size) - _HEAD
    entries = lessons.memory.numbers[: lessons.network.size]
    usual = sorted(map(abs, entries))[-1 - len(entries) // _FITTING]
    most = _HALF_WORD
    while True:
        step = 1
        while usual > most * step:
            step *= 2
        packed = _round(entries, step, most)
        if len(packed) <= largest or most == _BYTE:
            break
        most //= 2
    _write(path, program, lessons, [packed, b""], step, 1 if most == _BYTE else 2)


def _round(entries: Sequence[int], step: int, most: int) -> bytes:
    """Return compressed entries in units of a step; the low bytes of all numbers come first."""
    rounded = ((2 * entry // step + 1) // 2 for entry in entries)
    bounded = array("b" if most == _BYTE else "h", (max(-most, min(most, n)) for n in rounded))
    if sys.byteorder == "big":
        bounded.byteswap()
    plain = bounded.tobytes()
    width = bounded.itemsize
    return zlib.compress(b"".join(plain[place::width] for place in range(width)), 9)


def _write(
    path: Path,
    program: Program,
    lessons: TrainingTables,
    parts: list[bytes],
    step: int,
    width: int = 1,
) -> None:
    head = {
        "games": lessons.games,
        "seed": lessons.seed,
        "entries": lessons.network.size,
        "step": step,
        **({"unit": lessons.unit} if lessons.unit else {}),
        "width": width,
        **({"batch": lessons.batch} if lessons.batch > 1 else {}),
    }
    write_parts(path, program, hash_of(lessons.network), head, parts)


def write_parts(
    path: Path, program: Program, patterns: str, facts: dict[str, int], parts: list[bytes]
) -> None:
    """Write a file with a first line and two parts, atomically.

    `patterns` is the hash of the patterns, `facts` are further numbers of the line.
    """
    head = {
        "learned": _VERSION,
        "game": program.rules.name,
        **identity_of(program, patterns),
        **facts,
        "bytes": [len(part) for part in parts],
        "digest": digest(*parts).hex(),
    }
    replace(path, json.dumps(head).encode() + b"\n" + b"".join(parts))


def is_learnable(program: Program) -> bool:
    """True if a game supports learning: one or two players, who see everything."""
    return len(program.rules.players) <= _MOST_PLAYERS and not hidden_in(program.rules)


def require_learnable(program: Program) -> None:
    """Raise UsageError for a game that does not support learning."""
    require_perfect_information(program.rules, "learning by self-play")
    if not is_learnable(program):
        players = len(program.rules.players)
        raise UsageError(
            f"an evaluation is learned for games of one or two players, found {players}"
        )


def pays_single(program: Program) -> bool:
    """True if payoffs of a single player are learned."""
    return len(program.rules.players) == 1 and points_of(program.rules) != 0


def read_learned(path: Path, dispatcher: Dispatcher) -> LearnedWeights:
    """Read the weights of a file as an evaluation. Raises UsageError for an invalid file."""
    program = dispatcher.machine.program
    require_learnable(program)
    network = features_of(read_head(path), dispatcher)
    head, parts = _read(path, program, network)
    unit = int(head.get("unit", 0))
    memory = Memory(network.size + CORRECTION * (unit > 0))
    if unit:
        memory.numbers[network.size :] = array("q", words_of_unit(unit))
    if step := _step(head):
        _widen(path, parts[0], memory, network.size, step, int(head.get("width", 1)))
    else:
        _unpack(path, parts[0], memory, 0, network.size)
    return LearnedWeights(network, memory, pays=pays_single(program))


def features_of(head: dict[str, Any] | None, dispatcher: Dispatcher) -> Features:
    """Return the king-relative tables if the first line of a file names them, else the network."""
    program = dispatcher.machine.program
    tables = king_relative_of(program) if head and head.get("unit") else None
    if head and tables and head["patterns"] == hash_of(tables):
        return tables
    return dispatcher.interpreted.network


def words_of_unit(unit: int, share: int = 1) -> tuple[int, int]:
    """Return the words after the weights of a share of a correction: its unit and the factor."""
    factor = -(-_FINE // unit)
    return unit * factor // share, factor


def read_lessons(
    path: Path, program: Program, network: Network, seed: int | None
) -> TrainingTables:
    """Read the tables of a file to continue learning.

    Raises UsageError as `read_learned`, and for a file with another seed.
    """
    head, parts = _read(path, program, network)
    if _step(head):
        raise UsageError(f"{path}: is a compact evaluation: continue with the complete file")
    if seed is not None and head["seed"] != seed:
        raise UsageError(f"{path}: was learned with the seed {head['seed']}, not with {seed}")
    batch = head.get("batch", 1)
    if not is_batch(batch):
        raise UsageError(f"{path}: {_DAMAGED}")
    lessons = TrainingTables(network, head["seed"], head.get("unit", 0), batch)
    lessons.games = head["games"]
    _unpack(path, parts[0], lessons.memory, 0, network.size)
    if lessons.games_in_batch:
        lessons.copy_first()
    second = Memory((_TABLES - 1) * network.size + len(lessons.first))
    _unpack(path, parts[1], second, 0, len(second))
    middle = WORD * (_TABLES - 1) * network.size
    lessons.memory.bytes[WORD * lessons.ways :] = second.bytes[:middle]
    lessons.first.bytes[:] = second.bytes[middle:]
    return lessons


def largest_batch(words: int) -> int:
    """Return the usual largest number of games of a batch, where a record takes so many words."""
    batch = _USUAL_BATCH
    while batch > 1 and WORD * words * batch > _MOST_RECORDED:
        batch //= 2
    return batch


def is_batch(number: int) -> bool:
    """True if a batch may have so many games: a power of two."""
    return 0 < number <= MOST_BATCH and number & (number - 1) == 0


def version_of(path: Path) -> tuple[object, ...]:
    """Return a cache key that changes when a file is rewritten."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return (str(path),)
    return str(path), status.st_mtime_ns, status.st_size, status.st_ino


def identity_of(program: Program, patterns: str = "", name: str | None = None) -> dict[str, str]:
    """Return the identity of tables: hashes of the board and the rules, and that of the patterns.

    The hash of the rules is that of the game under a name, by default its own. The hashes of a
    large game take tens of milliseconds.
    """
    own = program.rules.name
    rules = hash_of_rules(program, own if name is None else name)
    return {"board": hash_of_board(program), "rules": rules, "patterns": patterns}


def hash_of_board(program: Program) -> str:
    """Return the hash of the board that weights belong to."""
    return _hash(show(program.topology))


def hash_of_rules(program: Program, name: str) -> str:
    """Return the hash of the rules that weights belong to, under a name of the game."""
    return _hash(rules_text(renamed(program.rules, name)) + show(program.routes))


def hash_of(features: Features) -> str:
    """Return the hash of the patterns or tables that weights belong to."""
    # Files from before networks had distances stay valid.
    return _hash(repr(features).replace(", distances=()", ""))


def _hash(text: str) -> str:
    return digest(text.encode("utf-8", "replace")).hex()


_DAMAGED = "the file is damaged: run `learn` again"
_OF = MappingProxyType(
    {
        "board": "was learned on another board",
        "rules": "was learned by other rules",
        "patterns": "was learned by another version of the package: run `learn` again",
    }
)


def difference(head: dict[str, Any], own: dict[str, str]) -> str:
    """Return how the first line of a file differs from an identity; empty if it does not."""
    return next((description for name, description in _OF.items() if head[name] != own[name]), "")


def weighs_moves(head: dict[str, Any]) -> bool:
    """True if a file has weights of moves, not of positions."""
    return "moves" in head


def read_head(path: Path) -> dict[str, Any] | None:
    """Return the first line of a file, None if it is invalid. Raises UsageError."""
    return _head(_bytes(path, _LONGEST).partition(b"\n")[0])


def _read(path: Path, program: Program, network: Features) -> tuple[dict[str, Any], list[bytes]]:
    """Return the first line of a valid evaluation of positions, and its two parts."""
    return read_parts(path, program, hash_of(network), moves=False)


def read_parts(
    path: Path, program: Program, patterns: str, *, moves: bool
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the first line of a valid file, and its two parts: weights of moves or positions.

    No more bytes are read than the first line announces, and one more.
    """
    line = _bytes(path, _LONGEST).partition(b"\n")[0]
    head = _head(line)
    if head is None:
        raise UsageError(f"{path}: not a learned evaluation, or a damaged file")
    if head["learned"] != _VERSION:
        raise UsageError(f"{path}: {_OF['patterns']}")
    if weighs_moves(head) != moves:
        kinds = "moves", "positions"
        raise UsageError(f"{path}: has weights of {kinds[moves]}, not of {kinds[not moves]}")
    difference_text = difference(head, identity_of(program, patterns, head.get("game")))
    if difference_text:
        raise UsageError(f"{path}: {difference_text}")
    first, second = head["bytes"]
    if first + second > _MOST_BYTES:
        raise UsageError(f"{path}: too large, a file has at most {_MOST_BYTES} bytes of weights")
    packed = _bytes(path, len(line) + first + second + 2)[len(line) + 1 :]
    parts = [packed[:first], packed[first : first + second]]
    if len(packed) != first + second or digest(*parts).hex() != head["digest"]:
        raise UsageError(f"{path}: {_DAMAGED}")
    return head, parts


def _bytes(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return read_at_most(file, most)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: is a directory, expected a file written by `learn`") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "cannot be read"
        raise UsageError(f"{path}: {reason.lower()}") from None


def _head(line: bytes) -> dict[str, Any] | None:
    """Parse the first line; None if it is incomplete or invalid."""
    try:
        head = json.loads(line) if len(line) <= _LONGEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict):
        return None
    texts = [head.get(name) for name in (*_OF, "digest")] + [head.get("game", "")]
    sizes = head.get("bytes")
    numbers = [head.get(name) for name in ("learned", "games", "seed", "entries")]
    numbers += [head.get("step", 0), head.get("width", 1)]
    numbers += [head.get("unit", 0), head.get("moves", 0), head.get("batch", 1)]
    numbers += [head.get("playouts", 0), head.get("pending", 0)]
    numbers += sizes if isinstance(sizes, list) and len(sizes) == 2 else [None]
    are_numbers = all(type(number) is int and 0 <= number < _WORD for number in numbers)
    return head if are_numbers and all(isinstance(text, str) for text in texts) else None


def _step(head: dict[str, Any]) -> int:
    """Return the unit of the numbers in a brief file; 0 for a full one."""
    return int(head.get("step", 0))


def _unpack(path: Path, part: bytes, memory: Memory, first: int, count: int) -> None:
    """Fill a number of words from compressed data; reject data of another length."""
    memory.bytes[WORD * first : WORD * (first + count)] = _inflated(path, part, WORD * count)
    numbers = memory.numbers[first : first + count]
    if max(numbers) > _MOST or min(numbers) < -_MOST:
        raise UsageError(f"{path}: {_DAMAGED}")


def _widen(path: Path, part: bytes, memory: Memory, size: int, step: int, width: int) -> None:
    """Fill the weights from a brief file."""
    if step > _MOST // _HALF_WORD or width not in (1, 2):
        raise UsageError(f"{path}: {_DAMAGED}")
    packed = _inflated(path, part, width * size)
    plain = bytearray(len(packed))
    for place in range(width):
        plain[place::width] = packed[place * size : (place + 1) * size]
    rounded = array("b" if width == 1 else "h", bytes(plain))
    if sys.byteorder == "big":
        rounded.byteswap()
    numbers = memory.numbers
    for entry, number in enumerate(rounded):
        if number:
            numbers[entry] = number * step


def _inflated(path: Path, part: bytes, size: int) -> bytes:
    """Decompress data. Raises UsageError for invalid data, or for any other size."""
    try:
        data = zlib.decompressobj().decompress(part, size + 1)
    except zlib.error:
        data = b""
    if len(data) != size:
        raise UsageError(f"{path}: {_DAMAGED}")
    return data
