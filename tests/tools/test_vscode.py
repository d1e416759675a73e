"""The extension for VS Code: its grammar, its lock file and its own tests."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.modules import ROOT
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


@pytest.mark.deep
def test_the_extension_starts_the_language_server(tmp_path: Path) -> None:
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    node = shutil.which("node")
    if node is None or not (FOLDER / "node_modules").is_dir():
        pytest.skip("needs node, and `npm ci` in editors/vscode")
    program = tmp_path / "rulesengine"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulesengine "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        [node, "--test", "test/start.test.mjs"],
        cwd=FOLDER,
        env={**os.environ, "RULESENGINE": str(program), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "# pass 2" in done.stdout


def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return read
