"""The package on systems other than Unix: it lacks some modules there, and refuses programs."""

import subprocess
import sys

import pytest

# Modules and functions that Windows does not have are removed before the package is imported.
# Modules of Python choose the form for a system when they are loaded, so they come first.
LACKING = """
import concurrent.futures.process, os, readline, select, subprocess, sys, tempfile
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "geteuid", "getuid", "killpg", "sysconf", "wait4"):
    delattr(os, name)
del select.poll
sys.platform = "win32"
from rulesengine.cli import main
for words in sys.argv[1:]:
    print(words, "->", main(words.split()))
"""
WORKS = (
    "check tic-tac-toe",
    "play tic-tac-toe",
    "match tic-tac-toe --player a=random --player b=search:nodes=5 --games 2",
    "perft tic-tac-toe 2 --engine python",
)
PROGRAM = "match tic-tac-toe --player a=random --player b=cmd:true --games 2"


@pytest.mark.slow
def test_commands_run_without_the_modules_of_unix_and_programs_are_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LACKING, *WORKS, PROGRAM],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    codes = [line for line in done.stdout.splitlines() if " -> " in line]
    assert codes == [f"{words} -> 0" for words in (*WORKS, PROGRAM)]
    assert "lost by crash: b 2 (game 1: programs run on Linux and macOS only)" in done.stdout
