"""`new`, `fmt` and `watch` from the command line, and the hooks that call them."""

import os
import re
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

from rulesengine.cli import main
from rulesengine.cli.arguments import read_arguments
from rulesengine.cli.watch import execute as watch
from rulesengine.support.resources import bundled_names
from tests.helpers.cli_calls import call
from tests.helpers.each_game import SOME
from tests.helpers.processes import COMMAND, PATIENCE, ROOT, running

MESSY = "name:  A game\nspec:   1   # of the language\n"
TIDY = "spec: 1  # of the language\nname: A game\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


# new


@pytest.mark.slow
def test_new_writes_a_game_that_checks_and_tests_at_once() -> None:
    done = call("new", "my-game")
    assert (done.code, done.err) == (0, "")
    assert done.out.split("\n")[0] == "wrote my-game.yaml"
    assert "name: My game\n" in Path("my-game.yaml").read_text()
    assert call("check", "my-game.yaml").out == "my-game.yaml: ok\n"
    assert call("test", "my-game.yaml").out == "2 passed\n"
    assert call("fmt", "--check", "my-game.yaml").code == 0


def test_new_writes_the_schema_that_the_first_line_names_and_leaves_one_that_is_there() -> None:
    assert call("new", "one").code == 0
    line = Path("one.yaml").read_text().split("\n")[0]
    assert line == "# yaml-language-server: $schema=game.schema.json"
    assert Path("game.schema.json").read_text() == call("schema").out
    write("game.schema.json", "{}")
    assert call("new", "two").out == "wrote two.yaml\n"
    assert Path("game.schema.json").read_text() == "{}"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hex", "tic-tac-toe"])
def test_new_from_a_game_extends_it(name: str) -> None:
    assert call("new", "mine", "--from", name).code == 0
    assert f"extends: {name}\n" in Path("mine.yaml").read_text()
    assert call("check", "mine.yaml").out == "mine.yaml: ok\n"
    assert call("test", "mine.yaml").out == "1 passed\n"
    assert call("perft", "mine.yaml", "1").out == call("perft", name, "1").out


@pytest.mark.slow
@pytest.mark.parametrize(
    "names", [sorted(SOME), pytest.param(bundled_names(), marks=pytest.mark.deep)], ids=len
)
def test_new_from_bundled_games_passes(names: Sequence[str]) -> None:
    assert [call("new", f"of-{name}", "--from", name).code for name in names] == [0] * len(names)
    done = call("test", *(f"of-{name}.yaml" for name in names))
    assert (done.code, done.out) == (0, f"{len(names)} passed\n")


@pytest.mark.parametrize("name", ["2048", "no", "a_b c", "Été"])
def test_the_name_of_a_new_game_is_a_text(name: str) -> None:
    assert call("new", name).code == 0
    assert call("check", f"{name}.yaml").code == 0
    assert call("fmt", "--check", f"{name}.yaml").code == 0


def test_new_overwrites_nothing() -> None:
    path = write("mine.yaml", "my work")
    for words in (["mine"], ["mine.yaml"], ["mine", "--from", "hex"]):
        done = call("new", *words)
        message = "rulesengine: mine.yaml: is there already, and nothing is overwritten\n"
        assert (done.code, done.out, done.err) == (2, "", message)
    assert path.read_text() == "my work"


def test_new_from_a_file_extends_it() -> None:
    assert call("new", "parent").code == 0
    done = call("new", "child", "--from", "./parent.yaml")
    assert (done.code, done.out, done.err) == (0, "wrote child.yaml\n", "")
    assert yaml.safe_load(Path("child.yaml").read_text())["extends"] == "./parent.yaml"
    assert call("check", "child.yaml").out == "child.yaml: ok\n"
    assert call("fmt", "--check", "child.yaml").code == 0
    assert call("test", "child.yaml").out == "1 passed\n"
    assert call("perft", "child.yaml", "2").out == call("perft", "parent.yaml", "2").out


def test_new_from_a_file_elsewhere_says_where_one_can_begin() -> None:
    Path("folder").mkdir()
    assert call("new", "folder/parent").code == 0
    done = call("new", "child", "--from", "folder/parent.yaml")
    assert (done.code, done.out) == (2, "")
    assert "of its own folder: `rulesengine new folder/child` begins one" in done.err
    assert call("new", "folder/child", "--from", "folder/parent.yaml").code == 0


