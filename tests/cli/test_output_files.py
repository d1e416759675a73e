"""Files that commands write at their end are checked at the start, and overwrite no other file."""

from pathlib import Path

import pytest

from tests.helpers.cli_calls import call

SPEC = "extends: tic-tac-toe\nname: Noughts\ntests: null\n"
LEARN = ("learn", "SPEC", "--games", "1", "--out", "DIR/out")
MOVES = (*LEARN, "--moves", "--playouts", "2")
TOURNAMENT = (
    "tournament",
    "SPEC",
    "--player",
    "random",
    "--player",
    "b=random",
    "--out",
    "DIR/out",
)
STUDY = ("study", "SPEC", "--out", "DIR/out")
SOLVE = ("solve", "SPEC", "--resume", "DIR/out")
EXPORT = ("export", "SPEC")


CASES = [
    (words, option, file)
    for words, option in (
        (LEARN, "--brief"),
        (MOVES, "--brief"),
        (TOURNAMENT, "--report"),
        (TOURNAMENT, "--parquet"),
        (STUDY, "--report"),
        (SOLVE, "--certificate"),
        (EXPORT, "--output"),
    )
    for file in ("DIR/none/file", "SPEC", *(("DIR/out",) if "DIR/out" in words else ()))
]


@pytest.mark.parametrize(("words", "option", "file"), CASES)
def test_an_output_is_refused_before_the_work(
    words: tuple[str, ...], option: str, file: str, tmp_path: Path
) -> None:
    spec = tmp_path / "noughts.yaml"
    spec.write_text(SPEC)
    places = {"DIR": str(tmp_path), "SPEC": str(spec)}
    given = [*words, option, file]
    for name, path in places.items():
        given = [word.replace(name, path) for word in given]
    done = call(*given)
    assert (done.code, done.out) == (2, "")
    overwritten = {"DIR/out": "the file of `--", "SPEC": "the file of the spec"}
    assert overwritten.get(file, "not written: no such file or directory") in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["noughts.yaml"]
    assert spec.read_text() == SPEC


def test_a_bundled_name_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("learn", "tic-tac-toe", "--games", "1", "--out", "a", "--brief", "tic-tac-toe")
    assert (done.code, done.err) == (0, "")
    assert Path("tic-tac-toe").exists()
