"""Players who leave the game while others go on, and the payoffs at the end."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import rulesengine
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source

ENGINES = ["interpreter", "python", "native"]
ROWS, COLUMNS, K, PLAYERS = 4, 4, 3, ("red", "yellow", "blue")


@dataclass(frozen=True)
class Knockout:
    """Connect Four Knockout from its rules: columns from the bottom, each player's exit, the mover.

    A player's line may be straight or diagonal; the search starts at each of the player's discs.
    """

    columns: tuple[str, ...] = ("",) * COLUMNS
    left: tuple[int, ...] = (0, 0, 0)
    mover: int = 0
    plies: int = 0

    def moves(self) -> list[str]:
        if self.result() is not None:
            return []
        cells = [(len(column), i) for i, column in enumerate(self.columns) if len(column) < ROWS]
        # in reading order: the uppermost row first
        return ["abcd"[i] + str(row + 1) for row, i in sorted(cells, key=lambda c: (-c[0], c[1]))]

    def play(self, move: str) -> "Knockout":
        at, sign = "abcd".index(move[0]), PLAYERS[self.mover][0]
        columns = tuple(c + sign if i == at else c for i, c in enumerate(self.columns))
        plies, left = self.plies + 1, list(self.left)
        for number, name in enumerate(PLAYERS):
            if not left[number] and has_line(columns, name[0]):
                left[number] = plies
        mover = self.mover
        for _ in PLAYERS:
            mover = (mover + 1) % 3
            if not left[mover]:
                break
        return Knockout(columns, tuple(left), mover, plies)

    def result(self) -> list[int] | None:
        """Return the payoffs: those in the game share the best, then those who left, the last
        first.
        """
        inside = [number for number in range(3) if not self.left[number]]
        full = all(len(column) == ROWS for column in self.columns)
        if len(inside) > 1 and not full:
            return None
        place = [move or float("inf") for move in self.left]
        return [sum(p > q for q in place) - sum(p < q for q in place) for p in place]


def has_line(columns: tuple[str, ...], sign: str) -> bool:
    def at(x: int, y: int) -> str:
        return columns[x][y] if 0 <= x < COLUMNS and 0 <= y < len(columns[x]) else ""

    return any(
        all(at(x + i * dx, y + i * dy) == sign for i in range(K))
        for x in range(COLUMNS)
        for y in range(ROWS)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def count(at: Knockout, depth: int) -> int:
    return 1 if depth == 0 else sum(count(at.play(move), depth - 1) for move in at.moves())


def knockout(engine: str) -> Game:
    if engine == "native":
        pytest.importorskip("llvmlite")
    return rulesengine.load("connect-four-knockout", engine=engine, rows=ROWS, columns=COLUMNS, k=K)


def walk(game: Game, seed: int) -> Iterator[tuple[Knockout, rulesengine.State]]:
    draw, ours, state = random.Random(seed), Knockout(), game.initial_state()
    while moves := ours.moves():
        yield ours, state
        move = draw.choice(moves)
        ours, state = ours.play(move), game.apply(state, game.move(move, state))
    yield ours, state


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_whole_games_are_those_of_the_rules(engine: str) -> None:
    game, met = knockout(engine), set()
    for seed in range(60):
        for ours, state in walk(game, seed):
            assert [str(move) for move in game.legal_moves(state)] == ours.moves()
            assert ours.moves() == [] or state.mover == PLAYERS[ours.mover]
            outcome, result = game.outcome(state), ours.result()
            assert (outcome is None) == (result is None)
            if outcome and result:
                assert outcome.payoffs == dict(zip(PLAYERS, result, strict=True))
                winner = PLAYERS[result.index(2)] if 2 in result else None
                assert outcome.winner == winner
                met.add(outcome.reason)
    assert met == {"the last one left", "the board is full"}


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_as_many_games_as_by_the_rules(engine: str) -> None:
    game = knockout(engine)
    depths = (1, 2, 4, 6) if engine == "native" else (1, 2, 4)
    assert [game.perft(depth) for depth in depths] == [count(Knockout(), d) for d in depths]


def test_state_includes_eliminated_players() -> None:
    game = knockout("interpreter")
    state = game.state_from("....\n....\nyb..\nrrr.\nmover: yellow\nout of red: 5")
    assert "out of red: 5" in str(state)
    blue = game.apply(state, game.move("d1", state))
    assert blue.mover == "blue"
    assert game.apply(blue, game.move("c2", blue)).mover == "yellow"


def ended(end: str, players: str, board: str, more: str = "") -> rulesengine.Outcome:
    """Return the outcome of a drawn position under an end."""
    text = f"""
