"""`with`: general rewrites of a game, and their errors for games where they make no sense."""

from __future__ import annotations

import pytest

from rulesengine import Game, SpecError, State, load
from rulesengine.language.pipeline import analyse
from rulesengine.loading import load_source
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.each_game import LARGER, each_game

THREE = """spec: 1
name: Three
board: {rows: 2, columns: 2}
players: [red, green, blue]
pieces: {stone: {red: r, green: g, blue: b}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: player wins}
"""


def variant(parent: str, transforms: str) -> Game:
    return load_source(Source("variant.yaml", f"extends: {parent}\nwith: {transforms}\n"))


def refusal(parent: str, transforms: str) -> Diagnostic:
    (found,) = analyse(Source("variant.yaml", f"extends: {parent}\nwith: {transforms}\n")).findings
    assert found.code in ("transform-fails", "unknown-transform", "wrong-type")
    return found


def play(game: Game, moves: str) -> str:
    state = game.initial_state()
    for word in moves.split():
        state = game.apply(state, game.move(word, state))
    outcome = game.outcome(state)
    return (outcome.winner or "draw") if outcome else "none"


# misere


def test_misere_makes_a_line_lose() -> None:
    moves = "a1 a2 b1 b2 c1"
    assert play(load("tic-tac-toe"), moves) == "cross"
    assert play(variant("tic-tac-toe", "misere"), moves) == "nought"


def test_misere_twice_is_the_game_itself() -> None:
    assert play(variant("tic-tac-toe", "[misere, misere]"), "a1 a2 b1 b2 c1") == "cross"


def test_misere_leaves_draws_alone() -> None:
    draw = "a1 b2 c3 a2 c2 c1 a3 b3 b1"
    assert play(variant("tic-tac-toe", "misere"), draw) == "draw"


def test_misere_needs_two_players() -> None:
    found = analyse(Source("three.yaml", THREE + "with: misere\n")).findings
    assert [f.message for f in found] == ["`misere` needs two players, the spec lists 3"]
    assert found[0].span.text == "misere"
    assert [n.span.text for n in found[0].notes] == ["players"]


def test_misere_needs_a_winner() -> None:
    text = THREE.replace("players: [red, green, blue]", "players: [red, green]")
    text = text.replace("blue: b", "neutral: b").replace("player wins", "draw")
    found = analyse(Source("drawn.yaml", text + "with: misere\n")).findings
    assert [f.message for f in found] == [
        "`misere` makes the winner lose, no end of this game has a winner"
    ]


# torus


def test_on_a_torus_a_line_goes_round() -> None:
    torus = variant("tic-tac-toe", "[torus, size: {columns: 4}]")
    across = "c1 a2 d1 b2 a1"  # of four columns, d is next to a
    assert play(load("tic-tac-toe", m=4), across) == "none"
    assert play(torus, across) == "cross"


def test_every_cell_of_a_torus_has_eight_neighbours() -> None:
    topology = variant("gomoku", "torus").program.topology
    assert {mask.bit_count() for mask in topology.adjacency} == {8}


def test_a_torus_needs_a_rectangle() -> None:
    found = refusal("hex", "torus")
    assert found.message == "`torus` needs a rectangle, this board is a rhombus"
    assert [n.span.text for n in found.notes] == ["rhombus"]
    assert refusal("mu-torere", "torus").message.endswith("this board is a graph")


def test_a_torus_is_none_twice() -> None:
    found = refusal("othello", "[torus, torus]")
    assert (found.message, found.span.start) == ("the board is a torus already", 31)


def test_a_game_that_needs_a_side_of_its_board_has_no_torus() -> None:
    found = refusal("breakthrough", "torus")
    assert found.message == "`torus` does not fit this game: unknown name `top`"
    assert found.span.source.name == "variant.yaml"
    assert [n.span.text for n in found.notes] == ["top"]


# pie

# Two of the default players of these games; the others have seats of their own.
WITH_SEATS = ("rolit-2", "chinese-checkers-2")
# Every first move is answered by a compulsory capture, so the swap is one of the captures' tier.
WITH_CAPTURES = ("lasca",)


