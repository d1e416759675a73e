"""Recordings: games of other programs with players, moves, result, start and tags."""

from collections.abc import Iterator, Mapping

from rulesengine.errors import NotationError
from rulesengine.formats.entries import header_names, persons
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.values import GameResult, RecordedGame
from rulesengine.state import Move, State
from rulesengine.support.frozen import field, record


@record
class Recording:
    """A game that was read from a text.

    - `players` has the name of the person, by the name of the player in the rules; it is empty if
      the text names no one.
    - `moves` are the moves in order.
    - `result` has the `winner`, None for a draw, and the `reason`; it is None for an unfinished
      game.
    - `start` is the state before the first move.
    - `tags` are the facts about the game, such as the headers of PGN, in the order of the text.
    - `parameters` are the parameters of the game, with those that the text states.
    - `recorded` is the game with comments and variations, as `read_games` yields it.
    """

    players: Mapping[str, str]
    moves: tuple[Move, ...]
    result: GameResult | None
    start: State
    tags: Mapping[str, str]
    parameters: Mapping[str, int | str]
    recorded: RecordedGame = field(repr=False)
    replayer: FormatGame = field(compare=False, repr=False)

    def positions(self) -> Iterator[State]:
        """Yield the state before the first move, and the state after each move."""
        state, ongoing = self.start, self.replayer.without_claims
        yield state
        for move in self.moves:
            state = ongoing.apply(state, move, check=False)
            yield state


def recording_of(game: FormatGame, recorded: RecordedGame) -> Recording:
    """Return a game without errors. Raises NotationError for one with errors."""
    if recorded.problems:
        raise NotationError("; ".join(map(str, recorded.problems)))
    if recorded.parameters:
        game = game.bind(**dict(recorded.parameters))
    tags = dict(recorded.headers)
    names = persons(tags, header_names(game.players))
    return Recording(
        players=dict(zip(game.players, names, strict=False)),
        moves=recorded.moves,
        result=recorded.result,
        start=recorded.start.state,
        tags=tags,
        parameters=game.parameters,
        recorded=recorded,
        replayer=game,
    )