def test_new_from_a_file_with_mistakes_shows_them_and_writes_nothing() -> None:
    write("parent.yaml", "spec: 1\n")
    done = call("new", "child", "--from", "parent.yaml")
    assert (done.code, done.out) == (1, "")
    assert "parent.yaml:1:1" in done.err
    assert not Path("child.yaml").exists()


def test_new_leaves_nothing_where_the_schema_cannot_be_written() -> None:
    Path("game.schema.json").symlink_to("nowhere/schema.json")  # is missing and cannot be created
    done = call("new", "mine")
    assert (done.code, done.out) == (2, "")
    assert "game.schema.json: is there already" in done.err
    assert not Path("mine.yaml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere/mine"], "nowhere/mine.yaml: no such folder"),
        ([""], "argument NAME: expected a text, found an empty one"),
        (["../.."], "expected a name such as `my-game`"),
        (["a:b"], "expected a name such as `my-game`, found `a:b`"),
        (["mine", "--from", "hx"], "no bundled game is called `hx`: did you mean `hex`?"),
        (["mine", "--from", ""], "argument --from: expected a text, found an empty one"),
    ],
)
def test_a_file_that_cannot_be_new_is_wrong_use(words: list[str], message: str) -> None:
    done = call("new", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert list(Path().iterdir()) == []


# fmt


def test_fmt_writes_the_files_that_are_not_in_layout_and_names_them() -> None:
    messy, tidy = write("messy.yaml", MESSY), write("tidy.yaml", TIDY)
    before = tidy.stat().st_ino, tidy.stat().st_mtime_ns
    done = call("fmt", "messy.yaml", "tidy.yaml")
    assert (done.code, done.out, done.err) == (0, "messy.yaml\n", "")
    assert messy.read_text() == tidy.read_text() == TIDY
    assert (tidy.stat().st_ino, tidy.stat().st_mtime_ns) == before
    assert call("fmt", "messy.yaml", "tidy.yaml").out == ""
    assert sorted(path.name for path in Path().iterdir()) == ["messy.yaml", "tidy.yaml"]


def test_fmt_check_lists_unformatted_files_without_writing() -> None:
    path = write("messy.yaml", MESSY)
    write("tidy.yaml", TIDY)
    done = call("fmt", "--check", "messy.yaml", "tidy.yaml")
    assert (done.code, done.out, done.err) == (1, "messy.yaml\n", "")
    assert path.read_text() == MESSY
    assert call("fmt", "--check", "tidy.yaml").code == 0


def test_fmt_of_standard_input_prints_it() -> None:
    assert call("fmt", "-", stdin=MESSY.encode()).out == TIDY
    done = call("fmt", "-", "--check", stdin=MESSY.encode())
    assert (done.code, done.out) == (1, "<stdin>\n")
    assert call("fmt", "-", "--check", stdin=TIDY.encode()).code == 0


def test_fmt_leaves_a_file_alone_that_does_not_parse_and_goes_on() -> None:
    wrong = write("wrong.yaml", "name:   [\n")
    messy = write("messy.yaml", MESSY)
    done = call("fmt", "wrong.yaml", "messy.yaml")
    assert (done.code, done.out) == (2, "messy.yaml\n")
    assert done.err.startswith("rulesengine: wrong.yaml: unchanged: line 2: ")
    assert wrong.read_text() == "name:   [\n"
    assert messy.read_text() == TIDY


@pytest.mark.parametrize("name", ["missing.yaml", "hex", "."])
def test_fmt_of_a_missing_file_is_a_usage_error(name: str) -> None:
    done = call("fmt", name)
    assert done.code == 2
    assert done.err.startswith(f"rulesengine: {name}: ")


def test_fmt_of_a_spec_with_mistakes_of_the_game_is_fine() -> None:
    write("wrong.yaml", MESSY + "players:   nobody at all\n")
    assert call("check", "wrong.yaml").code == 1
    assert call("fmt", "wrong.yaml").code == 0
    assert Path("wrong.yaml").read_text() == f"{TIDY}players: nobody at all\n"


def test_fmt_takes_carriage_returns_and_a_byte_order_mark_away() -> None:
    path = Path("dos.yaml")
    path.write_bytes(b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode())
    assert call("fmt", "--check", "dos.yaml").code == 1
    assert call("fmt", "dos.yaml").code == 0
    assert path.read_bytes() == TIDY.encode()


@pytest.mark.skipif(os.name != "posix", reason="links and modes are those of POSIX")
def test_fmt_keeps_the_mode_of_a_file_and_follows_links() -> None:
    path = write("messy.yaml", MESSY)
    path.chmod(0o640)
    Path("link.yaml").symlink_to(path)
    assert call("fmt", "link.yaml").code == 0
    assert Path("link.yaml").is_symlink()
    assert path.read_text() == TIDY
    assert path.stat().st_mode & 0o777 == 0o640


# watch


def watched(path: str, *saves: Callable[[], object]) -> None:
    """Run `watch` while these saves happen one after the other, then send Ctrl-C."""
    left = list(saves)

    def wait() -> None:
        if not left:
            raise KeyboardInterrupt
        left.pop(0)()

    with pytest.raises(KeyboardInterrupt):
        watch(read_arguments(["watch", path]), wait)


@pytest.mark.slow
def test_watch_checks_and_tests_again_when_the_file_is_saved(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["new", "mine"])
    text = Path("mine.yaml").read_text()
    capsys.readouterr()
    watched(
        "mine.yaml",
        lambda: None,  # unchanged: no output
        lambda: write("mine.yaml", text.replace("first wins", "second wins  ")),
        lambda: write("mine.yaml", text.replace("to: empty", "to: emty")),
        lambda: Path("mine.yaml").unlink(),
        lambda: write("mine.yaml", text),
    )
    out, err = capsys.readouterr()
    rounds = re.split(r"^--- \d\d:\d\d:\d\d ---$", out, flags=re.MULTILINE)[1:]
    assert len(rounds) == 5
    firsts = [lines.split("\n")[1] for lines in rounds]
    assert firsts[0] == firsts[1] == firsts[-1] == "mine.yaml: ok"
    assert [lines.count("unknown name `emty`") for lines in rounds] == [0, 0, 1, 0, 0]
    assert "emty" not in err
    assert out.count("2 passed") == 2
    assert "1 passed, 1 failed" in out
    assert "did you mean `empty`?" in out
    assert err.split("\n")[0] == "rulesengine: watching mine.yaml; Ctrl-C ends"
    assert "mine.yaml: no such file" in err


@pytest.mark.slow
def test_watch_looks_again_when_a_parent_is_saved(capsys: pytest.CaptureFixture[str]) -> None:
    main(["new", "parent"])
    write("child.yaml", "spec: 1\nname: A child\nextends: ./parent.yaml\n")
    text = Path("parent.yaml").read_text()
    capsys.readouterr()
    watched("child.yaml", lambda: write("parent.yaml", text.replace("first wins", "draw")))
    assert capsys.readouterr().out.count("child.yaml: ok") == 2


def test_watch_of_no_file_is_wrong_use() -> None:
    done = call("watch", "missing.yaml")
    assert (done.code, done.out) == (2, "")
    assert done.err == "rulesengine: missing.yaml: no such file\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent in another way")
def test_watch_ends_with_exit_code_130_when_it_is_interrupted() -> None:
    write("mine.yaml", TIDY)
    with running(*COMMAND, "watch", "mine.yaml") as process:
        assert process.stdout
        while process.stdout.readline().strip():  # up to the blank line after the findings
            pass
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, b"Traceback" in err) == (130, False)


# the hooks


def hooks() -> list[dict[str, object]]:
    found: list[dict[str, object]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return found


@pytest.mark.slow
def test_the_hooks_are_commands_that_take_files() -> None:
    assert [hook["id"] for hook in hooks()] == [
        "rulesengine-check",
        "rulesengine-fmt",
        "rulesengine-test",
    ]
    for name in ("one", "two"):
        assert call("new", name).code == 0
    for hook in hooks():
        program, *words = str(hook["entry"]).split()
        assert (program, hook["language"], hook["types"]) == ("rulesengine", "python", ["yaml"])
        assert call(*words, "one.yaml", "two.yaml").code == 0
