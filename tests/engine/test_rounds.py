"""Moves that players make together: rounds against a plain program, in every engine.

The plain program knows the rules of one small game, and moves all players at once.
"""

from collections.abc import Iterator
from itertools import product

import pytest

import rulesengine
from rulesengine import EvaluationError, SpecError
from rulesengine.prose import unused_rules

pytestmark = pytest.mark.usefixtures("in_haste")

# White goes east and black west, onto other pieces too; stones are dropped at both ends. The
# players move together while a stone of white is in the west half, otherwise in turn.
CLASH = """
spec: 1
name: Clash
board: {rows: 1, columns: 6, origin: bottom-left}
players: {white: {ahead: east, home: left}, black: {ahead: west, home: right}}
pieces: {stone: {white: w, black: b}, empty: "."}
registers:
  taken: {type: number, each: player, from: 0, to: 99}
  rounds: {type: number, from: 0, to: 99}
start: |
  w.w..b
rules:
  together: any(stone of white and columns(1 to 3))
  moves:
    - move: own
      to: shift(from, ahead) minus own
      do: if any(to and before(enemy)) then add 1 to taken
    - place: stone
      to: home and empty
      when: plies % 3 = 1
  do: if plies < 50 then add 1 to rounds
  end: {when: plies = 30, result: draw}
"""
Board = tuple[str, ...]
Step = tuple[str, int, int]  # player, origin (-1 for a drop), target


def steps_of(board: Board, player: str, plies: int) -> list[Step]:
    sign, way = ("w", 1) if player == "w" else ("b", -1)
    cells = [c for c in range(6) if board[c] == sign]
    found = [(player, c, c + way) for c in cells if 0 <= c + way < 6 and board[c + way] != sign]
    home = 0 if player == "w" else 5
    if plies % 3 == 1 and board[home] == ".":
        found.append((player, -1, home))
    return found


def carried_out(board: Board, steps: tuple[Step, ...]) -> Board:
    """Return the board after the steps of all players, in their order."""
    now = list(board)
    for player, origin, target in steps:
        if origin >= 0:
            if now[origin] != player:
                continue  # the piece was captured
            now[origin] = "."
        now[target] = player
    return tuple(now)


def joint_steps(board: Board, plies: int) -> Iterator[tuple[Step, ...]]:
    """Yield the steps of a round, White's first; a player without one makes none."""
    nothing: list[tuple[Step, ...]] = [()]
    own = ([(step,) for step in steps_of(board, player, plies)] for player in "wb")
    for white, black in product(*(steps or nothing for steps in own)):
        yield (*white, *black)


def plain_children(board: Board, mover: str, plies: int) -> Iterator[tuple[Board, str]]:
    """Yield the boards after a ply, with the player to move, as often as they are reached."""
    other = "b" if mover == "w" else "w"
    if "w" in board[:3]:
        for steps in joint_steps(board, plies):
            yield carried_out(board, steps), "w"
        return
    for step in steps_of(board, mover, plies):
        after = carried_out(board, (step,))
        yield after, ("w" if "w" in after[:3] else other)


def plain_perft(board: Board, mover: str, plies: int, depth: int) -> int:
    if depth == 0:
        return 1
    children = plain_children(board, mover, plies)
    return sum(plain_perft(after, to_move, plies + 1, depth - 1) for after, to_move in children)


ENGINES = ["interpreter", "python", pytest.param("native", marks=pytest.mark.slow)]


@pytest.mark.parametrize("engine", ENGINES)
def test_rounds_of_joint_moves_are_those_of_a_plain_program(engine: str) -> None:
    game = rulesengine.loads(CLASH, engine=engine)
    expected = [plain_perft(tuple("w.w..b"), "w", 0, depth) for depth in range(1, 6)]
    assert [game.perft(depth) for depth in range(1, 6)] == expected


WRONG = """
spec: 1
name: Wrong
board: {rows: 1, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  together: true
  moves: {place: stone, to: empty}
  do: DO
  end: {when: WHEN, result: draw}
"""


@pytest.mark.parametrize(
    ("do", "when", "place", "message"),
    [
        ("remove own and left", "none(empty)", "10:7", "`rules: do` comes once for all players"),
        ("remove to", "none(empty)", "10:7", "`rules: do` comes once for all players"),
        ("remove left", "position_repeats > 1", "11:15", "`position_repeats` reads earlier"),
        ("remove left", "board_repeats > 1", "11:15", "`board_repeats` reads earlier"),
    ],
)
def test_rules_that_read_one_player_or_earlier_positions_are_errors(
    do: str, when: str, place: str, message: str
) -> None:
    with pytest.raises(SpecError) as found:
        rulesengine.loads(WRONG.replace("DO", do).replace("WHEN", when))
    assert f"<text>:{place}" in str(found.value)
    assert message in str(found.value)


STUCK = WRONG.replace("DO", "remove nowhere").replace("WHEN", "plies = 9")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_round_in_which_all_players_pass_is_an_error(engine: str) -> None:
    game = rulesengine.loads(STUCK, engine=engine)
    state = game.initial_state()
    # Both choose the last cell: the stone of the second player replaces the other one.
    for move in ("a1", "b1", "c1", "c1"):
        state = game.apply(state, move)
    assert str(state).startswith("xoo\nmover: left")
    for _ in game.players[1:]:
        (only,) = game.legal_moves(state)
        assert str(only) == "pass"
        state = game.apply(state, only)
    with pytest.raises(EvaluationError, match="8:13: no player has a move, and the game is not"):
        game.apply(state, game.legal_moves(state)[0])


