"""`completion`: the candidates that real shells offer."""

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from rulesengine.cli.commands import COMMANDS
from tests.helpers.cli_calls import call
from tests.helpers.processes import PATIENCE, end, start
from tests.helpers.terminals import Screen

# The typed text, some candidates that must be offered, and some that must not.
TYPED = {
    "rulesengine che": ({"check"}, {"cache", "chess"}),
    "rulesengine ": ({*COMMANDS, "help"}, set[str]()),
    "rulesengine help mut": ({"mutate"}, {"play"}),
    "rulesengine check --fo": ({"--format"}, {"--seed"}),
    "rulesengine check --format ": ({"text", "json", "github", "sarif"}, {"othello"}),
    "rulesengine perft othello 3 --engine na": ({"native"}, {"python"}),
    "rulesengine perft oth": ({"othello", "othello-6x6"}, {"hex"}),
    "rulesengine check m": ({"mine.yaml", "mu-torere"}, {"mine.txt"}),
    "rulesengine new mine --from tic-tac-toe-": ({"tic-tac-toe-3d"}, {"tic-tac-toe"}),
    "rulesengine cache ": ({"info", "clear"}, {"othello"}),
    "rulesengine completion z": ({"zsh"}, {"bash"}),
}


def is_missing(shell: str) -> bool:
    return shutil.which(shell) is None


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.yaml", "mine.txt"):
        Path(name).touch()


def script(shell: str) -> str:
    done = call("completion", shell)
    assert (done.code, done.err) == (0, "")
    return done.out


def completions(*command: str, given: str = "") -> list[str]:
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stderr == ""
    return done.stdout.split("\n")


@pytest.mark.skipif(is_missing("bash"), reason="needs bash")
@pytest.mark.parametrize("typed", TYPED)
def test_bash_offers_words(typed: str) -> None:
    words = typed.split(" ")
    line = " ".join(f"'{word}'" for word in words)
    ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _rulesengine x '{words[-1]}'"
    show = f"'{words[-2]}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    offered = set(completions("bash", "--norc", given=f"{script('bash')}\n{ask} {show}\n"))
    wanted, unwanted = TYPED[typed]
    assert wanted <= offered
    assert not unwanted & offered


@pytest.mark.skipif(is_missing("fish"), reason="needs fish")
@pytest.mark.parametrize("typed", TYPED)
def test_fish_offers_words(typed: str) -> None:
    given = f"{script('fish')}complete -C '{typed}'\n"
    offered = {line.split("\t")[0] for line in completions("fish", "--no-config", given=given)}
    wanted, unwanted = TYPED[typed]
    assert wanted <= offered
    if "mine.yaml" not in wanted:  # fish offers every file where it offers files
        assert not unwanted & offered


@pytest.mark.slow
@pytest.mark.skipif(is_missing("zsh"), reason="needs zsh")
def test_zsh_completes_a_word() -> None:
    Path("script").write_text(script("zsh"))
    terminal, other = pty.openpty()
    environment = {"TERM": "dumb", "PS1": "ready> ", "ZDOTDIR": str(Path.cwd())}
    shell = start("zsh", "-f", "-i", files=(other, other, other), env=environment, session=True)
    try:
        screen = Screen(shell, terminal)
        screen.wait_for("ready> ")
        screen.say("rulesengine() { print -r -- told: $* }; source ./script")
        screen.wait_for("ready> ")
        screen.say("rulesengine comp\tz\t")
        assert screen.wait_for("\ntold: completion zsh")
    finally:
        end(shell)
        os.close(other)
        os.close(terminal)


def test_a_shell_that_there_is_not_is_wrong_use() -> None:
    done = call("completion", "tcsh")
    assert (done.code, done.out) == (2, "")
    assert "tcsh" in done.err
