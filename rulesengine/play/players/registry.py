"""The registry of players: a row for each kind, for all commands, the page and the API."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from rulesengine.engine.drivers.search.result import DUCT, IS_MCTS
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.play.engine_mode.uci_dialects import UCCI, USI
from rulesengine.play.players.base import HUMAN, RANDOM, Player
from rulesengine.play.players.builtin import EnginePlayer, HumanPlayer, RandomPlayer
from rulesengine.play.players.gtp import GtpPlayer
from rulesengine.play.players.information_player import InformationPlayer
from rulesengine.play.players.io_script import ScriptPlayer, has_program_moves
from rulesengine.play.players.objects import PYTHON
from rulesengine.play.players.search_players import (
    LEARNED,
    METHODS,
    SEARCH,
    budget_of,
    is_informed,
    names_file,
)
from rulesengine.play.players.text_lines import LinePlayer
from rulesengine.play.players.uci import UciPlayer
from rulesengine.play.players.xboard import XboardPlayer
from rulesengine.support.frozen import record

PROGRAM = "cmd"
# Players that do not read the whole state: a person sees an observation, and a search receives an
# information state.
_BLIND = frozenset({RANDOM, HUMAN, IS_MCTS, DUCT, SEARCH})
_SHOWN = 40
_LONGEST = 4096


def _always(argument: str) -> bool:
    return True


def _never(argument: str) -> bool:
    return False


@record
class Kind:
    """A kind of player.

    - `make` creates a player from the text after the colon.
    - `meaning` describes the kind to a reader of a report.
    - `argument` describes this text; it is empty for a kind without a colon.
    - `is_person`: the player needs a terminal.
    - `is_program`: the player runs a program of the user.
    - `is_local` is true of an argument that runs a program or reads a file. Such a player is
      accepted from the user of this machine only, not from a web page or a file.
    - `takes_positions`: the player can begin a game at another state than the initial one.
    """

    make: Callable[[Game, str], Player]
    meaning: str
    argument: str = ""
    is_person: bool = False
    is_program: bool = False
    is_local: Callable[[str], bool] = _never
    takes_positions: bool = True


def protocol_of(game: Game) -> type[ScriptPlayer] | type[LinePlayer]:
    """Return the protocol of `cmd:` programs: the spec's own `io`, or lines if it has none."""
    return ScriptPlayer if has_program_moves(game) else LinePlayer


def _engine(kind: str, game: Game, argument: str) -> Player:
    text = f"{kind}:{argument}"
    budget = budget_of(game, text)
    return InformationPlayer(budget) if budget and is_informed(game, budget) else EnginePlayer(text)


def _command(game: Game, command: str) -> Player:
    return protocol_of(game)(command)


def _program(
    make: Callable[[Game, str], Player], meaning: str, *, takes_positions: bool = True
) -> Kind:
    return Kind(
        make,
        meaning,
        "COMMAND",
        is_program=True,
        is_local=_always,
        takes_positions=takes_positions,
    )


_SEARCHES = MappingProxyType(
    {
        "search": "search by the method of the game",
        "mcts": "Monte Carlo tree search by the method of the game",
        "uct": "Monte Carlo tree search with UCT",
        "grave": "Monte Carlo tree search with GRAVE",
        IS_MCTS: "Monte Carlo tree search over information sets",
        DUCT: "decoupled UCT, for simultaneous moves",
    }
)


KINDS = MappingProxyType(
    {
        RANDOM: Kind(
            lambda game, argument: RandomPlayer(), "a random legal move, all equally probable"
        ),
        HUMAN: Kind(
            lambda game, argument: HumanPlayer(), "a person at the terminal", is_person=True
        ),
        **{kind: Kind(partial(_engine, kind), _SEARCHES[kind], "LIMITS") for kind in METHODS},
        LEARNED: Kind(
            partial(_engine, LEARNED),
            "search with a learned evaluation",
            "FILE",
            is_local=names_file,
        ),
        PROGRAM: _program(_command, "a program that follows the spec's `io`, or writes moves"),
        "gtp": _program(GtpPlayer, "a program that speaks GTP", takes_positions=False),
        "uci": _program(UciPlayer, "a program that speaks UCI"),
        "ucci": _program(partial(UciPlayer, dialect=UCCI), "a program that speaks UCCI"),
        "usi": _program(partial(UciPlayer, dialect=USI), "a program that speaks USI"),
        "xboard": _program(XboardPlayer, "a program that speaks the protocol of XBoard"),
    }
)


