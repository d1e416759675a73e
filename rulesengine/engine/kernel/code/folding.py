"""Constant folding and algebraic identities."""

from collections.abc import Callable, Sequence
from types import MappingProxyType

from rulesengine.engine.kernel.code.form import CHECKED, PURE, Value

_WORD = 2**64 - 1


def fold(name: str, args: Sequence[Value], full: int) -> Value | None:
    """Return the value of an instruction that can be folded, or None."""
    known = [a.constant for a in args]
    if name == "pick":
        if known[0] is not None:
            return args[1] if known[0] else args[2]
        return args[1] if args[1] == args[2] else None
    if name in ("iadd", "isub", "cadd", "csub") and known[1] == 0:
        return args[0]
    if name in ("iadd", "cadd") and known[0] == 0:
        return args[1]
    if name in _SIDES:
        return _SIDES[name](args, known, full)
    if None not in known and name in _KNOWN:
        values = [v for v in known if v is not None]
        result = _KNOWN[name](values, full)
        if name in CHECKED and not -(2**63) <= result < 2**63:
            return None
        return Value(PURE[name][1], -1, result)  # type: ignore[arg-type]
    return None


_KNOWN: MappingProxyType[str, Callable[[list[int], int], int]] = MappingProxyType(
    {
        "iadd": lambda v, full: v[0] + v[1],
        "isub": lambda v, full: v[0] - v[1],
        "imul": lambda v, full: v[0] * v[1],
        "cadd": lambda v, full: v[0] + v[1],
        "csub": lambda v, full: v[0] - v[1],
        "cmul": lambda v, full: v[0] * v[1],
        "imin": lambda v, full: min(v),
        "imax": lambda v, full: max(v),
        "ieq": lambda v, full: int(v[0] == v[1]),
        "ilt": lambda v, full: int(v[0] < v[1]),
        "ile": lambda v, full: int(v[0] <= v[1]),
        "ishl": lambda v, full: v[0] << v[1],
        "ishr": lambda v, full: v[0] >> v[1],
        "fnot": lambda v, full: 1 - v[0],
        "fint": lambda v, full: v[0],
        "mnot": lambda v, full: full & ~v[0],
        "many": lambda v, full: int(v[0] != 0),
        "meq": lambda v, full: int(v[0] == v[1]),
        "mcount": lambda v, full: v[0].bit_count(),
        "mcell": lambda v, full: 1 << v[0] if v[0] >= 0 else 0,
        "mhas": lambda v, full: v[0] >> v[1] & 1,
        "ubits": lambda v, full: v[0] & _WORD,
        "uadd": lambda v, full: v[0] + v[1] & _WORD,
        "usign": lambda v, full: v[0] - (v[0] >> 63 << 64),
        "umul": lambda v, full: v[0] * v[1] & _WORD,
        "ushl": lambda v, full: v[0] << v[1] & _WORD,
        "ushr": lambda v, full: v[0] >> v[1],
        "ueq": lambda v, full: int(v[0] == v[1]),
        "ult": lambda v, full: int(v[0] < v[1]),
        "ucount": lambda v, full: v[0].bit_count(),
    }
)


def _join(args: Sequence[Value], known: list[int | None], full: int, meet: bool) -> Value | None:
    """Fold a conjunction (`meet`) or disjunction of sets or flags."""
    zero, one = (0, full) if meet else (full, 0)
    if known[0] is not None and known[1] is not None:
        a, b = known[0], known[1]
        return Value(args[0].type, -1, a & b if meet else a | b)
    for value, other in zip(known, (args[1], args[0]), strict=True):
        if value == zero:
            return Value(args[0].type, -1, zero)
        if value == one:
            return other
    return args[0] if args[0] == args[1] else None


def _less(args: Sequence[Value], known: list[int | None], full: int) -> Value | None:
    a, b = known
    if a is not None and b is not None:
        return Value("m", -1, a & ~b)
    if b == 0:
        return args[0]
    return Value("m", -1, 0) if a == 0 or b == full or args[0] == args[1] else None


def _xor(args: Sequence[Value], known: list[int | None], full: int) -> Value | None:
    a, b = known
    if a is not None and b is not None:
        return Value("m", -1, a ^ b)
    if a == 0:
        return args[1]
    return args[0] if b == 0 else None


def _row(args: Sequence[Value], known: list[int | None], full: int) -> Value | None:
    return Value("f", -1, 0) if known[0] == 0 else None


def _cells(args: Sequence[Value], known: list[int | None], full: int) -> Value | None:
    return Value("m", -1, 0) if 0 in known[: len(args)] else None


_SIDES: MappingProxyType[str, Callable[[Sequence[Value], list[int | None], int], Value | None]] = (
    MappingProxyType(
        {
            "mand": lambda a, k, full: _join(a, k, full, True),
            "mor": lambda a, k, full: _join(a, k, full, False),
            "fand": lambda a, k, full: _join(a, k, 1, True),
            "for": lambda a, k, full: _join(a, k, 1, False),
            "uand": lambda a, k, full: _join(a, k, _WORD, True),
            "uor": lambda a, k, full: _join(a, k, _WORD, False),
            "mless": _less,
            "mxor": _xor,
            "mrow": _row,
            "mtoward": lambda a, k, full: _cells(a[1:], k[1:], full),
            "mslide": _cells,
            "mfill": _cells,
            "mmove": _cells,
            "mstep": _cells,
        }
    )
)
