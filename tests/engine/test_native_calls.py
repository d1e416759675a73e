"""Calls that go straight to kernels: the same results as by the interpreter."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game, IllegalMoveError, Move, State, UsageError
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.kernel.game_history import GameHistory
from rulesengine.state import following

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.usefixtures("in_haste")

# Small boards and large ones; moves of one step and of several; histories, scores, swaps, lists.
GAMES = (
    "othello",
    "gomoku",
    "breakthrough",
    "english-draughts",
    "go",
    "hex-pie",
    "nine-mens-morris",
    "three-player-tic-tac-toe",
)


@cache
def native(name: str) -> Game:
    return rulesengine.load(name, engine="native")


@cache
def defined(name: str) -> Game:
    return rulesengine.load(name, engine="interpreter")


def all_results(game: Game, state: State) -> object:
    """Return the results of all single calls on a state."""
    moves = game.legal_moves(state)
    return list(moves), [str(m) for m in moves], game.outcome(state), game.scores(state)


def walk(name: str, plies: int, seed: int) -> list[State]:
    """Return the states of a line of play in which moves are taken back now and then."""
    game, draw = native(name), Generator(seed, 0)
    line = [game.initial_state()]
    for _ in range(plies):
        moves = game.legal_moves(line[-1])
        if not moves or (len(line) > 3 and draw.below(4) == 0):
            del line[-2:]
            line = line or [game.initial_state()]
            continue
        line.append(game.apply(line[-1], moves[draw.below(len(moves))]))
    return line


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_calls_are_served_by_kernels(name: str) -> None:
    game = native(name)
    game.legal_moves(game.initial_state())
    assert {"legal_moves", "apply", "outcome"} <= set(vars(game))


@pytest.mark.parametrize("name", GAMES)
def test_a_move_that_is_trusted_is_made_by_kernels_too(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = native(name)
    state = walk(name, 4, 1)[-1]
    wanted = [game.apply(state, move) for move in game.legal_moves(state)]
    monkeypatch.setattr(game._dispatcher, "apply", None)
    moves = game.legal_moves(state)
    assert [game.apply(state, move, check=False) for move in moves] == wanted
    with pytest.raises(TypeError, match="trust"):
        game.apply(state, moves[0], trust=True)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", GAMES)
def test_line_of_play_matches_the_interpreter(name: str) -> None:
    for state in walk(name, 14, seed=3):
        same = defined(name).state_from(str(state))
        assert state == same
        assert all_results(native(name), state) == all_results(defined(name), same)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_moves_taken_back_and_made_again_lead_to_equal_states(name: str) -> None:
    game = native(name)
    line = walk(name, 8, seed=5)
    for state in (*line, *reversed(line)):
        moves = game.legal_moves(state)
        for move in (*moves[:2], *moves[-2:]):
            after = game.apply(state, move)
            assert after == defined(name).apply(state, move)
            assert game.apply(state, Move(move.steps, move.text)) == after
            assert game.apply(state, move.text) == after
            assert hash(after) == hash(pickle.loads(pickle.dumps(after)))


@pytest.mark.parametrize("name", GAMES)
def test_states_from_elsewhere_are_served_too(name: str) -> None:
    game = native(name)
    for state in walk(name, 8, seed=7)[-3:]:
        for same in (
            game.state_from(str(state)),
            pickle.loads(pickle.dumps(state)),
            defined(name).state_from(str(state)),
        ):
            assert all_results(game, same) == all_results(game, state)
            for move in game.legal_moves(same)[:3]:
                assert game.apply(same, move) == game.apply(state, move)


@pytest.mark.parametrize("name", GAMES)
def test_a_move_that_is_not_legal_is_refused(name: str) -> None:
    game = native(name)
    start = game.initial_state()
    first = game.legal_moves(start)[0]
    state = game.apply(start, first)
    legal = game.legal_moves(state)
    for move in game.legal_moves(start):
        if move in legal:
            assert game.apply(state, move) == game.apply(state, legal[legal.index(move)])
        else:
            with pytest.raises(IllegalMoveError, match="is not legal"):
                game.apply(state, move)


def test_no_move_is_legal_after_the_end() -> None:
    game = native("othello")
    line = game.initial_state()
    while (moves := game.legal_moves(line)) and game.outcome(line) is None:
        last, line = moves[0], game.apply(line, moves[0])
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.apply(line, last)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", "python", "native", "auto"])
def test_states_and_moves_of_another_game_are_rejected(engine: str) -> None:
    game = rulesengine.load("othello", engine=engine)
    other = rulesengine.load("othello", n=6, engine=engine)
    state, foreign = game.initial_state(), other.initial_state()
    move = other.legal_moves(foreign)[0]
    for _ in range(2):
        for call in (game.legal_moves, game.legal_mask, game.outcome, game.scores):
            with pytest.raises(UsageError, match="belongs to another game"):
                call(foreign)
            with pytest.raises(UsageError, match="expected a state, found None"):
                call(None)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=r"the move .* belongs to another game"):
            game.apply(state, move)
        with pytest.raises(UsageError, match=r"the move .* belongs to another game"):
            game.move_record(state, move)
        with pytest.raises(UsageError, match="expected a move, found 5"):
            game.apply(state, 5)  # type: ignore[arg-type]
        game.legal_moves(state)


@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_a_move_of_the_same_game_loaded_again_is_taken(engine: str) -> None:
    game, again = (rulesengine.load("breakthrough", engine=engine) for _ in range(2))
    state, same = game.initial_state(), again.initial_state()
    for move, other in zip(game.legal_moves(state), again.legal_moves(same), strict=True):
        assert game.apply(state, other) == again.apply(same, move)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["othello", "go", "english-draughts"])
def test_concurrent_calls_match_the_interpreter(name: str) -> None:
    game = native(name)
    lines = [walk(name, 12, seed) for seed in range(4)]
    wanted = [[all_results(defined(name), state) for state in line] for line in lines]
    begin = threading.Barrier(len(lines))

    def ask(line: list[State]) -> list[object]:
        begin.wait()
        return [[all_results(game, state) for state in line] for _ in range(20)][-1]

    with ThreadPoolExecutor(len(lines)) as pool:
        assert list(pool.map(ask, lines)) == wanted


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "othello", "misere-tic-tac-toe"])
def test_games_end_as_the_interpreter_says(name: str) -> None:
    game, found = native(name), set()
    for seed in range(12):
        draw, state = Generator(seed, 1), game.initial_state()
        while game.outcome(state) is None:
            moves = game.legal_moves(state)
            state = game.apply(state, moves[draw.below(len(moves))])
        outcome = game.outcome(state)
        assert outcome == defined(name).outcome(state)
        assert outcome is not None
        found.add(outcome.winner)
    assert len(found) > 1


@pytest.mark.slow
def test_positions_that_come_again_are_known_in_every_line() -> None:
    """Recapturing a stone at once would repeat the board; only the line of play determines that."""
    game, other = native("go"), defined("go")
    state = game.initial_state()
    lines = []
    for text in ("d5", "e5", "e4", "f4", "e6", "f6", "a1", "g5", "f5"):
        state = game.apply(state, text)
        lines.append(state)
    assert "e5" not in map(str, game.legal_moves(state))
    all_results = game.state_from("\n".join(str(state).splitlines()[: -len(lines)]))
    assert "e5" in map(str, game.legal_moves(all_results))
    for at in (*lines, *reversed(lines), *lines[::3], *lines[1::2]):
        assert list(game.legal_moves(at)) == list(other.legal_moves(other.state_from(str(at))))


def test_two_lines_of_play_are_distinguished() -> None:
    game = native("go")
    taken = game.start()
    for text in ("d5", "e5", "e4", "f4", "e6", "f6", "a1", "g5", "f5"):
        taken.push(text)
    plain = game.start()
    for text in ("d5", "f4", "e4", "f6", "e6", "g5", "f5"):
        plain.push(text)
    for _ in range(3):
        assert "e5" not in map(str, taken.legal)
        assert len(plain.legal) > 0
        assert "e5" in map(str, game.start(plain.state).legal)


class LineOwner:
    """An owner of a line of play, without the kernel that stores it."""

    line: tuple[object, int] = (None, 0)

    def record_history(self, state: object, length: int) -> None:
        self.line = state, length


def grown(state: State, count: int) -> list[State]:
    """Return a state, and so many similar ones after it."""
    line = [state]
    for _ in range(count):
        line.append(following(state.form, state.planes, 0, state.registers, (), line[-1]))
    return line


def test_kernels_receive_the_difference_to_their_stored_line() -> None:
    all_results = list[State]()

    def lengthen(state: State, length: int) -> int:
        all_results.append(state)
        return length + 1

    def fresh() -> State:
        start = native("go").initial_state()
        return following(start.form, start.planes, 0, start.registers, (), None)

    held = grown(fresh(), 10)
    branch = grown(held[4], 4)
    for asked, wanted, length in (
        (held[10], [], 10),
        (held[2], [], 2),
        (held[0], [], 0),
        (branch[4], [held[4], *branch[1:4]], 8),
        (grown(held[10], 1)[1], [held[10]], 11),
        ((alone := grown(fresh(), 2))[2], alone[:2], 2),
    ):
        kept = LineOwner()
        kept.record_history(held[10], 10)
        all_results.clear()
        assert GameHistory(asked.form, lengthen, kept).load(asked)
        assert kept.line[0] is asked
        assert kept.line[1] == length
        assert list(map(id, all_results)) == list(map(id, wanted))


def test_no_state_has_the_line_while_another_is_reported() -> None:
    kept, seen = LineOwner(), list[object]()

    def lengthen(state: State, length: int) -> int:
        seen.append(kept.line[0])
        return length + 1

    first = native("go").initial_state()
    second = native("go").apply(first, "d5")
    third = native("go").apply(second, "e5")
    line = GameHistory(first.form, lengthen, kept)
    kept.record_history(second, 1)
    assert line.load(third)
    assert (seen, kept.line) == ([None], (third, 2))


@pytest.mark.parametrize("first", ["python", "native"])
def test_auto_is_served_whatever_is_made_first(first: str) -> None:
    game = rulesengine.load("breakthrough")
    selector = game._dispatcher.selector
    order = (first, "native" if first == "python" else "python")
    state = game.initial_state()
    wanted = all_results(game, state)
    for name in order:
        assert selector.parts.compiled(name, "singles") is not None
        selector.parts.started.add(f"{name} singles")
        selector.parts.ready.add(f"{name} singles")
    selector._seconds = 100.0
    for _ in range(3):
        assert all_results(game, state) == wanted
        state = game.apply(state, game.legal_moves(state)[0])
        wanted = all_results(
            defined("breakthrough"), defined("breakthrough").state_from(str(state))
        )
    assert "legal_moves" in vars(game)


@pytest.mark.slow
def test_a_long_line_of_play_needs_no_recursion() -> None:
    state = native("go").initial_state()
    line = state
    for _ in range(50_000):
        line = following(state.form, state.planes, 0, state.registers, (), line)
    assert len(line.history) == 50_000
    del line


SOLITAIRE = """
spec: 1
name: A game for one, with a score
board: {rows: 2, columns: 2}
players: [alone]
pieces:
  stone: {alone: x}
  empty: "."
rules:
  moves: {place: stone, to: empty}
  score: count(own and top)
  end: {when: count(own) = 3, result: highest score wins}
"""


@pytest.mark.slow
def test_single_player_game_reports_its_score(tmp_path: Path) -> None:
    path = tmp_path / "solitaire.yaml"
    path.write_text(SOLITAIRE)
    game = rulesengine.load(path, engine="native")
    state = game.initial_state()
    for cell in ("a1", "b1", "a2"):
        state = game.apply(state, game.move(cell, state))
    assert "outcome" in vars(game)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores == {"alone": 2}
    assert outcome == rulesengine.load(path, engine="interpreter").outcome(state)
