"""The documentation site: all pages are in it, links work, and the build has no warning."""

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import rulesengine.contests
from rulesengine import load
from rulesengine.cli.commands import COMMANDS
from rulesengine.support.resources import bundled_path
from rulesengine.support.source import Source
from rulesengine.tools.bundled import bundled_specs
from rulesengine.tools.explain import entries, mistakes
from rulesengine.tools.lint import findings
from website.api_pages import api_pages, areas
from website.game_pages import game_page
from website.home import COMMAND, home_page
from website.links import relink
from website.playground.build import python_archive
from website.reference import messages_page, options_page, words_page
from website.sections import ROOT, SECTIONS, sources
from website.staging import navigation, remove_stale, synchronise

CHEAT_SHEET = ROOT / "docs" / "cheat-sheet.md"
WRITTEN = ROOT / "tests" / "data" / "cheat-sheet"


def test_every_page_of_the_documentation_is_in_a_section() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages - set(sources()) == set()


def test_no_page_is_in_two_sections() -> None:
    paths = [page.path for section in SECTIONS for page in section.pages]
    assert len(paths) == len(set(paths))
    assert "language" in paths


PAGES = {"docs/a.md": "a", "docs/guide/b.md": "guide/b", "CONTRIBUTING.md": "contributing"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[b](guide/b.md#part)", "[b](guide/b.md#part)"),
        ("[rules](../CONTRIBUTING.md)", "[rules](contributing.md)"),
        ("[code](../pyproject.toml)", "code (`pyproject.toml`)"),
        ("[`pyproject.toml`](../pyproject.toml)", "`pyproject.toml`"),
        ("[there](https://example.org/x)", "[there](https://example.org/x)"),
        (
            "`[b](guide/b.md)` and\n```\n[x](nowhere)\n```",
            "`[b](guide/b.md)` and\n```\n[x](nowhere)\n```",
        ),
    ],
)
def test_links_between_sources_become_links_between_pages(text: str, expected: str) -> None:
    assert relink(text, "docs/a.md", "a", PAGES, ROOT) == expected


def test_a_link_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"docs/a\.md: the link gone\.md leads nowhere"):
        relink("[x](gone.md)", "docs/a.md", "a", PAGES, ROOT)


def test_the_spec_of_the_cheat_sheet_passes_its_tests(tmp_path: Path) -> None:
    (spec,) = re.findall(
        r"^```yaml\n(.*?)^```", CHEAT_SHEET.read_text(encoding="utf-8"), re.M | re.S
    )
    path = tmp_path / "spec.yaml"
    path.write_text(spec, encoding="utf-8")
    done = run("rulesengine", "test", str(path))
    assert (done.returncode, done.stdout) == (0, "1 passed\n")
    assert run("rulesengine", "check", str(path)).returncode == 0


def test_the_cheat_sheet_has_the_words_of_two_pages() -> None:
    assert len(CHEAT_SHEET.read_text(encoding="utf-8").split()) <= 1600


def test_the_pages_of_words_and_messages_have_all_of_them() -> None:
    words, messages = words_page(), messages_page()
    assert [e.word for e in entries() if e.kind != "code" and f"### `{e.word}`" not in words] == []
    assert [m.code for m in mistakes() if f"## {m.code}\n" not in messages] == []


def test_the_page_of_options_has_every_option_of_every_command() -> None:
    page = options_page()
    assert [name for name in COMMANDS if f"## {name}\n" not in page] == []
    assert "| `--nodes N` | limit of positions |" in page


def test_the_page_of_a_game_has_rules_source_commands_and_spec() -> None:
    (spec,) = (spec for spec in bundled_specs() if spec.name == "tic-tac-toe")
    page = game_page(spec, playable=True)
    assert "unbroken straight line of at least 3" in page
    assert "Traditional" in page.partition("## Source")[2].partition("##")[0]
    assert "rulesengine play tic-tac-toe" in page
    assert bundled_path("tic-tac-toe").read_text(encoding="utf-8").rstrip() in page


@pytest.mark.parametrize(
    ("name", "reason"),
    [("kuhn-poker", "do not see the same"), ("hive", "more than 65,536 steps can occur")],
)
def test_the_page_of_a_game_that_cannot_be_played_in_it_says_why(name: str, reason: str) -> None:
    (spec,) = (spec for spec in bundled_specs() if spec.name == name)
    page = game_page(spec, playable=True)
    assert reason in page.partition("## Rules")[0]
    assert "Play against the computer" not in page


