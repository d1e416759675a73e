"""Names of values and variables in the Python source."""

from rulesengine.engine.kernel.code.form import Slots, Value, Var


def name_of(value: Value | Var | Slots) -> str:
    if isinstance(value, Value) and value.number < 0:
        return constant(value)
    return f"{'v' if isinstance(value, Value) else 'w'}{value.number}"


def constant(value: Value) -> str:
    if value.type == "h":
        return "tuple()"
    if value.type == "f":
        return str(bool(value.const))
    text = hex(value.const) if value.type in ("m", "u") else str(value.const)
    return f"({text})" if value.const < 0 else text
