"""Folders of programs: deleted with all their contents, without following links."""

import sys
import tempfile
from pathlib import Path

import pytest

from rulesengine.sandbox import work_folder
from tests.helpers.processes import running

LEFT = """
import os, time
from rulesengine.sandbox import work_folder
with work_folder() as folder:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)
    print(folder, flush=True)
    time.sleep(60)
"""


def test_a_work_folder_is_deleted_with_its_contents(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    with work_folder() as folder:
        assert not any(folder.iterdir())
        (folder / "link").symlink_to(outside)
        (folder / "dangling").symlink_to(tmp_path / "none")
        (folder / "a" / "b" / "c").mkdir(parents=True)
        (folder / "a" / "file").write_text("x")
        (folder / "a" / "b" / "link").symlink_to(outside)
        (folder / "a" / "b").chmod(0)
        (folder / "a").chmod(0)
        folder.chmod(0)
    assert not folder.exists()
    assert (outside / "kept").read_text() == "kept"


def test_a_program_may_remove_its_folder() -> None:
    with work_folder() as folder:
        folder.rmdir()
    assert not folder.exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no locks of folders")
def test_the_folder_of_a_killed_run_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with running(sys.executable, "-c", LEFT) as process:
        assert process.stdout is not None
        left = process.stdout.readline().decode().strip()
        with work_folder():
            assert Path(left).exists()  # its process is alive
    assert Path(left).exists()
    with work_folder() as folder:
        assert [*tmp_path.iterdir()] == [folder]
    assert [*tmp_path.iterdir()] == []