def test_the_pages_of_the_api_have_every_public_name_once() -> None:
    names = [name for area in areas() for name in area.names]
    assert len(set(names)) == len(names)
    public = {f"rulesengine.{name}" for name in rulesengine.__all__ if name != "__version__"}
    assert public == {name for name in names if name.count(".") == 1}
    contests = {f"rulesengine.contests.{name}" for name in rulesengine.contests.__all__}
    assert contests == {name for name in names if name.startswith("rulesengine.contests.")}


def test_the_index_of_the_api_links_to_every_area() -> None:
    pages = api_pages()
    assert [page for page in pages if page != "api" and f"({page}.md)" not in pages["api"]] == []


def test_a_build_deletes_the_pages_of_an_earlier_one_and_no_other_file(tmp_path: Path) -> None:
    pages, site = tmp_path / "pages", tmp_path / "site"
    (pages / "extra").mkdir(parents=True)
    site.mkdir()
    for name in ("old", "new", "own"):
        (site / f"{name}.html").write_text("")
    for name in ("old", "new"):
        (pages / f"{name}.md").write_text("")
    remove_stale(pages, site)
    (pages / "old.md").unlink()
    remove_stale(pages, site)
    assert sorted(path.name for path in site.glob("*.html")) == ["new.html", "own.html"]


def test_the_home_page_begins_with_a_picture_a_command_and_the_four_sections() -> None:
    screen = home_page(sources()).partition("## About")[0]
    assert COMMAND in screen
    assert screen.count("<img ") == 1
    links = re.findall(r'href="([a-z-]+)\.html"', screen)
    assert links == ["tutorial-section", "how-to", "reference", "explanation"]


def test_the_command_of_the_home_page_plays_a_game() -> None:
    program, *words = COMMAND.rpartition(" && ")[2].split()
    assert program == ".venv/bin/rulesengine"
    done = subprocess.run(
        [sys.executable, "-m", "rulesengine", *words],
        cwd=ROOT,
        input="d3\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "a b c d e f g h" in done.stdout


@pytest.mark.slow
def test_the_site_has_no_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    done = run("website", str(tmp_path / "site"), "--check", "--only", "tic-tac-toe")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.deep
def test_the_site_is_built_and_a_game_in_it_is_played(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    site = tmp_path / "site"
    done = run("website", str(site), "--games", "--only", "tic-tac-toe")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (site / "llms.txt").read_text(encoding="utf-8").startswith("# Cheat sheet")
    assert "<title>Tic-tac-toe" in (site / "games/play/tic-tac-toe.html").read_text(
        encoding="utf-8"
    )
    assert 'data-game="play/tic-tac-toe.html"' in (site / "games/tic-tac-toe.html").read_text()


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a module from the root of the repository."""
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_folder_of_an_earlier_build_changes_only_where_the_pages_do(tmp_path: Path) -> None:
    new, kept = tmp_path / "new", tmp_path / "kept"
    for name, text in {"same": "a", "other": "b", "deep/added": "c"}.items():
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_text(text, encoding="utf-8")
    kept.mkdir()
    for name, text in {"same": "a", "other": "old", "removed": "d"}.items():
        (kept / name).write_text(text, encoding="utf-8")
        os.utime(kept / name, (1, 1))
    synchronise(new, kept)
    found = {p.relative_to(kept).as_posix(): p for p in kept.rglob("*") if p.is_file()}
    assert {name: p.read_text(encoding="utf-8") for name, p in found.items()} == {
        "same": "a",
        "other": "b",
        "deep/added": "c",
    }
    assert [name for name, p in found.items() if p.stat().st_mtime == 1] == ["same"]


def test_the_navigation_changes_with_a_new_page_and_a_new_title_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\ntext\n", encoding="utf-8")
    first = navigation(tmp_path)
    (tmp_path / "a.md").write_text("# One\n\nother text\n", encoding="utf-8")
    assert navigation(tmp_path) == first
    (tmp_path / "a.md").write_text("# Two\n\ntext\n", encoding="utf-8")
    second = navigation(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "b.md").write_text("# Three\n", encoding="utf-8")
    assert len({first, second, navigation(tmp_path)}) == 3


@pytest.mark.slow
def test_the_playground_has_all_data_files_of_the_package() -> None:
    with ZipFile(BytesIO(python_archive())) as archive:
        names = set(archive.namelist())
    files = (path for folder in ("games", "grammars") for path in (ROOT / folder).rglob("*"))
    assert {path.relative_to(ROOT).as_posix() for path in files if path.is_file()} <= names


@pytest.mark.parametrize("path", sorted(WRITTEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_spec_written_from_the_cheat_sheet_alone_is_a_game_that_ends(path: Path) -> None:
    game = load(path, engine="interpreter")
    assert not findings(Source(path.name, path.read_text(encoding="utf-8")))
    assert game.playouts(2, seed=1).unfinished == 0
