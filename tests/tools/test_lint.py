"""Warnings about valid specs: no end, no move, a rule that fails, an idle player."""

import pytest

from rulesengine.loading import load_source
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source
from rulesengine.tools.lint import findings

BASE = """spec: 1
name: Trial
board: {rows: 2, columns: 2}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers: {count: {type: number, from: 0, to: 9}}
rules:
"""
PLACE = "  moves: {place: stone, to: empty}\n"
FULL = "  end: {when: none(empty), result: draw}\n"


def found(rules: str) -> list[tuple[str, str, str]]:
    return [(f.code, f.severity, f.message) for f in diagnostics(rules)]


def diagnostics(rules: str) -> list[Diagnostic]:
    warnings = findings(Source("trial.yaml", BASE + rules))
    # The register exists for one test only.
    return [f for f in warnings if f.code != "unused-name"]


def test_a_game_without_fault_has_no_warning() -> None:
    assert found(PLACE + FULL) == []


def test_a_game_without_an_end_is_reported_and_where_it_gets_stuck() -> None:
    first, second = found(PLACE)
    assert first[:2] == ("no-end", "warning")
    assert second[:2] == ("stuck", "warning")
    # four cells, left begins: after four moves it is left's turn and no cell is empty
    assert second[2].startswith("`left` has no move after ")


def test_proved_problem_is_not_repeated_for_games() -> None:
    ends = "  end: [{when: none(empty), result: draw}, {when: count(own) > 4, result: draw}]\n"
    warnings = findings(Source("trial.yaml", BASE + PLACE + ends), games=1)
    assert [f.message for f in warnings if f.code == "never-holds"] == [
        "this end cannot be reached: its condition never holds"
    ]


def test_no_move_at_the_start_is_reported() -> None:
    (warning,) = found("  moves: {move: own, to: empty}\n" + FULL)
    assert warning[0] == "stuck"
    assert warning[2] == "`left` has no move at the start, and no end holds"


def test_a_rule_that_fails_is_reported_with_its_place() -> None:
    (warning,) = found("  moves: {place: stone, to: empty, do: set count to 10}\n" + FULL)
    assert warning[0] == "fails"
    assert "trial.yaml:8:40" in warning[2]
    (one,) = diagnostics("  moves: {place: stone, to: empty, do: set count to 10}\n" + FULL)
    assert one.span.text == "set count to 10"


def test_an_evaluation_that_fails_is_reported_at_its_expression() -> None:
    """The mover owns no stone at the start; the opponent owns none after the first move."""
    for expression, when, message in (
        ("9223372036854775807 + count(empty)", "at the start", "a number beyond 64 bits"),
        ("9 / count(own)", "at the start", "a division by zero"),
        ("9 / (count(own) - 1)", "after a", "a division by zero"),
        ("9 / (count(enemy) - 1)", "after a", "a division by zero"),
    ):
        rules = f"  moves: {{place: stone, to: empty}}\n  evaluate: {expression}\n"
        (warning,) = diagnostics(rules + FULL)
        assert (warning.code, warning.span.text) == ("fails", expression)
        assert warning.message.startswith(f"a rule fails {when}")
        assert f"trial.yaml:9:13: {message} in `{expression}`" in warning.message
        assert warning.help.startswith("`evaluate` needs a value")
    rules = "  moves: {place: stone, to: empty}\n  evaluate: 9 / (count(empty) + 1)\n"
    assert diagnostics(rules + FULL) == []


def test_player_without_moves_is_reported() -> None:
    (warning,) = found("  moves: pass\n  turn: player\n" + FULL)
    assert warning == ("never-moves", "warning", "`right` never moves in 60 moves")


@pytest.mark.slow
def test_a_game_that_goes_on_for_ever_stops_at_the_limit_of_plies() -> None:

    game = load_source(Source("trial.yaml", BASE + "  moves: pass\n" + FULL))
    played = game.playouts(1, seed=1)
    assert (played.unfinished, played.mean_length) == (1, 10_000)


CAPTURES = "  moves: {move: own, to: all minus own}\n"


