"""Kernel code for numbers as text: parsing and printing in memory."""

from rulesengine.engine.kernel.code.form import Type, Value
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.support.limits import INTEGER_MIN

MINUS, ZERO, LAST_DIGIT, BLANK = 45, 48, 57, 32
_DIGITS = 18  # every number with so many digits fits into a word
NUMBER, NO_NUMBER, LONG = range(3)
_I: Type = "i"
_A: Type = "a"


def parsed(code: ScriptCode, start: Value, size: Value) -> tuple[Value, Value]:
    """Return NUMBER, NO_NUMBER or LONG, and the value of a text: an optional `-` and digits."""
    args = (code.memory, start, size)

    def body(values: tuple[Value, ...]) -> None:
        b = code.ctx.b
        memory, start, size = values
        first = b.read("load8", memory, start)
        negative = b.op("ieq", first, b.i(MINUS))
        sign = b.op("fint", negative)
        b.when(b.op("ile", size, sign), lambda: b.emit_return(b.i(NO_NUMBER), b.i(0)))
        b.when(b.op("ilt", b.i(_DIGITS), size), lambda: b.emit_return(b.i(LONG), b.i(0)))
        total = b.let(b.i(0))

        def digit(index: Value) -> None:
            sign = b.read("load8", memory, b.op("iadd", start, index))
            b.when(
                b.op("fnot", is_digit(code, sign)), lambda: b.emit_return(b.i(NO_NUMBER), b.i(0))
            )
            more = b.op("iadd", b.op("imul", b.get(total), b.i(10)), b.op("isub", sign, b.i(ZERO)))
            b.set(total, more)

        b.range(sign, size, digit)
        value = b.get(total)
        b.emit_return(b.i(NUMBER), b.op("pick", negative, b.op("isub", b.i(0), value), value))

    status, value = code.call("parsed", (_A, _I, _I), (_I, _I), args, body)
    return status, value


def is_digit(code: ScriptCode, sign: Value) -> Value:
    return is_between(code, sign, ZERO, LAST_DIGIT)


def is_between(code: ScriptCode, sign: Value, low: int, high: int) -> Value:
    b = code.ctx.b
    return b.op("fand", b.op("ile", b.i(low), sign), b.op("ile", sign, b.i(high)))


def printed(
    code: ScriptCode, memory: Value, at: Value, value: Value, width: int, filler: str
) -> Value:
    """Print a number at an offset, padded to a width; return the offset behind it.

    A negative width pads on the right. Zeros follow a sign.
    """
    zeros = filler == "0"
    name = f"number_{'z' if zeros else 'l' if width < 0 else 'r'}"
    args = (memory, at, value, code.ctx.b.i(abs(width)))

    def body(values: tuple[Value, ...]) -> None:
        b = code.ctx.b
        memory, at, value, width = values
        b.when(b.op("ieq", value, b.i(INTEGER_MIN)), b.fail)
        negative = b.op("ilt", value, b.i(0))
        sign, positive = (
            b.op("fint", negative),
            b.op("pick", negative, b.op("isub", b.i(0), value), value),
        )
        size, remaining = b.let(b.op("iadd", sign, b.i(1))), b.let(positive)

        def shorter() -> None:
            left = b.get(remaining)
            b.when(b.op("ilt", left, b.i(10)), b.leave)
            b.set(remaining, b.op("cdiv", left, b.i(10)))
            b.set(size, b.op("iadd", b.get(size), b.i(1)))

        b.loop(shorter)
        length = b.get(size)
        pad = b.op("imax", b.op("isub", width, length), b.i(0))
        front = b.i(0) if name == "number_l" else pad
        place = b.let(at)
        minus = lambda: b.write("store8", memory, b.get(place), b.i(MINUS))  # noqa: E731
        if zeros:
            b.when(negative, minus)
            b.set(place, b.op("iadd", at, sign))
            fill(code, memory, b.get(place), front, ZERO)
            b.set(place, at)
        else:
            fill(code, memory, at, front, BLANK)
            b.set(place, b.op("iadd", at, front))
            b.when(negative, minus)
        end = b.op("iadd", at, b.op("iadd", front, length))
        b.set(place, end)
        b.set(remaining, positive)

        def digit() -> None:
            left, there = b.get(remaining), b.op("isub", b.get(place), b.i(1))
            digit = b.op("cmod", left, b.i(10))
            b.write("store8", memory, there, b.op("iadd", digit, b.i(ZERO)))
            b.set(place, there)
            b.when(b.op("ilt", left, b.i(10)), b.leave)
            b.set(remaining, b.op("cdiv", left, b.i(10)))

        b.loop(digit)
        if name == "number_l":
            fill(code, memory, end, pad, BLANK)
            end = b.op("iadd", end, pad)
        b.emit_return(end)

    return code.call(name, (_A, _I, _I, _I), (_I,), args, body)[0]


def fill(code: ScriptCode, memory: Value, at: Value, count: Value, sign: int) -> None:
    """Write a character repeatedly."""
    b = code.ctx.b
    b.range(b.i(0), count, lambda i: b.write("store8", memory, b.op("iadd", at, i), b.i(sign)))
