"""Parameter values: defaults, extremes and random values."""

from collections.abc import Iterator

from rulesengine.engine.drivers.random import Generator
from rulesengine.language.ir.rules import Parameter, Rules

Values = dict[str, int | str]
_PAIR = 2


def defaults(rules: Rules) -> Values:
    """Return the default value of each parameter."""
    return {p.name: p.default for p in rules.parameters}


def ends(rules: Rules) -> Iterator[tuple[Parameter, Values]]:
    """Yield the extreme values of each parameter, or each choice, with defaults for the others."""
    plain = defaults(rules)
    for parameter in rules.parameters:
        for value in dict.fromkeys(extremes(parameter)):
            if value != parameter.default:
                yield parameter, {**plain, parameter.name: value}


def pairs_of_extremes(rules: Rules, most: int) -> Iterator[Values]:
    """Yield values of all parameters, so that each pair of extremes of two of them occurs.

    The number of values yielded grows with the logarithm of the number of parameters. Two
    parameters differ in a digit of their numbers, and parameters with the same digit have the same
    place among their extremes. It is at most `most`; choices beyond that are omitted.
    """
    count = len(rules.parameters)
    if count < _PAIR:
        return
    digits = (count - 1).bit_length()
    levels = max(len(extremes(parameter)) for parameter in rules.parameters)
    while levels > _PAIR and levels + levels * (levels - 1) * digits > most:
        levels -= 1
    same = [(place, place) for place in range(levels)]
    for digit in range(digits):
        other = [(a, b) for a in range(levels) for b in range(levels) if a != b]
        for places in (*same, *other) if digit == 0 else other:
            yield {
                parameter.name: _extreme(parameter, places[number >> digit & 1], levels)
                for number, parameter in enumerate(rules.parameters)
            }


def _extreme(parameter: Parameter, place: int, levels: int) -> int | str:
    """Return an extreme by its place; the last place is the greatest value."""
    values = extremes(parameter)
    return values[-1] if place == levels - 1 else values[min(place, len(values) - 1)]


def extremes(parameter: Parameter) -> tuple[int | str, ...]:
    """Return the extreme values of a parameter, or its choices."""
    return parameter.choices or (parameter.low, _highest(parameter))


def random_values(rules: Rules, draw: Generator) -> Values:
    """Draw a random value for each parameter."""
    values: Values = {}
    for parameter in rules.parameters:
        if parameter.choices:
            values[parameter.name] = parameter.choices[draw.below(len(parameter.choices))]
        else:
            steps = (parameter.high - parameter.low) // parameter.step
            values[parameter.name] = parameter.low + parameter.step * draw.below(steps + 1)
    return values


def format_values(values: Values) -> str:
    """Format values as `n = 6, k = 3`."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _highest(parameter: Parameter) -> int:
    """Return the greatest value that the steps reach."""
    span = parameter.high - parameter.low
    return parameter.low + span // parameter.step * parameter.step
