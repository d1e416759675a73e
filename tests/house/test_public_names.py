"""The public names that programs of others rely on exist and take the promised arguments."""

import inspect
from importlib import import_module

import pytest

import rulesengine
from rulesengine import Game, Session
from tests.helpers.cli_calls import call

METHODS = {
    **dict.fromkeys(("initial_state", "start", "search", "solve", "export"), ()),
    **dict.fromkeys(("legal_moves", "legal_mask", "outcome", "scores"), ("state",)),
    "apply": ("state", "move"),
    "batch": ("n",),
    "choose": ("strategy", "state"),
    "count": ("plies",),
    "divide": ("depth",),
    "format_position": ("state", "format"),
    "format_record": ("record",),
    "information_state": ("moves", "player"),
    "move": ("text",),
    "observation": ("state", "player"),
    "perft": ("depth",),
    "playouts": ("games",),
    "position": ("text",),
    "record": ("text",),
    "state_from": ("text",),
}
MODULES = {
    "rulesengine": ("load", "loads", "games", "__version__"),
    "rulesengine.contests": ("match", "tournament"),
    "rulesengine.bridges.pettingzoo": ("env", "parallel_env"),
    "rulesengine.bridges.gymnasium": ("make", "make_vec"),
    "rulesengine.bridges.openspiel": ("load_game",),
}
OPTIONS = {
    "bench": ("--device",),
    "convert": ("--to",),
    "engine": ("--protocol",),
    "judge": ("--generate", "--malformed"),
    "match": ("--openings",),
    "new": ("--from-ini",),
    "playout": ("--device",),
    "tournament": ("--openings",),
}


@pytest.mark.parametrize("name", METHODS)
def test_a_game_has_the_method(name: str) -> None:
    parameters = inspect.signature(getattr(Game, name)).parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty]
    assert needed == ["self", *METHODS[name]]


def test_games_and_sessions_have_the_properties() -> None:
    assert isinstance(inspect.getattr_static(Game, "is_hidden"), property)
    assert isinstance(inspect.getattr_static(Session, "legal_moves"), property)
    assert list(inspect.signature(Session.information_state).parameters) == ["self", "player"]
    for name in ("position", "record"):
        assert inspect.signature(getattr(Game, name)).parameters["format"].default is None
    assert {"engine", "transforms"} <= set(inspect.signature(rulesengine.load).parameters)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_the_names(name: str) -> None:
    pytest.importorskip("numpy", reason="environments need NumPy")
    module = import_module(name)
    assert [one for one in MODULES[name] if not hasattr(module, one)] == []


@pytest.mark.parametrize("command", OPTIONS)
def test_a_command_has_the_options(command: str) -> None:
    words = call(command, "--help").out.replace(",", " ").replace("[", " ").split()
    assert [option for option in OPTIONS[command] if option not in words] == []
