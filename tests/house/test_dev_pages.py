"""The how-to pages of docs/dev are true: paths, tests, names, commands, and code that runs."""

import ast
import importlib
import inspect
import re
import textwrap
from functools import cache
from types import ModuleType
from typing import Any

import pytest

import rulesengine
from rulesengine.board import shapes
from rulesengine.contests.ply_metrics import PlyMetrics
from rulesengine.engine.kernel.backends.registry import BACKENDS
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.selection import Selector
from rulesengine.play import Session, replay
from rulesengine.play.players import Seat, Turn
from rulesengine.play.players.registry import Kind
from tests.helpers.cli_calls import call
from tests.helpers.modules import ROOT

FOLDER = ROOT / "docs" / "dev"
README = FOLDER / "README.md"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path != README)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
PATH = re.compile(r"`((?:rulesengine|tests|docs|grammars|web)/[\w./-]*?)/?(?:::(\w+))?`")
FILE = re.compile(r"`([\w-]+\.(?:md|toml))`")
# An identifier of the code: a constant, a class or a method.
NAME = re.compile(r"`(_?[A-Z][A-Z_]+|[A-Z]\w*[a-z]\w*(?:\.\w+)?)`")
# Placeholders, words of Python and of its library.
NOT_NAMES = {"NAME", "NAME_line", "WORD", "DEBUG", "KeyError", "None"}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def prose(page: str) -> str:
    return BLOCK.sub("", page)


@cache
def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_the_readme_links_to_every_page() -> None:
    assert len(PAGES) >= 8
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", text("README.md"))) == {p.name for p in PAGES}


