"""The evaluation of a game in English, `doctor --evaluation`."""

from itertools import product
from pathlib import Path

import pytest

import rulesengine
from rulesengine.engine.evaluation import material_of
from rulesengine.tools.doctor.evaluation_text import evaluation_sentences
from tests.helpers.cli_calls import call


def test_the_sentences_have_the_values_of_the_pieces() -> None:
    game = rulesengine.load("los-alamos")
    text = " ".join(evaluation_sentences(game))
    kinds = [kind.name for kind in game.program.rules.kinds]
    for kind, value in zip(kinds, material_of(game.machine).values, strict=True):
        assert f"{kind} {value}" in text
    assert "protects: king." in text
    assert "(quiescence search)" in text
    assert "(null-move pruning)" in text
    assert "(late move pruning)" in text
    assert "(static exchange)" in text
    assert "in hand" not in text


def test_the_sentences_name_the_pieces_in_hand() -> None:
    text = " ".join(evaluation_sentences(rulesengine.load("minishogi")))
    assert "Pieces in hand count like those on the board: gold, silver, bishop, rook, pawn." in text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("othello", "The evaluation of a player is the score."),
        ("anti-othello", "is the score, negated since the lowest one is best."),
        ("go", "The package has weights of moves. Tree search uses them unless `rules` is named."),
        ("backgammon", "man 100. A stack of pieces on a cell counts as one piece."),
        ("gomoku", "Cells count in lines that lack one or two cells of 5."),
        ("amazons", "The side without a move loses, so that the evaluation counts the steps"),
        ("hex", "The rules suggest no evaluation: all positions in progress are equal."),
    ],
)
def test_the_first_sentences_name_the_source(name: str, sentence: str) -> None:
    assert sentence in " ".join(evaluation_sentences(rulesengine.load(name)))


@pytest.mark.parametrize(
    ("name", "transforms", "sentences"),
    [
        # Any cell is a line of one: only two of three count.
        ("tic-tac-toe", [], "Cells count in lines that lack one cell of 3."),
        ("tic-tac-toe", ["misere"], "Cells count against their side in lines that lack one cell"),
        (
            "yavalath",
            [],
            "one or two cells of 4. Cells count against their side in lines that lack",
        ),
        ("domineering", ["misere"], "The side without a move wins, so that the steps of a side"),
        ("peg-solitaire", [], "The evaluation is the payoff, as if the game ended"),
        ("gonnect", [], "The evaluation follows from the rules. Each piece counts 100."),
    ],
)
def test_the_sentences_fit_goals_that_lose_lines_and_payoffs(
    name: str, transforms: list[str], sentences: str
) -> None:
    text = " ".join(evaluation_sentences(rulesengine.load(name, transforms=transforms)))
    assert sentences in text


def test_attacks_on_the_royal_zone_have_units_where_tables_do_not_replace_them() -> None:
    units = "Units of a cell that a piece attacks on or next to a royal piece: queen"
    replaced = "They take the place of attacks on the royal zone."
    chess = " ".join(evaluation_sentences(rulesengine.load("chess")))
    assert f"{units} 5, rook 3, bishop 2, knight 2." in chess  # 810, 459, 343 and 340 by 170
    assert replaced in chess
    other = " ".join(evaluation_sentences(rulesengine.load("crazyhouse")))
    assert f"{units} 4, rook 3, bishop 2, knight 2," in other
    assert replaced not in other


@pytest.mark.parametrize(("transforms", "sign"), [([], 1), (["misere"], -1)])
def test_twelve_men_and_seven_moves_are_the_value_of_the_first_position_of_draughts(
    transforms: list[str], sign: int
) -> None:
    game = rulesengine.load("english-draughts", transforms=transforms)
    text, value = " ".join(evaluation_sentences(game)), sign * (12 * 100 + 7)
    assert f"Each piece counts {sign * 100}." in text
    assert f"Values of the initial position: black {value}, white {value}." in text


def queens(cells: set[tuple[int, int]], taken: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the cells of all moves of a chess queen from some cells on a board of 10x10."""
    found = []
    for row, column in cells:
        for down, right in set(product((-1, 0, 1), repeat=2)) - {(0, 0)}:
            to = row + down, column + right
            while to not in taken and max(to) < 10 and min(to) >= 0:
                found.append(to)
                to = to[0] + down, to[1] + right
    return found


def test_four_queens_their_moves_and_cells_are_the_value_of_the_first_position_of_amazons() -> None:
    white, black = {(0, 3), (0, 6), (3, 0), (3, 9)}, {(9, 3), (9, 6), (6, 0), (6, 9)}
    once = queens(white, white | black)
    twice = set(queens(set(once), white | black))
    value = 4 * 100 + len(once) + 8 * len(set(once)) + 8 * len(twice)
    text = " ".join(evaluation_sentences(rulesengine.load("amazons")))
    assert "A cell counts 8 if its pieces reach it in one step, 8 if in two." in text
    assert f"Values of the initial position: white {value}, black {value}." in text


def test_a_constant_evaluation_of_the_spec_is_named(tmp_path: Path) -> None:
    spec = tmp_path / "seven.yaml"
    spec.write_text("spec: 1\nname: Seven\nextends: breakthrough\nrules: {evaluate: 7}\n")
    assert "It is constant: all positions" in " ".join(evaluation_sentences(rulesengine.load(spec)))


def test_without_an_evaluation_no_piece_has_a_value() -> None:
    text = " ".join(evaluation_sentences(rulesengine.load("nim")))
    assert "all positions in progress are equal." in text
    assert "piece" not in text


def test_searches_with_hidden_information_have_no_evaluation() -> None:
    game = rulesengine.load("phantom-tic-tac-toe")
    assert evaluation_sentences(game) == [
        "The game hides pieces and `met`: searches play random games and use no evaluation."
    ]
    assert evaluation_sentences(rulesengine.load("dark-chess")) == [
        "The game hides pieces, `long`, `passed`, `quiet` and `short`: searches play random games"
        " and use no evaluation."
    ]
    assert game.learnable is None
    done = call("doctor", "phantom-tic-tac-toe", "--engine", "interpreter")
    assert "evaluation  none: hidden information is searched by random games\n" in done.out
    assert "learn       nothing: for games of one or two players with perfect" in done.out


def test_the_command_prints_sentences_and_needs_a_spec() -> None:
    done = call("doctor", "breakthrough", "--evaluation")
    assert done.code == 0
    assert "pawn 100" in done.out
    assert call("doctor", "breakthrough", "--evaluation", "--json").json()["evaluation"]
    for words in (("--evaluation",), ("--all", "--evaluation")):
        assert call("doctor", *words).code == 2


@pytest.mark.parametrize(("name", "corrects"), [("international-draughts", True), ("kalah", False)])
def test_the_sentences_state_if_weights_correct_the_rules(name: str, corrects: bool) -> None:
    text = " ".join(evaluation_sentences(rulesengine.load(name)))
    assert "The package has a learned evaluation" in text
    assert ("Its weights correct the evaluation of the rules" in text) is corrects
