"""Values of parameters: those at the ends of their ranges, and drawn by chance."""

from collections.abc import Iterator

from rulesengine.engine.drivers.random import Generator
from rulesengine.language.ir.rules import Parameter, Rules

Values = dict[str, int | str]


def defaults(rules: Rules) -> Values:
    """The value of each parameter if nothing is said."""
    return {p.name: p.default for p in rules.parameters}


def ends(rules: Rules) -> Iterator[tuple[Parameter, Values]]:
    """The least and the greatest value of each parameter, or each choice, the rest as given."""
    plain = defaults(rules)
    for parameter in rules.parameters:
        for value in dict.fromkeys(extremes(parameter)):
            if value != parameter.default:
                yield parameter, {**plain, parameter.name: value}


def extremes(parameter: Parameter) -> tuple[int | str, ...]:
    """The values between which the others lie."""
    return parameter.choices or (parameter.low, _highest(parameter))


def drawn(rules: Rules, draw: Generator) -> Values:
    """A value for each parameter by chance."""
    values: Values = {}
    for parameter in rules.parameters:
        if parameter.choices:
            values[parameter.name] = parameter.choices[draw.below(len(parameter.choices))]
        else:
            steps = (parameter.high - parameter.low) // parameter.step
            values[parameter.name] = parameter.low + parameter.step * draw.below(steps + 1)
    return values


def shown(values: Values) -> str:
    """`n = 6, k = 3`."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _highest(parameter: Parameter) -> int:
    """The greatest value that the steps reach."""
    span = parameter.high - parameter.low
    return parameter.low + span // parameter.step * parameter.step
