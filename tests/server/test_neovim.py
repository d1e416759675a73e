"""The recipes for Neovim in docs/editors.md, run in Neovim without a screen."""

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
local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)({ bufnr = 0 })[1]
local place = { line = 6, character = 11 }
local document = { uri = vim.uri_from_bufnr(0) }
local word = { textDocument = document, position = place }
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", word, 60000)
local hover = answers[client.id]
io.stdout:write(hover.result.contents.value .. "\\n")
vim.cmd("qall!")
"""


def version() -> tuple[int, int]:
    """Return the version of the installed Neovim, (0, 0) without one."""
    if NVIM is None:
        return 0, 0
    output = subprocess.run([NVIM, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", output)
    return (int(found[1]), int(found[2])) if found else (0, 0)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("call", "since"), [("vim.lsp.config", (0, 11)), ("vim.lsp.start", (0, 8))]
)
def test_the_recipe_shows_a_finding_and_explains_a_word(
    call: str, since: tuple[int, int], tmp_path: Path
) -> None:
    if version() < since:
        pytest.skip(f"needs Neovim {since[0]}.{since[1]}, found {NVIM or 'none'}")
    assert NVIM is not None
    recipes = re.findall(r"^```lua\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    (recipe,) = (recipe for recipe in recipes if f"{call}(" in recipe)
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
