"""The recipe for Neovim in docs/editors.md, run in Neovim without a screen."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
NVIM = which("nvim")
SPEC = """\
spec: 1
name: Row
board: {rows: 3, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves: {place: stone, to: emty}
  end: {when: none(empty), result: draw, reason: full}
"""
# Wait for a finding, print it, apply hover to its word, and leave.
SCRIPT = """
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
for _, found in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(found.lnum .. ":" .. found.col .. " " .. found.message .. "\\n")
end
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
local place = { line = 6, character = 11 }
local document = { uri = vim.uri_from_bufnr(0) }
local asked = { textDocument = document, position = place }
local hover = client:request_sync("textDocument/hover", asked, 60000)
io.stdout:write(hover.result.contents.value .. "\\n")
vim.cmd("qall!")
"""


def is_new_enough() -> bool:
    if NVIM is None:
        return False
    said = subprocess.run([NVIM, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", said)
    return found is not None and (int(found[1]), int(found[2])) >= (0, 11)


@pytest.mark.deep
@pytest.mark.skipif(not is_new_enough(), reason="there is no Neovim 0.11")
def test_the_recipe_shows_a_finding_and_explains_a_word(tmp_path: Path) -> None:
    assert NVIM is not None
    (recipe,) = re.findall(r"^```lua\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    (tmp_path / "init.lua").write_text(recipe)
    (tmp_path / "wait.lua").write_text(SCRIPT)
    (tmp_path / ".git").mkdir()
    (tmp_path / "row.yaml").write_text(SPEC)
    program = tmp_path / "bin" / "rulesengine"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulesengine "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    root = Path(__file__).parents[2]
    places = {f"XDG_{one}_HOME": str(tmp_path) for one in ("CONFIG", "DATA", "STATE")}
    done = subprocess.run(
        [NVIM, "--headless", "-u", "init.lua", "-S", "wait.lua", "row.yaml"],
        cwd=tmp_path,
        env={**os.environ, **places, "PATH": path, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "6:28 unknown name `emty`" in done.stdout, done.stderr
    assert "place" in done.stdout.partition("\n")[2]