def test_the_second_player_may_take_the_first_move_over() -> None:
    game = variant("connect-four", "pie")
    state = game.apply(game.initial_state(), game.move("d1"))
    assert [str(m) for m in game.legal_moves(state)][-1] == "swap"
    swapped = game.apply(state, game.move("swap", state))
    assert swapped.mover == "first"
    assert "swap" not in map(str, game.legal_moves(swapped))
    assert "swap" not in map(str, game.legal_moves(game.initial_state()))


@each_game(deep=LARGER)
def test_pie_adds_the_swap_to_each_answer_and_changes_nothing_else(name: str) -> None:
    plain = load(name)
    if any(group.kind == "swap" for group in plain.rules.groups):
        assert refusal(name, "pie").message == "this game has a `swap` already"
        return
    if len(plain.players) != 2:
        assert refusal(name, "pie").message.startswith("`pie` needs two players")
        return
    if name in WITH_SEATS:
        assert refusal(name, "pie").message.startswith("`pie` needs two players, the spec lists")
        return
    if plain.is_hidden:
        assert "players who change sides would exchange" in refusal(name, "pie").message
        return
    # If chance moves count as plies, the first answer is not the second of them.
    dealt = throws(plain, plain.initial_state()) if counts(plain) else 0
    tier = ", tier: 1" if name in WITH_CAPTURES else ""
    game, before = variant(name, f"{{pie: {{after: {dealt + 1}{tier}}}}}"), thrown(plain)
    start = thrown(game)
    assert texts(game, start) == texts(plain, before)
    for move, same in zip(game.legal_moves(start)[:6], plain.legal_moves(before), strict=False):
        state = thrown(game, game.apply(start, move))
        other = thrown(plain, plain.apply(before, same))
        answers = texts(plain, other)
        assert sorted(texts(game, state)) == sorted([*answers, "swap"] if answers else [])


def counts(game: Game) -> bool:
    chance = game.program.rules.chance
    return chance is not None and chance.counts


def throws(game: Game, state: State) -> int:
    """Return the number of chance moves before a player's."""
    return 1 + throws(game, first(game, state)) if game.weights(state) else 0


def thrown(game: Game, state: State | None = None) -> State:
    """Return the state in which a player is to move, after the first move of each chance node."""
    state = state or game.initial_state()
    while game.weights(state):
        state = first(game, state)
    return state


def first(game: Game, state: State) -> State:
    return game.apply(state, game.legal_moves(state)[0])


def texts(game: Game, state: object) -> list[str]:
    return [str(move) for move in game.legal_moves(state)]  # type: ignore[arg-type]


def test_the_swap_may_come_after_more_moves() -> None:
    game = variant("connect-four", "{pie: {after: 3}}")
    state = game.initial_state()
    for offered in (False, False, False, True, False):
        assert ("swap" in texts(game, state)) == offered
        state = game.apply(state, game.legal_moves(state)[0])


@pytest.mark.slow
def test_pie_is_refused_where_it_makes_no_sense() -> None:
    found = refusal("hex", "pie")
    assert found.message == "this game has a `swap` already"
    assert [n.span.text for n in found.notes] == ["swap"]
    assert refusal("othello", "{pie: {tier: 3}}").message == "there is no tier 3, the moves have 2"
    assert refusal("othello", "{pie: {teir: 1}}").help == "did you mean `tier`?"
    assert refusal("othello", "{pie: 3}").message == "expected a map for `pie`"
    found = analyse(Source("three.yaml", THREE + "with: pie\n")).findings[0]
    assert found.message == "`pie` needs two players, the spec lists 3"


# size


@pytest.mark.slow
def test_size_is_the_default_of_the_parameter_that_gives_it() -> None:
    game = variant("othello", "{size: 6}")
    assert game.parameters == {"n": 6}
    assert game.perft(3) == load("othello", n=6).perft(3)
    assert game.bind(n=10).program.topology.cells == 100


def test_size_sets_single_sides() -> None:
    board = variant("connect-four", "{size: {rows: 8, columns: 9}}").program.topology
    assert (board.cells, board.names[0]) == (72, "a8")
    assert variant("connect-four", "{size: {rows: 8}}").program.topology.cells == 8 * 7


def test_size_replaces_a_number_of_the_spec() -> None:
    game = load_source(Source("three.yaml", THREE + "with: {size: 3}\n"))
    assert game.program.topology.cells == 9


