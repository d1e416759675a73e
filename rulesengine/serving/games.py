"""Games and lines of play that a process has seen last: whoever asks again waits less."""

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.loading import load, load_source
from rulesengine.play import Session
from rulesengine.record import record
from rulesengine.serving.asked import Asked
from rulesengine.state import Move, State

_MOST_GAMES, _MOST_LINES = 24, 64
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@record
class Line:
    """A game as far as its moves are legal; `problem` is why the next one is not."""

    game: Game
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    problem: str = ""

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    @property
    def last(self) -> Move | None:
        """The move that led to it."""
        return self.moves[-1] if self.moves else None

    def session(self, players: dict[str, str]) -> Session:
        """The line with who plays."""
        return Session(self.game, players, self.states, self.moves)

    def after(self, texts: tuple[str, ...]) -> "Line":
        """The line with more moves, as far as they are legal."""
        states, moves = list(self.states), list(self.moves)
        for text in texts:
            try:
                move = self.game.move(text, states[-1])
            except RulesError as error:
                return Line(self.game, tuple(states), tuple(moves), str(error))
            states.append(self.game.apply(states[-1], move))
            moves.append(move)
        return Line(self.game, tuple(states), tuple(moves))


class Games:
    """What is kept of games, of which each request tells all that there is to know."""

    def __init__(self) -> None:
        self._games = _Kept[str, Game](_MOST_GAMES)
        self._lines = _Kept[tuple[str, tuple[str, ...]], Line](_MOST_LINES)

    def game(self, asked: Asked) -> Game:
        """The game of a request, its parameters known. Raises what `load` does."""
        game = self._games.get(_rules(asked), lambda: _loaded(asked))
        return game.bind(**asked.parameters) if asked.parameters else game

    def line(self, asked: Asked) -> Line:
        """The moves of a request played, from where they leave what was played before."""
        key = json.dumps([_rules(asked), dict(asked.parameters), asked.start])
        known = self._lines.find((key, asked.moves[:n]) for n in range(len(asked.moves), -1, -1))
        line = known or self._begun(asked)
        line = line.after(asked.moves[len(line.moves) :])
        if not line.problem:
            self._lines.put((key, asked.moves), line)
        return line

    def _begun(self, asked: Asked) -> Line:
        game = self.game(asked)
        state = game.state_from(asked.start) if asked.start else game.initial_state()
        return Line(game, (state,), ())


def _rules(asked: Asked) -> str:
    """What tells the rules of a request from those of others."""
    return json.dumps([asked.spec.name, asked.spec.text, list(asked.transforms)])


def _loaded(asked: Asked) -> Game:
    if asked.spec.name:
        return load(asked.spec.name, transforms=asked.transforms)
    return load_source(asked.spec.source)


class _Kept(Generic[K, V]):
    """Values by their keys, the last few that were asked for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values = OrderedDict[K, V]()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key; it is made where it is not kept."""
        found = self._values.get(key)
        if found is None:
            found = make()
        self.put(key, found)
        return found

    def find(self, keys: Iterable[K]) -> V | None:
        """The value of the first key that is kept."""
        return next((self._values[key] for key in keys if key in self._values), None)

    def put(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._most:
            self._values.popitem(last=False)
