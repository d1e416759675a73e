"""Declarations of callables: the mapping from Python arguments to an entry point, and its results.

All of it is stated as attributes of objects, so no back end depends on states or moves.
"""

from collections.abc import Callable
from sys import intern
from typing import Any

from rulesengine.support.frozen import record


@record
class Argument:
    """The condition on an argument: its exact type, and attributes identical to given objects.

    Attributes of arguments, which must have a type then, and of new objects are slots of their
    types.
    """

    of: type | None = None
    same: tuple[tuple[str, object], ...] = ()


@record
class PackedValues:
    """Several parameters from the words of a `bytes` object: an argument or its attribute."""

    argument: int
    attribute: str
    count: int


@record
class PackedList:
    """A list parameter from the words of a `bytes` object: an argument or its attribute."""

    argument: int
    attribute: str


@record
class IntegerArgument:
    """A number or flag from an argument."""

    argument: int


@record
class DifferenceFlag:
    """A flag: true if an attribute of an argument is not identical to a second argument.

    If `content` is given, two objects of the same type are equal too if the bytes in that attribute
    are equal.
    """

    argument: int
    attribute: str
    other: int
    content: str = ""


@record
class AbsenceFlag:
    """A flag: true if an argument is not in the tuple returned last for the other one
    (`TupleResult`).
    """

    argument: int
    other: int


@record
class HistoryLength:
    """The length of the history, available if the kernel's history is that of an argument."""

    argument: int


Parameter = (
    PackedValues | PackedList | IntegerArgument | DifferenceFlag | AbsenceFlag | HistoryLength
)


@record
class PlainResult:
    """The results as plain objects: one value as a number, several as the bytes of their words.

    A list becomes the bytes of its items. The value `none` becomes None. If `then` is given, any
    other value is replaced by the result of `then` for it and the arguments.
    """

    none: int | None = None
    then: Callable[..., Any] | None = None


@record
class TupleResult:
    """A tuple of existing objects, one for each pair of items of the first list.

    The first item of a pair selects the object: its lowest `low` bits are the row of `objects`, the
    bits from `high` on the column. The tuple and the first argument are kept for `AbsenceFlag`.
    """

    objects: tuple[tuple[object, ...], ...]
    low: int
    high: int


@record
class ObjectResult:
    """A new object of a type with its attributes set.

    Each attribute is named with its source: all results as bytes (`results`), lists and numbers by
    their index in the results, arguments by their index, and constants.
    """

    of: type
    constants: tuple[tuple[str, object], ...] = ()
    results: str = ""
    lists: tuple[tuple[str, int], ...] = ()
    arguments: tuple[tuple[str, int], ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()


@record
class CallableSpec:
    """A callable around an entry point.

    The fallback is the result of `slow` for the same arguments, or None without `slow`. The
    callable returns it if an argument does not satisfy its condition, if the history is that of
    another state, or if the entry fails. A history among the results becomes that of the new
    object. One keyword argument, `option`, is accepted and ignored.
    """

    entry: str
    arguments: tuple[Argument, ...]
    parameters: tuple[Parameter, ...]
    gives: PlainResult | ObjectResult | TupleResult = PlainResult()
    slow: Callable[..., Any] | None = None
    option: str = ""

    def objects(self) -> list[object]:
        """Return the objects that the callable compares or returns, in order of use."""
        values: list[object] = [intern(self.option)] if self.option else []
        for argument in self.arguments:
            values += [argument.of] if argument.of else []
            values += [value for _, value in argument.same]
        match self.gives:
            case ObjectResult():
                values += [self.gives.of, *(value for _, value in self.gives.constants)]
            case TupleResult():
                values += [value for row in self.gives.objects for value in row]
            case PlainResult() if self.gives.then:
                values.append(self.gives.then)
        return values if self.slow is None else [*values, self.slow]
