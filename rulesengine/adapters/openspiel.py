"""Any spec as a game of OpenSpiel, which takes it as its own.

An action of OpenSpiel is a step of a move, by its number in `game.actions`. Source of the other
side: Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from math import prod
from typing import Any
from urllib.parse import quote, unquote

from rulesengine.batch import Observer
from rulesengine.batch.observer import packed_of
from rulesengine.batch.position import CHANCE, Position, Stepper
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.loading import load
from rulesengine.support.limits import INTEGER_MAX, MAX_MOVE_STEPS, MAX_PLAYERS, MAX_PLIES

if find_spec("pyspiel") is None:
    raise UsageError("OpenSpiel needs the extra `openspiel`")
pyspiel: Any = import_module("pyspiel")  # has no types
np = import_module("numpy")  # which OpenSpiel needs

NAME = "rulesengine"
# What stays as it is in the text of a game of OpenSpiel, beside letters and digits.
_PLAIN = "/.-_~"


def load_game(spec: str, **parameters: int | str | bool) -> Any:
    """A `pyspiel.Game` of a spec, a bundled name or a path, for values of its parameters.

    Its text, such as `rulesengine(parameters=n:6,spec=./game.yaml)`, loads it anywhere: OpenSpiel's
    own `load_game` takes it once this module is imported. Raises as `rulesengine.load` does, and
    LimitError for a game whose steps cannot be numbered.
    """
    values: dict[str, Any] = dict(parameters)
    len(load(spec, **values).actions)  # what is wrong is told in our words
    return pyspiel.load_game(NAME, {"spec": _quoted(spec), "parameters": _joined(parameters)})


class SpecGame(pyspiel.Game):  # type: ignore[misc]
    """A spec with values of its parameters; `rules` is our own game."""

    def __init__(self, params: Mapping[str, str]) -> None:
        values: dict[str, Any] = _parted(params.get("parameters", ""))
        self.rules = load(unquote(params["spec"]), **values)
        super().__init__(_type_of(self.rules), _info_of(self.rules), dict(params))

    @cached_property
    def stepper(self) -> Stepper:
        return self.rules.batch(1).stepper()

    def new_initial_state(self) -> "SpecState":
        return SpecState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An observer of texts and planes; of perfect recall it is OpenSpiel's own."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            observation = import_module("open_spiel.python.observation")
            return observation.IIGObserverForPublicInfoGame(iig_obs_type, params)
        return SpecObserver(self.rules)


class SpecState(pyspiel.State):  # type: ignore[misc]
    """A state of a spec's game and the steps taken of its next move."""

    def __init__(self, game: SpecGame) -> None:
        super().__init__(game)
        self.position: Position = game.stepper.start

    def current_player(self) -> int:
        position = self.position
        if position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if position.mover == CHANCE else position.mover

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.position.weights()
        whole = sum(weights.values())
        return [(action, weight / whole) for action, weight in weights.items()]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.actions[action]

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        return [float(payoff) for payoff in self.position.payoffs]

    def __str__(self) -> str:
        return str(self.position)


class SpecObserver:
    """All that there is to see, as a text and as a tensor: nothing is hidden.

    `dict` has the parts of the tensor: the planes as the player sees them with a last one that is
    full where it is to move; the other registers, if there are any; which actions of a move in
    hand have been taken, if moves have several.
    """

    def __init__(self, game: Game) -> None:
        self._observer = Observer(game)
        packed = packed_of(game.initial_state())
        numbers = self._observer.numbers(packed)
        shapes = {"observation": self._observer.planes(packed, 0, True).shape}
        if numbers.size:
            shapes["numbers"] = numbers.shape
        if game.actions.chains:
            shapes["taken"] = (len(game.actions),)
        ends = list(accumulate(map(prod, shapes.values())))
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict: dict[str, Any] = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), parts, strict=True)
        }

    def set_from(self, state: SpecState, player: int) -> None:
        position = state.position
        packed, is_to_move = position.packed, position.mover == player
        self.dict["observation"][:] = self._observer.planes(packed, player, is_to_move)
        if "numbers" in self.dict:
            self.dict["numbers"][:] = self._observer.numbers(packed)
        if "taken" in self.dict:
            self.dict["taken"][:] = 0
            self.dict["taken"][list(position.taken)] = 1

    def string_from(self, state: SpecState, player: int) -> str:
        return str(state)


def _type_of(game: Game) -> Any:
    kinds = pyspiel.GameType
    chance = kinds.ChanceMode
    return _described(
        chance.EXPLICIT_STOCHASTIC if _has_chance(game) else chance.DETERMINISTIC,
        kinds.Utility.GENERAL_SUM if _pays(game) else kinds.Utility.ZERO_SUM,
        (len(game.players), len(game.players)),
    )


def _described(chance: Any, utility: Any, players: tuple[int, int]) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="A spec of rulesengine",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"spec": "", "parameters": ""},
        default_loadable=False,
    )


def _info_of(game: Game) -> Any:
    most = INTEGER_MAX if _pays(game) else max(len(game.players) - 1, 1)
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.actions),
        max_chance_outcomes=len(game.actions) if _has_chance(game) else 0,
        num_players=len(game.players),
        min_utility=float(-most),
        max_utility=float(most),
        utility_sum=None if _pays(game) else 0.0,
        max_game_length=MAX_PLIES * max(MAX_MOVE_STEPS, game.actions.longest),
    )


def _has_chance(game: Game) -> bool:
    return any(group.weight is not None for group in game.program.rules.groups)


def _pays(game: Game) -> bool:
    """Whether an end says itself what the players get."""
    return any(end.pays for end in game.program.rules.ends)


def _joined(parameters: Mapping[str, int | str | bool]) -> str:
    """Values of parameters as one text without the signs that part those of OpenSpiel."""
    return ";".join(f"{name}:{_quoted(str(value))}" for name, value in parameters.items())


def _parted(text: str) -> dict[str, str]:
    pairs: Sequence[Sequence[str]] = [pair.split(":") for pair in text.split(";") if pair]
    return {name: unquote(value) for name, value in pairs}


def _quoted(text: str) -> str:
    return quote(text, safe=_PLAIN)


pyspiel.register_game(
    _described(
        pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        pyspiel.GameType.Utility.GENERAL_SUM,
        (1, MAX_PLAYERS),
    ),
    SpecGame,
)
