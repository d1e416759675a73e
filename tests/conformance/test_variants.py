"""Variants of games against authorities: OpenSpiel, Fairy-Stockfish, programs written by hand."""

import re
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import pairwise, product
from pathlib import Path
from statistics import median
from typing import Any

import pyffish
import pyspiel
import pytest
import yaml

import rulesengine
from tests.helpers.authorities import Source, replay
from tests.oracles import fairy, openspiel, openspiel_more, variants
from tests.oracles.openspiel import Ply
from tests.oracles.plain_games import Plain

Cell = tuple[int, int, int]
GAMES = Path(__file__).parents[2] / "games"
FIVE, FULL, STUCK, LINE = "five in a row", "the board is full", "no move left", "a line"
NOBODY = "nobody can move"
THIRD = "the same position for the third time"
OPENSPIEL, CHAINS, FAIRY, PLAIN = (
    openspiel.random_game,
    openspiel_more.random_game,
    fairy.random_game,
    variants.random_game,
)


def plain(name: str, count: int, *ends: str, of: str = "", **parameters: int) -> Source:
    return Source(PLAIN, name, of or name, count, frozenset(ends), parameters)


SOURCES = [
    plain("anti-othello", 5, NOBODY),
    plain("othello-6x6", 50, NOBODY),
    plain("othello-holes", 20, NOBODY),
    plain("othello-torus", 20, NOBODY),
    plain("reversi", 20, NOBODY),
    plain("gomoku-exact-five", 10, FIVE),
    plain("gomoku-exact-five-7", 200, FIVE, FULL, of="gomoku-exact-five", n=7),
    plain("connect-five", 100, LINE, FULL),
    plain("three-player-tic-tac-toe", 200, LINE, FULL),
    plain("tic-tac-toe-3d", 50, LINE),
    plain("tic-tac-toe-3d-3", 100, LINE, of="tic-tac-toe-3d", m=3, n=3, k=3, layers=3),
    plain("notakto", 100, "a line on every board"),
    plain("notakto-3", 100, "a line on every board", of="notakto", boards=3),
    plain("hex-pie", 10, "joined its two sides"),
    plain("hex-pie-4", 200, "joined its two sides", of="hex-pie", n=4),
    plain("snort", 50, STUCK),
    plain("col", 50, STUCK),
    plain("atari-go", 20, "a capture"),
    plain("atari-go-3", 200, "a capture", STUCK, of="atari-go", n=3),
    plain("nogo", 5, STUCK),
    plain("nogo-5", 100, STUCK, of="nogo", n=5),
    plain("hasami-shogi", 10, "too many men lost"),
    plain("three-mens-morris", 200, "three in a row", THIRD),
    plain("knightthrough", 50, "reached the far row"),
    plain("knightthrough-4", 100, "reached the far row", of="knightthrough", columns=4, rows=5),
    plain("popout", 20, LINE),
    plain("popout-3", 100, LINE, of="popout", rows=3, columns=3, k=3),
    plain("popout-2", 100, LINE, THIRD, of="popout", rows=2, columns=3, k=3),
    plain("quixo", 5, LINE),
    plain("quixo-3", 50, LINE, of="quixo", n=3),
    plain("cram", 20, STUCK),
    plain("cram-4", 100, STUCK, of="cram", rows=4, columns=4),
    Source(CHAINS, "pentago", "pentago", 20, frozenset({"five in a row"})),
    Source(OPENSPIEL, "anti-othello", "anti-othello", 20, frozenset({NOBODY})),
    Source(OPENSPIEL, "misere-connect-four", "misere-connect-four", 100, frozenset({LINE})),
    Source(OPENSPIEL, "misere-tic-tac-toe", "misere-tic-tac-toe", 200, frozenset({LINE, FULL})),
    Source(OPENSPIEL, "connect-five", "connect-five", 100, frozenset({LINE, FULL})),
    Source(CHAINS, "lines-of-action", "lines-of-action", 10, frozenset({"all men are joined"})),
    Source(CHAINS, "amazons", "amazons", 2, frozenset({STUCK})),
    Source(FAIRY, "amazons", "amazons", 5, frozenset({STUCK})),
    Source(FAIRY, "flipello10", "othello-10x10", 10, frozenset({NOBODY})),
    Source(FAIRY, "flipersi", "reversi", 10, frozenset({NOBODY})),
    Source(FAIRY, "isolation", "isolation", 10, frozenset({STUCK})),
    Source(
        FAIRY, "isolation7x7", "isolation", 10, frozenset({STUCK}), {"rows": 7, "columns": 7}
    ),
]  # fmt: skip


