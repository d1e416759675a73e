"""`play` at a terminal, the picture of the board, and reasons for illegal moves."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulesengine
from rulesengine import IllegalMoveError, NotationError, UsageError
from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.play import Session, Style, board_text, choose, read_record, seated
from rulesengine.play.terminal.typed_moves import typed_move
from rulesengine.support.limits import MAX_MESSAGE
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.each_game import OTHERS, each_game
from tests.helpers.terminals import END, at_terminal

pytestmark = pytest.mark.usefixtures("in_haste")

ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def play(*words: str, lines: str = "") -> str:
    """Return the output of `play` when its input is no terminal."""
    found = call("play", *words, stdin=lines.encode())
    assert (found.code, found.err) == (0, "")
    return found.out


# at a terminal


@pytest.mark.slow
def test_two_people_play_to_the_end() -> None:
    with at_terminal("play", "tic-tac-toe") as screen:
        for mover, move in zip(["cross", "nought"] * 3, "a1 b1 a2 b2 a3".split(), strict=False):
            screen.wait_for(f"{mover}: ")
            screen.say(move)
        board = screen.wait_for("cross wins: ")
        assert board.splitlines()[-5:-1] == ["   a b c", "3 (x). .", "2  x o .", "1  x o ."]
        screen.wait_for("quit: ")
        screen.say("quit")
        assert screen.end() == 0


@pytest.mark.slow
def test_a_machine_answers_at_once() -> None:
    with at_terminal("play", "othello", "--player", "white=greedy") as screen:
        screen.wait_for("black: ")
        screen.say("d3")
        screen.wait_for("white: c3")  # of the three replies that flip one, the first
        assert "3  . +(o)* . . . ." in screen.wait_for("black: ")


@pytest.mark.slow
def test_lines_are_edited_recalled_and_completed() -> None:
    pytest.importorskip("readline", reason="this Python has no readline")
    with at_terminal("play", "tic-tac-toe") as screen:
        screen.wait_for("cross: ")
        screen.say("b2")
        screen.wait_for("nought: ")
        screen.type("\x1b[A\n")  # the line before
        screen.wait_for("`b2` is not legal")
        screen.wait_for("nought: ")
        screen.type("un\t\n")
        assert "3  . . .\n2  . . ." in screen.wait_for("cross: ").replace("\r", "")


@pytest.mark.slow
def test_the_end_of_input_leaves_with_0() -> None:
    with at_terminal("play", "tic-tac-toe") as screen:
        screen.wait_for("cross: ")
        screen.type(END)
        assert screen.end() == 0
        assert "Traceback" not in screen.text


@pytest.mark.slow
def test_an_interrupt_leaves_with_130() -> None:
    with at_terminal("play", "tic-tac-toe") as screen:
        screen.wait_for("cross: ")
        assert screen.interrupt() == 130
        screen.end()
        assert "Traceback" not in screen.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb", "NO_COLOR": ""}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(env: dict[str, str], coloured: bool) -> None:
    with at_terminal("play", "othello", env=env) as screen:
        screen.wait_for("black: ")
        assert ("\x1b[" in screen.text) == coloured


@pytest.mark.slow
def test_a_game_is_saved_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with at_terminal("play", "othello", "--set", "n=4", "--player", "white=random") as screen:
        screen.wait_for("black: ")
        screen.say("?")
        first = screen.wait_for("black: ").split()[1]
        screen.say(first)
        before = screen.wait_for("black: ")
        screen.say(f"save {path}")
        screen.wait_for(f"saved in {path}\nblack: ")
        screen.say("undo")
        screen.wait_for("black: ")
        screen.say(f"resume {path}")
        after = screen.wait_for("black: ")
    assert len(read_record(path.read_text()).moves) == 2
    with at_terminal("play", "othello", "--load", str(path)) as screen:
        again = screen.wait_for("black: ")
    picture = before[before.rindex("   a b c d") : before.rindex("black: ")]
    assert picture in after
    assert picture in again


# without a terminal


def test_commands_do_what_they_say() -> None:
    out = play("tic-tac-toe", lines="b2\nundo\nundo\n?\nhelp\n")
    assert "there is no move of yours to take back" in out
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1" in out
    assert "take back your last move" in out


def test_a_hint_is_the_move_of_the_first_strategy() -> None:
    game = rulesengine.load("bio04-four-in-a-line")
    assert game.strategies == ("simple",)
    assert "first: a1\nfirst: " in play("bio04-four-in-a-line", lines="hint\n")


@pytest.mark.slow
def test_a_hint_without_a_strategy_is_a_legal_move() -> None:
    (move,) = re.findall(r"white: (\S+)\nwhite: ", play("breakthrough", lines="hint\n"))
    game = rulesengine.load("breakthrough")
    assert move in map(str, game.legal_moves(game.initial_state()))


def test_undo_takes_back_the_answer_of_a_machine_too() -> None:
    out = play("tic-tac-toe", "--player", "nought=random", lines="b2\nundo\n")
    boards = out.split("cross: ")
    assert boards[0].endswith(boards[2])


@pytest.mark.slow
def test_machines_play_by_themselves_and_the_same_seed_plays_the_same() -> None:
    words = ("connect-four", "--player", "first=random", "--player", "second=random", "--seed")
    assert play(*words, "5") == play(*words, "5")
    assert play(*words, "5") != play(*words, "6")
    assert re.search(r"\n(\w+ wins: a line|a draw: the board is full)\n\Z", play(*words, "5"))


@pytest.mark.slow
def test_scores_are_reported_with_the_result() -> None:
    out = play("go", "--set", "n=5", lines="pass\nd4\npass\npass\n")
    assert "white wins: two passes (black 0, white 32.5)" in out  # 25 points and komi 7.5


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("something dear")
    out = play("tic-tac-toe", lines=f"save {path}\nsave\nsave {tmp_path}/no/where\n")
    assert f"{path}: is not a game record; it is unchanged" in " ".join(out.split())
    assert "`save` needs the name of a file" in out
    assert f"{tmp_path}/no/where: not written: no such file or directory" in " ".join(out.split())
    assert path.read_text() == "something dear"


def test_input_after_the_end_reports_game_over() -> None:
    out = play("tic-tac-toe", lines="a1\nb1\na2\nb2\na3\n?\nhint\n")
    assert out.count("the game is over: cross wins: a line\n") == 2


def test_game_is_saved_in_the_format_of_the_file_name(tmp_path: Path) -> None:
    pgn, fen, other = (tmp_path / name for name in ("game.pgn", "game.fen", "other.pgn"))
    other.write_text("no game")
    lines = f"e2e4\nsave {pgn}\nsave {fen}\ne7e5\nsave {pgn}\nsave {fen}\nsave {other}\n"
    out = play("chess", lines=lines)
    assert "1. e4 e5 *" in pgn.read_text()
    assert fen.read_text().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq")
    assert (out.count("saved in"), "is unchanged" in out, other.read_text()) == (4, True, "no game")


def test_a_record_that_breaks_the_rules_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    out = play("tic-tac-toe", lines=f"b2\nsave {path}\n")
    path.write_text(path.read_text().replace("\nb2\n", "\nb2 b2\n"))
    out = play("tic-tac-toe", lines=f"resume {path}\nresume {path}x\na1\n")
    assert f"{path}: ply 2: `b2` is not legal for nought" in " ".join(out.split())
    assert f"{path}x: no such file" in " ".join(out.split())
    assert "1 (x). ." in out


@pytest.mark.slow
def test_other_rules_are_a_difference_when_replay_is_strict(tmp_path: Path) -> None:
    path, record = tmp_path / "mine.yaml", tmp_path / "record"
    path.write_text("extends: tic-tac-toe\nname: Mine\n")
    play(str(path), lines=f"a1\nsave {record}\n")
    assert call("replay", str(record), "--strict").code == 0
    path.write_text("extends: tic-tac-toe\nname: Mine\npieces: {mark: {cross: y}}\n")
    for words, code in (((), 0), (("--strict",), 1)):
        done = call("replay", str(record), *words)
        assert done.code == code
        assert "the rules have changed since the record was written" in done.err


def test_a_position_can_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "position"
    path.write_text("x.o\n.x.\no..\nmover: cross\n")
    out = play("tic-tac-toe", "--load", str(path), lines=f"c1\nsave {path}.rec\n")
    assert "cross wins" in out
    found = read_record(Path(f"{path}.rec").read_text())
    assert found.start.splitlines() == ["x.o", ".x.", "o..", "mover: cross"]
    assert call("replay", f"{path}.rec").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--player", "red=random"], "no player `red`: there is cross, nought"),
        (["--player", "cross=bob"], "unknown player `bob`: expected one of random, human"),
        (["--player", "cross"], "expected NAME=PLAYER"),
        (["--player", "search:level=2"], "expected NAME=PLAYER, such as `nought=search:level=2`"),
        (["--player", "cross=human", "--player", "cross=human"], "`cross` is given twice"),
        (["--load", "/no/such/file"], "no such file"),
    ],
)
def test_wrong_use_is_reported_with_exit_code_2(words: list[str], message: str) -> None:
    found = call("play", "tic-tac-toe", *words)
    assert found.code == 2
    assert message in found.err


def test_keys_that_are_no_text_are_shown_as_questions() -> None:
    found = call("play", "tic-tac-toe", stdin=b"\xff\x1b[2J\n")
    assert found.code == 0
    assert "\x1b" not in found.out


# players


@pytest.mark.slow
def test_chance_draws_from_seed_and_ply_alone() -> None:
    game = rulesengine.load("hex")
    state = game.initial_state()
    drawn = {str(choose(game, state, "random", 1, ply)) for ply in range(200)}
    assert len(drawn) > 80  # of 121 cells, some 98 are expected
    assert choose(game, state, "random", 1, 3) == choose(game, state, "random", 1, 3)


def test_machines_play_without_a_prompt() -> None:
    game = rulesengine.load("tic-tac-toe")
    with pytest.raises(UsageError):
        choose(game, game.initial_state(), "human", 0, 0)


def test_swap_exchanges_the_players_of_the_sides() -> None:
    game = rulesengine.load("hex", n=4, pie=True)
    session = Session.begin(game, seated(game, ["blue=random"]))
    session = session.play(game.move("b2", session.state))
    assert session.current_player == "random"
    session = session.play(game.move("swap", session.state))
    assert (session.state.mover, session.current_player) == ("red", "human")


# the board


def marked(name: str, *moves: str, **values: Any) -> list[str]:
    game = rulesengine.load(name, **values)
    state, last = game.initial_state(), None
    for text in moves:
        last = game.move(text, state)
        state = game.apply(state, last)
    return board_text(game, state, last).splitlines()


def test_a_slanted_board_has_its_letters_at_both_ends() -> None:
    assert marked("hex", "b3", n=3) == [
        "   a b c",
        "1  . . .",
        "2   . . .",
        "3    .(x).",
        "     a b c",
    ]


def test_a_hexagon_shows_the_cells_where_its_lines_begin_and_end() -> None:
    lines = marked("yavalath")
    assert lines[0] == "a1      . . . . .  e1"
    assert lines[4] == "a5  . . . . . . . . .  i5"


def test_a_graph_lies_as_its_names_say() -> None:
    lines = marked("nine-mens-morris", "a7", "d5")
    pieces = {"a7": "o", "d5": "x"}
    for row in range(1, 8):
        line = next(text for text in lines if text.startswith(str(row)))
        names = [f"{column}{row}" for column in "abcdefg"]
        cells = rulesengine.load("nine-mens-morris").program.topology.names
        shown = [sign for sign in line[1:] if sign in ".ox"]
        assert shown == [pieces.get(name, ".") for name in names if name in cells]
    assert lines[0] == "7  o-----------.-----------."
    assert lines[4] == "5  |   |   .--(x)--.   |   |"
    assert lines[-1] == "   a   b   c   d   e   f   g"


def test_a_graph_without_edges_has_the_names_below_its_cells() -> None:
    lines = marked("kalah", "c1")
    assert [line.split() for line in lines if line] == [
        ["0", *["4"] * 6],
        ["ns", "f2", "e2", "d2", "c2", "b2", "a2"],
        ["4", "4", "(", "0)", "5", "5", "5", "1"],
        ["a1", "b1", "c1", "d1", "e1", "f1", "ss"],
    ]


def test_a_graph_that_is_too_wide_is_a_list() -> None:
    game = rulesengine.load("nine-mens-morris")
    state = game.state_from("o" + "." * 23 + "\nmover: black")
    text = board_text(game, state, None, Style(width=24))
    assert dict(re.findall(r"([a-g][1-7])[ (]+([.ox])", text)) == {
        name: "o" if name == "a7" else "." for name in game.program.topology.names
    }
    assert max(map(len, text.splitlines())) <= 24


def test_a_board_that_is_too_wide_has_no_room_between_its_cells() -> None:
    game = rulesengine.load("go", n=19)
    lines = board_text(game, game.initial_state(), None, Style(width=39)).splitlines()
    assert lines[0] == "   abcdefghjklmnopqrst"
    assert lines[1] == "19 " + "." * 19


def test_cells_that_may_be_placed_on_are_marked_unless_all_empty_ones_may() -> None:
    out = play("othello", lines="quit\n")
    assert [line for line in out.splitlines() if "+" in line] == [
        "3  . . . + . . . .",
        "4  . . + o * . . .",
        "5  . . . * o + . .",
        "6  . . . . + . . .",
    ]
    assert "+" not in play("tic-tac-toe", lines="quit\n")


@pytest.mark.slow
def test_capitals_name_a_move_too_and_a_cell_its_moves() -> None:
    out = play("othello", lines="? D3\nD3\n")
    assert "black: d3\n" in out
    assert "3  . . +(*)+ . . ." in out
    assert "no legal move names a1" in play("othello", lines="? a1\n")


@pytest.mark.parametrize(
    ("name", "typed", "meant"),
    [
        ("connect-four", "d", "d1"),
        ("connect-four", "D", "d1"),
        ("chess", "e2-e4", "e2e4"),
        ("chess", "E2 e4", "e2e4"),
        ("chess", "e4", "e2e4"),  # no other piece goes there at first
        ("peg-solitaire", "d2xd4", "d2-d4"),
        ("peg-solitaire", "d2 D4", "d2-d4"),
        ("tic-tac-toe", "B 2", "b2"),
    ],
)
def test_a_part_and_other_signs_name_the_one_legal_move(name: str, typed: str, meant: str) -> None:
    game = rulesengine.load(name)
    assert str(typed_move(game, game.initial_state(), typed)) == meant


def test_a_number_is_not_the_beginning_of_a_longer_one() -> None:
    game = rulesengine.load("tic-tac-toe", m=1, n=12, k=3)
    state = game.apply(game.initial_state(), game.move("a1"))
    with pytest.raises(IllegalMoveError):  # and not a10, a11 or a12
        typed_move(game, state, "a1")
    wide = rulesengine.load("tic-tac-toe", m=28, n=1, k=3)
    state = wide.apply(wide.initial_state(), wide.move("b1"))
    with pytest.raises(IllegalMoveError):  # and not ab1
        typed_move(wide, state, "b1")


def test_a_part_of_several_moves_names_them() -> None:
    out = play("chess", lines="g1\n")
    assert "`g1` is part of several moves: `g1f3` or `g1h3`" in out


def test_the_move_that_a_part_means_is_shown() -> None:
    assert "first: first: d1\n" in play("connect-four", lines="d\n")


def test_the_first_lines_say_who_plays_and_how_to_move() -> None:
    out = " ".join(play("othello", "--player", "white=greedy").split())
    assert out.startswith(
        "Othello. You are black (*). white (o) is played by greedy. black is to move."
        " Type a move, such as d3. `?` lists the legal moves, `help` the commands."
    )
    alone = " ".join(play("connect4").split())
    assert alone.startswith("Connect Four. You are first (x) and second (o). first is to move.")
    assert "chance is to move" not in play("backgammon")


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("othello", "z9", "`z9` names no move: there is no cell `z9`; a legal move is `d3`"),
        ("othello", "A12", "there is no cell `a12`; a legal move is `d3`"),
        ("peg-solitaire", "a1", "`a1` is a hole of the board; a legal move is `d2-d4`"),
        ("chess", "hello", "`hello` names no move: a legal move is `a2a4`"),
        ("connect-four", "h", "`h` names no move: a legal move is `a1`"),
        ("hex", "zz1", "there is no cell `z1`; a legal move is `a1`"),
    ],
)
def test_a_text_that_is_no_move_gets_an_example(name: str, typed: str, message: str) -> None:
    assert message in " ".join(play(name, lines=f"{typed}\n").split())


def test_resigning_ends_the_game() -> None:
    assert play("chess", lines="e4\nresign\n").endswith("black: black resigns: white wins\n")
    alone = play("peg-solitaire", lines="resign\n")
    assert alone.endswith("solver: solver resigns\n")


def test_scores_are_shown_while_the_game_goes_on() -> None:
    assert "\nblack 4, white 1\nwhite: " in play("othello", lines="d3\n")


def test_a_reason_is_reported_in_english_and_its_lines_are_short() -> None:
    out = play("othello", lines="a1\n")
    explanation = out[out.index("black: `a1`") + len("black: ") :]
    assert "where any(" not in explanation
    assert "unbroken straight row of white's discs" in " ".join(explanation.split())
    assert max(map(len, explanation.splitlines())) <= 80


def test_two_marked_neighbours_share_the_column_between_them() -> None:
    game = load_source(Source("walk.yaml", WALK))
    move = game.move("a1-b1")
    state = game.apply(game.initial_state(), move)
    assert board_text(game, state, move).splitlines()[-1] == "1 (.|m)."


def test_columns_of_two_digits_are_written_downwards() -> None:
    lines = marked("aps105-reversi", n=4)
    assert lines[0] == "   a b c d"
    wide = rulesengine.load("connect-four", columns=28)
    assert board_text(wide, wide.initial_state()).splitlines()[0].endswith(" a a")
    assert board_text(wide, wide.initial_state()).splitlines()[1].endswith(" y z a b")


def test_each_side_has_its_colour() -> None:
    game = rulesengine.load("othello", n=4)
    text = board_text(game, game.initial_state(), None, Style(colour=True))
    assert len(set(ESCAPE.findall(text))) == 3  # two sides, and back to none
    assert ESCAPE.sub("", text) == board_text(game, game.initial_state())


# reasons for illegal moves

WALK = """\
spec: 1
name: Walk
board: {rows: 2, columns: 3, origin: bottom-left}
players: [mine, yours]
pieces:
  man: {mine: m, yours: y}
  empty: "."
