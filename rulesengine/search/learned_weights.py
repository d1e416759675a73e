"""What has been learned of a game, in a file: a line of JSON, then the numbers of its tables.

The line tells of which rules and board it is, and how many games have been played. The entries
come first, then what only serves to learn on. Nothing in it is carried out.

A file in brief is there to be played by: its entries are signed bytes, in steps of a power of two,
and nothing stands behind them.
"""

import json
import zlib
from array import array
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.engine.drivers.search.sigmoid import squashed
from rulesengine.engine.patterns import Network, shown
from rulesengine.errors import UsageError
from rulesengine.language.ir.fingerprint import rules_text
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.text import show
from rulesengine.state import State
from rulesengine.support.cache import digest
from rulesengine.support.files import replace
from rulesengine.support.resources import bundled_learned

_VERSION = 1
_TABLES = 3  # the entries, and two numbers more for each of them
_LONGEST = 1 << 12  # bytes of the first line
_MOST = 1 << 53  # no number comes to so much, and sums of them fit into 64 bits
_MOST_BYTES = 1 << 30
_WORD = 2**64
_BYTE = 127  # the largest number of a file in brief
_FITTING = 10_000  # entries, of which one may be larger: it is written as the largest number
_PAIR = 2


class Lessons:
    """Tables that go on learning: after so many games by the random numbers of a seed."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network, self.seed, self.games = network, seed, 0
        self.memory = Memory(_TABLES * network.size)


class Learned:
    """Tables that estimate positions."""

    def __init__(self, network: Network, memory: Memory) -> None:
        self.network, self.memory = network, memory

    def estimate(self, state: State, player: int) -> int:
        """What a state is worth to the player to move, above nothing for the other one."""
        viewer = state.seats[state.side] if state.seats else state.side
        if player != viewer:
            return 0
        numbers = self.memory.numbers
        return squashed(sum(numbers[entry] for entry in shown(self.network, state)))


def write(path: Path, program: Program, lessons: Lessons) -> None:
    """Put what has been learned in a file, whole or not at all. Raises UsageError."""
    size = WORD * lessons.network.size
    whole = memoryview(lessons.memory.bytes)
    parts = [zlib.compress(part, 1) for part in (whole[:size], whole[size : _TABLES * size])]
    _write(path, program, lessons, parts, 0)


def write_brief(path: Path, program: Program, lessons: Lessons) -> None:
    """Put in a file what is needed to play by what has been learned. Raises UsageError."""
    entries = lessons.memory.numbers[: lessons.network.size]
    usual = sorted(map(abs, entries))[-1 - len(entries) // _FITTING]
    step = 1
    while usual > _BYTE * step:
        step *= 2
    rounded = ((2 * entry // step + 1) // 2 for entry in entries)
    bounded = array("b", (max(-_BYTE, min(_BYTE, number)) for number in rounded))
    _write(path, program, lessons, [zlib.compress(bounded, 9), b""], step)


def _write(path: Path, program: Program, lessons: Lessons, parts: list[bytes], step: int) -> None:
    head = {
        "learned": _VERSION,
        **_identity(program, lessons.network),
        "games": lessons.games,
        "seed": lessons.seed,
        "entries": lessons.network.size,
        "step": step,
        "bytes": [len(part) for part in parts],
        "digest": digest(*parts).hex(),
    }
    replace(path, json.dumps(head).encode() + b"\n" + b"".join(parts))


def bundled_of(dispatcher: Dispatcher) -> Path:
    """The file that the package brings along for a game, known by board and rules.

    Raises UsageError if there is none.
    """
    own = _identity(dispatcher.machine.program, dispatcher.interpreted.network)
    for path in map(Path, bundled_learned()):
        head = _head(_bytes(path, _LONGEST).partition(b"\n")[0])
        if head and all(head[name] == own[name] for name in ("board", "rules")):
            return path
    raise UsageError("nothing that was learned of this game comes with the package: `learn` does")


def is_pair(program: Program) -> bool:
    """Whether a game is one of two, so that something is learned of it."""
    return len(program.rules.players) == _PAIR


def require_pair(program: Program) -> None:
    """Raise UsageError for a game that nothing is learned of."""
    if not is_pair(program):
        players = len(program.rules.players)
        raise UsageError(f"an evaluation is learned for games of two players, found {players}")


def read_learned(path: Path, dispatcher: Dispatcher) -> Learned:
    """The tables of a file as an evaluation. Raises UsageError for one that does not fit."""
    program = dispatcher.machine.program
    require_pair(program)
    network = dispatcher.interpreted.network
    head, parts = _read(path, program, network)
    memory = Memory(network.size)
    if step := _step(head):
        _widen(path, parts[0], memory, step)
    else:
        _unpack(path, parts[0], memory, 0, network.size)
    return Learned(network, memory)


def read_lessons(path: Path, program: Program, network: Network, seed: int | None) -> Lessons:
    """The tables of a file to learn on; new ones if there is none. Raises UsageError as above, and
    for a file that was begun with another seed.
    """
    if not path.exists():
        return Lessons(network, seed or 0)
    head, parts = _read(path, program, network)
    if _step(head):
        raise UsageError(f"{path}: holds in brief what was learned: go on with the whole file")
    if seed is not None and head["seed"] != seed:
        raise UsageError(f"{path}: was learned with the seed {head['seed']}, not with {seed}")
    lessons = Lessons(network, head["seed"])
    lessons.games = head["games"]
    _unpack(path, parts[0], lessons.memory, 0, network.size)
    _unpack(path, parts[1], lessons.memory, network.size, (_TABLES - 1) * network.size)
    return lessons


def version_of(path: Path) -> tuple[object, ...]:
    """What a file is known by as long as nobody writes it anew."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return (str(path),)
    return str(path), found.st_mtime_ns, found.st_size, found.st_ino


