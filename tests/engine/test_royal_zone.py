"""Attacks on the zone of a royal piece, in the evaluation of the rules."""

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.evaluation import evaluation_of
from rulesengine.engine.evaluation.derivation import derivation_of
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.patterns import king_relative_of
from rulesengine.job import Job
from rulesengine.loading import load_source
from rulesengine.search.recorded_games import Recorder
from rulesengine.support.source import Source

BACKENDS = ("interpreter", *sorted(backend.name for backend in working()))
# A side loses without its lion. Dogs go one step, eagles any number of steps.
LIONS = """
spec: 1
name: Lions
board: {{rows: 5, columns: 5}}
players: [white, black]
pieces:
  lion: {{white: L, black: l}}
  eagle: {{white: E, black: e}}
  dog: {{white: D, black: d}}
  empty: "."
start: |
  .l..e
  dd...
  .....
  DD...
  .L..E
rules:
  moves:
    - {{move: own lion, to: neighbours(from) minus own}}
    - {{move: own dog, to: neighbours(from) minus own}}
    - {{move: own eagle, to: "slide(from, all, empty)"}}
  {evaluate}
  end:
    - {{when: none({protected}), result: player loses, reason: no lion}}
"""


def lions(
    protected: str = "own lion", evaluate: str = "misere: false", engine: Engine = "interpreter"
) -> Game:
    text = LIONS.format(protected=protected, evaluate=evaluate)
    return load_source(Source("lions.yaml", text), engine=engine)


def attacks(game: Game, state: State) -> list[int]:
    """Return the value of the attacks of each side."""
    expression = derivation_of(game.machine).activity
    assert expression is not None
    return [game.machine.number_of(expression, state, side) for side in range(2)]


@pytest.mark.parametrize(
    ("board", "value"),
    [
        # The zone is g7, g8, h7 and h8. A reached cell counts 5 by a queen, 3 by a rook, and 2 by
        # a bishop or a knight; the value is a twentieth of the square.
        ("7k/8/8/8/8/8/8/K5RQ b", 12),  # g7 and g8 by the rook, h7 and h8 by the queen: 16
        ("7k/8/8/8/8/8/8/K5RN b", 1),  # the rook alone: 6
        ("7k/8/8/6N1/8/8/1B6/K7 b", 1),  # h7 by the knight, g7 and h8 by the bishop: 6
        ("7k/6pp/8/8/8/8/8/K5RQ w", 3),  # g7 by the rook and h7 by the queen: 8
        ("7k/8/8/8/8/8/8/K7 w", 0),
    ],
)
def test_attacked_cells_count_by_the_square_of_their_units(board: str, value: int) -> None:
    game = rulesengine.load("chess", engine="interpreter")
    state = game.state_from(f"{board} - - 0 1")
    assert attacks(game, state) == [value, 0]


def test_a_losing_end_protects_a_royal_piece() -> None:
    game = lions()
    state, found = game.initial_state(), list[list[int]]()
    for move in ("e5-c3", "e1-e2", "b4-b3"):
        state = game.apply(state, game.move(move, state))
        found.append(attacks(game, state))
    # Of the zone around b1, the eagle on c3 reaches c1 and c2, and the dog a2, b2 and c2.
    assert found == [[0, 0], [0, 0], [1, 0]]


@pytest.mark.parametrize(
    ("protected", "evaluate"),
    [
        ("own", "misere: false"),
        ("own lion", "misere: true"),
        ("own lion", "evaluate: count(own)"),
        ("own lion", "score: count(own)"),
    ],
)
def test_there_are_no_attacks_without_royal_pieces_or_with_other_evaluations(
    protected: str, evaluate: str
) -> None:
    game = lions(protected, evaluate)
    assert derivation_of(game.machine).activity is None
    assert evaluation_of(game.machine) == evaluation_of(game.machine, activity=False)


@pytest.mark.parametrize("engine", BACKENDS)
def test_king_relative_tables_correct_an_evaluation_without_activity(engine: Engine) -> None:
    game = lions(engine=engine)
    tables = king_relative_of(game.program)
    assert tables is not None
    recorder = Recorder(game._dispatcher, tables, 1)
    without, counted = evaluation_of(game.machine, activity=False), 0
    for number in range(4):
        state = game.initial_state()
        for ply in recorder.play(0, number, Job()).plies:
            leads = [game.machine.number_of(without, state, side) for side in range(2)]
            assert ply.lead == leads[state.side] - leads[1 - state.side]
            counted += len(set(attacks(game, state))) > 1
            state = game.apply(state, game.legal_moves(state)[ply.move])
    assert counted > 2