start:
  - put man of mine on a1
  - put man of yours on c2
rules:
  moves:
    - move: own
      along: orthogonal
      to: shift(from, direction) and enemy
    - otherwise
    - {move: own, along: [north, east], to: "shift(from, direction) and empty"}
    - place: man
      when: count(own) = 2
      to: empty   # anywhere
      forbid: count(own) > 2
    - pass
"""


@pytest.fixture(scope="module")
def walk() -> Game:
    return load_source(Source("walk.yaml", WALK))


@pytest.mark.parametrize(
    ("move", "position", "why"),
    [
        ("c2-c1", "", "c2 holds a man of yours"),
        ("b1-c1", "", "b1 is empty"),
        ("a1-c1", "", "c1 is empty"),
        ("a1-c2", "", "the man on a1 cannot move to c2"),
        ("a1xa2", "", "it is written `a1-a2`"),
        ("b1", "", "the number of mine's men is not 2"),
        ("a1", "", "a1 holds a man of mine"),
        ("b2", "m..\nm..", "after it, mine has more than 2 men on the board"),
        ("pass", "m..\nmy.", "a move such as `a1xb1` comes first"),
        ("a1-a2", "...\nmy.", "a move such as `a1xb1` comes first"),
        ("swap", "", "nobody may swap in this game"),
    ],
)
def test_the_rule_against_a_move_is_named(walk: Game, move: str, position: str, why: str) -> None:
    state = walk.state_from(position) if position else walk.initial_state()
    with pytest.raises(IllegalMoveError) as caught:
        walk.move(move, state)
    assert str(caught.value).startswith(f"`{move}` is not legal for mine: {why}")
    assert walk.why_not(move, state) == str(caught.value)


def test_there_is_nothing_against_a_legal_move(walk: Game) -> None:
    assert walk.why_not("a1-a2", walk.initial_state()) == ""


def test_after_the_end_no_move_is_legal() -> None:
    game = rulesengine.load("tic-tac-toe")
    state = game.state_from("xxx\noo.\n...\nmover: nought")
    with pytest.raises(IllegalMoveError, match="the game is over, a line"):
        game.move("a1", state)


def test_a_chain_must_be_completed() -> None:
    game = rulesengine.load("nine-mens-morris")
    state = game.initial_state()
    for text in ("a7", "b6", "d7", "d6"):
        state = game.apply(state, game.move(text, state))
    with pytest.raises(IllegalMoveError, match="it goes on, as in `g7xb6`"):
        game.move("g7", state)


def test_an_earlier_tier_demands_its_moves() -> None:
    game = rulesengine.load("english-draughts")
    empty = "........\n"
    board = empty * 3 + "....b...\n" + "...w....\n" + empty * 2 + "w.......\n"
    state = game.state_from(board + "mover: white")
    with pytest.raises(IllegalMoveError, match="a move such as `d4xf6` comes first"):
        game.move("a1-b2", state)


@pytest.mark.parametrize("text", ["", "hello", "a0", "i1", "a1-", "a1 b", "x", "ä1"])
def test_move_text_without_cells_is_rejected(text: str) -> None:
    game = rulesengine.load("othello")
    if text == "a1-":  # the signs of a move without its second cell
        with pytest.raises(IllegalMoveError):
            game.move(text)
        return
    with pytest.raises(NotationError, match=r"names no move: .*a legal move is `d3`"):
        game.move(text)


@each_game(quick=(), deep=OTHERS)
def test_every_move_that_is_not_legal_has_its_reason(name: str) -> None:
    game = rulesengine.load(name)
    state = game.initial_state()
    draw = Generator(1, 0)
    for _ in range(6):
        texts = list(some_texts(game, draw))
        legal = {str(move) for move in game.legal_moves(state)}
        for text in texts:
            why = game.why_not(text, state)
            assert (why == "") == (text in legal)
            assert len(why) <= MAX_MESSAGE
            assert not why.rstrip().endswith(":")
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.apply(state, moves[draw.below(len(moves))])


def some_texts(game: Game, draw: Generator) -> Iterator[str]:
    names = game.program.topology.names
    for _ in range(4):
        a, b = names[draw.below(len(names))], names[draw.below(len(names))]
        yield from (a, f"{a}-{b}", f"{a}x{b}")
    yield from ("pass", "swap")


@pytest.mark.slow
@given(st.text(max_size=12) | st.text("abcdexyz123450-x=/ ", max_size=12))
def test_whatever_is_typed_there_is_an_answer_of_one_line(text: str) -> None:
    game = draughts()
    try:
        answer = str(game.move(text))
    except (IllegalMoveError, NotationError) as error:
        answer = str(error)
    assert answer.isprintable()
    assert answer


@cache
def draughts() -> Game:
    return rulesengine.load("english-draughts")


def test_a_move_that_keep_rules_out_names_a_move_that_it_leaves() -> None:
    text = (
        "spec: 1\nname: Rightmost\nboard: {rows: 1, columns: 3, origin: bottom-left}\n"
        'players: [a, b]\npieces: {stone: {a: x, b: o}, empty: "."}\n'
        "rules:\n  moves: {place: stone, to: empty}\n  keep: most column(to)\n"
        "  end: {when: none(empty), result: draw}\n"
    )
    game = load_source(Source("test.yaml", text))
    why = game.why_not("a1", game.initial_state())
    assert "the rules prefer other moves, such as `c1`" in why
    assert game.why_not("c1", game.initial_state()) == ""
