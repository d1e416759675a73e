"""OpenSpiel adapter: any spec as a registered game of OpenSpiel.

An OpenSpiel action is a step of a move, by its number in `game.actions`. Source of the interface:
Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from math import prod
from typing import Any
from urllib.parse import quote, unquote

from rulesengine.adapters.observed_line import ObservedLine
from rulesengine.adapters.resampling import Resampler
from rulesengine.batch import Observer, PlayerObserver
from rulesengine.batch.position import CHANCE, Position, Stepper
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.ir.hiding import is_of_open_rounds
from rulesengine.language.ir.rules import is_always_together
from rulesengine.loading import load
from rulesengine.support.frozen import replace
from rulesengine.support.limits import INTEGER_MAX, MAX_MOVE_STEPS, MAX_PLAYERS, MAX_PLIES

if find_spec("pyspiel") is None:
    raise UsageError("OpenSpiel needs the extra `openspiel`")
pyspiel: Any = import_module("pyspiel")  # untyped
np = import_module("numpy")  # a dependency of OpenSpiel

NAME = "rulesengine"
# Characters that are not quoted in the text of an OpenSpiel game, in addition to alphanumeric ones.
_PLAIN = "/.-_~"


def load_game(spec: str, *, zero_sum: bool = False, **parameters: int | str | bool) -> Any:
    """Return a `pyspiel.Game` of a spec, a bundled name or a path, with parameter values.

    A spec with `payoffs` is a general-sum game, unless `zero_sum` declares that their sum is always
    0. The text of the game, such as `rulesengine(parameters=n:6,spec=./game.yaml)`, is an argument
    of OpenSpiel's own `load_game` once this module is imported. Raises as `rulesengine.load` does,
    and LimitError for a game whose steps cannot be numbered.
    """
    values: dict[str, Any] = dict(parameters)
    game = load(spec, **values)
    if is_always_together(game.rules) and game.rules.outs:
        raise UsageError(f"{game.name}: a player who is out has no action in a round of OpenSpiel")
    len(game.actions)  # raises our own errors first
    arguments = {"spec": _quoted(spec), "parameters": _joined(parameters)}
    declared = {"zero_sum": True} if zero_sum and _pays(game) else {}
    return pyspiel.load_game(NAME, {**arguments, **declared})


class SpecGame(pyspiel.Game):  # type: ignore[misc]
    """A spec with parameter values; `rules` is the `Game` of this package."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        values: dict[str, Any] = _parted(params.get("parameters", ""))
        self.rules = load(unquote(params["spec"]), **values)
        self.is_declared_zero_sum: bool = params.get("zero_sum", False)
        is_zero_sum = self.is_declared_zero_sum or not _pays(self.rules)
        self._resamplers: dict[int, Resampler] = {}
        self.is_of_rounds = is_always_together(self.rules.rules)
        types = _type_of(self.rules, is_zero_sum), _info_of(self.rules, is_zero_sum)
        super().__init__(*types, dict(params))

    @cached_property
    def stepper(self) -> Stepper:
        return self.rules.batch(1).stepper()

    def resampler(self, player: int) -> Resampler:
        """Return the cached resampler of a player."""
        if player not in self._resamplers:
            self._resamplers[player] = Resampler(self.rules, player)
        return self._resamplers[player]

    def new_initial_state(self) -> "SpecState":
        return SpecState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer of texts and tensors, or of information states for perfect recall.

        Without private information it is the observation of a spectator. Raises UsageError for
        other combinations: private information alone, or that of all players.
        """
        has_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        if self.rules.is_hidden:
            is_private = _is_private(iig_obs_type)
            return InformationObserver(is_private) if has_recall else SpecObserver(self, is_private)
        if has_recall:
            observation = import_module("open_spiel.python.observation")
            return observation.IIGObserverForPublicInfoGame(iig_obs_type, params)
        return SpecObserver(self, is_private=True)


class SpecState(pyspiel.State):  # type: ignore[misc]
    """A state of a spec's game and the actions taken of its next move."""

    def __init__(self, game: SpecGame) -> None:
        super().__init__(game)
        self._is_of_rounds = game.is_of_rounds
        self._is_declared_zero_sum = game.is_declared_zero_sum
        self.position: Position = game.stepper.start
        # Only where it differs from the position: a line holds all earlier positions.
        self.line = ObservedLine(game.rules, self.position) if game.rules.is_hidden else None

    def current_player(self) -> int:
        position = self.position
        if position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self._is_of_rounds and position.mover != CHANCE:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return int(pyspiel.PlayerId.CHANCE) if position.mover == CHANCE else position.mover

    def _legal_actions(self, player: int) -> list[int]:
        position = self.position
        if not self._is_of_rounds or position.mover == CHANCE:
            return list(position.legal)
        state = replace(position.state, side=player)
        return sorted(action for action, *_ in position.game.actions.paths(state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.position.weights()
        whole = sum(weights.values())
        return [(action, weight / whole) for action, weight in weights.items()]

    def _apply_action(self, action: int) -> None:
        if self.line:
            self.line = self.line.after(action)
            self.position = self.line.position
        else:
            self.position = self.position.after(action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        """Make the choices of a round, in the order of the players."""
        for action in actions:
            self._apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.actions[action]

    def resample_from_infostate(self, player: int, random: Callable[[], float]) -> "SpecState":
        """Return a state that agrees with the information state of the player to move.

        It is drawn by the probabilities of chance and of equally probable moves of other players;
        if nothing is hidden, it is a copy. Raises UsageError if another player is to move, or all
        are, and LimitError if no state was found.
        """
        game: SpecGame = self.get_game()
        if self._is_of_rounds or self.position.mover != player:
            raise UsageError("a state is drawn for the one player that is to move")
        again = game.new_initial_state()
        if self.line is None or again.line is None:
            copy: SpecState = self.clone()
            return copy
        information = self.line.information(player)
        line = game.resampler(player).draw(again.line, information, random)
        for action in (*line.actions, *self.position.taken):
            again.apply_action(action)
        return again

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        """Return the payoffs. Raises UsageError if the game is wrongly declared as zero-sum."""
        payoffs = self.position.payoffs
        if self._is_declared_zero_sum and sum(payoffs) != 0:
            raise UsageError(f"payoffs {', '.join(map(str, payoffs))} in a zero-sum game")
        return [float(payoff) for payoff in payoffs]

    def __str__(self) -> str:
        return str(self.position)


class SpecObserver:
    """The observation of a player as text and tensor, without parts that the player does not see.

    `dict` has the parts of the tensor:
    - the planes from the player's side, and a last one that is full if it is to move
    - the other registers, if there are any
    - the actions taken of the player's unfinished move, if moves have several actions

    With `is_private` false, it is that of a spectator, at the side of the first player.
    """

    def __init__(self, game: SpecGame, is_private: bool) -> None:
        rules = game.rules
        self._is_private, self._is_of_rounds = is_private, game.is_of_rounds
        self._observer = Observer(rules)
        self._player_observer = PlayerObserver(rules) if rules.is_hidden else None
        planes, numbers = self._seen(game.stepper.start, 0)
        shapes = {"observation": planes.shape}
        if numbers.size:
            shapes["numbers"] = numbers.shape
        if rules.actions.chains:
            shapes["taken"] = (len(rules.actions),)
        ends = list(accumulate(map(prod, shapes.values())))
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict: dict[str, Any] = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), parts, strict=True)
        }

    def set_from(self, state: SpecState, player: int) -> None:
        position = state.position
        self.dict["observation"][:], numbers = self._seen(position, player)
        if "numbers" in self.dict:
            self.dict["numbers"][:] = numbers
        if "taken" in self.dict:
            is_known = not self._player_observer or self._is_to_move(position, player)
            self.dict["taken"][:] = 0
            self.dict["taken"][list(position.taken if is_known else ())] = 1

    def string_from(self, state: SpecState, player: int) -> str:
        if not self._player_observer:
            return str(state)
        position = state.position
        # The last observation that the player noticed is that of this state.
        assert state.line
        text = state.line.information(player if self._is_private else None).observation
        taken = position.taken if self._is_to_move(position, player) else ()
        return "\n".join([text, *(f"taken: {position.game.actions[step]}" for step in taken)])

    def _seen(self, position: Position, player: int) -> tuple[Any, Any]:
        """Return the planes and the other registers."""
        is_to_move = self._is_to_move(position, player)
        if self._player_observer:
            viewer = player if self._is_private else None
            return self._player_observer.view(position.state, viewer, is_to_move=is_to_move)
        planes = self._observer.planes(position.packed, player, is_to_move)
        return planes, self._observer.numbers(position.packed)

    def _is_to_move(self, position: Position, player: int) -> bool:
        """True if a player is to move; always false for an observation of no player alone."""
        if not self._is_private:
            return False
        return position.mover == player or (self._is_of_rounds and position.mover >= 0)


