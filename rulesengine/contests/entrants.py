"""Entrants of a contest: named players, given as texts, or as objects of the caller."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from rulesengine.contests.units import Entrant
from rulesengine.errors import UsageError
from rulesengine.play.players import PYTHON, CheckedPlayer, Contestant, player_object
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_SHOWN_NAME
from rulesengine.support.validate import check_kind

Players = Iterable[Contestant] | Mapping[str, Contestant]
Objects = Mapping[str, CheckedPlayer]

NO_OBJECTS: Objects = MappingProxyType({})
_NAME = re.compile(r"[^\s:=,]([^:=,]*[^\s:=,])?")
_SHOWN = 40
_LONGEST = 4096


@record
class Entrants:
    """The entrants of a contest; `objects` maps the texts of some to players of the caller."""

    entrants: tuple[Entrant, ...]
    objects: Objects

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts of the other players."""
        return tuple(one.player for one in self.entrants if one.player not in self.objects)


def read_entrants(texts: Iterable[str]) -> tuple[Entrant, ...]:
    """Parse entrants from texts `NAME=PLAYER` or `PLAYER`. Raises UsageError.

    A text splits at its first `=`, unless a `:` precedes it: then it is a player and its own name.
    """
    return _distinct(map(_read_entrant, texts))


def entrants_of(players: Players) -> Entrants:
    """Return the entrants of players, in their order; a map gives their names.

    Without a map, the name of an object is that of its class or function. Raises UsageError for
    invalid values and names, and for an object that is given twice.
    """
    if isinstance(players, str):
        raise UsageError(f"expected several players, found the text `{players[:_SHOWN]}`")
    check_kind("several players", players, Iterable)
    entrants, objects, contestants = list[Entrant](), dict[str, CheckedPlayer](), list[object]()
    for name, player in _named(players):
        if isinstance(player, str):
            entrants.append(_read_entrant(f"{name}={player}" if name else player))
            continue
        if not callable(player) and any(player is other for other in contestants):
            raise UsageError("a player object is given twice: create one for each entrant")
        contestants.append(player)
        shown = name or _name_of(player)
        _require_name(shown, shown)
        entrants.append(Entrant(shown, f"{PYTHON}:{shown}"))
        objects[entrants[-1].player] = player_object(player)
    distinct = _distinct(entrants)
    texts = [one.player for one in distinct]
    if doubled := [text for text in objects if texts.count(text) > 1]:
        raise UsageError(f"unknown player `{doubled[0][:_SHOWN]}`")
    return Entrants(distinct, MappingProxyType(objects))


def _named(players: Players) -> Iterator[tuple[str, Contestant]]:
    """Yield the players with their names, empty without a map."""
    if isinstance(players, Mapping):
        for name, player in players.items():
            _require_name(name, name)
            yield name, player
    else:
        yield from (("", player) for player in players)


def _distinct(named: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return the entrants. Raises UsageError for a name that is given twice."""
    entrants: list[Entrant] = []
    for entrant in named:
        if any(entrant.name == other.name for other in entrants):
            name = entrant.name[:_SHOWN]
            raise UsageError(f"the player `{name}` is given twice: name each, as in `first={name}`")
        entrants.append(entrant)
    return tuple(entrants)


def _name_of(player: object) -> str:
    """Return the name of a function, or that of the class of an object."""
    name = getattr(player, "__name__", type(player).__name__)
    return str(name).strip("<>")


def _read_entrant(text: str) -> Entrant:
    if not text.isprintable() or len(text) > _LONGEST:
        expectation = f"one line of at most {_LONGEST} characters that can be shown"
        raise UsageError(f"expected {expectation}")
    name, equals, player = text.partition("=")
    if not equals or ":" in name:
        name, player = text, text
    else:
        _require_name(name, text)
    if not player.strip():
        raise UsageError(f"expected NAME=PLAYER, found `{text[:_SHOWN]}`")
    return Entrant(name, player)


def _require_name(name: str, text: str) -> None:
    """Raise UsageError for an invalid name of an entrant."""
    if not (isinstance(name, str) and _NAME.fullmatch(name) and len(name) <= MAX_SHOWN_NAME):
        raise UsageError(f"expected NAME=PLAYER, found `{text!s:.{_SHOWN}}`")
