"""Which kinds of players there are: a row for each."""

from collections.abc import Callable, Iterable
from functools import partial
from types import MappingProxyType

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.play.players.base import Player
from rulesengine.play.players.builtin import Choosing, Person, Random
from rulesengine.play.players.controllers import HUMAN, LEARNED, METHODS, RANDOM, budget_of
from rulesengine.play.players.gtp import Vertices
from rulesengine.play.players.io_script import Scripted, asks_strategies
from rulesengine.play.players.text_lines import Lines
from rulesengine.play.players.uci import Squares
from rulesengine.support.frozen import record

PROGRAM = "cmd"


@record
class Kind:
    """A kind of player: how one is made of the text behind the colon, and what that is.

    `argument` is empty where nothing stands behind the name; `is_person` tells that it needs a
    terminal.
    """

    make: Callable[[Game, str], Player]
    argument: str = ""
    is_person: bool = False


def _searching(kind: str, game: Game, limits: str) -> Player:
    who = f"{kind}:{limits}"
    budget_of(game, who)
    return Choosing(who)


def spoken_by(game: Game) -> type[Scripted] | type[Lines]:
    """How a program speaks that plays a game: by the spec's own `io`, in lines if there is none."""
    return Scripted if asks_strategies(game) else Lines


def _program(game: Game, command: str) -> Player:
    return spoken_by(game)(command)


def plays_from_start(game: Game, texts: Iterable[str]) -> bool:
    """Whether one of the players is a program that cannot be told of an opening."""
    is_program = any(text.startswith(f"{PROGRAM}:") for text in texts)
    return is_program and asks_strategies(game)


KINDS = MappingProxyType(
    {
        RANDOM: Kind(lambda game, text: Random()),
        HUMAN: Kind(lambda game, text: Person(), is_person=True),
        **{kind: Kind(partial(_searching, kind), "LIMITS") for kind in METHODS},
        LEARNED: Kind(partial(_searching, LEARNED), "FILE"),
        PROGRAM: Kind(_program, "COMMAND"),
        "gtp": Kind(Vertices, "COMMAND"),
        "uci": Kind(Squares, "COMMAND"),
    }
)


def player_of(game: Game, text: str) -> Player:
    """The player of a text. Raises UsageError."""
    name, colon, argument = text.partition(":")
    kind = KINDS.get(name)
    if kind and bool(kind.argument) == bool(colon):
        return kind.make(game, argument)
    if text in game.strategies:
        return Choosing(text)
    raise UsageError(f"nobody is called `{text[:40]}`: there is {', '.join(known(game))}")


def known(game: Game) -> list[str]:
    """What a text of a player may be."""
    named = (f"{name}:{kind.argument}" if kind.argument else name for name, kind in KINDS.items())
    return [*named, *game.strategies]


def is_person(text: str) -> bool:
    """Whether a player needs a terminal."""
    kind = KINDS.get(text.partition(":")[0])
    return kind is not None and kind.is_person
