"""Self-play data: the contents of rows, and files that are written atomically."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulesengine import Game, UsageError, load
from rulesengine.batch import Batch
from rulesengine.contests import selfplay
from rulesengine.contests.selfplay import Format, Terms, columns_of, write_selfplay
from rulesengine.errors import LimitError, Stopped
from rulesengine.job import Job
from tests.helpers.cli_calls import call


@pytest.fixture
def game() -> Game:
    return load("tic-tac-toe", engine="interpreter")


FORMATS: tuple[Format, ...] = ("npz", "parquet")


def first_legal(batch: Batch) -> Any:
    return batch.mask.argmax(axis=1)


def test_rows_match_the_played_moves(game: Game) -> None:
    # Cells from the first: x has a1 c1 b2 and, with a3, a line; o has b1 a2 c2.
    rows = columns_of(game, Terms(2), 0, first_legal)
    assert rows["game"].tolist() == [0] * 7 + [1] * 7
    assert rows["action"].tolist() == [0, 1, 2, 3, 4, 5, 6] * 2
    assert rows["ply"].tolist() == [0, 1, 2, 3, 4, 5, 6] * 2
    assert rows["mover"].tolist() == [0, 1, 0, 1, 0, 1, 0] * 2
    assert (rows["results"] == [1, -1]).all()
    own, other = rows["planes"][5].astype(int).tolist()
    assert (own, other) == ([0, 1, 0, 1, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 0, 0, 0])
    assert rows["mask"][5].tolist() == [False] * 5 + [True] * 4


def test_a_value_is_the_mean_of_random_games(game: Game) -> None:
    # With one cell left there is one continuation: its value is its result.
    def last(batch: Batch) -> Any:
        return np.array([[4, 0, 1, 7, 2, 6, 3, 5, 8][int(batch.plies[0])]])

    rows = columns_of(game, Terms(1, playouts=3), 0, last)
    assert rows["values"].shape == (9, 2)
    assert (np.abs(rows["values"]) <= 1).all()
    assert rows["values"][8].tolist() == rows["results"][8].tolist() == [0, 0]


@pytest.mark.slow
def test_rows_of_chance_are_left_out() -> None:
    pig = load("pig", engine="interpreter")
    rows = columns_of(pig, Terms(1, seed=2), 0)
    rolled = rows["action"] == pig.actions.number("roll")
    assert rolled.any()
    assert rows["mask"].sum(axis=1).max() <= 2  # to roll or to hold: throws of the die are left out


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_interrupted_selfplay_resumes_to_the_same_files(
    game: Game, tmp_path: Path, form: Format
) -> None:
    pytest.importorskip("pyarrow", reason="the extra `data` is not installed")
    terms = Terms(7, seed=5, part=3, format=form)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert write_selfplay(game, whole, terms) == 3
    with ThreadPoolExecutor(2) as executor:
        assert write_selfplay(game, cut, terms, executor=executor) == 3
    (cut / terms.file(1)).unlink()
    assert write_selfplay(game, cut, terms) == 1
    assert write_selfplay(game, cut, terms) == 0
    parts = [f"part-00000{number}.{form}" for number in range(3)]
    files = [name for part in parts for name in (part, f"{part}.sha256")]
    assert sorted(file.name for file in cut.iterdir()) == [*files, "terms.json"]
    for file in whole.iterdir():
        assert (cut / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("damage", [b"", b"x", None])
def test_a_damaged_part_is_written_again(game: Game, tmp_path: Path, damage: bytes | None) -> None:
    terms = Terms(4, seed=5, part=2)
    assert write_selfplay(game, tmp_path, terms) == 2
    part = tmp_path / terms.file(1)
    data = part.read_bytes()
    # Empty, as after a crash of the machine, with other contents, or without a checksum.
    if damage is None:
        part.with_name(f"{part.name}.sha256").unlink()
    else:
        part.write_bytes(damage)
    assert write_selfplay(game, tmp_path, terms) == 1
    assert part.read_bytes() == data
    assert write_selfplay(game, tmp_path, terms) == 0


def test_checksums_are_those_of_sha256sum(game: Game, tmp_path: Path) -> None:
    terms = Terms(2, part=2)
    write_selfplay(game, tmp_path, terms)
    noted = (tmp_path / f"{terms.file(0)}.sha256").read_text()
    found = hashlib.sha256((tmp_path / terms.file(0)).read_bytes()).hexdigest()
    assert noted == f"{found}  part-000000.npz\n"


def test_both_formats_hold_the_same(game: Game, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `data` is not installed")
    for form in FORMATS:
        write_selfplay(game, tmp_path / form, Terms(2, playouts=2, format=form))
    arrays = np.load(tmp_path / "npz" / "part-000000.npz")
    table = parquet.read_table(tmp_path / "parquet" / "part-000000.parquet")
    assert set(table.column_names) == set(arrays.files)
    for name in arrays.files:
        rows = [np.ravel(row).tolist() for row in arrays[name]]
        assert [np.ravel(row).tolist() for row in table[name].to_pylist()] == rows
    terms = json.loads((tmp_path / "npz" / "terms.json").read_text())
    assert arrays["planes"].shape[1:] == (len(terms["planes"]), terms["cells"])
    assert arrays["mask"].shape[1] == len(terms["actions"])


def test_parts_draw_what_they_do_of_their_own(game: Game) -> None:
    parts = [columns_of(game, Terms(20, part=10), number) for number in (0, 1)]
    assert parts[1]["game"].min() == 10
    assert parts[0]["action"].tolist() != parts[1]["action"].tolist()


def test_a_part_that_fails_leaves_no_file(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "MAX_PLIES", 4)
    with pytest.raises(LimitError, match="game 0 has 4 plies"):
        write_selfplay(game, tmp_path, Terms(1))
    assert [f.name for f in tmp_path.iterdir()] == ["terms.json"]


def test_wrong_use_is_reported(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_selfplay(game, tmp_path, Terms(1))
    for other, terms in ((game, Terms(1, seed=1)), (game.bind(m=4), Terms(1))):
        with pytest.raises(UsageError, match="has games of other terms, see"):
            write_selfplay(other, tmp_path, terms)
    with pytest.raises(UsageError, match="action 9 is not legal in game 0"):
        columns_of(game, Terms(1), 0, lambda batch: np.full(len(batch), 9))
    with pytest.raises(UsageError, match="expected an action for each game"):
        columns_of(game, Terms(2), 0, lambda batch: [0])
    for wrong, message in (
        (Terms(0), "`games` is at least 1, found 0"),
        (Terms(1, part=0), "`part` is at least 1"),
        (Terms(1, playouts=-1), "`playouts` is at least 0"),
        (Terms(1, format="csv"), "`format` is `npz` or `parquet`, found 'csv'"),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError, match=message):
            write_selfplay(game, tmp_path / "new", wrong)
    monkeypatch.setattr("rulesengine.contests.selfplay.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="Parquet needs the extra `data`"):
        write_selfplay(game, tmp_path / "new", Terms(1, format="parquet"))
    assert not (tmp_path / "new").exists()


# the command

WORDS = ("selfplay", "tic-tac-toe", "--engine", "interpreter", "--games", "5", "--part", "2")


@pytest.mark.slow
def test_selfplay_command_matches_the_call(game: Game, tmp_path: Path) -> None:
    out = tmp_path / "by command"
    options = ("--seed", "3", "--playouts", "2", "--out", str(out))
    done = call(*WORDS, *options)
    assert (done.code, done.out) == (0, "games: 5\nparts: 3\nnew: 3\n")
    write_selfplay(game, tmp_path / "by call", Terms(5, seed=3, part=2, playouts=2))
    for file in (tmp_path / "by call").iterdir():
        assert (out / file.name).read_bytes() == file.read_bytes()
    (out / "part-000001.npz").unlink()
    assert call(*WORDS, *options, "--json").json() == {
        "games": 5, "parts": 3, "new": 1, "folder": str(out),
    }  # fmt: skip


def test_the_command_writes_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `data` is not installed")
    assert call(*WORDS, "--format", "parquet", "--out", str(tmp_path)).code == 0
    rows = [parquet.read_table(file).num_rows for file in tmp_path.glob("*.parquet")]
    assert len(rows) == 3
    assert 5 * 5 <= sum(rows) <= 5 * 9  # from a line in five plies to a full board


def test_the_command_goes_on_where_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = selfplay._write

    def interrupted(*given: Any) -> int:
        if given[-2] == 1:
            raise KeyboardInterrupt
        return write(*given)

    with monkeypatch.context() as while_interrupted:
        while_interrupted.setattr(selfplay, "_write", interrupted)
        done = call(*WORDS, "--out", str(tmp_path))
    assert done.code == 130
    assert "has the complete parts, and the next run resumes from them" in done.err
    assert [f.name for f in tmp_path.glob("part*.npz")] == ["part-000000.npz"]
    assert call(*WORDS, "--out", str(tmp_path)).out.endswith("new: 2\n")


def test_a_job_counts_the_games_and_stops_between_parts(game: Game, tmp_path: Path) -> None:
    terms, job = Terms(5, part=2), Job()
    write_selfplay(game, tmp_path, terms, job=job)
    assert job.done == 5
    (tmp_path / terms.file(2)).unlink()
    (tmp_path / terms.file(1)).unlink()
    again = Job()
    again.stop()
    with pytest.raises(Stopped):
        write_selfplay(game, tmp_path, terms, job=again)
    assert again.done == 4
    assert not (tmp_path / terms.file(2)).exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--games", "0"), "`games` is at least 1, found 0"),
        (("--part", "0"), "`part` is at least 1"),
        (("--workers", "0"), "--workers: at least 1"),
        (("--format", "csv"), "invalid choice: 'csv'"),
    ],
)
def test_wrong_use_of_the_command_is_reported(
    tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    done = call("selfplay", "tic-tac-toe", "--out", str(tmp_path / "new"), *words)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made_is_reported_like_other_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = call("selfplay", "tic-tac-toe", "--games", "1", "--out", str(tmp_path / "file" / "data"))
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("data: not a directory\n")
