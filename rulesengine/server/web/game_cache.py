"""An LRU cache of games and lines of play in a worker process."""

import json

from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.observation import InformationState
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.loading import load, load_source
from rulesengine.play import Session
from rulesengine.server.web.board_payload import BoardView
from rulesengine.server.web.lru import LruCache
from rulesengine.server.web.request_fields import PositionRequest
from rulesengine.state import Move, State
from rulesengine.support.frozen import record, replace

_MOST_GAMES, _MOST_LINES = 24, 512


@record
class Line:
    """A game with its legal moves so far; `problem` is the reason why the next move is illegal.

    `scenery` is the common part of its pictures. `movers` has the player of each move, None for a
    chance event. `knowledge` has the information states of all players and of a spectator, if
    the game hides something.
    """

    game: Game
    scenery: BoardView
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    movers: tuple[str | None, ...] = ()
    problem: str = ""
    knowledge: tuple[InformationState, ...] = ()

    @classmethod
    def begun(cls, game: Game, scenery: BoardView, state: State) -> "Line":
        """Return the line without moves from a state."""
        viewers = (*game.players, None) if game.is_hidden else ()
        known = (game.information_state((), viewer, state) for viewer in viewers)
        return cls(game, scenery, (state,), (), knowledge=tuple(known))

    @property
    def state(self) -> State:
        """Return the current state."""
        return self.states[-1]

    @property
    def last(self) -> Move | None:
        """Return the last move, or None."""
        return self.moves[-1] if self.moves else None

    def session(self, players: dict[str, str]) -> Session:
        """Return a session of the line with the given players."""
        return Session(self.game, players, self.states, self.moves)

    def after(self, texts: tuple[str, ...]) -> "Line":
        """Return the line extended by moves, up to the first illegal one."""
        game, problem, knowledge = self.game, "", self.knowledge
        states, moves, movers = list(self.states), list(self.moves), list(self.movers)
        for text in texts:
            try:
                move = game.move(text, states[-1])
            except RulesError as error:
                problem = str(error)
                break
            is_event = bool(game.rules.chance) and bool(game.weights(states[-1]))
            movers.append(None if is_event else states[-1].mover)
            states.append(game.apply(states[-1], move))
            moves.append(move)
            knowledge = tuple(known.after(states[-2], move, states[-1]) for known in knowledge)
        line = replace(self, states=tuple(states), moves=tuple(moves), movers=tuple(movers))
        return replace(line, problem=problem, knowledge=knowledge)


class GameCache:
    """The cache of games; each request contains all information, so a miss is only slower.

    Bundled games get kernels for single moves if `compiles_early`, others only for a search.
    """

    def __init__(self, *, compiles_early: bool = True) -> None:
        self._compiles_early = compiles_early
        self._games = LruCache[str, Game](_MOST_GAMES)
        self._fresh: list[Game] = []
        self._scenery = LruCache[str, BoardView](_MOST_GAMES)
        self._lines = LruCache[tuple[str, tuple[str, ...]], Line](_MOST_LINES)

    def game(self, request: PositionRequest, *, ahead: bool = False) -> Game:
        """Return the game of a request with its parameters. Raises the errors of `load`.

        `ahead` must be set if the game will be searched.
        """
        engine = self._engine(request, ahead)
        game = self._games.get(f"{engine} {_rules(request)}", lambda: self._load(request, engine))
        return game.bind(**request.parameters) if request.parameters else game

    def load_cached_data(self) -> None:
        """Load the cached data of new games while no client waits."""
        while self._fresh:
            self._fresh.pop().recall()

    def _engine(self, request: PositionRequest, ahead: bool) -> Engine:
        """Return the engine; a client's text gets kernels only if it will be searched."""
        return "auto" if ahead or (request.spec.name and self._compiles_early) else "interpreter"

    def _load(self, request: PositionRequest, engine: Engine) -> Game:
        game = _loaded(request, engine)
        self._fresh.append(game)
        return game

    def line(self, request: PositionRequest, *, ahead: bool = False) -> Line:
        """Return the line of a request, extended from the longest cached prefix of its moves."""
        rules = [self._engine(request, ahead), _rules(request), dict(request.parameters)]
        key, game = json.dumps([*rules, request.start]), json.dumps(rules)
        known = self._lines.find(
            (key, request.moves[:n]) for n in range(len(request.moves), -1, -1)
        )
        line = known or self._initial_position(request, game, ahead)
        line = line.after(request.moves[len(line.moves) :])
        if not line.problem:
            self._lines.put((key, request.moves), line)
        return line

    def _initial_position(self, request: PositionRequest, key: str, ahead: bool) -> Line:
        game = self.game(request, ahead=ahead)
        state = game.state_from(request.start) if request.start else game.initial_state()
        return Line.begun(game, self._scenery.get(key, lambda: BoardView(game)), state)


def _rules(request: PositionRequest) -> str:
    """Return a cache key for the rules of a request."""
    return json.dumps([request.spec.name, request.spec.text, list(request.transforms)])


def _loaded(request: PositionRequest, engine: Engine) -> Game:
    if request.spec.name:
        return load(request.spec.name, transforms=request.transforms, engine=engine)
    return load_source(request.spec.source, transforms=request.transforms, engine=engine)