spec: 1
name: Ends
board: {{rows: 1, columns: 6}}
players: {players}
pieces: {{stone: {{white: w, black: b, red: r}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  score: count(own)
  {more}
  end: {end}
"""
    if "red" not in players:
        text = text.replace(", red: r", "")
    game = load_source(Source("ends.yaml", text), engine="interpreter")
    outcome = game.outcome(game.state_from(f"{board}\nmover: white"))
    assert outcome is not None
    return outcome


THREE = "[white, black, red]"


@pytest.mark.parametrize(
    ("end", "board", "winner", "paid", "places"),
    [
        ("{when: any(own), result: white wins}", "w.....", "white", (2, -1, -1), (1, 2, 2)),
        ("{when: any(own), result: white loses}", "w.....", None, (-2, 1, 1), (3, 1, 1)),
        ("{when: any(own), result: draw}", "w.....", None, (0, 0, 0), (1, 1, 1)),
        ("{when: any(own), result: highest score wins}", "wwbrrr", "red", (0, -2, 2), (2, 3, 1)),
        ("{when: any(own), result: highest score wins}", "wwbbr.", None, (1, 1, -2), (1, 1, 3)),
        ("{when: any(own), result: lowest score wins}", "wwbrrr", "black", (0, 2, -2), (2, 1, 3)),
        ("{when: any(own), payoffs: score - 2}", "wwbrrr", "red", (0, -1, 1), (2, 3, 1)),
        ("{when: any(own), payoffs: 10 * score}", "wwbbr.", None, (20, 20, 10), (1, 1, 3)),
    ],
)
def test_payoffs_and_places_of_three_players(
    end: str, board: str, winner: str | None, paid: tuple[int, ...], places: tuple[int, ...]
) -> None:
    outcome = ended(end, THREE, board)
    assert outcome.winner == winner
    assert tuple(outcome.payoffs.values()) == paid
    assert tuple(outcome.ranks.values()) == places


@pytest.mark.parametrize(
    ("end", "more", "paid"),
    [
        ("{when: any(own), result: white wins}", "", (1, -1)),
        ("{when: any(own), result: white wins}", "misere: true", (-1, 1)),
        ("{when: any(own), result: highest score wins}", "", (1, -1)),
        ("{when: any(own), result: highest score wins}", "misere: true", (-1, 1)),
        ("{when: any(own), payoffs: score}", "misere: true", (-2, -1)),
    ],
)
def test_payoffs_of_two_players(end: str, more: str, paid: tuple[int, ...]) -> None:
    outcome = ended(end, "[white, black]", "wwb...", more)
    assert tuple(outcome.payoffs.values()) == paid


def test_a_register_of_that_name_is_no_leaving() -> None:
    """Declare a register of the author's own; payoffs do not depend on it."""
    game = load_source(
        Source(
            "own.yaml",
            """
spec: 1
name: A register of one's own
board: {rows: 1, columns: 3}
players: [white, black]
pieces: {stone: {white: w, black: b}, empty: "."}
registers: {out: {type: number, from: 0, to: 9}}
rules:
  moves: {place: stone, to: empty, do: set out to out + 1}
  turn: next(player)
  end: {when: out > 2, result: draw}
""",
        ),
        engine="interpreter",
    )
    outcome = game.outcome(game.state_from("wbw\nmover: black\nout: 3"))
    assert outcome is not None
    assert outcome.payoffs == {"white": 0, "black": 0}
