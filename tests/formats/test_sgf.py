"""Games in SGF: syntax, mapping to games, errors, writing, and agreement with other readers."""

import json
import random
import shutil
import subprocess

import pytest

import rulesengine
from rulesengine.errors import NotationError
from rulesengine.formats.sgf.tree import SgfNode, SgfTree, plain_text, read_trees, write_tree
from rulesengine.formats.values import GameResult, RecordedGame
from rulesengine.game import Game
from rulesengine.play import game_for, to_record
from rulesengine.play.records.conversion import from_record
from rulesengine.state import Move

GAMES = ("go", "gomoku", "othello", "hex", "lines-of-action", "amazons")


def loaded(name: str, **values: int | bool) -> Game:
    return rulesengine.load(name, engine="interpreter").bind(**values)


def games(text: str | bytes, name: str = "go", **values: int | bool) -> list[RecordedGame]:
    return list(loaded(name, **values).read_games(text))


def only(text: str | bytes, name: str = "go", **values: int | bool) -> RecordedGame:
    (found,) = games(text, name, **values)
    return found


def moves(game: RecordedGame) -> list[str]:
    return [str(move) for move in game.moves]


def problems(text: str, name: str = "go", **values: int | bool) -> list[str]:
    return [str(p) for game in games(text, name, **values) for p in game.problems]


def random_game(game: Game, seed: int, plies: int = 60) -> RecordedGame:
    state, chosen = game.initial_state(), random.Random(seed)
    played: list[Move] = []
    while len(played) < plies and (legal := game.legal_moves(state)):
        played.append(chosen.choice(legal))
        state = game.apply(state, played[-1])
    start = game.position_from(game.export())
    outcome = game.outcome(state)
    result = GameResult(outcome.winner) if outcome else None
    return RecordedGame(1, (), start, tuple(played), state, result)


# syntax


def test_tree_has_all_properties_in_their_order() -> None:
    (tree,) = read_trees("(;B[aa]XX[1][2];W[](;B[bb])(;B[cc];KO[]))")
    assert tree.nodes == (SgfNode((("B", ("aa",)), ("XX", ("1", "2")))), SgfNode((("W", ("",)),)))
    assert [branch.nodes[0].values("B") for branch in tree.branches] == [("bb",), ("cc",)]
    assert tree.branches[1].nodes[1] == SgfNode((("KO", ("",)),))
    assert tree.problems == ()


def test_small_letters_of_long_names_are_ignored() -> None:
    (tree,) = read_trees("(;GaMe[1]SiZe[9]AddBlack[aa][bb];Black[cc])")
    assert tree.nodes[0].properties == (("GM", ("1",)), ("SZ", ("9",)), ("AB", ("aa", "bb")))
    assert tree.nodes[1].text("B") == "cc"


@pytest.mark.parametrize(
    ("value", "text"),
    [(r"a\]b", "a]b"), (r"a\\", "a\\"), ("a\\\nb", "ab"), ("a\nb\tc", "a\nb c"), (r"\:", ":")],
)
def test_escapes_are_removed(value: str, text: str) -> None:
    assert plain_text(value) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("()", "a tree without a node"),
        ("(;B[aa];W[b", "a value without its end"),
        ("(;B[aa]", "the text ends before the end of the game"),
        ("(;B;W[aa])", "a property without a value"),
        ("(;[aa])", "a value without a property"),
        ("(;B[aa](W[bb]))", "a property outside a node"),
        ("(;B[aa]!)", "unexpected character"),
        ("(;b[aa])", "a name of a property without a capital letter"),
    ],
)
def test_error_of_the_syntax_is_reported_and_the_rest_is_read(text: str, reason: str) -> None:
    first, *others = read_trees(text + " (;B[cc])" * text.endswith(")"))
    assert reason in [reason for _, reason in first.problems]
    assert [tree.nodes[0].text("B") for tree in others] == ["cc"] * text.endswith(")")


def test_trees_of_any_depth_are_read_and_written() -> None:
    text = "(;B[aa]" * 20_000 + ")" * 20_000
    (tree,) = read_trees(text)
    assert write_tree(tree).replace("\n", "") == text


def test_written_tree_reads_back() -> None:
    text = "(;FF[4]C[a\\]b\nc](;B[aa]LB[bb:1](;W[bb])(;W[cc]))(;XX[]))"
    (tree,) = read_trees(text)
    assert list(read_trees(write_tree(tree))) == [tree]