THREE = """
spec: 1
name: Three at once
board: {rows: 1, columns: 4}
players: [red, green, blue]
pieces: {stone: {red: r, green: g, blue: b}, empty: "."}
registers: {turns: {type: number, from: 0, to: 9}}
rules:
  together: true
  moves: {place: stone, to: "empty and (if player = blue then c1 or d1 else a1 or b1)"}
  do: add 1 to turns
  end:
    - {when: count(own) > 1, result: player wins}
    - {when: plies = 3, result: draw}
    - {when: none(own) and turns > 0, out: player}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_three_players_choose_in_turn_and_one_who_is_out_does_not(engine: str) -> None:
    game = rulesengine.loads(THREE, engine=engine)
    state, movers = game.initial_state(), []
    # Red and green choose a1 together; green, who is later, has it, so red is out.
    for move in ("a1", "a1", "c1", "b1", "d1"):
        movers.append(state.mover)
        assert game.outcome(state) is None
        state = game.apply(state, move)
    assert movers == ["red", "green", "blue", "green", "blue"]
    assert str(state).startswith("ggbb")
    assert "turns: 2" in str(state)
    # Both have two stones. The end is read first for the player who chose last.
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winner == "blue"


def test_moves_of_a_round_are_revealed_when_it_is_over() -> None:
    game = rulesengine.load("rock-paper-scissors", engine="interpreter")
    begun = game.information_state(["rock"], "right")
    assert "rock" not in str(begun)
    over = game.information_state(["rock", "paper"], "right")
    assert over.events[-3:-1] == ("move paper", "told left: rock")
    assert [*game.information_state(["rock", "paper"], None).events][-3:-1] == [
        "told left: rock",
        "told right: paper",
    ]


def test_a_choice_uses_the_rule_of_its_group() -> None:
    game = rulesengine.loads(CLASH, engine="interpreter")
    groups = game.program.rules.groups
    choices = [n for n, group in enumerate(groups) if group.name.startswith("chosen ")]
    assert len(choices) == 3  # those of two groups, and the pass of a player without a move
    assert len(unused_rules(game, (), {0})) == 2
    assert unused_rules(game, choices, {0}) == []


# Rounds between throws of a die: steps with cells, directions and choices of several types.
DICE = """
spec: 1
name: Dice in rounds
board: {rows: 2, columns: 3}
players: [ann, bob, cem]
pieces: {stone: {ann: x, bob: o, cem: z, neutral: "#"}, king: {ann: X, bob: O, cem: Z}, empty: "."}
registers:
  die: {type: number, from: 0, to: 2, lives: move}
  sum: {type: number, each: player, from: -99, to: 99}
  seeds: {type: number, each: cell, from: 0, to: 3}
rules:
  together: COND
  chance:
    when: die = 0
    branches: {choice: [1, 2], do: set die to choice, weight: choice}
    COUNTS
  moves:
    - place: shape
      choice: {shape: [stone, king], way: [1, 2]}
      to: empty
      when: way <= die
      do: [add way to sum, set seeds of to to way]
      written: "{shape}{way}{to}"
    - move: own
      along: all
      to: shift(from, direction)
      do: if any(captured) then add 1 to sum else flip shift(to, direction) and occupied to player
      written: "{from}>{direction}"
    - pass: true
      when: count(own) > 1
      choice: {mood: ['"up"', '"down"'], who: [ann, cem]}
      do: if count(own) > 2 then set sum of who to 0
      written: "{mood}{who}"
  do: "for p in players do if sum of p > 20 then set sum of p to 0"
  TURN
  score: sum
  end:
    - {when: plies > 6 and count(own king) > 2, result: player wins}
    - {when: plies > 12, result: highest score wins}
"""
CASES = [
    ("true", "counts: true", ""),
    ("plies % 2 = 0", "turn: player", "turn: next(player)"),
    ("sum of ann > 3", "counts: true", "turn: next(player)"),
]


@pytest.mark.deep
@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize(("when", "chance", "turn"), CASES)
def test_engines_agree_on_rounds_with_chance(
    when: str, chance: str, turn: str, engine: str
) -> None:
    text = DICE.replace("COND", when).replace("COUNTS", chance).replace("  TURN\n", f"  {turn}\n")
    games = [rulesengine.loads(text, engine=one) for one in ("interpreter", engine)]
    counts = [(game.perft(1), game.perft(2), game.playouts(20, seed=7)) for game in games]
    assert counts[0] == counts[1]


PILES = """
spec: 1
name: Piles
board: {rows: 1, columns: 5, origin: bottom-left, stacks: {height: 4}}
players: {white: {ahead: east}, black: {ahead: west}}
pieces: {disc: {white: W, black: B}, empty: "."}
start: [put disc of white on a1 or b1, put disc of black on d1 or e1]
rules:
  together: true
  moves:
    - move: own
      take: 1
      to: shift(from, ahead) where height(it) < 3
    - otherwise
    - pass
  end: {when: plies >= 6, result: draw}
tests:
  - {moves: b1-c1 d1-c1, board: "W . WB . B"}
"""


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_pieces_of_stacks_move_at_the_same_time(engine: str) -> None:
    game = rulesengine.loads(PILES, engine=engine)
    # By hand: a1-b1 with e1-d1 leaves one round, either of these with the other move two, and b1-c1
    # with d1-c1, which piles up two discs on c1, two.
    assert [game.perft(1), game.perft(2)] == [4, 1 + 2 + 2 + 2]
    session = game.start()
    for text in ("b1-c1", "d1-c1"):
        session.push(text)
    assert "W . WB . B" in str(session.state)
