"""Folders of programs: deleted with all their contents, without following links."""

from pathlib import Path

from rulesengine.sandbox import work_folder


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
