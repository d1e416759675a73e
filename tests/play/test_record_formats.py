"""The registry of record formats: a second format needs its row, and nothing else."""

from contextlib import suppress
from pathlib import Path

import pytest

from rulesengine import NotationError, load
from rulesengine.play import GameRecord, Session, read_record, replay, rules_hash
from rulesengine.play.records import formats, native
from rulesengine.play.records.formats import RecordFormat, format_for, format_of
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from tests.helpers.cli_calls import call
from tests.helpers.served import respond

pytestmark = pytest.mark.usefixtures("in_haste")

HEAD = "toy "


def read_toy(text: str) -> GameRecord:
    """Parse a line of moves; the format has no rules, players or result."""
    if not text.startswith(HEAD):
        raise NotationError("line 1: expected `toy MOVES`")
    return GameRecord("", "", tuple(text.removeprefix(HEAD).split()), None)


def write_toy(record: GameRecord) -> str:
    return HEAD + " ".join(record.moves) + "\n"


TOY = RecordFormat("toy", (".toy",), lambda text: text.startswith(HEAD), read_toy, write_toy)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a file in a second format, which is registered."""
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, TOY))
    file = tmp_path / "game.toy"
    file.write_text("toy a1 b2\n")
    return file


def test_the_native_format_is_the_default() -> None:
    assert formats.FORMATS[0].name == native.HEAD
    assert format_for("any.toy") is format_for("any") is formats.FORMATS[0]
    assert format_of("toy a1\n") is None


def test_play_reads_and_writes_a_second_format(toy: Path, tmp_path: Path) -> None:
    out, plain = tmp_path / "more.toy", tmp_path / "more"
    lines = f"c3\nsave {out}\nsave {plain}\nresume {toy}\na2\nsave {out}\nquit\n"
    done = call("play", "tic-tac-toe", "--load", str(toy), stdin=lines.encode())
    assert (done.code, done.err) == (0, "")
    assert out.read_text() == "toy a1 b2 a2\n"
    assert read_record(plain.read_text()).moves == ("a1", "b2", "c3")
    assert plain.read_text().startswith(native.HEAD)


def test_a_file_of_another_kind_is_not_overwritten(toy: Path) -> None:
    toy.write_text("something else")
    done = call("play", "tic-tac-toe", stdin=f"save {toy}\n".encode())
    assert "is not a game record; it is unchanged" in " ".join(done.out.split())
    assert toy.read_text() == "something else"


def test_commands_read_a_second_format(toy: Path) -> None:
    replayed = call("replay", str(toy), "--spec", "tic-tac-toe", "--strict")
    assert (replayed.code, replayed.err) == (0, "")
    notes = call("annotate", str(toy), "--spec", "tic-tac-toe", "--nodes", "50")
    assert (notes.code, len(notes.out.splitlines())) == (0, 2)
    assert call("draw", "tic-tac-toe", "--position", str(toy)).code == 0
    toy.write_text("toy a1 a1\n")
    assert "ply 2" in call("replay", str(toy), "--spec", "tic-tac-toe").err


def test_the_page_reads_a_second_format(toy: Path) -> None:
    given = {"record": toy.read_text(), "spec": {"name": "tic-tac-toe"}}
    status, (line,) = respond("read", Dispatcher(GameCache()), **given)
    assert (status, line["moves"], line["problems"]) == (200, ["a1", "b2"], [])


def test_both_formats_keep_the_moves(toy: Path) -> None:
    game = load("tic-tac-toe")
    session = Session.begin(game, {"cross": "human", "nought": "human"})
    session = session.play(game.move("b2", session.state))
    for row in formats.FORMATS:
        text = formats.write_record(session.record(), row)
        assert format_of(text) is row
        assert read_record(text).moves == ("b2",)


@pytest.mark.parametrize("row", formats.FORMATS, ids=lambda row: row.name)
def test_a_replay_of_a_finished_game_in_any_format_finds_no_difference(row: RecordFormat) -> None:
    game = load("tic-tac-toe", m=4, n=4, k=3)
    players = dict.fromkeys(game.players, "human")
    begun = Session.begin(game, players)
    for text in ("a1", "a2", "b1", "b2"):
        begun = begun.play(game.move(text, begun.state))
    whole = begun.play(game.move("c1", begun.state))
    rest = Session.begin(game, players, state=begun.state).play(whole.moves[-1])
    for played in (whole, rest):
        read = row.read(row.write(played.record()))
        found = replay(load("tic-tac-toe"), read)
        assert (found.differences, found.changed) == ((), ())
        assert found.states[-1] == played.state
        assert found.outcome is not None
        assert (found.outcome.winner, read.rules) == ("cross", rules_hash(game))


@pytest.mark.parametrize("row", formats.FORMATS, ids=lambda row: row.name)
def test_a_cut_record_in_any_format_is_read_or_rejected(row: RecordFormat) -> None:
    game = load("tic-tac-toe")
    session = Session.begin(game, dict.fromkeys(game.players, "human"))
    text = row.write(session.play(game.move("b2", session.state)).record())
    for cut in (text[:i] + text[i + length :] for i in range(len(text)) for length in (1, 9)):
        with suppress(NotationError):
            assert isinstance(row.read(cut), GameRecord)


def test_no_two_formats_claim_a_suffix_or_a_text() -> None:
    suffixes = [suffix for row in formats.FORMATS for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix.startswith(".") and suffix.islower() for suffix in suffixes)
    game = load("tic-tac-toe")
    record = Session.begin(game, dict.fromkeys(game.players, "human")).record()
    for row in formats.FORMATS:
        assert [other for other in formats.FORMATS if other.recognise(row.write(record))] == [row]
