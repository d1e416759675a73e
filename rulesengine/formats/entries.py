"""Lists of the games of a text; moves are read only for the chosen game."""

from collections.abc import Callable, Mapping, Sequence

from rulesengine.formats.values import RecordedGame
from rulesengine.support.frozen import record

_COLOURS = ("White", "Black")


@record
class GameEntry:
    """A game of a text.

    - `number` counts the games from 1.
    - `players` has the names of the persons in the order of the players; empty if the text has
      none.
    - `result` is the text of the result; empty without one.
    - `read` reads the game.
    """

    number: int
    players: tuple[str, ...]
    result: str
    read: Callable[[], RecordedGame]


def entry_of(game: RecordedGame, players: Sequence[str]) -> GameEntry:
    """Return the entry of a game that has been read; `players` are those of the rules."""
    result, text = game.result, ""
    if result is not None:
        text = f"{result.winner} wins" if result.winner else "draw"
    named = persons(dict(game.headers), header_names(players))
    return GameEntry(game.number, named, text, lambda: game)


def header_names(players: Sequence[str]) -> tuple[str, ...]:
    """Return the usual headers with the names of the persons: by player, else White and Black."""
    own = tuple(player.capitalize() for player in players)
    return _COLOURS if len(own) == len(_COLOURS) and not set(own) & set(_COLOURS) else own


def persons(headers: Mapping[str, str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the values of the headers of the persons; empty if none of them has a value."""
    names_of_persons = tuple(headers.get(name, "") for name in names)
    return names_of_persons if any(value.strip("? ") for value in names_of_persons) else ()
