"""The registry of players: every command takes every kind, and the page none that is local."""

import re
from pathlib import Path
from types import MappingProxyType

import pytest

import rulesengine
from rulesengine import Move, UsageError
from rulesengine.play import Session, read_record
from rulesengine.play.players import BasePlayer, Turn, known_players, player_of, registry
from rulesengine.play.players.registry import KINDS, Kind
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from tests.helpers.cli_calls import Result, call
from tests.helpers.contest_players import MOVES, PROPER, SQUARES, VERTICES, program
from tests.helpers.served import respond

pytestmark = pytest.mark.usefixtures("in_haste")

ROOT = Path(__file__).parents[2]
GAME = "tic-tac-toe"
LOCAL = ("cmd", "gtp", "uci", "ucci", "usi", "xboard", "learned")
PROGRAMS = {
    "cmd": PROPER,
    "gtp": VERTICES,
    "uci": SQUARES,
    "ucci": SQUARES.replace("uci", "ucci"),
    "usi": SQUARES.replace("uci", "usi").replace('"123"', '"cba"').replace('"abc"', '"321"'),
    "xboard": MOVES,
}
SEARCHES = {
    "search": "search:plies=1",
    "mcts": "mcts:playouts=2",
    "uct": "uct:playouts=2",
    "grave": "grave:playouts=2",
    "is-mcts": "is-mcts:playouts=2",
    "duct": "duct:playouts=2",
}


def player(kind: str, folder: Path) -> str:
    """Return a player of a kind."""
    if kind in PROGRAMS:
        return program(folder, PROGRAMS[kind]).replace("cmd:", f"{kind}:")
    if kind == "learned":
        file = folder / "learned"
        rulesengine.load(GAME, engine="interpreter").learn(file, games=2)
        return f"learned:{file},plies=1"
    return SEARCHES.get(kind, kind)


def play(*words: str, lines: str = "") -> Result:
    return call("play", GAME, *words, stdin=lines.encode())


@pytest.mark.parametrize("kind", KINDS)
def test_each_command_takes_each_kind(kind: str, tmp_path: Path) -> None:
    text = player(kind, tmp_path)
    match = call("match", GAME, "--player", f"a={text}", "--player", "b=random", "--games", "2")
    assert (match.code, "unknown player" in match.err) == (0, False)
    assert "games: 2" in match.out
    out = str(tmp_path / "games.db")
    held = call("tournament", GAME, "--player", f"a={text}", "--player", "b=random",
                "--games", "2", "--out", out)  # fmt: skip
    assert held.code == 0
    played = play("--player", f"nought={text}", "--player", "cross=search:plies=1")
    assert (played.code, played.err) == (0, "")
    if kind == "human":
        assert played.out.endswith("nought: \n")  # the input is empty
    else:
        assert "cross wins" in played.out or "nought wins" in played.out or "draw" in played.out
        assert call("judge", GAME, "--against", text, "--cmd", "true", "--games", "1").code == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "human"])
def test_the_page_takes_each_kind_that_is_not_local(kind: str, tmp_path: Path) -> None:
    text = player(kind, tmp_path)
    marker = tmp_path / "started"
    if kind in PROGRAMS:
        text = f"{kind}:touch {marker}"
    status, (line,) = respond("play", Dispatcher(GameCache()), spec={"name": GAME}, player=text)
    if kind in LOCAL:
        assert (status, line["error"]["kind"]) == (422, "game")
        message = line["error"]["message"]
        local = f"player `{text[:40]}` runs a program or reads a file"
        assert message == f"{local}: only the command line accepts it"
        assert not marker.exists()
    else:
        assert status == 200
        assert line["move"] in rulesengine.load(GAME).initial_state().form.cells


def test_the_page_takes_what_a_bundled_game_has_learned() -> None:
    spec = {"name": "connect-four"}
    status, (line,) = respond("play", Dispatcher(GameCache()), spec=spec, player="learned:plies=1")
    assert (status, line["move"] is not None) == (200, True)


def test_the_page_evaluates_as_the_player_names_it() -> None:
    game, server = rulesengine.load("kalah", engine="interpreter"), Dispatcher(GameCache())

    def number_of(player: str) -> int:
        _, (line,) = respond("play", server, spec={"name": "kalah"}, player=player)
        return int(line["value"]["number"])

    for name in ("rules", "learned"):
        wanted = game.search(plies=2, evaluation=name).value
        assert number_of(f"search:plies=2,evaluation={name}") == wanted
    assert number_of("learned:plies=2") == number_of("search:plies=2") == wanted


class LastPlayer(BasePlayer):
    """Plays the last legal move."""

    def choose(self, turn: Turn) -> Move:
        return self.seat.game.legal_moves(turn.state)[-1]


