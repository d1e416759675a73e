"""How Python calls an entry point as a built-in function: what it is given, and what it gives.

All of it is said in attributes of objects, so that no back end knows what a state or a move is.
"""

from collections.abc import Callable
from sys import intern
from typing import Any

from rulesengine.support.frozen import record


@record
class Argument:
    """What an argument must be: of this type, if any, with these very objects as attributes.

    Attributes of arguments, which have a type then, and of new objects are slots of their types.
    """

    of: type | None = None
    same: tuple[tuple[str, object], ...] = ()


@record
class Words:
    """So many parameters, whose words a bytes object holds: an argument or its attribute."""

    argument: int
    attribute: str
    count: int


@record
class Items:
    """A list, whose items are the words of a bytes object: an argument or its attribute."""

    argument: int
    attribute: str


@record
class Number:
    """A whole number or a flag: an argument."""

    argument: int


@record
class Differs:
    """A flag: whether an attribute of an argument is another object than a second argument.

    If `content` is told, one of the same type is no other if its bytes in that attribute are equal.
    """

    argument: int
    attribute: str
    other: int
    content: str = ""


@record
class Unlisted:
    """A flag: whether an argument was not among the objects given last for another (`Known`)."""

    argument: int
    other: int


@record
class Length:
    """The length of the history, known if the kernel's line of play is that of an argument."""

    argument: int


Parameter = Words | Items | Number | Differs | Unlisted | Length


@record
class Value:
    """What an entry gives: one value as a number, several as the bytes of their words.

    Lists come as the bytes of their items. Where the value is `none`, None is given for it; for
    another, if `then` is told, what that gives for the value and the arguments.
    """

    none: int | None = None
    then: Callable[..., Any] | None = None


@record
class Known:
    """A tuple of objects that are there before the call, one for each two items of a first list.

    `low` bits of an item's first number count whole rows of `objects`; its place in the row is
    what stands from bit `high` on. The tuple and the first argument are kept, for `Unlisted`.
    """

    objects: tuple[tuple[object, ...], ...]
    low: int
    high: int


@record
class Object:
    """A new object of a type, its attributes set.

    They are, by name, all that the entry gives as bytes (`results`), its lists and whole numbers
    by their place, arguments by theirs, and what is there before the call.
    """

    of: type
    constants: tuple[tuple[str, object], ...] = ()
    results: str = ""
    lists: tuple[tuple[str, int], ...] = ()
    arguments: tuple[tuple[str, int], ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()


@record
class Fast:
    """A callable of an entry point.

    Where an argument is something else, where the history is of another line and where the entry
    fails, it gives what `slow` gives for the same arguments, None if there is none. A history that
    the entry gives is kept as that of the new object. One `option`, by its name, may be told, and
    makes no difference.
    """

    entry: str
    arguments: tuple[Argument, ...]
    parameters: tuple[Parameter, ...]
    gives: Value | Object | Known = Value()
    slow: Callable[..., Any] | None = None
    option: str = ""

    def objects(self) -> list[object]:
        """The objects that are compared or given, in the order in which they are met."""
        found: list[object] = [intern(self.option)] if self.option else []
        for argument in self.arguments:
            found += [argument.of] if argument.of else []
            found += [value for _, value in argument.same]
        match self.gives:
            case Object():
                found += [self.gives.of, *(value for _, value in self.gives.constants)]
            case Known():
                found += [value for row in self.gives.objects for value in row]
            case Value() if self.gives.then:
                found.append(self.gives.then)
        return found if self.slow is None else [*found, self.slow]