class InformationObserver:
    """The knowledge of a player since the start of the game as text; there is no tensor."""

    tensor = None

    def __init__(self, is_private: bool) -> None:
        self._is_private = is_private
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SpecState, player: int) -> None:
        raise UsageError("an information state has no tensor: use that of an observation")

    def string_from(self, state: SpecState, player: int) -> str:
        assert state.line
        return state.line.information_text(player if self._is_private else None)


def _type_of(game: Game, is_zero_sum: bool) -> Any:
    kinds = pyspiel.GameType
    chance, dynamics = kinds.ChanceMode, kinds.Dynamics
    is_open = is_of_open_rounds(game.rules) or not game.is_hidden
    information = kinds.Information
    return _described(
        chance.EXPLICIT_STOCHASTIC if _has_chance(game) else chance.DETERMINISTIC,
        kinds.Utility.ZERO_SUM if is_zero_sum else kinds.Utility.GENERAL_SUM,
        (len(game.players), len(game.players)),
        dynamics.SIMULTANEOUS if is_always_together(game.rules) else dynamics.SEQUENTIAL,
        information.PERFECT_INFORMATION if is_open else information.IMPERFECT_INFORMATION,
    )


def _is_private(observation_type: Any) -> bool:
    """True if an observation has the private information of its player. Raises UsageError."""
    if observation_type is None:
        return True
    kinds, private = pyspiel.PrivateInfoType, observation_type.private_info
    if observation_type.public_info and private in (kinds.SINGLE_PLAYER, kinds.NONE):
        return bool(private == kinds.SINGLE_PLAYER)
    raise UsageError("an observation has public information, and that of one player or of none")