# games


def test_moves_headers_and_result_are_read() -> None:
    game = only("(;FF[4]GM[1]SZ[9]PB[Ann]PW[Bob]DT[2020-01-02]RE[W+R]RU[Chinese];B[dd];W[ee];B[])")
    assert moves(game) == ["d6", "e5", "pass"]
    assert (game.header("Black"), game.header("White")) == ("Ann", "Bob")
    assert (game.header("Date"), game.header("RU")) == ("2020.01.02", "Chinese")
    assert (game.result, game.problems) == (GameResult("white", "resignation"), ())


@pytest.mark.parametrize("passed", ["", "tt"])
def test_pass_is_empty_or_tt(passed: str) -> None:
    assert moves(only(f"(;SZ[9];B[{passed}])")) == ["pass"]


def test_tt_is_a_point_of_large_boards() -> None:
    game = only("(;GM[4]SZ[20];B[tt];W[ta])", "gomoku", n=20)
    assert moves(game) == ["t1", "t20"]


def test_variations_and_notes_are_kept() -> None:
    game = only("(;SZ[9];B[dd]C[one](;W[ee]BM[1])(;W[ff]N[name](;B[gg])(;B[hh])))")
    assert moves(game) == ["d6", "e5"]
    assert (game.notes[1].comments, game.notes[2].nags) == (("one",), (2,))
    (variation,) = game.notes[2].variations
    assert [str(move) for move in variation.moves] == ["f4", "g3"]
    assert variation.notes[1].comments == ("[%sgf N[name]]",)
    assert [str(move) for move in variation.notes[2].variations[0].moves] == ["h2"]


def test_clocks_are_seconds_of_the_mover() -> None:
    game = only("(;SZ[9];B[dd]BL[3661.5])")
    assert game.notes[1].clock == 3661.5


def test_set_up_stones_rectangles_and_the_side_to_move_are_read() -> None:
    game = only("(;SZ[9]AB[aa:cb]AW[ii]AE[bb]PL[W])")
    assert str(game.start.state).splitlines()[:2] == ["xxx......", "x.x......"]
    assert str(game.start.state).splitlines()[8] == "........o"
    assert game.start.state.mover == "white"


def test_handicap_stones_let_the_first_move_decide_the_side() -> None:
    game = only("(;SZ[9]HA[2]AB[gc][cg];W[ee])")
    assert (game.start.state.mover, moves(game), game.problems) == ("white", ["e5"], ())


def test_othello_begins_with_its_discs_and_omitted_passes_are_inserted() -> None:
    game = loaded("othello", n=4)
    # Found by a search for the first forced pass in random games.
    for seed in range(99):
        recorded = random_game(game, seed)
        if "pass" in moves(recorded):
            break
    text = game.format_record(recorded, "sgf")
    shorter = text.replace(";B[tt]\n", "").replace(";W[tt]\n", "")
    assert shorter != text
    (found,) = game.read_games(shorter)
    assert (found.moves, found.problems) == (recorded.moves, ())


def test_points_of_hex_are_names_in_any_case() -> None:
    text = "(;GM[11]SZ[3];B[A1];W[swap-sides];B[b2];W[resign])"
    game = only(text, "hex", n=3, pie=True)
    assert moves(game) == ["a1", "swap", "b2"]
    assert game.result == GameResult("red", "resignation")


def test_moves_of_lines_of_action_ignore_marks() -> None:
    game = only("(;GM[9];B[b1-b3];W[A6:C8++!];B[C1C3])", "lines-of-action")
    assert (moves(game), game.problems) == (["b1-b3", "a6xc8", "c1-c3"], ())


def test_moves_of_amazons_have_three_points() -> None:
    # The first two moves are the example of the specification.
    game = only("(;GM[18]SZ[10];B[djddgd];W[addgad];B[gjgj])", "amazons")
    assert moves(game) == ["d1-d7/g7", "a7-d4/a7"]
    assert [problem.text for problem in game.problems] == ["B[gjgj]"]


def test_wrong_player_is_reported_with_its_colour_in_files() -> None:
    found = problems("(;GM[18]SZ[10];W[addgad])", "amazons")
    assert found == ["game 1, ply 1, `W[addgad]`: it is the move of white, `B`"]


