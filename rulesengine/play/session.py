"""A game in progress: its states, moves and players, with undo."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulesengine.engine.observation import is_noticed, revealed_moves
from rulesengine.errors import NotationError, UsageError
from rulesengine.game import Game
from rulesengine.play.game_files import game_for, read_game_text, recorded_game
from rulesengine.play.players import HUMAN, RANDOM, is_program, seated
from rulesengine.play.players.registry import require_players
from rulesengine.play.players.search_players import choose
from rulesengine.play.players.seated_players import SeatedPlayers
from rulesengine.play.records import GameRecord, format_of, rules_hash
from rulesengine.play.records.conversion import to_record
from rulesengine.play.replay import Replay, replay
from rulesengine.state import Move, State


@dataclass(frozen=True, slots=True)
class Session:
    """A game in progress; `states` has one more entry than `moves`, `spec` is for `load`.

    `players` are the texts of players; `seated` are the players themselves, shared by the sessions
    before and after a move.
    """

    game: Game
    players: Mapping[str, str]
    states: tuple[State, ...]
    moves: tuple[Move, ...] = ()
    seed: int = 0
    spec: str = ""
    seated: SeatedPlayers = field(default_factory=SeatedPlayers, compare=False)

    @classmethod
    def begin(
        cls,
        game: Game,
        players: Mapping[str, str],
        *,
        state: State | None = None,
        seed: int = 0,
        spec: str = "",
    ) -> "Session":
        """Start a game from its initial state or from another state."""
        first = game.initial_state() if state is None else state
        return cls(game, players, (first,), (), seed, spec)

    @classmethod
    def resume(
        cls,
        game: Game,
        record: GameRecord,
        spec: str = "",
        *,
        assignments: Iterable[str] = (),
        trusted: Collection[str] = (),
    ) -> "Session":
        """Resume the game of a record. Raises NotationError if the record breaks the rules.

        `assignments` are texts `NAME=PLAYER` that replace the players of the record. A player of
        the record may run a program or read a file only if its text is `trusted`, since a record
        may come from somebody else. Raises UsageError for others.
        """
        played = _checked(replay(game, record))
        players = _players(played.game, record, list(assignments), trusted)
        return cls(played.game, players, played.states, played.moves, record.seed, spec)

    def with_players(self, players: Mapping[str, str]) -> "Session":
        """Return the same game with other players."""
        return replace(self, players=players)

    @property
    def state(self) -> State:
        """Return the current state."""
        return self.states[-1]

    @property
    def current_player(self) -> str:
        """Return the text of the player to move; `random` at a chance node."""
        return self._player_of(self.state)

    def _player_of(self, state: State) -> str:
        return RANDOM if self.game.weights(state) else self.players[state.mover]

    @property
    def has_person(self) -> bool:
        return HUMAN in self.players.values()

    @property
    def viewer(self) -> str | None:
        """Return the player to show the position to; None for spectators.

        It is the person to move, or the only person.
        """
        people = [name for name, player in self.players.items() if player == HUMAN]
        if self.state.mover in people:
            return self.state.mover
        return people[0] if len(people) == 1 else None

    def is_noticed(self, ply: int, viewer: str | None) -> bool:
        """True if a viewer made the move of a ply, counted from 0, or is told its text."""
        return is_noticed(self.game.program.rules, self._mover(ply), self.moves[ply], viewer)

    def revealed_moves(self) -> tuple[tuple[str, str], ...]:
        """Return the players and moves that the viewer is told, if the last move ended a round."""
        machine, before = self.game.machine, self.states[-2]
        return tuple(revealed_moves(machine, before, self.moves[-1], self.viewer))

    def _mover(self, ply: int) -> str:
        state = self.states[ply]
        return "" if self.game.weights(state) else state.mover

    def play(self, move: Move) -> "Session":
        """Return the session after a legal move."""
        after = self.game.apply(self.state, move)
        return replace(self, states=(*self.states, after), moves=(*self.moves, move))

    def answer(self) -> Move | None:
        """Return the move of the player to move, or a chance event; None without a legal move.

        Raises Fault for the fault of a program, UsageError if a person is to move.
        """
        game, state, moves = self.game, self.state, self.moves
        if not game.legal_moves(state):
            return None
        if self.current_player in (HUMAN, RANDOM):
            return choose(game, state, self.current_player, self.seed, len(moves))
        return self.seated.choose(game, state, self.current_player, moves, self.seed)

    def undo(self) -> "Session | None":
        """Return the session before the last move of a person; None if there is none."""
        for ply in range(len(self.moves) - 1, -1, -1):
            if self._player_of(self.states[ply]) == HUMAN:
                return replace(self, states=self.states[: ply + 1], moves=self.moves[:ply])
        return None

    def record(self) -> GameRecord:
        """Return the record of the game so far."""
        first = self.states[0]
        return GameRecord(
            game=self.game.name,
            rules=rules_hash(self.game),
            moves=tuple(map(str, self.moves)),
            result=self.game.outcome(self.state),
            spec=self.spec,
            parameters=self.game.parameters,
            players=dict(self.players),
            seed=self.seed,
            start="" if first == self.game.initial_state() else str(first),
        )


def resumed(
    session: Session, path: Path, assignments: Iterable[str] = (), number: int = 1
) -> Session:
    """Return the session of a file that contains a record, or a state as `str(state)` writes it.

    `assignments` are texts `NAME=PLAYER` that replace the players of the record or of the session;
    `number` is that of a game in a format of another program. Raises NotationError for a text that
    is neither or that breaks the rules, and UsageError for a file that cannot be read. A program
    raises UsageError if the game does not begin at the initial position.
    """
    assignments = list(assignments)
    played, record = replayed(session.game, path, number)
    game, players, seed = played.game, session.players, session.seed
    if record is not None:
        players, seed = _players(game, record, assignments, players.values()), record.seed
    elif assignments:
        players = seated(game, assignments)
    programs = [text for text in players.values() if is_program(text)]
    if programs and played.states[0] != game.initial_state():
        raise UsageError(f"{path}: a program plays from the initial position only: {programs[0]}")
    table = session.seated if game is session.game else SeatedPlayers()
    return Session(game, players, played.states, played.moves, seed, session.spec, table)


def replayed(game: Game, path: Path, number: int = 1) -> tuple[Replay, GameRecord | None]:
    """Return the moves and states of a file with a game or a state; None without a game.

    The game is a record, or that of a number in a format of another program.

    Raises NotationError for a text that is neither or that breaks the rules, UsageError for a file
    that cannot be read.
    """
    text = read_game_text(path)
    row = format_of(text)
    game = game_for(game, text)
    try:
        if row is not None:
            record = row.read(text)
        elif game.formats.game_format(text):
            record = to_record(game, recorded_game(game, text, number))
        else:
            is_one = number == 1 and "\n" not in text.strip()
            state = game.state_from(text) if is_one else recorded_game(game, text, number).final
            return Replay(game, (state,), (), None, (), ()), None
        return _checked(replay(game, record)), record
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None


def _checked(played: Replay) -> Replay:
    if played.differences:
        raise NotationError("; ".join((*played.changed, *played.differences)))
    return played


def _players(
    game: Game, record: GameRecord, assignments: Sequence[str], trusted: Collection[str]
) -> dict[str, str]:
    """Return the players of a record, or those given in their place. Raises UsageError."""
    players = seated(game, assignments)
    if assignments:
        return players
    players = {name: record.players.get(name, HUMAN) for name in players}
    untrusted = {name: text for name, text in players.items() if text not in trusted}
    try:
        require_players(game, untrusted, is_trusted=False)
    except UsageError as error:
        raise UsageError(f"{error}; `--player` replaces the players of a record") from None
    return players
