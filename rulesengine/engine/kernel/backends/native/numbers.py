"""Emit operations on numbers, flags and wrapping 64-bit words as LLVM instructions."""

from collections.abc import Callable
from types import MappingProxyType

from rulesengine.engine.kernel.backends.native import memory
from rulesengine.engine.kernel.backends.native.text import Body

_ADD, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

TEMPLATES = MappingProxyType(
    {
        "iadd": "add i64 {}, {}",
        "isub": "sub i64 {}, {}",
        "imul": "mul i64 {}, {}",
        "ieq": "icmp eq i64 {}, {}",
        "ilt": "icmp slt i64 {}, {}",
        "ile": "icmp sle i64 {}, {}",
        "iand": "and i64 {}, {}",
        "ior": "or i64 {}, {}",
        "fand": "and i1 {}, {}",
        "for": "or i1 {}, {}",
        "fnot": "xor i1 {}, true",
        "fint": "zext i1 {} to i64",
        "uadd": "add i64 {}, {}",
        "uxor": "xor i64 {}, {}",
        "umul": "mul i64 {}, {}",
        "uand": "and i64 {}, {}",
        "uor": "or i64 {}, {}",
        "ueq": "icmp eq i64 {}, {}",
        "ult": "icmp ult i64 {}, {}",
    }
)


def _shift(op: str) -> Callable[[Body, str, str], str]:
    def emit(body: Body, value: str, by: str) -> str:
        amount = body.let(f"and i64 {by}, 63")
        return body.let(f"{op} i64 {value}, {amount}")

    return emit


def _least(name: str) -> Callable[[Body, str, str], str]:
    return lambda body, a, b: body.call("i64", f"llvm.{name}.i64", ("i64", a), ("i64", b))


def _checked(name: str) -> Callable[[Body, str, str], str]:
    def emit(body: Body, a: str, b: str) -> str:
        pair = body.call("{ i64, i1 }", f"llvm.{name}.with.overflow.i64", ("i64", a), ("i64", b))
        value = body.let(f"extractvalue {{ i64, i1 }} {pair}, 0")
        over = body.let(f"extractvalue {{ i64, i1 }} {pair}, 1")
        fail_if(body, over)
        return body.let(f"select i1 {over}, i64 0, i64 {value}")

    return emit


def _divide(body: Body, a: str, b: str) -> tuple[str, str]:
    """Return flags for an invalid division (by zero or overflow) and for a division by zero."""
    zero = body.let(f"icmp eq i64 {b}, 0")
    least = body.let(f"icmp eq i64 {a}, {-(2**63)}")
    minus = body.let(f"icmp eq i64 {b}, -1")
    over = body.let(f"and i1 {least}, {minus}")
    return body.let(f"or i1 {zero}, {over}"), zero


def _rounded(body: Body, a: str, b: str, bad: str) -> tuple[str, str]:
    safe = body.let(f"select i1 {bad}, i64 1, i64 {b}")
    quotient = body.let(f"sdiv i64 {a}, {safe}")
    remainder = body.let(f"srem i64 {a}, {safe}")
    signs = body.let(f"xor i64 {remainder}, {safe}")
    apart = body.let(f"icmp slt i64 {signs}, 0")
    some = body.let(f"icmp ne i64 {remainder}, 0")
    down = body.let(f"and i1 {apart}, {some}")
    more = body.let(f"select i1 {down}, i64 {safe}, i64 0")
    less = body.let(f"sext i1 {down} to i64")
    return body.let(f"add i64 {quotient}, {less}"), body.let(f"add i64 {remainder}, {more}")


def _cdiv(body: Body, a: str, b: str) -> str:
    bad, _ = _divide(body, a, b)
    fail_if(body, bad)
    return _rounded(body, a, b, bad)[0]


def _cmod(body: Body, a: str, b: str) -> str:
    bad, zero = _divide(body, a, b)
    fail_if(body, zero)
    return _rounded(body, a, b, bad)[1]


def _mix(body: Body, value: str) -> str:
    name = body.pool.helper("@h.mix", mix_text)
    return body.let(f"call fastcc i64 {name}(i64 {value})")


def _fold(body: Body, total: str, word: str) -> str:
    return _mix(body, body.let(f"xor i64 {total}, {word}"))


def high_product(body: Body, value: str, factor: str) -> str:
    """Return the high word of a product of two words."""
    if body.pool.high_product:
        return body.call("i64", body.pool.high_product, ("i64", value), ("i64", factor))
    if not body.pool.has_wide_words:
        name = body.pool.helper("@h.high", high_text)
        return body.let(f"call fastcc i64 {name}(i64 {value}, i64 {factor})")
    a = body.let(f"zext i64 {value} to i128")
    b = body.let(f"zext i64 {factor} to i128")
    product = body.let(f"mul i128 {a}, {b}")
    high = body.let(f"lshr i128 {product}, 64")
    return body.let(f"trunc i128 {high} to i64")


def _ones(body: Body, value: str) -> str:
    return body.call("i64", "llvm.ctpop.i64", ("i64", value))


def _lowest(body: Body, value: str) -> str:
    return body.call("i64", "llvm.cttz.i64", ("i64", value), ("i1", "true"))