def _described(
    chance: Any,
    utility: Any,
    players: tuple[int, int],
    dynamics: Any = pyspiel.GameType.Dynamics.SEQUENTIAL,
    information: Any = pyspiel.GameType.Information.PERFECT_INFORMATION,
) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="A spec of rulesengine",
        dynamics=dynamics,
        chance_mode=chance,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"spec": "", "parameters": "", "zero_sum": False},
        default_loadable=False,
    )


def _info_of(game: Game, is_zero_sum: bool) -> Any:
    most = INTEGER_MAX if _pays(game) else max(len(game.players) - 1, 1)
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.actions),
        max_chance_outcomes=len(game.actions) if _has_chance(game) else 0,
        num_players=len(game.players),
        min_utility=float(-most),
        max_utility=float(most),
        utility_sum=0.0 if is_zero_sum else None,
        max_game_length=MAX_PLIES * max(MAX_MOVE_STEPS, game.actions.longest),
    )


def _has_chance(game: Game) -> bool:
    return any(group.weight is not None for group in game.program.rules.groups)


def _pays(game: Game) -> bool:
    """True if an end of the rules states the payoffs."""
    return any(end.pays for end in game.program.rules.ends)


def _joined(parameters: Mapping[str, int | str | bool]) -> str:
    """Encode parameter values as one text without the separators of OpenSpiel."""
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
