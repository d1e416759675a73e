"""A spec that was checked without a finding is not checked again while its text is unchanged."""

import subprocess
import sys
from pathlib import Path

import pytest

from rulesengine.language import rules_cache
from rulesengine.tools import lint
from tests.helpers.cli_calls import call

ROOT = Path(__file__).parents[2]
TIDY = (ROOT / "games" / "tic-tac-toe.yaml").read_text(encoding="utf-8")


@pytest.fixture
def checked_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of the texts that are checked, with a cache of their own."""
    monkeypatch.chdir(tmp_path)
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("RULESENGINE_CACHE", str(cache))
    found: list[str] = []
    plain = lint.findings

    def findings(source: object, **options: object) -> object:
        found.append(source.name)  # type: ignore[attr-defined]
        return plain(source, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(lint, "findings", findings)
    return found


@pytest.mark.slow
def test_clean_check_result_is_cached(checked_texts: list[str]) -> None:
    Path("one.yaml").write_text(TIDY)
    for _ in range(3):
        assert call("check", "one.yaml").out == "one.yaml: ok\n"
    assert checked_texts == ["one.yaml"]
    Path("one.yaml").write_text(f"{TIDY}# another line\n")
    assert call("check", "one.yaml").code == 0
    assert len(checked_texts) == 2


def test_findings_are_not_cached(checked_texts: list[str]) -> None:
    Path("one.yaml").write_text(TIDY.replace("to: empty", "to: emty"))
    first, again = call("check", "one.yaml"), call("check", "one.yaml")
    assert (first.code, again.code) == (1, 1)
    assert first.out == again.out
    assert len(checked_texts) == 2


def test_a_changed_parent_is_checked_again(checked_texts: list[str]) -> None:
    Path("parent.yaml").write_text(TIDY)
    Path("child.yaml").write_text("spec: 1\nname: A child\nextends: ./parent.yaml\n")
    assert call("check", "child.yaml").code == call("check", "child.yaml").code == 0
    assert checked_texts == ["child.yaml"]
    Path("parent.yaml").write_text(TIDY.replace("to: empty", "to: emty"))
    assert call("check", "child.yaml").code == 1
    Path("parent.yaml").unlink()
    assert call("check", "child.yaml").code != 0


@pytest.mark.slow
def test_random_games_are_played_each_time(checked_texts: list[str]) -> None:
    Path("one.yaml").write_text(TIDY)
    for _ in range(2):
        assert call("check", "one.yaml", "--fuzz", "2").code == 0
    assert len(checked_texts) == 2


def test_another_package_looks_for_itself(checked_texts: list[str]) -> None:
    from rulesengine.support.source import Source

    source = Source("one.yaml", TIDY)
    verdicts = rules_cache.CleanCache("tools/lint")
    verdicts.mark_clean(rules_cache.Parents(source))
    assert verdicts.is_clean(source)
    assert rules_cache.CleanCache("tools/lint").is_clean(source)
    assert not rules_cache.CleanCache("tools/lint", "notation").is_clean(source)


@pytest.mark.slow
def test_cached_check_imports_no_parser(tmp_path: Path, checked_texts: list[str]) -> None:
    Path("one.yaml").write_text(TIDY)
    assert call("check", "one.yaml").code == 0
    program = (
        "import sys; from rulesengine.cli import main; main(['check', 'one.yaml']);"
        " print([m for m in ('rulesengine.tools.lint', 'lark', 'yaml') if m in sys.modules])"
    )
    environment = {"PYTHONPATH": str(ROOT), "RULESENGINE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "one.yaml: ok\n[]\n"
