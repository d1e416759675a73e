"""Sessions and views, the arguments of players in Python."""

from collections.abc import Iterator
from typing import Any

import pytest

from rulesengine import Game, Move, Session, State, load
from rulesengine.contests import (
    HiddenSeat,
    Opening,
    PlayerSession,
    PlayerView,
    Seat,
    Turn,
    match,
    play_game,
)
from rulesengine.engine.drivers.random import Generator
from rulesengine.play.players import player_object

PLIES = 6
# The moves of Stratego hold the state in which they are legal.
HIDDEN = ["dark-chess", "goofspiel", "kuhn-poker", "phantom-tic-tac-toe", "stratego"]


@pytest.fixture(scope="module")
def tic() -> Game:
    return load("tic-tac-toe", engine="interpreter")


@pytest.fixture(scope="module")
def phantom() -> Game:
    return load("phantom-tic-tac-toe", engine="interpreter")


class Minimal:
    """Records the sessions or views, and plays the first legal move."""

    def __init__(self) -> None:
        self.got: list[Any] = []

    def choose(self, given: Any) -> Any:
        self.got.append(given)
        return given.legal_moves[0]


class Complete(Minimal):
    """Records the arguments of `begin` and `end`, too."""

    def begin(self, seat: Any) -> None:
        self.seat = seat

    def end(self, moves: Any) -> None:
        self.ended = moves


def played(game: Game, *players: Any, **options: Any) -> tuple[Move, ...]:
    start = Opening((), game.initial_state())
    return play_game(game, players, start, 0, 0, **options).moves


def turn_of(game: Game, *texts: str, left: float | None = None) -> Turn:
    """Return the turn after moves from the initial state."""
    line = game.start()
    for text in texts:
        line.push(text)
    return Turn(line.state, line.moves, Generator(0, 0), left)


def given(game: Game, name: str, *turns: Turn) -> Any:
    """Return what a player of this name gets at the last of some turns of one game."""
    player = Minimal()
    checked = player_object(player)
    checked.begin(Seat(game, name, game.initial_state(), 0))
    for turn in turns:
        checked.choose(turn)
    return player.got[-1]


def reachable(value: object, depth: int = 6) -> Iterator[object]:
    """Yield a value and those that its public attributes and items lead to; a game is no part."""
    if isinstance(value, Game | int | float | str | bytes) or not depth:
        return
    yield value
    if isinstance(value, tuple | list):
        inner = list(value)
    else:
        names = [name for name in dir(value) if not name.startswith("_")]
        inner = [getattr(value, name) for name in names]
    for part in inner:
        if not callable(part):
            yield from reachable(part, depth - 1)


def test_a_function_reads_the_session_of_the_game_so_far(tic: Game) -> None:
    shown = []

    def player(session: PlayerSession) -> str:
        shown.append((len(session.legal_moves), len(session.moves), session.outcome()))
        assert session.legal_moves == session.legal == tic.legal_moves(session.state)
        return str(session.legal_moves[0])

    # Both take the first free cell: a3 b3 c3 a2 b2 c2 a1 is a diagonal of cross.
    moves = played(tic, player, player)
    assert " ".join(map(str, moves)) == "a3 b3 c3 a2 b2 c2 a1"
    assert shown == [(9 - plies, plies, None) for plies in range(7)]


def test_moves_pushed_in_a_session_do_not_change_the_game(tic: Game) -> None:
    def disturbing(session: PlayerSession) -> Move:
        move = session.legal_moves[-1]
        while session.outcome() is None:
            session.push(session.legal_moves[0])
        session.close()
        return move

    # By hand: each takes the last free cell.
    assert " ".join(map(str, played(tic, disturbing, disturbing))) == "c1 b1 a1 c2 b2 a2 c3"


def test_a_session_has_the_clock_and_the_fields_of_a_turn(tic: Game) -> None:
    player = Complete()
    played(tic, player, Minimal(), clock=50.0, increment=2.0)
    first = player.got[0]
    assert isinstance(first, PlayerSession)
    assert (first.seconds, first.left, first.clocks, first.increment) == (50, 50, (50, 50), 2)
    assert player.got[1].seconds > 50
    assert player.seat.start == tic.initial_state()
    assert len(player.ended) == 7
    assert given(tic, "cross", turn_of(tic)).seconds is None


