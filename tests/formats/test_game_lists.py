"""Lists of the games of a text, and the choice of one by its number."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import NotationError
from rulesengine.play.game_files import game_entries, numbered_game
from tests.helpers.cli_calls import call

PGN = '[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n1. d4 Ke3 *\n\n1. c4 *\n'
WXF = "FORMAT WXF\nRED Ann\nBLACK Bob\nRESULT 1-0\nSTART{\n1. C2.5 }END\n"
TEXTS = {
    "chess": (PGN, [(("Ann", "Bob"), "1-0"), ((), "*"), ((), "*")]),
    "english-draughts": (
        '[White "Ann"]\n[Black "Bob"]\n\n1. 11-15 1-0\n\n1. 9-13 *\n',
        [(("Ann", "Bob"), "1-0"), ((), "*")],
    ),
    "go": ("(;PB[Bob]PW[Ann]RE[B+R];B[dd])(;B[cc])", [(("Bob", "Ann"), "B+R"), ((), "")]),
    "othello": ("f5d6\nf5f6\n", [((), ""), ((), "")]),
    "xiangqi": (WXF + WXF, [(("Ann", "Bob"), "1-0")] * 2),
    "backgammon": (
        " 1 point match\n\n Game 1\n Ann : 0        Bob : 0\n"
        "  1) 31: 8/5 6/5\n      Wins 1 point\n",
        [(("Ann", "Bob"), "white wins")],
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_games_are_listed_with_players_and_results(name: str) -> None:
    game, (text, rows) = rulesengine.load(name, engine="interpreter"), TEXTS[name]
    found = list(game_entries(game, text))
    assert [(entry.players, entry.result) for entry in found] == rows
    assert [entry.number for entry in found] == list(range(1, len(rows) + 1))
    read = list(game.read_games(text))
    assert [entry.read() for entry in found] == read


def test_only_the_chosen_game_is_read_and_its_errors_are_kept() -> None:
    game = rulesengine.load("chess", engine="interpreter")
    assert len(numbered_game(game, PGN, 2).problems) == 1
    assert [str(move) for move in numbered_game(game, PGN, 3).moves] == ["c2c4"]
    with pytest.raises(NotationError, match="there is no game 4: the text has 3"):
        numbered_game(game, PGN, 4)


def test_commands_take_the_number_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    for number, move in (("1", "d2d4"), ("3", "d7d5")):
        done = call("why", "chess", move, "--position", str(path), "--game", number)
        assert f"`{move}` is legal for " in done.out, done.err
    lines = f"resume {path} 1\nquit\n".encode()
    done = call("play", "chess", "--load", str(path), "--game", "3", stdin=lines)
    assert (done.code, done.err) == (0, "")
    assert "black" in done.out
    assert "white" in done.out
    done = call("convert", "chess", str(path), "--to", "uci", "--game", "3")
    assert done.out == "c2c4\n"
    for line in (["search", "chess"], ["play", "chess"]):
        done = call(*line, "--game", "2")
        assert (done.code, "--game: needs a file" in done.err) == (2, True)