@pytest.mark.parametrize("page", [README, *PAGES], ids=lambda page: page.stem)
def test_each_path_exists_and_has_the_test_that_the_page_names(page: Any) -> None:
    found = PATH.findall(prose(text(page.name)))
    found += [(name, "") for name in FILE.findall(prose(text(page.name)))]
    missing = [
        (path, test)
        for path, test in found
        if not (ROOT / path).exists()
        or (test and f"def {test}(" not in (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert missing == []


@each_page
def test_a_page_has_steps_an_example_and_a_check(page: Any) -> None:
    page_text = text(page.name)
    assert page_text.startswith("# How to add ")
    steps = re.findall(r"^\| (\d+) \| .+ \| .+ \| .+ \|$", page_text, re.M)
    assert [*map(int, steps)] == [*range(1, len(steps) + 1)]
    assert len(steps) >= 4
    headings = re.findall(r"^## (.+)$", page_text, re.M)
    assert headings == ["Example", "Check"]
    example, check = page_text.partition("## Example")[2].split("## Check")
    assert "```python" in example
    assert ".venv/bin/pytest" in check


@each_page
def test_each_name_of_the_code_is_in_a_file_of_the_page(page: Any) -> None:
    page_text = prose(text(page.name))
    files = [ROOT / path for path, _ in PATH.findall(page_text)]
    known = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    names = {part for name in NAME.findall(page_text) for part in name.split(".")} - NOT_NAMES
    absent = {n for n in names if not any(re.search(rf"\b{n}\b", source) for source in known)}
    assert absent <= {"RulesError", "NotationError"} & vars(rulesengine).keys()


@each_page
def test_each_block_of_python_can_be_parsed(page: Any) -> None:
    blocks = [code for kind, code in BLOCK.findall(text(page.name)) if kind == "python"]
    assert blocks
    for code in blocks:
        try:
            ast.parse(textwrap.dedent(code))
        except SyntaxError:  # a row of a table, a field or an argument
            ast.parse("{" + textwrap.dedent(code) + "}")


@pytest.mark.parametrize("page", [README, *PAGES], ids=lambda page: page.stem)
def test_each_command_exists(page: Any) -> None:
    page_text = text(page.name)
    for module in re.findall(r"python -m (tests\.[\w.]+)", page_text):
        assert callable(importlib.import_module(module).main)
    commands = set(re.findall(r"(?:\.venv/bin/|`)rulesengine ([a-z]+)", page_text))
    assert commands <= set(re.findall(r"^  ([a-z]+) ", call("--help").out, re.M))
    for line in re.findall(r"^\.venv/bin/pytest -q (.+)$", page_text, re.M):
        assert [path for path in line.split() if not (ROOT / path).exists()] == []


# examples that run


def code(mark: str) -> dict[str, Any]:
    """Execute the block of a page that has a mark and return its names."""
    pages = "\n".join(text(page.name) for page in PAGES)
    (source,) = re.findall(rf"<!-- run: {mark} -->\n```python\n(.*?)^```$", pages, re.M | re.S)
    module = ModuleType(f"example_{mark}")
    exec(compile(source, mark, "exec"), vars(module))  # noqa: S102 (our own page)
    return vars(module)


def test_the_example_of_a_region_word_has_the_cells_worked_out_by_hand() -> None:
    change, test = (
        body for kind, body in BLOCK.findall(text("region-word.md")) if kind == "python"
    )
    end = change.splitlines()[-1]
    before = f"    regions = regions_of(sides, 2)\n    {end}\n"
    source = inspect.getsource(shapes)
    assert source.count(before) == 1
    module = ModuleType("changed_shapes")
    changed = source.replace(before, textwrap.indent(change, "    ")) + test
    exec(compile(changed, "region-word", "exec"), vars(module))  # noqa: S102 (our own page)
    vars(module)["test_the_centre_has_one_or_two_lines_of_each_axis"]()


def test_the_example_of_a_player_plays() -> None:
    game = rulesengine.load("tic-tac-toe")
    (row,) = re.findall(r'^"first": (.*),$', text("player.md"), re.M)
    kind = eval(row, {"Kind": Kind, **code("player")})  # noqa: S307 (our own page)
    player, state = kind.make(game, ""), game.initial_state()
    player.begin(Seat(game, "cross", state, 0))
    assert str(player.choose(Turn(state, (), None))) == "a3"  # type: ignore[arg-type]


def test_the_example_of_a_record_format_keeps_a_finished_game() -> None:
    names, game = code("record"), rulesengine.load("tic-tac-toe", m=4, n=4, k=3)
    session = Session.begin(game, dict.fromkeys(game.players, "human"))
    for move in ("a1", "a2", "b1", "b2", "c1"):
        session = session.play(game.move(move, session.state))
    written = names["write"](session.record())
    assert names["recognise"](written)
    assert written.endswith(';M["a1"];M["a2"];M["b1"];M["b2"];M["c1"])\n')
    found = replay(rulesengine.load("tic-tac-toe"), names["read"](written))
    assert (found.differences, found.changed) == ((), ())
    assert found.outcome is not None
    with pytest.raises(rulesengine.NotationError):
        names["read"]("(;FF[4]GN[")


def test_the_example_of_a_metric_has_the_value_computed_by_hand() -> None:
    # One of four turns without a choice, a chance event excepted; then one of two: 0.25 and 0.5.
    games = [PlyMetrics(ways, (), (), -1, (), 0.0) for ways in ((2, 0, 1, 3, 2), (1, 2))]
    found = code("metric")["_forced"](games)
    assert found.value == pytest.approx(0.375)
    assert (found.low, found.high) == (0, 1)  # a share has no values beyond


def test_the_example_of_a_back_end_counts_and_logs(caplog: pytest.LogCaptureFixture) -> None:
    backend = code("backend")["TraceBackend"]()
    machine = rulesengine.load("tic-tac-toe", engine="interpreter").machine
    assert Selector(machine, "trace", None, (backend, *BACKENDS)).best("singles") == "trace"
    kernels, state = Kernels(machine, backend), machine.initial_state()
    with caplog.at_level("DEBUG"):
        assert kernels.legal(state) == machine.legal(state)
    assert len(caplog.messages) > 0