def test_a_session_follows_moves_taken_back_and_states_without_moves(tic: Game) -> None:
    turns = [
        turn_of(tic, "a1", "b1"),
        turn_of(tic, "a1", "c1"),
        turn_of(tic, "a1", "c1", "a2", "b2"),
    ]
    session = given(tic, "cross", *turns)
    assert [str(move) for move in session.moves] == ["a1", "c1", "a2", "b2"]
    alone = Turn(turns[0].state, (), Generator(0, 0))
    session = given(tic, "cross", turns[1], alone)
    assert (session.state, session.moves) == (turns[0].state, ())
    # b1 is taken there, so these moves do not lead to the state.
    wrong = Turn(turns[0].state, (*turn_of(tic, "b1").moves,) * 2, Generator(0, 0))
    assert given(tic, "cross", wrong).state == turns[0].state


@pytest.mark.parametrize("name", HIDDEN)
def test_a_view_has_what_the_player_sees_and_knows(name: str) -> None:
    game = load(name, engine="interpreter")
    states = []

    class Referee(Minimal):
        def choose(self, view: PlayerView) -> Any:
            self.got.append(view)
            return view.legal_moves[len(view.legal_moves) // 2]

    players = [Referee(), Referee()]
    moves = played(game, *players, plies=PLIES)
    line = game.start()
    views = {name: iter(player.got) for name, player in zip(game.players, players, strict=True)}
    for move in moves:
        if not game.weights(line.state):
            view = next(views[line.mover])
            assert view.player == line.mover
            assert view.observation == game.observation(line.state, line.mover)
            assert view.information_state == line.information_state(line.mover)
            assert str(view.information_state) == str(line.information_state(line.mover))
            assert view.legal_moves == tuple(line.legal)
            assert list(map(str, view.legal_moves)) == list(map(str, line.legal))
            states.append(line.state)
        line.push(move)
    assert len(states) > 1
    assert [next(rest, None) for rest in views.values()] == [None, None]


@pytest.mark.parametrize("name", HIDDEN)
def test_no_state_is_reachable_from_what_a_player_gets(name: str) -> None:
    game = load(name, engine="interpreter")
    players = [Complete(), Complete()]
    moves = played(game, *players, plies=PLIES)
    for player in players:
        assert isinstance(player.seat, HiddenSeat)
        assert not hasattr(player.seat, "start")
        for value in (player.got, player.seat, player.seat.seed, player.ended):
            assert not [one for one in reachable(value) if isinstance(one, State | Session)]
        assert len(player.ended) == len(player.got) <= len(moves)
    assert players[0].got
    # The walk finds the state of a turn.
    turn = Turn(game.initial_state(), (), Generator(0, 0))
    assert any(isinstance(one, State) for one in reachable(turn))


def test_states_of_one_information_set_give_equal_views(phantom: Game) -> None:
    # cross has put a mark on b2; nought, a mark that cross does not see.
    one, other = (turn_of(phantom, "b2", text) for text in ("a1", "c3"))
    assert one.state != other.state
    assert given(phantom, "cross", one) == given(phantom, "cross", other)
    assert given(phantom, "nought", turn_of(phantom, "b2")) == given(
        phantom, "nought", turn_of(phantom, "a1")
    )
    # After a try on a1, cross knows more.
    met, free = (turn_of(phantom, "b2", text, "a1") for text in ("a1", "c3"))
    assert given(phantom, "cross", met) != given(phantom, "cross", free)


def test_the_generator_of_a_view_is_not_that_of_chance() -> None:
    game = load("kuhn-poker", engine="interpreter")
    players = [Complete(), Complete()]
    played(game, *players)
    first, second = (player.got[0].random for player in players)
    assert first is not second
    draws = [[made.below(1000) for _ in range(4)] for made in (first, second, Generator(0, 0))]
    assert draws[0] != draws[1] != draws[2] != draws[0]
    assert players[0].seat.seed != players[1].seat.seed


def test_a_view_has_the_remaining_time(phantom: Game) -> None:
    assert given(phantom, "cross", turn_of(phantom, left=3.5)).seconds == 3.5


def test_objects_play_matches_of_a_hidden_game(phantom: Game) -> None:
    def last(view: PlayerView) -> str:
        return str(view.legal_moves[-1])

    standings = match(phantom, {"first": Minimal(), "last": last}, 4, opening=0)
    assert standings.table.played == 4
    assert not standings.table.faults


def test_an_error_in_begin_reaches_the_caller_and_ends_only_that_player(tic: Game) -> None:
    class Broken(Complete):
        def begin(self, seat: Any) -> None:
            raise ZeroDivisionError

    broken, other = Broken(), Complete()
    with pytest.raises(ZeroDivisionError):
        played(tic, broken, other)
    assert broken.ended == ()
    assert not hasattr(other, "ended")
