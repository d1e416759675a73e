"""The extension for VS Code: its grammar, its lock file and its own tests."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.helpers.textmate import GRAMMAR, grammar

FOLDER = GRAMMAR.parents[1]


def test_the_grammar_has_the_words_of_the_language() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == grammar()


def test_the_files_of_the_manifest_exist() -> None:
    contributed = manifest()["contributes"]
    paths = [contributed["grammars"][0]["path"], contributed["languages"][0]["configuration"]]
    assert [path for path in paths if not (FOLDER / path).is_file()] == []


def test_the_lock_file_has_the_versions_of_the_manifest_and_no_host() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["devDependencies"] == manifest()["devDependencies"]
    assert [name for name, row in lock["packages"].items() if "resolved" in row] == []
    assert [name for name, row in lock["packages"].items() if name and "integrity" not in row] == []


@pytest.mark.slow
def test_the_tests_of_the_extension_pass() -> None:
    npm = shutil.which("npm")
    if npm is None or not (FOLDER / "node_modules").is_dir():
        pytest.skip("needs npm, and `npm ci` in editors/vscode")
    done = subprocess.run([npm, "test"], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "# fail 0" in done.stdout


def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return read
