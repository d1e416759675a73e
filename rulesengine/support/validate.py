"""Validation of the arguments of public calls."""

from collections.abc import Collection, Sequence
from operator import index

from rulesengine.errors import UsageError


def check_number(
    subject: str, number: int, least: int | None = None, most: int | None = None
) -> int:
    """Return the number if it is an integer from `least` to `most`. Raises UsageError."""
    try:
        value = index(number)
    except TypeError:
        value = None
    if value is None or isinstance(number, bool):
        raise UsageError(f"the {subject} is a whole number, found {number!r:.40}")
    if least is not None and value < least:
        raise UsageError(f"the {subject} is at least {least}, found {value}")
    if most is not None and value > most:
        raise UsageError(f"the {subject} is at most {most:,}, found {value:,}")
    return value


def check_flag(subject: str, flag: bool) -> bool:
    """Return the flag if it is a bool. Raises UsageError."""
    if not isinstance(flag, bool):
        raise UsageError(f"{subject} is True or False, found {flag!r:.40}")
    return flag


def check_keywords(function: str, names: Collection[str], known: Collection[str]) -> None:
    """Raise TypeError for a keyword argument that a function does not have, as Python does."""
    for name in names:
        if name not in known:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def check_text(subject: str, text: str) -> str:
    """Return the text if it is a str. Raises UsageError."""
    if not isinstance(text, str):
        raise UsageError(f"the {subject} is a text, found {text!r:.40}")
    return text


def check_word(subject: str, word: str, known: Sequence[str]) -> str:
    """Return the word if it is among `known`. Raises UsageError."""
    if word not in known:
        raise UsageError(f"{subject} is {' or '.join(map(repr, known))}, found {word!r:.40}")
    return word


def check_choice(kind: str, name: str, names: Sequence[str]) -> int:
    """Return the index of a name among the names of a kind. Raises UsageError."""
    if name not in names:
        raise UsageError(f"no {kind} `{name}`: there is {', '.join(names) or 'none'}")
    return names.index(name)