def test_a_row_is_all_that_a_kind_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = MappingProxyType(
        {**KINDS, "last": Kind(lambda game, argument: LastPlayer(), "the last")}
    )
    monkeypatch.setattr(registry, "KINDS", kinds)
    status, (line,) = respond("play", Dispatcher(GameCache()), spec={"name": GAME}, player="last")
    assert (status, line["move"], line["value"]) == (200, "c1", None)
    match = call("match", GAME, "--player", "a=last", "--player", "b=last", "--games", "2")
    assert (match.code, "games: 2" in match.out) == (0, True)
    # The moves are listed from a3 to c1, so nought plays c1, b1 and a1, which is a line.
    assert "nought wins" in play("--player", "nought=last", lines="a3\na2\nb2\n").out


def test_the_page_lists_the_players_that_it_takes() -> None:
    spec = {"name": "othello"}
    status, (line,) = respond("play", Dispatcher(GameCache()), spec=spec, player="bob")
    texts = ["random", "human", *(f"{kind}:LIMITS" for kind in SEARCHES), "learned:", "greedy"]
    assert status == 422
    assert line["error"]["message"].startswith(
        f"unknown player `bob`: expected one of {', '.join(texts)}"
    )


def test_there_is_one_sentence_for_an_unknown_player(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        player_of(rulesengine.load(GAME), "bob")
    sentence, texts = str(caught.value), ", ".join(known_players(rulesengine.load(GAME)))
    assert sentence == f"unknown player `bob`: expected one of {texts}"
    two = ("--player", "a=bob", "--player", "b=random", "--games", "2")
    out = ("--out", str(tmp_path / "games.db"))
    for words in (
        ("play", GAME, "--player", "cross=bob"),
        ("match", GAME, *two),
        ("tournament", GAME, *two, *out),
        ("judge", GAME, "--against", "bob", "--cmd", "true"),
    ):
        found = call(*words)
        assert (found.code, found.err) == (2, f"rulesengine: {sentence}\n")


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_program_plays_on_after_undo(kind: str, tmp_path: Path) -> None:
    game = rulesengine.load(GAME, engine="interpreter")
    text = player(kind, tmp_path)
    session = Session.begin(game, {"cross": "human", "nought": text})
    session = session.play(game.move("b2", session.state))
    first = session.answer()
    assert first is not None
    session = session.play(first)
    back = session.undo()
    assert back is not None
    assert back.moves == ()
    again = back.play(game.move("b2", back.state))
    assert again.answer() == first
    other = back.play(game.move(str(first), back.state))
    second = other.answer()
    assert second is not None
    assert second != first
    session.seated.close()


def test_a_person_takes_over_from_a_program_that_fails(tmp_path: Path) -> None:
    text = program(tmp_path, "sys.exit(3)")
    saved = tmp_path / "record"
    done = play("--player", f"nought={text}", lines=f"a1\nb2\nsave {saved}\nquit\n")
    assert done.code == 0
    assert "nought: crash: has ended, exit code 3; you play for nought now" in done.out
    record = read_record(saved.read_text())
    assert (record.moves, record.players["nought"]) == (("a1", "b2"), "human")
    alone = play("--player", f"nought={text}", "--player", "cross=random")
    assert alone.code == 1
    assert alone.err == "rulesengine: nought: crash: has ended, exit code 3\n"


def test_a_record_starts_no_program(tmp_path: Path) -> None:
    """Only a player that the user has named runs a program: a record may come from anybody."""
    text, saved = player("cmd", tmp_path), tmp_path / "record"
    play("--player", f"nought={text}", lines=f"b2\nsave {saved}\nresume {saved}\nquit\n")
    assert read_record(saved.read_text()).players["nought"] == text
    refused = play("--load", str(saved))
    assert (refused.code, "`--player` replaces the players of a record" in refused.err) == (2, True)
    again = play("--load", str(saved), "--player", f"nought={text}", lines="c3\nquit\n")
    assert again.code == 0
    assert "nought: " in again.out
    assert call("draw", GAME, "--position", str(saved)).code == 0


def test_a_program_plays_from_the_start_of_a_game_only(tmp_path: Path) -> None:
    position = tmp_path / "position"
    position.write_text("x.o\n.x.\no..\nmover: cross\n")
    found = play("--player", f"nought={player('uci', tmp_path)}", "--load", str(position))
    assert (found.code, "a program plays from the initial position only" in found.err) == (2, True)


@pytest.mark.parametrize("command", ["play", "match", "tournament"])
def test_the_help_of_each_command_names_every_kind(command: str) -> None:
    words = " ".join(call(command, "--help").out.split())
    option = words.rpartition(" --player NAME=PLAYER ")[2].partition("(may be repeated)")[0]
    named = set(re.findall(r"([\w-]+)(?::[A-Za-z]|, )", option))
    assert KINDS.keys() <= named


def test_the_page_of_contests_lists_every_kind() -> None:
    page = (ROOT / "docs" / "contests.md").read_text(encoding="utf-8")
    section = page.partition("## Players")[2].partition("\n## ")[0]
    rows = "".join(re.findall(r"^\|.*\|$", section, re.M))
    assert KINDS.keys() <= set(re.findall(r"`([\w-]+)(?=:|`)", rows))