@pytest.mark.slow
def test_size_is_refused_where_it_makes_no_sense() -> None:
    assert refusal("mu-torere", "{size: 3}").message.endswith("this board is a graph")
    assert refusal("othello", "{size: {rows: 6, columns: 8}}").message == "`n` cannot be 6 and 8"
    assert refusal("othello", "{size: {width: 8}}").message == "unknown key `width`"
    assert refusal("othello", "size").message == "expected an integer for `size`"
    assert refusal("othello", "{size: big}").span.text == "big"
    found = refusal("othello", "{size: 7}")
    assert "the default 7 is not among the values of `n`" in found.message
    assert found.help == "it goes from 4 to 26 in steps of 2"


def test_a_size_that_an_expression_gives_cannot_be_set() -> None:
    text = THREE.replace("rows: 2,", "rows: 1 + 1,")
    found = analyse(Source("three.yaml", text + "with: {size: 3}\n")).findings[0]
    assert found.message == "`rows` is `1 + 1`, more than one number"


# start


POSITION = "\n  start: |\n    ..x\n    .o.\n    x..\n"


def test_a_game_may_start_anywhere() -> None:
    game = variant("tic-tac-toe", POSITION)
    assert str(game.initial_state()).splitlines() == ["..x", ".o.", "x..", "mover: cross"]


def test_the_player_named_below_the_drawing_moves_first() -> None:
    game = variant("tic-tac-toe", POSITION + "    mover: nought\n")
    assert game.initial_state().mover == "nought"
    assert play(game, "a2 c2 b3 b1 a3") == "none"
    assert game.players == ("nought", "cross")


def test_three_players_rotate_from_the_first_mover() -> None:
    text = f"{THREE}with:\n  start: |\n    ..\n    ..\n    mover: green\n"
    game = load_source(Source("three.yaml", text))
    assert game.players == ("green", "blue", "red")


def test_registers_stand_below_the_drawing() -> None:
    drawing = "\n".join("    " + "." * 9 for _ in range(9))
    game = variant("go", f"\n  start: |\n{drawing}\n    passes: 1\n    mover: white\n")
    state = game.initial_state()
    assert state.mover == "white"
    outcome = game.outcome(game.apply(state, game.move("pass", state)))
    assert outcome is not None
    assert outcome.winner == "white"  # an empty board: komi decides


@pytest.mark.parametrize(
    ("field", "message", "caret"),
    [
        ("mover: crass", "no player `crass`", "crass"),
        ("passes: 1", "no register `passes`", "passes"),
        ("stock of cross: 1", "a register of each player starts alike for all", "stock of cross"),
    ],
)
def test_a_wrong_line_below_the_drawing_is_shown(field: str, message: str, caret: str) -> None:
    found = refusal("tic-tac-toe", f"{POSITION}    {field}\n")
    assert (found.message, found.span.text) == (message, caret)


def test_a_drawing_that_does_not_fit_is_shown() -> None:
    found = refusal("connect-four", POSITION)
    assert found.message.startswith("`start` does not fit this game: ")


# selection


def test_transforms_are_carried_out_in_their_order() -> None:
    board = variant("tic-tac-toe", "[{size: 5}, {size: 4}]").program.topology
    assert board.cells == 16


def test_an_unknown_transform_is_shown_with_what_was_meant() -> None:
    found = refusal("othello", "misère")
    assert (found.code, found.help) == ("unknown-transform", "did you mean `misere`?")
    assert refusal("othello", "[[misere]]").code == "wrong-type"
    assert refusal("othello", "{torus: 3}").message == "`torus` takes no value"


def test_the_transform_to_blame_is_named() -> None:
    found = refusal("breakthrough", "[misere, torus, pie]")
    assert found.span.text == "torus"


def test_a_mistake_of_the_spec_itself_is_no_fault_of_its_transforms() -> None:
    text = THREE.replace("none(empty)", "none(emty)")
    found = analyse(Source("three.yaml", text + "with: {size: 3}\n")).findings
    assert [(f.code, f.span.text) for f in found] == [("unknown-name", "emty")]


def test_a_parent_is_transformed_before_its_child() -> None:
    game = load_source(
        Source("child.yaml", "extends: misere-tic-tac-toe\nwith: misere\ntests: null\n")
        if "misere-tic-tac-toe" in bundled_names()
        else Source("child.yaml", "extends: tic-tac-toe\nwith: [misere, misere]\n")
    )
    assert play(game, "a1 a2 b1 b2 c1") == "cross"


