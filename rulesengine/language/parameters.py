"""Validation of parameter values that come from Python, the command line or a game's input."""

from collections.abc import Mapping

from rulesengine.errors import UsageError
from rulesengine.language.ir.rules import Parameter


def bind(
    declared: tuple[Parameter, ...], values: Mapping[str, int | str | bool]
) -> dict[str, int | str]:
    """Return a value for every parameter; texts are parsed as numbers where numbers are expected.

    Raises UsageError for an unknown name and for a value that is not allowed.
    """
    names = [p.name for p in declared]
    for name in values:
        if name not in names:
            from rulesengine.support.diagnostic import did_you_mean

            hint = did_you_mean(name, names) or f"there is {', '.join(names) or 'none'}"
            raise UsageError(f"no parameter `{name}`: {hint}")
    return {p.name: value_of(p, values.get(p.name, p.default)) for p in declared}


def value_of(parameter: Parameter, value_or_text: int | str | bool) -> int | str:
    """Convert a value to the type of a parameter; raises UsageError if it is not allowed."""
    if parameter.choices:
        for choice in parameter.choices:
            if str(choice) == str(value_or_text):
                return choice
        raise UsageError(
            f"{parameter.name}: expected {allowed(parameter)}, found `{_cut(value_or_text)}`"
        )
    if parameter.type == "flag":
        value = {"true": 1, "false": 0, "1": 1, "0": 0}.get(str(value_or_text).lower())
    else:
        value = _integer(value_or_text)
    inside = value is not None and parameter.low <= value <= parameter.high
    if value is None or not inside or (value - parameter.low) % parameter.step:
        raise UsageError(
            f"{parameter.name}: expected {allowed(parameter)}, found `{_cut(value_or_text)}`"
        )
    return value


def allowed(parameter: Parameter) -> str:
    """Describe the allowed values of a parameter in words."""
    if parameter.choices:
        return " or ".join(str(c) for c in parameter.choices)
    if parameter.type == "flag":
        return "true or false"
    step = f" in steps of {parameter.step}" if parameter.step > 1 else ""
    return f"a number from {parameter.low} to {parameter.high}{step}"


def _integer(value: int | str | bool) -> int | None:
    if isinstance(value, bool):
        return None
    text = str(value)
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 19):
        return None
    return int(text)


def _cut(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"