def test_root_with_pieces_of_amazons_has_no_other_pieces() -> None:
    game = only("(;GM[18]SZ[10]AB[aj]AW[ja]AA[jj][bb];B[ajaiah])", "amazons")
    lines = str(game.start.state).splitlines()
    assert (lines[0], lines[9]) == (".........B", "W........#")
    assert moves(game) == ["a1-a2/a3"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(;GM[3])", "game 1, `GM[3]`: a game of another type than GM[1], Go"),
        ("(;SZ[19];B[aa])", "game 1, `SZ[19]`: the board of the game is 9 x 9: load it with n=19"),
        ("(;SZ[9:13])", "`SZ[9:13]`: the board of the game is 9 x 9"),
        ("(;SZ[0])", "game 1, `SZ[0]`: the board of the game is 9 x 9"),
        ("(;KM[6.25])", "game 1, `KM[6.25]`: the game has a komi of 7.5"),
        ("(;B[aa];W[aa])", "game 1, ply 2, `W[aa]`: no legal move is written so"),
        ("(;B[aa];B[bb])", "game 1, ply 2, `B[bb]`: it is the move of white"),
        ("(;B[zz])", "`B[zz]`: no legal move is written so"),
        ("(;B[];W[];B[aa])", "game 1, ply 3, `B[aa]`: the game is over, two passes"),
        ("(;B[aa];AW[bb];W[cc])", "game 1, ply 1, `AW[bb]`: a change of the board by hand"),
        ("(;AB[zz])", "`AB[zz]`: no such point"),
        ("(;AB[dd][ee]AW[cc][dd])", "`AW[dd]`: the point is in AB too"),
        ("(;AB[aa]AW[ab][ba])", "impossible position: a group has no liberty"),
        ("(;PL[X])", "`PL[X]`: expected B or W"),
        ("(;HA[4];W[aa])", "`HA[4]`: a handicap without its stones"),
        ("(;B[aa]", "game 1: the text ends before the end of the game"),
    ],
)
def test_error_is_reported_with_game_ply_text_and_reason(text: str, found: str) -> None:
    assert any(found in problem for problem in problems(text)), problems(text)


def test_size_that_the_game_cannot_have_is_not_suggested() -> None:
    assert not any("load it" in problem for problem in problems("(;SZ[0])") + problems("(;SZ[x])"))


def test_result_that_contradicts_the_position_is_reported() -> None:
    text = "(;GM[11]SZ[2]RE[W+];B[a1];W[b1];B[a2])"
    assert problems(text, "hex", n=2) == [
        "game 1, ply 3, `W+`: by the rules the result is red wins, joined its two sides"
    ]


def test_agreed_result_of_go_is_not_compared() -> None:
    assert problems("(;SZ[9]RE[B+30.5];B[ee];W[];B[])") == []


def test_rest_of_a_file_is_read_after_a_wrong_game() -> None:
    found = games("mail header\n(;SZ[9];B[aa];W[aa])\n(;SZ[9];B[bb];W[cc])")
    assert [(len(g.moves), len(g.problems)) for g in found] == [(1, 1), (2, 0)]


def test_declared_encoding_is_used() -> None:
    for encoding, name in (("GB2312", "棋手"), ("Shift_JIS", "棋士"), ("ISO-8859-1", "Jón")):
        data = f"(;CA[{encoding}]SZ[9]PB[{name}];B[aa])".encode(encoding)
        assert only(data).header("Black") == name
    assert only("(;CA[unknown-8]PB[Jón])".encode()).header("Black") == "Jón"
    assert only("(;PB[Jón])".encode("latin-1")).header("Black") == "Jón"


def test_long_values_are_read() -> None:
    game = only("(;SZ[9]C[" + "x" * 1_000_000 + "];B[aa])")
    assert (len(game.notes[0].comments[0]), len(game.moves)) == (1_000_000, 1)


def test_game_without_a_mapping_is_an_error() -> None:
    with pytest.raises(NotationError, match="expected games of Chess in"):
        list(loaded("chess").read_games("(;GM[3])"))


@pytest.mark.parametrize("name", GAMES)
def test_written_random_games_read_back(name: str) -> None:
    game = loaded(name)
    for seed in range(2):
        recorded = random_game(game, seed, plies=30)
        (found,) = game.read_games(game.format_record(recorded, "sgf"))
        assert (found.moves, found.problems) == (recorded.moves, ())
        assert found.final == recorded.final