def describe_player(game: Game, text: str) -> str:
    """Describe the player of a text in words, for a report."""
    name, colon, argument = text.partition(":")
    if name == PYTHON:
        return "an object or a function in Python"
    kind = KINDS.get(name)
    if kind is None or bool(kind.argument) != bool(colon):
        return f"the strategy `{text}` of the spec" if text in game.strategies else text
    if not argument or kind.is_program:
        return kind.meaning
    method = f" ({game.search_method})" if METHODS.get(name) == "auto" else ""
    return f"{kind.meaning}{method}, {argument.replace(',', ', ').replace('=', ' ')}"


def player_of(game: Game, text: str, *, is_trusted: bool = True) -> Player:
    """Return a new player of a text; a program is started later, on first use.

    Raises UsageError for an unknown player, and unless `is_trusted` for one that runs a program or
    reads a file.
    """
    name, colon, argument = text.partition(":")
    kind = KINDS.get(name)
    if kind and bool(kind.argument) == bool(colon):
        if kind.is_local(argument) and not is_trusted:
            description = f"player `{text[:_SHOWN]}` runs a program or reads a file"
            raise UsageError(f"{description}: only the command line accepts it")
        if name not in _BLIND:
            require_perfect_information(game.rules, f"player `{text[:_SHOWN]}`")
        return kind.make(game, argument)
    if text in game.strategies:
        return EnginePlayer(text)
    expected = ", ".join(known_players(game, is_trusted=is_trusted))
    raise UsageError(f"unknown player `{text[:_SHOWN]}`: expected one of {expected}")


def require_player(game: Game, text: str, *, is_trusted: bool = True) -> None:
    """Raise UsageError for a text that `player_of` rejects; no program is started."""
    player_of(game, text, is_trusted=is_trusted).close()


def known_players(game: Game, *, is_trusted: bool = True) -> list[str]:
    """Return the texts of players, with a placeholder for each argument."""
    return [*_known_kinds(is_trusted), *game.strategies]


def _known_kinds(is_trusted: bool) -> Iterator[str]:
    for name, kind in KINDS.items():
        if is_trusted or not kind.is_local(kind.argument):
            yield f"{name}:{kind.argument}" if kind.argument else name
        elif not kind.is_local(""):
            yield f"{name}:"


def is_person(text: str) -> bool:
    """True if a player needs a terminal."""
    kind = _kind_of(text)
    return kind is not None and kind.is_person


def is_program(text: str) -> bool:
    """True if a player runs a program of the user."""
    kind = _kind_of(text)
    return kind is not None and kind.is_program


def takes_positions(text: str) -> bool:
    """True if a player can begin a game at another state than the initial one."""
    kind = _kind_of(text)
    return kind is None or kind.takes_positions


def _kind_of(text: str) -> Kind | None:
    return KINDS.get(text.partition(":")[0])


def plays_from_start(game: Game, texts: Iterable[str]) -> bool:
    """True if one of the players is a program that cannot begin after an opening."""
    has_program = any(text.startswith(f"{PROGRAM}:") for text in texts)
    return has_program and has_program_moves(game)


def seated(game: Game, assignments: Iterable[str], default: str = HUMAN) -> dict[str, str]:
    """Return the text of the player at each seat, from texts `NAME=PLAYER`. Raises UsageError."""
    chosen: dict[str, str] = {}
    for text in assignments:
        name, equals, player = text.partition("=")
        if not (name and equals and player):
            raise UsageError(f"--player: expected NAME=PLAYER, found `{text[:_SHOWN]}`")
        if not text.isprintable() or len(text) > _LONGEST:
            expected = f"one line of at most {_LONGEST} printable characters"
            raise UsageError(f"--player: expected {expected}")
        if name not in game.players:
            players = ", ".join(game.players)
            if ":" in name:
                write = f"`{game.players[-1]}={text[:_SHOWN]}`"
                raise UsageError(f"--player: expected NAME=PLAYER, such as {write}")
            raise UsageError(f"--player: no player `{name[:_SHOWN]}`: there is {players}")
        if name in chosen:
            raise UsageError(f"--player: `{name}` is given twice")
        chosen[name] = player
    full = {name: chosen.get(name, default) for name in game.players}
    require_players(game, full)
    return full


def require_players(game: Game, players: Mapping[str, str], *, is_trusted: bool = True) -> None:
    """Raise UsageError if `player_of` rejects one of the players."""
    for text in set(players.values()):
        require_player(game, text, is_trusted=is_trusted)
