"""Parameter values: defaults, extremes and random values."""

from collections.abc import Iterator

from rulesengine.engine.drivers.random import Generator
from rulesengine.language.ir.rules import Parameter, Rules

Values = dict[str, int | str]


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


def together(rules: Rules) -> Iterator[Values]:
    """Yield the least values of all parameters at once, and the greatest ones; choices keep their
    defaults.
    """
    for place in (0, -1):
        values = {p.name: extremes(p)[place] for p in rules.parameters if not p.choices}
        yield {**defaults(rules), **values}


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