def test_written_notes_variations_and_unknown_properties_read_back() -> None:
    text = (
        "(;SZ[9]PB[A\\]nn]XY[keep];B[dd]C[one \\] two]BL[12.5]TR[aa][bb](;W[ee]IT[])"
        "(;C[before]W[ff]ZZ[\\\\][x](;B[gg])(;B[hh])))"
    )
    game = loaded("go")
    found = only(text)
    (again,) = game.read_games(game.format_record(found, "sgf"))
    assert (again.moves, again.notes) == (found.moves, found.notes)
    assert again.header("XY") == "keep"
    assert "ZZ[\\\\][x]" in game.format_record(found, "sgf")


def test_set_up_position_is_written() -> None:
    game = loaded("othello")
    text = "(;GM[2]SZ[8]AB[aa][ba]AW[ca]PL[W])"
    recorded = only(text, "othello")
    assert recorded.start.state.mover == "white"
    (again,) = game.read_games(game.format_record(recorded, "sgf"))
    assert again.start == recorded.start


# other readers


def test_komi_of_a_file_counts_and_is_written_again() -> None:
    # Black has all 81 points of the board, and white the komi.
    text = "(;GM[1]SZ[9]KM[{0}]RE[{1}];B[ee];W[];B[])"
    plain, low, high = (
        only(text.format(*values)) for values in (("7.5", "B+73.5"), ("0", "B+81"), ("90", "W+9"))
    )
    assert (plain.parameters, low.parameters) == ((), (("komi", 0), ("half", 0)))
    assert plain.problems == low.problems == high.problems == ()
    go = loaded("go")
    assert ["KM[0]" in go.format_record(low, "sgf"), "KM[90]" in go.format_record(high, "sgf")] == [
        1,
        1,
    ]
    record = to_record(go, high, "go")
    assert (record.parameters["komi"], record.result and record.result.winner) == (90, "white")
    assert from_record(go, record).parameters == high.parameters


def test_parameters_of_the_first_tree_are_size_and_komi() -> None:
    go = loaded("go")
    assert go.formats.parameters("(;SZ[13]KM[6.5];B[aa])") == {"n": 13, "komi": 6, "half": 1}
    assert go.formats.parameters("(;SZ[9:13];B[aa])") == {}
    assert game_for(go, "(;SZ[13]KM[-0.5];B[aa])").parameters["komi"] == -1
    assert game_for(go, "(;SZ[99];B[aa])") is go
    assert game_for(loaded("gomoku"), "(;SZ[19]KM[6.5];B[aa])").parameters["n"] == 19


def test_written_games_of_go_are_those_of_sgfmill() -> None:
    sgf = pytest.importorskip("sgfmill.sgf", reason="sgfmill is not installed")
    game = loaded("go")
    for seed in range(5):
        recorded = random_game(game, seed)
        read = sgf.Sgf_game.from_string(game.format_record(recorded, "sgf"))
        points = [node.get_move() for node in read.get_main_sequence()[1:]]
        names = [
            "pass" if at is None else game.program.form.cells[(8 - at[0]) * 9 + at[1]]
            for _, at in points
        ]
        assert names == moves(recorded)
        assert (read.get_size(), read.get_komi()) == (9, 7.5)
        written = read.serialise().decode("utf-8")
        (found,) = game.read_games(written)
        assert (found.moves, found.problems) == (recorded.moves, ())


def test_written_trees_are_those_of_sabaki() -> None:
    program = (
        "const sgf = require('@sabaki/sgf');"
        "const text = require('fs').readFileSync(0, 'utf8');"
        "const flat = node => [node.data, node.children.map(flat)];"
        "console.log(JSON.stringify(sgf.parse(text).map(flat)));"
    )
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    text = "(;FF[4]C[a\\]b](;B[aa]LB[bb:1](;W[bb])(;W[cc]C[\\\\]))(;XX[][y]))"
    (tree,) = read_trees(text)
    done = subprocess.run(
        [node, "-e", program], input=write_tree(tree), capture_output=True, text=True, check=False
    )
    if "Cannot find module" in done.stderr:
        pytest.skip("@sabaki/sgf is not installed")
    assert json.loads(done.stdout)[0] == _flat(tree)


def _flat(tree: SgfTree) -> list[object]:
    """Return a tree in the form of the reader: a node with its children, without escapes."""
    children = [_flat(branch) for branch in tree.branches]
    for node in reversed(tree.nodes):
        values = {name: [plain_text(v) for v in found] for name, found in node.properties}
        children = [[values, children]]
    return children[0]
