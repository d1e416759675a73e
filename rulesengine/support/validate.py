"""Validation of the arguments of public calls."""

from collections.abc import Collection, Sequence
from operator import index
from os import PathLike
from typing import TypeVar

from rulesengine.errors import UsageError

_T = TypeVar("_T")


def check_number(
    subject: str, number: int, least: int | None = None, most: int | None = None
) -> int:
    """Return the number if it is an integer from `least` to `most`. Raises UsageError."""
    try:
        value = index(number)
    except TypeError:
        value = None
    if value is None or isinstance(number, bool):
        raise UsageError(f"the {subject} is a whole number, found {excerpt(number)}")
    if least is not None and value < least:
        raise UsageError(f"the {subject} is at least {least}, found {excerpt(value)}")
    if most is not None and value > most:
        raise UsageError(f"the {subject} is at most {most:,}, found {_grouped(value)}")
    return value


def check_kind(subject: str, value: _T, *kinds: type) -> _T:
    """Return the value if it is of one of the kinds. Raises UsageError."""
    if not isinstance(value, kinds):
        raise UsageError(f"expected {subject}, found {excerpt(value)}")
    return value


def check_callback(function: object) -> None:
    """Raise UsageError for a callback that cannot be called; None is no callback."""
    if function is not None and not callable(function):
        raise UsageError(f"expected a function, found {excerpt(function)}")


def check_path(path: str | PathLike[str]) -> str | PathLike[str]:
    """Return the path if it is a text or a path of Python. Raises UsageError."""
    return check_kind("the path of a file", path, str, PathLike)


def excerpt(value: object) -> str:
    """Return the first 40 characters of a value as Python prints it."""
    try:
        return f"{value!r:.40}"
    except ValueError:  # an integer of more digits than Python prints
        return "a very large number"


def check_flag(subject: str, flag: bool) -> bool:
    """Return the flag if it is a bool. Raises UsageError."""
    if not isinstance(flag, bool):
        raise UsageError(f"{subject} is True or False, found {excerpt(flag)}")
    return flag


def check_keywords(function: str, names: Collection[str], known: Collection[str]) -> None:
    """Raise TypeError for a keyword argument that a function does not have, as Python does."""
    for name in names:
        if name not in known:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def check_text(subject: str, text: str) -> str:
    """Return the text if it is a str. Raises UsageError."""
    if not isinstance(text, str):
        raise UsageError(f"the {subject} is a text, found {excerpt(text)}")
    return text


def check_word(subject: str, word: str, known: Sequence[str]) -> str:
    """Return the word if it is among `known`. Raises UsageError."""
    if word not in known:
        raise UsageError(f"{subject} is {' or '.join(map(repr, known))}, found {excerpt(word)}")
    return word


def check_choice(kind: str, name: str, names: Sequence[str]) -> int:
    """Return the index of a name among the names of a kind. Raises UsageError."""
    if check_text(kind, name) not in names:
        raise UsageError(f"no {kind} `{name}`: there is {', '.join(names) or 'none'}")
    return names.index(name)


def _grouped(number: int) -> str:
    try:
        return f"{number:,}"
    except ValueError:
        return excerpt(number)
