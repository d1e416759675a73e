"""A reference evaluator of kernel code (`engine/kernel/code/form.py`) on sets as integers.

It shares no code with the printers and emitters: each instruction is evaluated cell by cell. It
also builds boards as rays and moves from coordinates.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from rulesengine.engine.kernel.code.form import (
    MEMORY,
    Function,
    Instr,
    Module,
    Rays,
    Relation,
    RowPattern,
    Runs,
    Table,
    Value,
    Window,
)
from rulesengine.errors import Stopped

WORD = 2**64
KING = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
ROOK = ((-1, 0), (0, -1), (0, 1), (1, 0))


class Failed(Exception):
    pass


class _Break(Exception):
    pass


class _Return(Exception):
    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values


class Machine:
    """Runs the functions of a module; `mark` is the last recorded number."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.mark = 0
        self.marked = False
        self.history: list[tuple[int, tuple[int, ...]]] = []

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the results of an entry point, None if it fails. Raises Stopped."""
        try:
            return self.run(self.module.functions[name], args)
        except Failed:
            return None

    is_final = True

    def wait_until_final(self, seconds: float) -> bool:
        """Return True: no other code replaces this one."""
        return True

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        """Return a call of an entry point with these arguments; it returns True on success."""
        return lambda: self.call(name, args) is not None

    def run(self, function: Function, args: Sequence[Any]) -> tuple[Any, ...]:
        names: dict[Any, Any] = dict(zip(function.params, args, strict=True))
        try:
            self.block(function.body, names)
        except _Return as result:
            return result.values
        raise AssertionError("a function ends without a result")

    def block(self, block: list[Instr], names: dict[Any, Any]) -> None:
        for instr in block:
            self.step(instr, names)

    def step(self, instr: Instr, names: dict[Any, Any]) -> None:
        def read(arg: Any) -> Any:
            known = arg.constant if isinstance(arg, Value) else None
            return names[arg] if known is None else known

        def give(value: Any) -> None:
            names[instr.out[0]] = value

        op, args, detail = instr.op, instr.args, instr.detail
        match op:
            case "let":
                give(read(args[0]))
            case "set":
                names[args[0]] = read(args[1])
            case "get":
                give(names[args[0]])
            case "if":
                self.block(instr.blocks[0 if read(args[0]) else 1], names)
            case "loop" | "bits" | "range":
                self.repeat(instr, [read(a) for a in args], names)
            case "break":
                raise _Break
            case "call":
                results = self.run(self.module.functions[str(detail)], [read(a) for a in args])
                names.update(zip(instr.out, results, strict=True))
            case "return":
                raise _Return(tuple(read(a) for a in args))
            case "fail":
                raise Failed
            case "list":
                give([])
            case "push":
                numbers = read(args[0])
                if len(numbers) == self.module.items:
                    raise Failed
                numbers.append(read(args[1]))
            case "size":
                give(len(read(args[0])))
            case "item":
                give(read(args[0])[read(args[1])])
            case "cut":
                del read(args[0])[read(args[1]) :]
            case "mark":
                self.mark, self.marked = read(args[0]), True
            case "note":
                pass
            case "remember":
                length, side, *sets = [read(a) for a in args]
                self.history[length:] = [(side, tuple(sets))]
                give(length + 1)
            case "load_history":
                memory, place, first, end = [read(a) for a in args]
                numbers = range(first, end)
                self.history[:] = decoded_history(memory, place, numbers, detail, self.module.cells)
                give(len(numbers))
            case "recall":
                length, *rest = [read(a) for a in args]
                side = None if detail == "board" else rest.pop(0)
                past = self.history[:length]
                alike = [s == tuple(rest) and side in (None, at) for at, s in past]
                age = length - alike.index(True) if any(alike) else 0
                give(age if detail == "age" else sum(alike))
            case "met":
                length, *sizes = [read(a) for a in args]
                past = self.history[:length]
                give(any(sizes == [s.bit_count() for s in sets] for _, sets in past))
            case _ if op in MEMORY:
                size = (self.module.cells + 63) // 64 * 8 if op.endswith("_set") else 0
                found = run_memory_operation(op, *(read(a) for a in args), size=size)
                if instr.out:
                    give(found)
            case _:
                give(pure(op, [read(a) for a in args], detail, self.module.cells))

    def repeat(self, instr: Instr, args: list[Any], names: dict[Any, Any]) -> None:
        rounds: Iterator[int] = iter(range(10**6))
        if instr.op == "bits":
            rounds = iter(cells_of(args[0]))
        elif instr.op == "range":
            rounds = iter(range(args[0], args[1]))
        for number in rounds:
            if instr.out:
                names[instr.out[0]] = number
            try:
                self.block(instr.blocks[0], names)
            except _Break:
                return


def run_memory_operation(
    op: str, memory: bytearray, place: int, *values: int, size: int = 0
) -> int:
    """Execute an instruction on memory byte by byte, in little-endian order."""
    name = op.rstrip("0123456789")
    size = size or int(op.removeprefix(name) or 64) // 8
    found = int(sum(memory[place + k] * 256**k for k in range(size)))
    written: int | None = None
    match name, values:
        case "poll", _:
            if found:
                raise Stopped
        case (("store" | "atomic_store" | "store_set"), [value]):
            written = value
        case "atomic_add", [value]:
            written = found + value
        case "atomic_cas", [expected, new]:
            written = new if found == expected else None
    if written is not None:
        for k in range(size):
            memory[place + k] = written // 256**k % 256
    return found


def decoded_history(
    memory: bytearray, place: int, numbers: range, lie: Any, cells: int
) -> list[tuple[int, tuple[int, ...]]]:
    """Decode some positions of a history in memory: a word and some sets of each.

    They begin after two words, and each position after two others.
    """
    size, found = (cells + 63) // 64 * 8, []
    for first in (place + 16 + number * lie.words * 8 for number in numbers):
        ends = [first + 24 + k * size for k in range(lie.sets)]
        sets = tuple(int.from_bytes(memory[end : end + size], "little") for end in ends)
        found.append((int.from_bytes(memory[first + 16 : first + 24], "little"), sets))
    return found


def cells_of(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def signed(value: int) -> int:
    value %= WORD
    return value - WORD if value >= WORD // 2 else value


def checked(value: int) -> int:
    if value != signed(value):
        raise Failed
    return value


def divided(a: int, b: int) -> tuple[int, int]:
    if b == 0:
        raise Failed
    return divmod(a, b)


def mixed(z: int) -> int:
    """Return SplitMix64's output function, as Vigna publishes it in C."""
    z = (z ^ z // 2**30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z // 2**27) * 0x94D049BB133111EB % WORD
    return z ^ z // 2**31


def folded(total: int, mask: int) -> int:
    total = mixed(total ^ mask % WORD)
    while mask := mask >> 64:
        total = mixed(total ^ mask % WORD)
    return total


def moved(mask: int, moves: Relation) -> int:
    targets = {
        cell + delta
        for delta, cells in zip(moves.deltas, moves.masks, strict=True)
        for cell in cells_of(mask & cells)
    }
    return sum(1 << cell for cell in targets)


def filled(start: int, within: int, moves: Relation) -> int:
    found = start & within
    while (more := found | moved(found, moves) & within) != found:
        found = more
    return found


def bracketed(ray: Sequence[int], over: int, until: int) -> list[int] | None:
    """Return the cells of `over` at the start of a ray, if the next one is in `until`."""
    for i, cell in enumerate(ray):
        if not over >> cell & 1:
            return list(ray[:i]) if until >> cell & 1 else None
    return None


def between(rays: Rays, cell: int, over: int, until: int, low: int, high: int) -> int:
    found = set()
    for direction in rays.cells if cell >= 0 else ():
        cells = bracketed(direction[cell], over, until)
        if cells is not None and low <= len(cells) <= high:
            found.update(cells)
    return sum(1 << c for c in found)


def toward(runs: Runs, over: int, until: int) -> int:
    most = 10**6 if runs.most is None else runs.most

    def meets(ray: Sequence[int]) -> bool:
        """True if one of the cells is in `until`, and all before it, enough of them, in `over`."""
        return any(
            runs.least <= i <= most and until >> cell & 1 and all(over >> c & 1 for c in ray[:i])
            for i, cell in enumerate(ray)
        )

    cells = range(len(runs.rays.cells[0]))
    return sum(1 << c for c in cells if any(meets(d[c]) for d in runs.rays.cells))


def slid(rays: Rays, start: int, through: int) -> int:
    found = set()
    for direction in rays.cells:
        for cell in cells_of(start):
            for reached in direction[cell]:
                if not through >> reached & 1:
                    break
                found.add(reached)
    return sum(1 << c for c in found)


PLAIN: dict[str, Callable[..., Any]] = {
    "iadd": lambda a, b: a + b,
    "isub": lambda a, b: a - b,
    "imul": lambda a, b: a * b,
    "cadd": lambda a, b: checked(a + b),
    "csub": lambda a, b: checked(a - b),
    "cmul": lambda a, b: checked(a * b),
    "cdiv": lambda a, b: checked(divided(a, b)[0]),
    "cmod": lambda a, b: divided(a, b)[1],
    "imin": min,
    "imax": max,
    "ieq": lambda a, b: a == b,
    "ilt": lambda a, b: a < b,
    "ile": lambda a, b: a <= b,
    "ishl": lambda a, b: signed(a * 2**b),
    "ishr": lambda a, b: a // 2**b,
    "iand": lambda a, b: a & b,
    "ior": lambda a, b: a | b,
    "fand": lambda a, b: a and b,
    "for": lambda a, b: a or b,
    "fnot": lambda a: not a,
    "fint": int,
    "pick": lambda flag, a, b: a if flag else b,
    "mand": lambda a, b: a & b,
    "mor": lambda a, b: a | b,
    "mxor": lambda a, b: a ^ b,
    "mless": lambda a, b: a & ~b,
    "many": lambda a: a > 0,
    "meq": lambda a, b: a == b,
    "mcount": lambda a: len(cells_of(a)),
    "mfirst": lambda a: cells_of(a)[0],
    "mlast": lambda a: cells_of(a)[-1],
    "mnth": lambda a, n: cells_of(a)[n],
    "mpick": lambda a, n: 1 << cells_of(a)[n],
    "mtake": lambda a, n: sum(1 << c for c in cells_of(a)[n : n + 1]) if n >= 0 else 0,
    "mcell": lambda c: 1 << c if c >= 0 else 0,
    "mhas": lambda a, c: c in cells_of(a),
    "ubits": lambda a: a % WORD,
    "uadd": lambda a, b: (a + b) % WORD,
    "uxor": lambda a, b: a ^ b,
    "usign": signed,
    "umul": lambda a, b: a * b % WORD,
    "uand": lambda a, b: a & b,
    "uor": lambda a, b: a | b,
    "ushl": lambda a, n: a * 2**n % WORD,
    "ushr": lambda a, n: a // 2**n,
    "ueq": lambda a, b: a == b,
    "ult": lambda a, b: a < b,
    "ucount": lambda a: sum(a >> n & 1 for n in range(64)),
    "ufirst": lambda a: min(n for n in range(64) if a >> n & 1),
    "umix": mixed,
    "uhigh": lambda a, n: a * n // WORD,
    "ufold": lambda total, word: mixed(total ^ word % WORD),
    "ufoldm": folded,
}


def pure(op: str, args: list[Any], detail: Any, cells: int) -> Any:
    match op, detail:
        case "mnot", _:
            return 2**cells - 1 - args[0]
        case (("ilook" | "mlook"), Table()):
            return detail.items[args[0]]
        case "mtake", int():
            assert -detail < args[1] < detail
            return PLAIN[op](*args)
        case "mstep", Relation():
            assert all(any(mask >> c & 1 for mask in detail.masks) for c in cells_of(args[0]))
            return moved(args[0], detail)
        case "mmove", Relation():
            return moved(args[0], detail)
        case "mfill", Relation():
            return filled(args[0], args[1], detail)
        case "mgather", Window():
            return sum(1 << i for i, c in enumerate(detail.cells) if c in cells_of(args[0]))
        case "mrow", RowPattern():
            return has_row(args[0], detail)
        case "mbetween", Rays():
            return between(detail, *args)
        case "mtoward", Runs():
            return toward(detail, *args)
        case "mslide", Rays():
            return slid(detail, *args)
    return PLAIN[op](*args)


def has_row(mask: int, row: RowPattern) -> bool:
    """True if the set contains a row, checked cell by cell."""
    cells = set(cells_of(mask))
    return any(
        cells.issuperset(first + k * delta for k in range(row.length))
        for delta, starts in zip(row.deltas, row.starts, strict=True)
        for first in cells_of(starts)
    )


@dataclass(frozen=True)
class Board:
    """A board for tests: its rays, and the steps from cell to cell."""

    name: str
    cells: int
    grid: tuple[int, int] | None
    rays: Rays
    steps: Relation
    far: Relation
    places: tuple[int, ...] | None = None


def rows_on(board: Board, length: int) -> RowPattern:
    """Return all rows of so many cells of a grid; on other boards, cells two and seven numbers
    apart.
    """
    found: dict[int, int] = {}
    if board.grid is None or board.places:
        for delta in (2, 7):
            found[delta] = sum(1 << c for c in range(board.cells - (length - 1) * delta))
    else:
        rows, columns = board.grid
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for r, c in product(range(rows), range(columns)):
                to_row, to_column = r + down * (length - 1), c + right * (length - 1)
                if to_row < rows and 0 <= to_column < columns:
                    delta = down * columns + right
                    found[delta] = found.get(delta, 0) | 1 << r * columns + c
    return RowPattern(length, tuple(found), tuple(found.values()))


def moves_of(targets: Sequence[Sequence[int]]) -> Relation:
    """Return the relation from each cell to its targets."""
    masks: dict[int, int] = {}
    for cell, reached in enumerate(targets):
        for target in reached:
            masks[target - cell] = masks.get(target - cell, 0) | 1 << cell
    return Relation(tuple(masks), tuple(masks.values()))


def rays_of(steps: Sequence[Sequence[int]], cyclic: bool = False) -> Rays:
    """Return the rays of directions given as the next cell of each cell, -1 for none."""
    forward = tuple(moves_of([[t] if t >= 0 else [] for t in nexts]) for nexts in steps)
    back = []
    for nexts in steps:
        sources: list[list[int]] = [[] for _ in nexts]
        for cell, target in enumerate(nexts):
            if target >= 0:
                sources[target].append(cell)
        back.append(moves_of(sources))
    rays = tuple(tuple(ray_of(nexts, cell) for cell in range(len(nexts))) for nexts in steps)
    return Rays(rays, forward, tuple(back), cyclic)


def ray_of(nexts: Sequence[int], cell: int) -> tuple[int, ...]:
    ray: dict[int, None] = {}
    here = nexts[cell]
    while here >= 0 and here != cell and here not in ray:
        ray[here] = None
        here = nexts[here]
    return tuple(ray)


def grid_board(
    rows: int,
    columns: int,
    directions: Sequence[tuple[int, int]] = KING,
    *,
    torus: bool = False,
    holes: Collection[int] = (),
) -> Board:
    """Return a rectangle or torus; `holes` are left out, by their places in it."""
    places = [place for place in range(rows * columns) if place not in holes]
    numbers = {place: cell for cell, place in enumerate(places)}

    def to(cell: int, step: tuple[int, int]) -> int:
        row, column = places[cell] // columns + step[0], places[cell] % columns + step[1]
        if torus:
            row, column = row % rows, column % columns
        inside = 0 <= row < rows and 0 <= column < columns
        return numbers.get(row * columns + column, -1) if inside else -1

    def relation(steps: Sequence[tuple[int, int]]) -> Relation:
        cells = range(len(places))
        return moves_of([[t for s in steps if (t := to(c, s)) >= 0] for c in cells])

    nexts = [[to(c, step) for c in range(len(places))] for step in directions]
    knight = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    name = f"{'torus' if torus else 'grid'} {rows}x{columns} in {len(directions)}"
    return Board(
        f"{name} with {len(holes)} holes" if holes else name,
        len(places),
        (rows, columns) if not holes or len(places) > 64 else None,
        rays_of(nexts, torus),
        relation(ROOK),
        relation([*knight, (1, 0)]),
        tuple(places) if holes else None,
    )


def graph_board(cells: int, stride: int) -> Board:
    """Return an irregular board: cell c leads to stride * c + 1, and to its double."""
    scrambled = [stride * c % cells for c in range(cells)]
    nexts = [-1] * cells
    for a, b in zip(scrambled[::2], scrambled[1::2], strict=False):
        nexts[a] = b
    for a, b in zip(scrambled[1 : cells // 2 : 2], scrambled[2 : cells // 2 : 2], strict=False):
        nexts[a] = b
    back = [nexts.index(c) if c in nexts else -1 for c in range(cells)]
    targets = [
        sorted({scrambled[(c * 7 + 3) % cells], (2 * c) % cells} - {c}) for c in range(cells)
    ]
    rays = rays_of([nexts, back])
    return Board(f"graph of {cells}", cells, None, rays, moves_of(targets), moves_of(targets))