@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(source, id=str(source), marks=pytest.mark.deep if i % 2 else pytest.mark.slow)
        for i, source in enumerate(SOURCES)
    ],
)
def test_random_games_of_a_variant_agree_with_an_authority(source: Source) -> None:
    source.compare(1)


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_many_random_games_of_a_variant_agree_with_an_authority(source: Source) -> None:
    source.compare(source.count)


# The whole game at once; omitted depths take a second or more.
LONG = {"amazons", "lines-of-action", "hasami-shogi", "nogo", "reversi", "othello-10x10"}


@pytest.mark.slow
@pytest.mark.parametrize("source", [s for s in SOURCES if s.ours not in LONG], ids=str)
def test_one_random_game_of_a_variant_agrees_with_an_authority(source: Source) -> None:
    game = rulesengine.load(source.ours, **source.parameters)
    replay(game, source.games(source.name, 1000))


def played(name: str, seed: int) -> list[Ply]:
    return [ply for ply in variants.random_game(name, seed) if isinstance(ply, Ply)]


@pytest.mark.slow
def test_the_games_of_reversi_meet_passes_of_a_player_without_discs() -> None:
    met = 0
    for seed in (15, 16, 17):
        put = {"black": 0, "white": 0}
        for ply in played("reversi", seed):
            met += ply.played == "pass" and put[ply.mover] == 32
            put[ply.mover] += ply.played != "pass"
    assert met > 0


@pytest.mark.slow
def test_the_games_of_hasami_shogi_meet_men_taken_in_corners() -> None:
    taken = 0
    for before, after in pairwise(played("hasami-shogi", 9)):
        enemy = "o" if before.mover == "black" else "x"
        corners = [(r, c) for r in (0, 8) for c in (0, 8) if before.board[r][c] == enemy]
        taken += sum(after.board[r][c] == "." for r, c in corners)
    assert taken > 0


def test_the_games_of_hex_with_the_pie_rule_meet_swaps() -> None:
    swaps = sum(ply.played == "swap" for seed in range(200) for ply in played("hex-pie-4", seed))
    assert swaps > 5


# Published results about whole games.


def values(game: rulesengine.Game) -> dict[rulesengine.State, str | None]:
    """Return the winner under perfect play, None for a draw, in every reachable state."""
    found: dict[rulesengine.State, str | None] = {}

    def value(state: rulesengine.State) -> str | None:
        if state not in found:
            outcome = game.outcome(state)
            ends = [outcome.winner] if outcome else []
            ends += [value(game.apply(state, move)) for move in game.legal_moves(state)]
            best = state.mover if state.mover in ends else None if None in ends else ends[0]
            found[state] = ends[0] if outcome else best
        return found[state]

    value(game.initial_state())
    return found


def winners_by_move(name: str, **parameters: Any) -> dict[str, str | None]:
    """Return the winner under perfect play after each first move."""
    game = rulesengine.load(name, **parameters)
    start, found = game.initial_state(), values(game)
    return {str(move): found[game.apply(start, move)] for move in game.legal_moves(start)}