def test_tests_of_the_parent_are_not_those_of_the_variant() -> None:
    assert analyse(Source("v.yaml", "extends: othello\nwith: misere\n")).tests == ()
    own = "extends: othello\nwith: misere\ntests: [{perft: [4]}]\n"
    assert analyse(Source("v.yaml", own)).tests == ({"perft": [4]},)


# from Python and the command line


def test_transforms_from_python() -> None:
    game = load("othello", transforms=["misere", {"size": 6}])
    assert (game.program.rules.misere, game.parameters) == (True, {"n": 6})
    with pytest.raises(SpecError, match="no transform is called `miser`"):
        load("othello", transforms=["miser"])


def test_transforms_and_parameters_go_together() -> None:
    assert load("othello", transforms=["misere"], n=4).program.topology.cells == 16


@pytest.mark.slow
def test_transforms_from_the_command_line() -> None:
    found = call("perft", "othello", "3", "--with", "size=6", "--with", "misere")
    assert (found.code, found.out) == (0, "56\n")
    found = call("perft", "connect-four", "1", "--with", "size.columns=4")
    assert (found.code, found.out) == (0, "4\n")
    found = call("perft", "connect-four", "2", "--with", "pie")
    assert (found.code, found.out) == (0, "56\n")  # 7 * (7 + 1)


def test_a_transform_of_an_option_that_does_not_fit_is_wrong_use() -> None:
    found = call("perft", "hex", "2", "--with", "torus")
    assert (found.code, found.out) == (2, "")
    assert "--with: `torus` needs a rectangle" in found.err


@pytest.mark.parametrize("word", ["=6", "size=", "size.=6", ".rows=6", "size.rows", ""])
def test_a_transform_that_cannot_be_read_is_wrong_use(word: str) -> None:
    assert call("perft", "othello", "1", f"--with={word}").code == 2


def test_a_start_is_read_from_a_file(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "position.txt"  # type: ignore[operator]
    path.write_text("..x\n.o.\nx..\nmover: nought\n", encoding="utf-8")
    found = call("perft", "tic-tac-toe", "1", "--with", f"start={path}")
    assert (found.code, found.out) == (0, "6\n")
    assert call("perft", "tic-tac-toe", "1", "--with", "start=./nowhere.txt").code == 2


def test_a_file_may_be_transformed_whatever_its_name(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / 'my "game"'  # type: ignore[operator]
    path.write_text(THREE, encoding="utf-8")
    found = call("perft", str(path), "1", "--with", "size=3")
    assert (found.code, found.out) == (0, "9\n")


def test_standard_input_cannot_be_transformed() -> None:
    found = call("show", "-", "--stage", "resolved", "--with", "pie", stdin=THREE.encode())
    assert (found.code, found.out) == (2, "")


def test_the_origin_of_every_value_is_shown() -> None:
    found = call("show", "othello", "--stage", "resolved", "--origin", "--with", "size=4")
    lines = found.out.splitlines()
    assert found.code == 0
    assert any(line.strip().startswith("default: 4  # --with size:3") for line in lines)
    (rows,) = [line for line in lines if line.startswith("  rows: n  # ")]
    assert rows.endswith("othello.yaml:8")
    assert call("show", "othello", "--stage", "document", "--origin").code == 2


@pytest.mark.parametrize(
    ("transforms", "left"),
    [
        ("with: torus\n", ""),
        ("with: [misere, torus]\n", "with: [misere]\n"),
        ("with: [torus, misere]\n", "with: [misere]\n"),
        ("with: {torus: true, misere: true}\n", "with: {misere: true}\n"),
        ("with:\n  - torus\n  - misere\n", "with:\n  - misere\n"),
    ],
)
def test_the_fix_of_a_refused_transform_leaves_it_out(transforms: str, left: str) -> None:
    text = f"extends: hex\n{transforms}"
    (found,) = analyse(Source("variant.yaml", text)).findings
    assert found.fix is not None
    span = found.fix.span
    assert text[: span.start] + found.fix.text + text[span.end :] == f"extends: hex\n{left}"
