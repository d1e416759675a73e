"""Every block of the documentation is run by a test, and every command line is accepted."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from rulesengine.cli.arguments import read_arguments
from rulesengine.loading import load, load_source
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.modules import ROOT

DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
BLOCK = re.compile(r"^(```+)(\w*)\n(.*?)^\1$", re.M | re.S)
RUN = {"console", "sh", "yaml", "pycon", "python"}
HERE = "tests/house/test_page_blocks.py"
LANGUAGE = "tests/tools/test_language_reference.py"
# The tests that run the blocks of a page, by kind; `*` is the rest.
TESTS: dict[str, dict[str, str]] = {
    "README.md": {"*": "tests/house/test_readme.py", "sh": ".ci/run"},
    "CONTRIBUTING.md": {"sh": HERE},
    "docs/batches.md": {"*": "tests/batch/test_batches_page.py", "sh": HERE},
    "docs/bridges.md": {"*": "tests/adapters/test_bridges_page.py"},
    "docs/cheat-sheet.md": {"*": "tests/tools/test_website.py"},
    "docs/ci.md": {"*": HERE},
    "docs/contests.md": {"*": "tests/contests/test_contest_protocols.py", "sh": HERE},
    "docs/editors.md": {"*": HERE},
    "docs/engines.md": {"*": "tests/cli/test_engines.py"},
    "docs/export.md": {"sh": HERE},
    "docs/formats.md": {"*": "tests/formats/test_formats_page.py", "sh": HERE},
    "docs/judge.md": {"*": "tests/contests/test_judge_page.py"},
    "docs/language.md": {"*": LANGUAGE},
    "docs/learning.md": {"*": "tests/search/test_learning.py", "console": HERE},
    "docs/python.md": {"*": "tests/cli/test_python_page.py"},
    "docs/recipes.md": {"*": LANGUAGE},
    "docs/release.md": {"sh": HERE},
    "docs/search.md": {"*": "tests/search/test_search_page.py", "yaml": HERE},
    "docs/study.md": {"*": "tests/contests/test_study.py", "sh": HERE},
    "docs/testing.md": {"*": HERE},
    "docs/tutorial.md": {"*": "tests/cli/test_tutorial.py"},
    **{
        page.relative_to(ROOT).as_posix(): {"*": LANGUAGE} for page in (DOCS / "guide").glob("*.md")
    },
    # Fragments of files of the repository; the paths, names and commands in them are checked.
    **{
        page.relative_to(ROOT).as_posix(): {"*": "tests/house/test_dev_pages.py"}
        for page in (DOCS / "dev").glob("*.md")
    },
}
PLACEHOLDER = re.compile(r"^-*[A-Z][A-Z_]*(\.\w+|=.*)?$|…|\.\.\.|\*")


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    yield from ((kind, body) for _, kind, body in BLOCK.findall(page.read_text(encoding="utf-8")))


def label(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def lines(body: str) -> list[str]:
    """Return the commands of a block; a line that ends with a backslash continues."""
    return [line.removeprefix("$ ").strip() for line in body.replace("\\\n", " ").splitlines()]


def commands(body: str) -> list[list[str]]:
    """Return the words of each call of `rulesengine`, without redirections."""
    found = []
    for line in lines(body):
        called = re.search(
            r"(?:^|[|&] |\.venv/bin/)rulesengine ((?:[^<>|&'\"]|'.*?'|\".*?\")+)", line
        )
        if called and not line.startswith("#"):
            found.append(shlex.split(called[1]))
    return found


def test_every_block_that_can_run_has_a_test() -> None:
    missing, unnamed = [], []
    for page in PAGES:
        tests = TESTS.get(label(page), {})
        kinds = {kind for kind, _ in blocks(page)} & RUN
        missing += [(label(page), kind) for kind in kinds if not {kind, "*"} & tests.keys()]
        paths = {tests.get(kind, tests.get("*", HERE)) for kind in kinds}
        unnamed += [path for path in paths if not (ROOT / path).is_file()]
    assert missing == []
    assert unnamed == []


def test_no_block_of_commands_is_without_a_kind() -> None:
    found = [(label(p), b[:40]) for p in PAGES for kind, b in blocks(p) if not kind and commands(b)]
    assert found == []


def test_every_command_line_is_accepted() -> None:
    count = 0
    for page in PAGES:
        if page.parent.name == "dev":  # its examples add players and engines
            continue
        for kind, body in blocks(page):
            for words in commands(body) if kind in ("console", "sh", "text") else []:
                if any(map(PLACEHOLDER.search, words)):
                    continue
                count += 1
                assert read_arguments(words).command == words[0], (label(page), words)
    assert count > 60


def test_the_request_on_the_page_of_the_server_is_valid() -> None:
    page = DOCS / "serve.md"
    request = json.loads(next(body for kind, body in blocks(page) if kind == "json"))
    game = load(request["spec"]["name"], transforms=request["with"], **request["parameters"])
    session = game.start()
    for move in request["moves"]:
        session.push(move)
    answer = re.search(r'"title": "Othello", "parameters": ({.*?})', page.read_text("utf-8"))
    assert answer
    assert load("othello", **json.loads(answer[1])).name == "Othello"


def test_the_spec_of_the_page_on_search_is_played_by_its_strategies() -> None:
    _, text = [body for kind, body in blocks(DOCS / "search.md") if kind == "yaml"]
    game = load_source(Source("search.md", text))
    state = game.initial_state()
    assert set(game.strategies) == {"strong", "steady", "greedy"}
    assert game.choose("steady", state) in game.legal_moves(state)


def test_the_settings_on_the_page_of_ci_name_hooks_and_commands_that_exist() -> None:
    workflow, hooks = [
        yaml.load(b, yaml.BaseLoader) for k, b in blocks(DOCS / "ci.md") if k == "yaml"
    ]
    steps = [step.get("run", "") for step in workflow["jobs"]["specs"]["steps"]]
    called = [words[0] for step in steps for words in commands(step)]
    assert called == ["check", "fmt", "test"]
    known = yaml.load((ROOT / ".pre-commit-hooks.yaml").read_text(), yaml.BaseLoader)
    used = {hook["id"] for hook in hooks["repos"][0]["hooks"]}
    assert used == {hook["id"] for hook in known}


def test_the_comment_for_other_editors_makes_a_file_a_spec(tmp_path: Path) -> None:
    (text,) = [body for kind, body in blocks(DOCS / "editors.md") if kind == "yaml"]
    assert text.strip() == "# yaml-language-server: $schema=./game.schema.json"
    spec = (ROOT / "games" / "tic-tac-toe.yaml").read_text(encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(
        f"{text}{spec.partition('spec:')[1]}{spec.partition('spec:')[2]}"
    )
    assert call("check", str(tmp_path / "mine.yaml")).code == 0


VARIANTS = """\
[mychess:chess]
pieceToCharTable = -
king = k
"""
GAMES = """[White "Ann"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 *\n"""
# Pages with commands that are run as they are printed; those of `learning.md` take a minute.
COMMANDS = ("batches", "ci", "contests", "export", "formats", "learning", "study", "testing")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with the files that the commands of the pages name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").symlink_to(ROOT / "games")
    (tmp_path / "specs").mkdir()
    spec = (ROOT / "games" / "nim.yaml").read_bytes()
    (tmp_path / "specs" / "mine.yaml").write_bytes(spec)
    (tmp_path / "variants.ini").write_text(VARIANTS)
    for name in ("games.pgn", "book.pgn"):
        (tmp_path / name).write_text(GAMES)
    return tmp_path


@pytest.mark.deep
@pytest.mark.parametrize("page", COMMANDS)
def test_the_commands_of_a_page_run(page: str, folder: Path) -> None:
    count = 0
    for kind, body in blocks(DOCS / f"{page}.md"):
        for words in commands(body) if kind in ("console", "sh") else []:
            if any(map(PLACEHOLDER.search, words)) and "specs/*.yaml" not in words:
                continue
            words = ["specs/mine.yaml" if word == "specs/*.yaml" else word for word in words]
            done = call(*words, stdin=b"quit\n" if words[0] == "play" else b"")
            # `mutate` and `diff` report their findings by their exit code.
            assert done.code == 0 or (words[0] in ("mutate", "diff") and done.code == 1), (
                words,
                done,
            )
            count += 1
    assert count