EMIT: MappingProxyType[str, Callable[..., str]] = MappingProxyType(
    {
        "ishl": _shift("shl"),
        "ishr": _shift("ashr"),
        "imin": _least("smin"),
        "imax": _least("smax"),
        "cadd": _checked("sadd"),
        "csub": _checked("ssub"),
        "cmul": _checked("smul"),
        "cdiv": _cdiv,
        "cmod": _cmod,
        "ubits": lambda body, value: value,
        "usign": lambda body, value: value,
        "ushl": _shift("shl"),
        "ushr": _shift("lshr"),
        "ucount": _ones,
        "ufirst": _lowest,
        "umix": _mix,
        "ufold": _fold,
        "uhigh": high_product,
    }
)


def emit(body: Body, op: str, args: list[str]) -> str:
    """Emit an instruction on numbers, flags or wrapping words and return its value."""
    if op in TEMPLATES:
        return body.let(TEMPLATES[op].format(*args))
    return EMIT[op](body, *args)


def fail(body: Body) -> None:
    memory.fail(body)


def fail_if(body: Body, flag: str) -> None:
    """Set the failure flag if a flag is set; the branch is marked as unlikely."""
    failed, on = body.fresh("failed"), body.fresh("on")
    body.branch(flag, failed, on, "never")
    body.block(failed)
    fail(body)
    body.block(on)


def mix_text() -> str:
    """Return the text of SplitMix64's output function."""
    return f"""define internal fastcc i64 @h.mix(i64 %z) alwaysinline nounwind {{
  %a = lshr i64 %z, 30
  %b = xor i64 %z, %a
  %c = mul i64 %b, {_MIX1}
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, {_MIX2}
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}}"""


def high_text() -> str:
    """Return the text of a helper for the high word of a product.

    It takes two multiplications if the factor has 32 bits, as in random draws.
    """
    return """define internal fastcc i64 @h.high(i64 %a, i64 %b) alwaysinline nounwind {
entry:
  %few = icmp ult i64 %b, 4294967296
  br i1 %few, label %short, label %long
short:
  %low = and i64 %a, 4294967295
  %high = lshr i64 %a, 32
  %first = mul i64 %low, %b
  %over = lshr i64 %first, 32
  %second = mul i64 %high, %b
  %both = add i64 %second, %over
  %found = lshr i64 %both, 32
  ret i64 %found
long:
  %awide = zext i64 %a to i128
  %bwide = zext i64 %b to i128
  %product = mul i128 %awide, %bwide
  %above = lshr i128 %product, 64
  %rest = trunc i128 %above to i64
  ret i64 %rest
}"""


def product_text() -> str:
    """Return the text of the function that LLVM calls for 128-bit products on small targets.

    It multiplies halves of 32 bits, as `__multi3` of compiler-rt does. It is not optimised, because
    LLVM would recognise the product and make the function call itself.
    """
    return """define void @__multi3(ptr %out, i64 %a, i64 %ah, i64 %b, i64 %bh) noinline optnone {
  %al = and i64 %a, 4294967295
  %au = lshr i64 %a, 32
  %bl = and i64 %b, 4294967295
  %bu = lshr i64 %b, 32
  %ll = mul i64 %al, %bl
  %lu = mul i64 %al, %bu
  %ul = mul i64 %au, %bl
  %uu = mul i64 %au, %bu
  %c0 = lshr i64 %ll, 32
  %m0 = add i64 %ul, %c0
  %m1 = and i64 %m0, 4294967295
  %m2 = add i64 %m1, %lu
  %c1 = lshr i64 %m0, 32
  %c2 = lshr i64 %m2, 32
  %h0 = add i64 %uu, %c1
  %h1 = add i64 %h0, %c2
  %x = mul i64 %a, %bh
  %y = mul i64 %ah, %b
  %h2 = add i64 %h1, %x
  %h3 = add i64 %h2, %y
  %low = mul i64 %a, %b
  store i64 %low, ptr %out, align 8
  %at = getelementptr i8, ptr %out, i64 8
  store i64 %h3, ptr %at, align 8
  ret void
}"""


def fold_text() -> str:
    """Return the text of a helper that mixes the words of a set into a checksum.

    The first word always counts, the others up to the last one that is not 0.
    """
    return """define internal fastcc i64 @h.fold(i64 %total, ptr %words, i64 %count) nounwind {
entry:
  br label %find
find:
  %n = phi i64 [ %count, %entry ], [ %less, %look ]
  %one = icmp ule i64 %n, 1
  br i1 %one, label %go, label %look
look:
  %less = add i64 %n, -1
  %at = getelementptr i64, ptr %words, i64 %less
  %word = load i64, ptr %at, align 8
  %none = icmp eq i64 %word, 0
  br i1 %none, label %find, label %go
go:
  br label %take
take:
  %k = phi i64 [ 0, %go ], [ %next, %take ]
  %sum = phi i64 [ %total, %go ], [ %mixed, %take ]
  %from = getelementptr i64, ptr %words, i64 %k
  %w = load i64, ptr %from, align 8
  %x = xor i64 %sum, %w
  %mixed = call fastcc i64 @h.mix(i64 %x)
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %take, label %done
done:
  ret i64 %mixed
}"""
