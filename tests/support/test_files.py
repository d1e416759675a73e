"""Files that the package writes are complete, or unchanged."""

import os
import resource
import stat
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulesengine.errors import UsageError
from rulesengine.support.files import (
    are_one_file,
    read_at_most,
    replace,
    require_writable,
    write_new,
)
from tests.helpers.cli_calls import call
from tests.helpers.one_thread import in_this_thread

SMALL, LARGE = "dear\n", "x" * 4096 + "\n"


@contextmanager
def full_disk() -> Iterator[None]:
    """Limit the size of files to 64 bytes meanwhile."""
    before, silent = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # modules would be truncated
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        sys.dont_write_bytecode = silent
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "new"
    with full_disk(), pytest.raises(UsageError, match="new: file too large"):
        write_new(path, LARGE)
    assert names(tmp_path) == []
    write_new(path, LARGE)
    assert path.read_text() == LARGE
    with pytest.raises(UsageError, match="new: is there already, and nothing is overwritten"):
        write_new(path, SMALL)
    assert path.read_text() == LARGE


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(SMALL)
    with full_disk(), pytest.raises(UsageError, match="file: not written: file too large"):
        replace(path, LARGE.encode())
    assert (names(tmp_path), path.read_text()) == (["file"], SMALL)
    replace(path, LARGE.encode())
    assert (names(tmp_path), path.read_text()) == (["file"], LARGE)


def test_interrupted_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", in_this_thread(interrupt, os.replace))
    with pytest.raises(KeyboardInterrupt):
        replace(tmp_path / "file", b"")
    assert names(tmp_path) == []


def test_the_modes_of_files_are_kept_and_new_ones_have_the_usual_one(tmp_path: Path) -> None:
    old, new, usual = (tmp_path / name for name in ("old", "new", "usual"))
    old.touch()
    old.chmod(0o640)
    usual.touch()
    replace(old, b"1")
    replace(new, b"1")
    assert old.stat().st_mode & 0o777 == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(SMALL)
    path.chmod(0o400)
    with pytest.raises(UsageError, match="file: not written: permission denied"):
        replace(path, b"")
    assert (names(tmp_path), path.read_text()) == (["file"], SMALL)


# the commands that write


def test_a_game_that_cannot_be_saved_leaves_the_one_that_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    path = tmp_path / "game"
    call("play", "tic-tac-toe", stdin=f"b2\nsave {path}\n".encode())
    before = path.read_text()
    with full_disk():
        done = call("play", "tic-tac-toe", stdin=f"a1\nsave {path}\n".encode())
    assert f"{path}: not written: file too large" in " ".join(done.out.split())
    assert (names(tmp_path), path.read_text()) == (["game"], before)


def test_tests_that_cannot_be_updated_leave_the_spec_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    path = tmp_path / "mine.yaml"
    text = f"extends: tic-tac-toe\n# {LARGE}tests:\n  - {{perft: [8]}}\n"
    path.write_text(text)
    with full_disk():
        done = call("test", str(path), "--update")
    assert done.code == 2
    assert done.err == f"rulesengine: {path}: not written: file too large\n"
    assert (names(tmp_path), path.read_text()) == (["mine.yaml"], text)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_rules_that_cannot_be_written_leave_nothing(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    page = str(tmp_path / "page.md")
    with full_disk():
        done = call("rules", "tic-tac-toe", "--format", form, "--output", page)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(": file too large\n")
    assert names(tmp_path) == []


def test_the_data_reaches_the_disk_before_the_old_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, calls = tmp_path / "file", list[str]()
    path.write_text(SMALL)
    sync, move = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else path.read_text().strip()
        calls.append(f"sync {kind}")
        sync(descriptor)

    def moved(source: str, target: str) -> None:
        calls.append("replace")
        move(source, target)

    monkeypatch.setattr(os, "fsync", in_this_thread(synced, sync))
    monkeypatch.setattr(os, "replace", in_this_thread(moved, move))
    replace(path, b"sir\n")
    assert calls == ["sync dear", "replace", "sync folder"]
    assert path.read_text() == "sir\n"


def test_reading_at_most_so_many_bytes_allocates_no_more_than_the_file_has(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 8192)
    tracemalloc.start()
    with path.open("rb") as file:
        assert read_at_most(file, 5) == bytes(range(5))
        assert read_at_most(file, 1 << 30) == path.read_bytes()[5:]
        assert read_at_most(file, 1 << 30) == b""
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 24


def test_a_file_that_cannot_be_written_is_refused_before_it_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(SMALL)
    for path in (tmp_path / "file", tmp_path / "new", Path("new")):
        require_writable(path)
    for path, why in (
        (tmp_path, "is a directory"),
        (tmp_path / "none" / "new", "no such file or directory"),
        (tmp_path / "file" / "new", "not a directory"),
    ):
        with pytest.raises(UsageError, match=f"not written: {why}"):
            require_writable(path)
    assert (names(tmp_path), (tmp_path / "file").read_text()) == (["file"], SMALL)


@pytest.mark.skipif(os.name != "posix", reason="needs pipes with names")
def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="pipe: not written: is no regular file"):
        replace(tmp_path / "pipe", SMALL.encode())
    assert names(tmp_path) == ["pipe"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_two_paths_may_lead_to_one_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(SMALL)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert are_one_file(tmp_path / "file", tmp_path / "link")
    assert are_one_file(tmp_path / "new", f"{tmp_path}/../{tmp_path.name}/new")
    assert not are_one_file(tmp_path / "file", tmp_path / "new")
    assert not are_one_file("a\0b", "a\0b")