@pytest.mark.slow
def test_notakto_on_one_board_is_won_in_the_centre_only() -> None:
    # Plambeck and Whitehead, "The Secrets of Notakto", 2013
    found = winners_by_move("notakto")
    assert [move for move, winner in found.items() if winner == "first"] == ["b2"]


@pytest.mark.slow
def test_misere_tic_tac_toe_is_drawn_from_the_centre_and_lost_from_elsewhere() -> None:
    # Golomb and Hales, "Hypercube Tic-Tac-Toe", 2002: the first player draws by point reflection.
    found = winners_by_move("misere-tic-tac-toe")
    assert found.pop("b2") is None
    assert set(found.values()) == {"nought"}


def test_nogo_on_two_by_two_is_blacks() -> None:
    # Sensei's Library, "Anti Atari Go"
    assert set(winners_by_move("nogo", n=2).values()) == {"black"}


@pytest.mark.slow
def test_nogo_on_three_by_three_is_blacks() -> None:
    # Sensei's Library, "Anti Atari Go"
    assert "black" in winners_by_move("nogo", n=3).values()


def lines_of_four() -> list[list[Cell]]:
    """Return the straight rows of four cells in a 4x4x4 cube, as columns, rows and layers."""
    axes = [axis for axis in product((-1, 0, 1), repeat=3) if axis > (0, 0, 0)]
    cells = list(product(range(4), repeat=3))
    rows = [
        [(c + i * dc, r + i * dr, y + i * dy) for i in range(4)]
        for c, r, y in cells
        for dc, dr, dy in axes
    ]
    return [row for row in rows if all(cell in cells for cell in row)]


def test_the_76_lines_of_the_cube_win_and_no_other_row_does() -> None:
    # 76 lines: Patashnik, "Qubic: 4x4x4 Tic-Tac-Toe", 1980
    lines = lines_of_four()
    assert len(lines) == 76
    game = rulesengine.load("tic-tac-toe-3d")
    for line in lines:
        assert winner_with(game, line) == "cross"
        # With one of these cells replaced by another, four are no line: no two lines share three
        # cells.
        other = next(c for c in product(range(4), range(4), range(4)) if c not in line)
        assert winner_with(game, [*line[:3], other]) is None