def _identity(program: Program, network: Network) -> dict[str, str]:
    """What tables are of: hashes of the board, of the rules on it, and of what is looked at."""
    texts = {
        "board": show(program.topology),
        "rules": rules_text(program.rules) + show(program.routes),
        "patterns": repr(network),
    }
    return {name: digest(text.encode("utf-8", "replace")).hex() for name, text in texts.items()}


_DAMAGED = "the file is damaged: learn it anew"
_OF = MappingProxyType(
    {
        "board": "was learned on another board",
        "rules": "was learned by other rules",
        "patterns": "was learned by another version of the package: learn it anew",
    }
)


def _read(path: Path, program: Program, network: Network) -> tuple[dict[str, Any], list[bytes]]:
    """The first line of a file that fits, and its two parts, which are as they were written."""
    data = _bytes(path, _MOST_BYTES)
    line, _, packed = data.partition(b"\n")
    head = _head(line)
    if head is None:
        raise UsageError(f"{path}: nothing that was learned, or a damaged file")
    if head["learned"] != _VERSION:
        raise UsageError(f"{path}: {_OF['patterns']}")
    own = _identity(program, network)
    for name, what in _OF.items():
        if head[name] != own[name]:
            raise UsageError(f"{path}: {what}")
    first, second = head["bytes"]
    parts = [packed[:first], packed[first : first + second]]
    if len(packed) != first + second or digest(*parts).hex() != head["digest"]:
        raise UsageError(f"{path}: {_DAMAGED}")
    return head, parts


def _bytes(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: is a directory, expected what `learn` has written") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "cannot be read"
        raise UsageError(f"{path}: {reason.lower()}") from None


def _head(line: bytes) -> dict[str, Any] | None:
    """The first line, if it has all that belongs there."""
    try:
        head = json.loads(line) if len(line) <= _LONGEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict):
        return None
    texts = [head.get(name) for name in (*_OF, "digest")]
    sizes = head.get("bytes")
    numbers = [head.get(name) for name in ("learned", "games", "seed", "entries")]
    numbers.append(head.get("step", 0))
    numbers += sizes if isinstance(sizes, list) and len(sizes) == 2 else [None]
    are_numbers = all(type(number) is int and 0 <= number < _WORD for number in numbers)
    return head if are_numbers and all(isinstance(text, str) for text in texts) else None


def _step(head: dict[str, Any]) -> int:
    """What a number of a file in brief counts for; 0 in a whole one."""
    return int(head.get("step", 0))


def _unpack(path: Path, part: bytes, memory: Memory, first: int, count: int) -> None:
    """Fill so many words; whatever is not as long as they are is refused."""
    memory.bytes[WORD * first : WORD * (first + count)] = _inflated(path, part, WORD * count)
    numbers = memory.numbers[first : first + count]
    if max(numbers) > _MOST or min(numbers) < -_MOST:
        raise UsageError(f"{path}: {_DAMAGED}")


def _widen(path: Path, part: bytes, memory: Memory, step: int) -> None:
    """Fill all words from a file in brief."""
    if step > _MOST // _BYTE:
        raise UsageError(f"{path}: {_DAMAGED}")
    numbers = memory.numbers
    for entry, number in enumerate(array("b", _inflated(path, part, len(memory)))):
        if number:
            numbers[entry] = number * step


def _inflated(path: Path, part: bytes, size: int) -> bytes:
    """So many bytes. Raises UsageError for what is longer, shorter or nothing of the kind."""
    try:
        found = zlib.decompressobj().decompress(part, size + 1)
    except zlib.error:
        found = b""
    if len(found) != size:
        raise UsageError(f"{path}: {_DAMAGED}")
    return found
