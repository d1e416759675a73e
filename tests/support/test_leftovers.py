"""Temporary files and folders of killed processes, which the next run removes."""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulesengine.support.files import replace
from rulesengine.support.leftovers import TemporaryFolder, remove_leftovers
from tests.helpers.one_thread import in_this_thread
from tests.helpers.processes import Process, running

FOLDER = """
import sys, time
from rulesengine.support.leftovers import TemporaryFolder
folder = TemporaryFolder("rulesengine-count-")
open(folder.path + "/0", "w").close()
print(folder.path, flush=True)
time.sleep(60)
"""
FILE = """
import sys, time
from rulesengine.support.files import replace_by
def write(file):
    print("begun", flush=True)
    time.sleep(60)
replace_by(sys.argv[1], write)
"""


def first_line(process: Process) -> str:
    """Wait for the first line of a process."""
    assert process.stdout is not None
    return process.stdout.readline().decode().strip()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@pytest.mark.slow
def test_the_folder_of_a_killed_run_is_removed_by_the_next(temporary: Path) -> None:
    with running(sys.executable, "-c", FOLDER) as process:
        path = first_line(process)
        assert [entry.name for entry in temporary.iterdir()] == [Path(path).name]
        other = TemporaryFolder("rulesengine-count-")
        assert Path(path, "0").exists()  # its process is alive
    assert Path(path).exists()
    last = TemporaryFolder("rulesengine-count-")
    assert sorted(map(str, temporary.iterdir())) == sorted([other.path, last.path])
    other.remove()
    last.remove()
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_the_part_of_a_file_of_a_killed_run_is_removed_by_the_next(tmp_path: Path) -> None:
    file = tmp_path / "data"
    with running(sys.executable, "-c", FILE, str(file)) as process:
        assert first_line(process) == "begun"
        replace(file, b"other")
        assert len(list(tmp_path.iterdir())) == 2  # its process is alive
    replace(file, b"next")
    assert [entry.name for entry in tmp_path.iterdir()] == ["data"]
    assert file.read_bytes() == b"next"


def test_threads_that_create_and_remove_folders_keep_their_own(temporary: Path) -> None:
    def create(number: int) -> bool:
        for _ in range(20):
            folder = TemporaryFolder("rulesengine-count-")
            file = Path(folder.path, str(number))
            file.touch()
            if not file.exists():
                return False
            folder.remove()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(create, range(8)))
    assert list(temporary.iterdir()) == []


def test_files_and_folders_of_other_names_are_left(tmp_path: Path) -> None:
    names = (".new.draft", ".new.0123456789abcdef.txt", "rulesengine-count", "new")
    for name in names:
        (tmp_path / name).touch()
    link = tmp_path / ".new.0123456789abcdef"
    link.symlink_to(tmp_path / "new")
    remove_leftovers(str(tmp_path), r"\.new\.[0-9a-f]{16}")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted((*names, link.name))


def test_data_is_on_the_disk_before_a_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()
    sync, move = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        done.append("sync")
        sync(descriptor)

    def moved(made: str, target: str) -> None:
        done.append("replace")
        move(made, target)

    monkeypatch.setattr(os, "fsync", in_this_thread(synced, sync))
    monkeypatch.setattr(os, "replace", in_this_thread(moved, move))
    replace(tmp_path / "file", b"data")
    assert done == ["sync", "replace", "sync"]
