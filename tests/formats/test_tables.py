"""Games and positions of backgammon: match files, SGF, XGID and the IDs of gnubg."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import NotationError
from rulesengine.formats.tables.mapping import TablesMapping
from rulesengine.formats.tables.turns import find_turn, read_hops, turn_hops
from rulesengine.formats.values import GameResult, Position, RecordedGame
from rulesengine.state import State
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_path
from tests.helpers.lone_specs import game_of

GAME = rulesengine.load("backgammon")
MAPPING = TablesMapping(GAME)
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
HEAD = " 3 point match\n\n Game 1\n Ann : 0                           Bob : 0\n"
GNUBG = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")


def random_game(seed: int) -> tuple[RecordedGame, list[State]]:
    chosen, state = random.Random(seed), GAME.initial_state()
    moves, states = [], [state]
    while legal := GAME.legal_moves(state):
        weights = GAME.weights(state) or [1] * len(legal)
        moves.append(chosen.choices(legal, weights)[0])
        state = GAME.apply(state, moves[-1])
        states.append(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    headers = (("White", "Ann"), ("Black", "Bob"))
    start, result = Position(states[0]), GameResult(outcome.winner)
    return RecordedGame(1, headers, start, tuple(moves), state, result), states


def men(state: State) -> list[object]:
    return [state.side, GAME.weights(state) != (), *(MAPPING.counts(state, s) for s in (0, 1))]


def only(rows: str) -> RecordedGame:
    (found,) = GAME.read_games(HEAD + rows)
    return found


def gnubg(commands: str) -> str:
    if GNUBG is None:
        pytest.skip("gnubg is not installed")
    line = [GNUBG, "-t", "-q"]
    text = f"{commands}\nquit\ny\n"
    return subprocess.run(line, input=text, capture_output=True, text=True, timeout=100).stdout


def test_turns_of_both_players_are_their_throws_and_plies() -> None:
    game = only("  1)                               31: 8/5 6/5\n  2) 52: 13/8 24/22\n")
    assert game.problems == ()
    texts = [str(move) for move in game.moves]
    assert (texts[0], texts[2]) == ("1-3", "5-2")
    assert sorted(texts[1].split(",")) == ["p17/3", "p19/1"]
    assert sorted(texts[3].split(",")) == ["p13/5", "p24/2"]
    headers = [game.header(name) for name in ("White", "Black", "MatchLength")]
    assert headers == ["Ann", "Bob", "3"]


@pytest.mark.parametrize(
    ("xgid", "text", "own"),
    [
        ("-b----E-C---eE---c-e----B-:0:0:1:65", "24/13", "24/18 18/13"),
        ("-b----E-D---eD---c-e----B-:0:0:1:44", "24/20(2) 13/9(2)", "24/20(2) 13/9(2)"),
        ("-b----E-D---eD---c-e----B-:0:0:1:44", "24/16 13/9(2)", "24/20 20/16 13/9(2)"),
        ("-b----E-C---eE---c-e----AA:0:0:1:31", "bar/22 24/23", "bar/22 24/23"),
        ("-b---aD-C---eE---c-d----BA:0:0:1:61", "bar/24 8/2", "bar/24 8/2"),
        ("-ABBB----------------b----:0:0:1:65", "4/off(2)", "4/off(2)"),
        ("-----a-A-----------------A:0:0:1:52", "bar/23 7/2", "bar/23 7/2"),
        ("-----a-A----------------A-:0:0:1:21", "7/5*/4", "7/5* 5/4"),
    ],
)
def test_moves_of_men_are_read_and_written(xgid: str, text: str, own: str) -> None:
    state = GAME.state_from(f"XGID={xgid}:0:0:0:0:10")
    turn = find_turn(MAPPING, state, read_hops(text))
    assert turn is not None
    written, after = turn_hops(MAPPING, state, turn.moves)
    assert (written, after) == (own, turn.state)


def test_hit_on_the_way_is_made_only_if_the_point_is_named() -> None:
    state = GAME.state_from("XGID=-----a-A----------------A-:0:0:1:21:0:0:0:0:10")
    for text, hits in (("7/4", 0), ("7/5*/4", 1), ("7/6/4", 0)):
        turn = find_turn(MAPPING, state, read_hops(text))
        assert turn is not None
        assert MAPPING.counts(turn.state, 1)[0] == hits, text


def test_turns_without_moves_the_cube_and_results_are_read() -> None:
    rows = "  1) 31: 8/5 6/5                    Doubles => 2\n  2)  Takes\n      Wins 2 points\n"
    game = only(rows)
    assert game.result == GameResult("white", "2 points")
    assert game.notes[2].comments == ("[%cube Doubles => 2]", "[%cube Takes]")
    blocked = GAME.state_from("XGID=-------------------bbbbbbA:0:0:1:00:0:0:0:0:10")
    throw = MAPPING.after_throw(blocked, (3, 1), 0)
    assert str(GAME.legal_moves(throw)[0]) == "pass"


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("  1) 31: 8/5 6/4\n", "game 1, ply 1, `31: 8/5 6/4`: white has no such legal moves"),
        ("  1) 31: 8/x\n", "expected moves of men such as `13/10 8/4`, found `8/x`"),
        ("  1) 33: 8/5(4)\n", "white cannot throw 3 and 3 here"),
        ("  1) 31:\n", "white has no such legal moves"),
        ("  1) 71: 8/5 6/5          52: 13/8 24/22\n", "ply 1, `71: 8/5 6/5`: expected a throw"),
        ("  1) 8/5 6/5\n", "ply 1, `8/5 6/5`: expected a throw and its moves such as `31: 8/5"),
        ("  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n", "ply 3, `31: 8/5 6/5`: white cannot throw"),
    ],
)
def test_wrong_turns_are_problems(rows: str, problem: str) -> None:
    assert problem in str(only(rows).problems[0])


def test_rest_of_a_file_is_read_after_a_wrong_game() -> None:
    rows = "  1) 31: 8/5 6/4\n\n Game 2\n Ann : 0                  Bob : 0\n  1) 31: 8/5 6/5\n"
    first, second = GAME.read_games(HEAD + rows)
    assert [(len(game.moves), len(game.problems)) for game in (first, second)] == [(0, 1), (2, 0)]


def test_rules_of_the_cube_are_no_variant() -> None:
    (game,) = GAME.read_games("(;GM[6]RU[Crawford:Jacoby];W[31hefe])")
    assert (len(game.moves), game.problems) == (2, ())
    (game,) = GAME.read_games('; [Variation "Backgammon"]\n' + HEAD + "  1) 31: 8/5 6/5\n")
    assert (len(game.moves), game.problems) == (2, ())


def test_positions_are_those_of_the_field() -> None:
    assert GAME.export(format="xgid") == START
    assert GAME.export(format="gnubgid").startswith("4HPwATDgc/ABMA:")
    state = GAME.state_from("4HPwATDgc/ABMA")
    assert men(state) == men(GAME.initial_state())
    state = GAME.state_from(START.replace(":00:", ":31:"))
    assert (state.mover, GAME.export(state, "xgid")) == ("white", START.replace(":00:", ":31:"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("XGID=-O---------------------OO-:0:0:1:00:0:0:0:0:10", "white has more than 15 men"),
        (START.replace(":00:", ":33:"), "white cannot throw 3 and 3 here"),
    ],
)
def test_impossible_positions_are_refused(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        GAME.state_from(text)


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ("{counts: men}", "needs `points: tracks` of 26 cells for 2 players"),
        ("{tracks: {white: down, black: up}}", "needs `points: counts`, the men of each cell"),
        ("{tracks: {white: up, black: up}, counts: men}", "tracks` that run in opposite"),
    ],
)
def test_tables_need_the_tracks_and_counts_of_points(points: str, why: str) -> None:
    text = bundled_path("backgammon").read_text(encoding="utf-8")
    own = "{tracks: {white: down, black: up}, counts: men}"
    assert own in text
    with pytest.raises(NotationError, match=why):
        TablesMapping(game_of(text.replace(own, points)))


@pytest.mark.parametrize("text", ["8/5(0)", "8/5(x)", "26/5", "8", "8/5/", "123/4"])
def test_texts_that_move_no_men_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_hops(text)


@pytest.mark.slow
def test_thousand_positions_read_back() -> None:
    states = [state for seed in range(12) for state in random_game(seed)[1]]
    found = [s for s in states if GAME.outcome(s) is None and _is_whole(s)][:1000]
    assert len(found) == 1000
    for state in found:
        for name in ("xgid", "gnubgid"):
            assert men(GAME.state_from(GAME.export(state, name))) == men(state)


def _is_whole(state: State) -> bool:
    """True before a throw, or after one of two different dice."""
    dice = MAPPING.dice(state)
    return MAPPING.is_throw(state) or (dice is not None and dice[0] != dice[1])


@pytest.mark.parametrize("name", ["tables", "sgf"])
def test_written_games_read_back(name: str) -> None:
    game, _ = random_game(0)
    (found,) = GAME.read_games(GAME.format_record(game, name))
    assert (found.problems, men(found.final)) == ((), men(game.final))
    assert (found.result and found.result.winner) == (game.result and game.result.winner)
    assert (found.header("White"), found.header("Black")) == ("Ann", "Bob")


def test_result_that_contradicts_the_position_is_reported() -> None:
    game, _ = random_game(0)
    winner = GAME.outcome(game.final).winner  # type: ignore[union-attr]
    loser = "white" if winner == "black" else "black"
    wrong = replace(game, result=GameResult(loser, "1 point"))
    (found,) = GAME.read_games(GAME.format_record(wrong, "tables"))
    assert [str(p).partition("`: ")[2].partition(",")[0] for p in found.problems] == [
        f"by the rules {winner} wins"
    ]


def test_positions_of_xgid_have_the_id_of_gnubg() -> None:
    states = [s for s in random_game(4)[1] if MAPPING.is_throw(s) and GAME.outcome(s) is None][1:13]
    commands = "".join(f"set xgid {GAME.export(s, 'xgid')}\nshow board\n" for s in states)
    shown = gnubg("set output rawboard off\nnew match 3\n" + commands)
    for state in states:
        assert GAME.export(state, "gnubgid").partition(":")[0] in shown


def test_games_go_through_gnubg_and_back(tmp_path: Path) -> None:
    game, _ = random_game(5)
    given, mat, sgf = (tmp_path / name for name in ("given.mat", "back.mat", "back.sgf"))
    given.write_text(GAME.format_record(game, "tables"))
    gnubg(f"import mat {given}\nexport match mat {mat}\nsave match {sgf}")
    for path in (mat, sgf):
        (found,) = GAME.read_games(path.read_text())
        assert (found.problems, len(found.moves)) == ((), len(game.moves))
        assert men(found.final) == men(game.final)


TREE = """(;FF[4]GM[6]PW[Ann]PB[Bob]C[start];W[31hefe]C[usual];B[double];W[take]
(;B[52lqac]C[now];W[64xrrn])
(;C[instead];B[43adlp]C[other](;W[64xrrn])(;W[21fdfe]))
(;B[52]))
"""


def test_variations_comments_and_the_cube_of_trees_are_kept() -> None:
    (game,) = GAME.read_games(TREE)
    assert game.notes[0].comments == ("start",)
    (branch,) = (ply for ply, note in game.notes.items() if note.variations)
    cube = ("[%cube double]", "[%cube take]")
    assert game.notes[branch - 1].comments == ("usual", *cube)
    (other,) = game.notes[branch].variations
    assert str(other.moves[0]) == "4-3"
    assert other.notes[0].comments == ("instead",)
    (further,) = (note.variations for note in other.notes.values() if note.variations)
    assert [str(line.moves[0]) for line in further] == ["2-1"]
    (problem,) = game.problems
    assert str(problem) == f"game 1, ply {branch}, `B[52]`: black has no such legal moves"
    (again,) = GAME.read_games(GAME.format_record(game, "sgf"))
    assert (again.moves, again.notes, again.problems) == (game.moves, game.notes, ())


@pytest.mark.parametrize(("result", "reason"), [("W+1", "1 point"), ("W+2R", "resigned")])
def test_results_of_sgf_are_those_of_match_files(result: str, reason: str) -> None:
    (found,) = GAME.read_games(f"(;FF[4]GM[6]RE[{result}];B[31])")
    assert found.result == GameResult("white", reason)