def winner_with(game: rulesengine.Game, cells: list[Cell]) -> str | None:
    """Return the winner of a board with crosses on these cells and no other piece."""
    rows = [["."] * 4 for _ in range(16)]
    for c, r, y in cells:
        rows[15 - (4 * y + r)][c] = "x"
    text = "\n".join(["".join(row) for row in rows] + ["mover: nought"])
    outcome = game.outcome(game.state_from(text))
    return outcome.winner if outcome else None


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of move sequences of a variant, per depth, and the source of the numbers.

    Depths above `slow` are counted by hand, with `-m deep`.
    """

    game: str
    source: str
    numbers: tuple[int, ...]
    slow: int
    parameters: dict[str, Any] = field(default_factory=dict)


COUNTS = [
    Counts("amazons", "Fairy-Stockfish", (2176, 4307152), 1),
    Counts("lines-of-action", "OpenSpiel", (36, 1244, 44952), 2),
    Counts("isolation", "Fairy-Stockfish", (225, 47300), 2),
    Counts("isolation", "Fairy-Stockfish", (230, 49500), 2, {"rows": 7, "columns": 7}),
    Counts("reversi", "Fairy-Stockfish", (4, 12, 24, 24, 96, 320), 6),
    Counts("othello-6x6", "a program by hand", (4, 12, 56, 244, 1364, 7604), 6),
    Counts("othello-torus", "a program by hand", (4, 12, 56, 244), 4),
    Counts("othello-holes", "a program by hand", (4, 8, 24, 76, 328), 5),
    Counts("knightthrough", "a program by hand", (40, 1600, 63520), 3),
    Counts("snort", "a program by hand", (64, 3808), 2),
    Counts("popout", "a program by hand", (7, 49, 392, 3087), 4),
    Counts("quixo", "a program by hand", (44, 1836, 76596), 3),
    Counts("cram", "a program by hand", (60, 3244), 2),
    Counts("pentago", "OpenSpiel", (288, 80640, 21934080), 2),
    Counts("nogo", "a program by hand", (81, 6480), 2),
]


def counts() -> list[Any]:
    """Return one test for each count, with its mark: those below a thousand are quick."""
    found = []
    for row in COUNTS:
        for depth, number in enumerate(row.numbers, start=1):
            mark = pytest.mark.slow if depth <= row.slow else pytest.mark.deep
            name = "-".join([row.game, *map(str, row.parameters.values()), str(depth)])
            marks = [] if number < 1000 else [mark]
            found.append(pytest.param(row, depth, number, marks=marks, id=name))
    return found


@pytest.mark.parametrize(("row", "depth", "number"), counts())
def test_a_variant_has_as_many_sequences_of_moves_as_an_authority_counts(
    row: Counts, depth: int, number: int
) -> None:
    assert rulesengine.load(row.game, **row.parameters).perft(depth) == number


def by_hand(game: Plain, depth: int) -> int:
    if game.over:
        return 0
    if depth == 1:
        return len(game.legal())
    total = 0
    for text in game.legal():
        after = deepcopy(game)
        after.play(text)
        total += by_hand(after, depth - 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("row", [r for r in COUNTS if "hand" in r.source], ids=lambda r: r.game)
def test_a_program_by_hand_counts_what_the_table_says(row: Counts) -> None:
    for depth, number in enumerate(row.numbers, start=1):
        if number < 1000:
            assert by_hand(variants.GAMES[row.game](), depth) == number


FAIRY_NAMES = {"amazons": "amazons", "isolation": "isolation", "reversi": "flipersi"}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAIRY_NAMES)
def test_fairy_stockfish_counts_what_the_table_says(name: str) -> None:
    row = next(row for row in COUNTS if row.game == name)
    for depth, number in enumerate(row.numbers, start=1):
        if number < 100_000:
            assert (
                by_fairy(FAIRY_NAMES[name], pyffish.start_fen(FAIRY_NAMES[name]), depth) == number
            )


def by_fairy(name: str, fen: str, depth: int) -> int:
    moves = pyffish.legal_moves(name, fen, [])
    if depth == 1:
        return len(moves)
    return sum(by_fairy(name, pyffish.get_fen(name, fen, [move]), depth - 1) for move in moves)


def test_openspiel_counts_the_moves_of_lines_of_action() -> None:
    start = pyspiel.load_game("lines_of_action").new_initial_state()
    replies = [len(start.child(action).legal_actions()) for action in start.legal_actions()]
    assert [len(replies), sum(replies)] == [36, 1244]


# The lengths of the specs.


def lines_of(name: str) -> list[str]:
    """Return the lines of a spec that are read by its rules: no texts, pictures, formats, tests."""
    text = (GAMES / f"{name}.yaml").read_text(encoding="utf-8")
    sections = re.split(r"^(?=\w)", text, flags=re.M)
    rules = "".join(s for s in sections if s.partition(":")[0] not in ASIDE)
    return [line for line in rules.splitlines() if line.strip() and line.strip()[0] != "#"]


ASIDE = ("says", "draw", "picture", "formats", "tests")
NAMES = sorted({source.ours for source in SOURCES})


def test_a_variant_is_a_spec_of_less_than_forty_lines_and_half_of_them_of_less_than_25() -> None:
    lengths = {name: len(lines_of(name)) for name in NAMES}
    assert max(lengths.values()) < 40, lengths
    assert median(lengths.values()) < 25


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_names_the_source_of_its_rules_and_has_tests(name: str) -> None:
    spec = yaml.safe_load((GAMES / f"{name}.yaml").read_text(encoding="utf-8"))
    assert len(spec["source"]) > 10
    assert spec["tests"]