@pytest.mark.parametrize(
    ("when", "result", "is_reported"),
    [
        ("own in corners", "player wins", True),
        ("own stone in corners and plies > 3", "player wins", True),
        ("enemy in corners", "player loses", True),
        ("every(c in own, c in corners)", "player wins", True),
        ("plies > 7 or own in corners", "player wins", True),
        ("every(p in players, as(p, own in corners))", "draw", False),
        ("any(p in players, as(p, own in corners))", "player wins", True),
        ("not (own in corners)", "player loses", False),
        ("every(p in players, plies > 8)", "player wins", False),
        ("any(own) and every(c in own, c in corners)", "player wins", False),
        # A set that cannot be empty, and conditions that require a piece.
        ("corners in own", "player wins", False),
        ("any(own) and own in corners", "player wins", False),
        ("own in corners and count(own) > 1", "player wins", False),
        ("own in corners", "draw", False),
    ],
)
def test_an_inclusion_that_holds_without_pieces_is_reported(
    when: str, result: str, is_reported: bool
) -> None:
    end = f'  end: [{{when: "{when}", result: {result}}}, {{when: plies > 9, result: draw}}]\n'
    codes = [code for code, _, _ in found(CAPTURES + end)]
    assert ("holds-for-none" in codes) == is_reported


def test_no_piece_can_be_missing_where_none_is_ever_taken() -> None:
    end = (
        "  end: [{when: own in corners, result: player wins}, {when: none(empty), result: draw}]\n"
    )
    assert "holds-for-none" not in [code for code, _, _ in found(PLACE + end)]


@pytest.mark.parametrize(
    ("to", "is_reported"),
    [
        ("empty or own where row(it) = 1", True),
        ("(empty or own) where row(it) = 1", False),
        ("empty or (own where row(it) = 1)", False),
        ("empty where row(it) = 1 or any(own)", False),
    ],
)
def test_a_filter_of_a_union_is_reported(to: str, is_reported: bool) -> None:
    rules = f"  moves: {{place: stone, to: {to}}}\n" + FULL
    assert ("loose-where" in [code for code, _, _ in found(rules)]) == is_reported


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("empty minus rows(0)", "`rows(0)` has no cell: the board has rows 1 to 2"),
        (
            "empty minus columns(3 to 9)",
            "`columns(3 to 9)` has no cell: the board has columns 1 to 2",
        ),
        ("empty minus rows(2)", ""),
        ("empty minus rows(0 to 1)", ""),
        ("empty minus rows(count)", ""),
    ],
)
def test_rows_that_the_board_does_not_have_are_reported_at_their_place(
    to: str, message: str
) -> None:
    warnings = diagnostics(f"  moves: {{place: stone, to: {to}}}\n" + FULL)
    finding = [(f.message, f.span.text) for f in warnings if f.code == "off-board"]
    assert finding == ([(message, to.removeprefix("empty minus "))] if message else [])


def test_columns_that_become_holes_are_not_reported() -> None:
    base = BASE.replace("columns: 2", "columns: 3, holes: columns(2)")
    warnings = findings(Source("trial.yaml", base + PLACE + FULL))
    assert "off-board" not in [f.code for f in warnings]


def test_rows_of_a_board_with_parameters_are_reported_if_no_board_has_them() -> None:
    board = (
        "parameters: {n: {type: integer, from: 2, to: 4, default: 3}}\nboard: {rows: n, columns: n}"
    )
    base = BASE.replace("board: {rows: 2, columns: 2}", board)
    for number, is_reported in (("4", False), ("n", False), ("n + 1", True), ("5", True)):
        rules = f"  moves: {{place: stone, to: empty minus rows({number})}}\n" + FULL
        codes = [f.code for f in findings(Source("trial.yaml", base + rules))]
        assert ("off-board" in codes) == is_reported


@pytest.mark.parametrize(
    ("moves", "is_reported"),
    [
        ("{place: stone, to: empty}", True),
        ("{select: empty, do: put stone of player on to}", True),
        ("[{move: own, to: empty}, {place: stone, to: empty}]", False),
    ],
)
@pytest.mark.parametrize("reader", ["keep: least row(from)", "do: if from in top then remove top"])
def test_an_origin_where_no_piece_moves_is_reported(
    moves: str, is_reported: bool, reader: str
) -> None:
    rules = f"  moves: {moves}\n  {reader}\n" + FULL
    assert ("no-origin" in [code for code, _, _ in found(rules)]) == is_reported


def test_an_end_by_which_players_leave_is_an_end() -> None:
    ends = "  end: {when: none(empty), out: player}\n"
    assert "no-end" not in [code for code, _, _ in found(PLACE + ends)]


MOVES = "  moves: {move: own, to: empty}\n  end: {when: none(own), result: player loses}\n"


@pytest.mark.parametrize(
    ("script", "codes"),
    [
        ("", ["over-at-start"]),
        ("io: |\n  print board\n", ["over-at-start"]),
        ("io: |\n  read board\n  print board\n", []),
        ("io: |\n  if over\n    put stone of left on a1\n  print board\n", []),
    ],
)
def test_a_start_that_a_script_replaces_is_not_reported(script: str, codes: list[str]) -> None:
    assert [code for code, _, _ in found(MOVES + script)] == codes
