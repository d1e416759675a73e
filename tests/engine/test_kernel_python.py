"""The text of kernels: reproducible, free of user text, annotated with the rules."""

import io
import keyword
import os
import re
import subprocess
import sys
import tokenize
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Job, Stopped
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.analysis.board_tables import BoardTables
from rulesengine.engine.kernel.analysis.caller_facts import may_take_long
from rulesengine.engine.kernel.backends.python.statements import source
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import parts_of
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.selection import Engine
from rulesengine.language import rules_cache
from rulesengine.loading import load_source, open_spec
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.each_game import each_game

ROOT = Path(__file__).parents[2]
SOME = ("othello", "english-draughts", "go", "mu-torere", "bio97-othello", "hex-pie")

HOSTILE = r"""
spec: 1
name: "evilword\"\"\"; import os; os.abort() # evilword = 1"
players:
  evilword_one: {label: "evilword'); raise SystemExit('evilword"}
  evilword_two: {label: "evilword\\ evilword"}
board: {rows: 3, columns: 3}
pieces:
  evilword_piece: {evilword_one: "#", evilword_two: "'", neutral: "\\"}
  empty: '"'
registers:
  evilword_count: {type: number, from: 0, to: 99}
define:
  evilword_cells: empty
rules:
  moves:
    name: evilword_step
    place: evilword_piece
    to: evilword_cells
    do: set evilword_count to evilword_count + 1
  score: count(own)
  end:
    - when: any(line(own, at least 3))
      result: player wins
      reason: "evilword\nraise SystemExit('evilword')\nevilword = 1\tevilword = 2 # \"\"\" ''"
    - when: none(empty)
      result: highest score wins
      reason: "%evilword{evilword}\\"
strategies:
  evilword_strategy:
    - most after(count(own))
    - leftmost
"""

# The words in kernel names, apart from numbers: of Python, helpers, functions and loops.
WORDS = frozenset(
    "append bit count int len length max min range sum"
    " Failed atomic checked fold load marks mbetween met mfill mgather mix mrow mslide mtoward"
    " nth pick poll store table"
    " any apply best choose decide ending find finish follow item legal lengthen list make mask"
    " perft play playouts scores self share stems tail try"
    " some step"
    " all at before begin cell cells down first found free high last low new over part ray rays"
    " reached rest start stop until up v w within".split()
) | {""}

PRINT = """
import sys
import rulesengine
for name in sys.argv[1:]:
    game = rulesengine.load(name)
    sys.stdout.write(game.show_kernel())
    if {native}:
        sys.stdout.write(game.show_kernel("native"))
"""


@pytest.fixture(scope="module")
def hostile() -> Game:
    return load_source(Source("evilword.yaml", HOSTILE), engine="python")


def executed(game: Game) -> list[str]:
    """Return the source that Python runs, by part."""
    machine = game.machine
    return [source(emitted(machine, part)) for part in parts_of(machine)]


def foreign(text: str) -> set[str]:
    """Return names, texts and comments in Python code that are not words of the printer."""
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            found.add(token.string)
        elif token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            found |= {word for word in re.split(r"[_\d]+", token.string) if word not in WORDS}
    return found


def printed(seed: str, names: tuple[str, ...]) -> bytes:
    """Return the kernels of games, printed by a new process with its own hash seed."""
    native = bool(find_spec("llvmlite"))
    done = subprocess.run(
        [sys.executable, "-c", PRINT.format(native=native), *names],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


# reproducible


@pytest.mark.slow
def test_kernels_are_the_same_from_run_to_run() -> None:
    first = printed("1", SOME)
    assert len(first) > 10_000
    assert first == printed("2", SOME)


@pytest.mark.deep
def test_the_kernels_of_every_bundled_game_are_the_same_from_run_to_run() -> None:
    assert printed("3", bundled_names()) == printed("4", bundled_names())


@pytest.mark.slow
def test_another_order_of_making_the_parts_makes_the_same_text() -> None:
    machine = rulesengine.load("english-draughts").machine
    parts = parts_of(machine)
    forth = {part: source(emitted(machine, part)) for part in parts}
    back = {part: source(emitted(machine, part)) for part in reversed(parts)}
    assert forth == back


# Without shared operations, the texts of these two games differed, and those of nine others.
@each_game(quick={"goofspiel"}, deep={*bundled_names()} - {"goofspiel", "los-alamos"})
def test_rules_from_the_cache_have_the_kernels_of_rules_from_the_text(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))
    from_text = source(emitted(rulesengine.load(name).machine, "lanes"))
    recalled = rules_cache.recall(open_spec(name))
    assert recalled is not None
    assert source(emitted(Interpreter(recalled.program), "lanes")) == from_text


# no user text


@pytest.mark.slow
def test_executed_code_has_no_user_text(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []

    def recorded(text: str, name: str, mode: str) -> Any:
        run.append(text)
        return compile(text, name, mode)

    monkeypatch.setattr(
        "rulesengine.engine.kernel.backends.python.build.compile", recorded, raising=False
    )
    monkeypatch.setenv("RULESENGINE_CACHE", "")  # kernels are compiled again
    game = load_source(Source("evilword.yaml", HOSTILE), engine="python")
    assert set(game.engines().values()) == {"python"}
    assert run == executed(game)
    for text in run:
        assert "evil" not in text
        assert foreign(text) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_executed_code_has_no_string_or_comment(name: str) -> None:
    for text in executed(rulesengine.load(name)):
        assert foreign(text) == set()


def test_foreign_text_is_found() -> None:
    text = "def legal(v1):\n    v2 = v1 & 0x7  # mine\n    Stone = 'x'\n"
    assert foreign(text) == {"# mine", "Stone", "'x'"}
    assert foreign("_evil_1 = some_2_evil") == {"evil"}


@pytest.mark.skipif(not find_spec("llvmlite"), reason="native kernels need the extra `native`")
def test_native_code_holds_no_user_text(hostile: Game) -> None:
    lines = hostile.show_kernel("native").splitlines()
    assert [line for line in lines if "evil" in line] == ["; strategy evilword_strategy"]


def test_a_hostile_game_is_played_alike_by_kernels(hostile: Game) -> None:
    results = {
        load_source(Source("evilword.yaml", HOSTILE), engine=engine).playouts(20, seed=1).checksum
        for engine in ("interpreter", "python")
    }
    assert len(results) == 1


def test_hostile_remarks_stay_remarks(hostile: Game) -> None:
    shown = hostile.show_kernel()
    lines = [line for line in shown.splitlines() if "evil" in line]
    assert any("SystemExit" in line for line in lines)
    assert all(line.lstrip().startswith("# ") for line in lines)
    assert bare(shown) == bare("".join(executed(hostile)))


def test_a_remark_is_one_line_whatever_it_holds() -> None:
    builder = Builder(4)
    with builder.function("legal", ["i"], ["i"], entry=True) as (number,):
        builder.note("evil\n\r\x0b\x0c\x1c\x85\u2028\u2029word\\")
        builder.emit_return(number)
    shown = source(builder.module, remarks=True)
    assert [line for line in shown.splitlines() if "word" in line] == ["    # evil        word\\"]
    assert "evil" not in source(builder.module)


# the rules next to the code


def bare(text: str) -> list[str]:
    """Return the lines without comments and blank ones."""
    lines = (line for line in text.split("\n") if line.strip())
    return [line for line in lines if not line.lstrip().startswith("#")]


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_kernels_are_shown_with_the_rules_as_comments(name: str) -> None:
    shown = call("show", name, "--stage", "kernel")
    assert (shown.code, shown.err) == (0, "")
    remarks = {line.strip() for line in shown.out.splitlines() if line.lstrip().startswith("#")}
    game = rulesengine.load(name)
    for group in game.program.rules.groups:
        assert f"# {group.site.text}" in remarks
    for end in game.program.rules.ends:
        assert f"# end, {end.result}: {end.reason}" in remarks
    for strategy in game.strategies:
        assert f"# strategy {strategy}" in remarks


@pytest.mark.slow
def test_remarks_change_nothing_about_what_is_run() -> None:
    for name in SOME:
        game = rulesengine.load(name)
        assert bare(game.show_kernel()) == bare("".join(executed(game)))
        compile(game.show_kernel(), name, "exec")


def test_rows_longer_than_every_line_are_not_stepped_along(monkeypatch: pytest.MonkeyPatch) -> None:
    def leap(*_: object, **__: object) -> None:
        pytest.fail("steps as many as the row is long")

    monkeypatch.setattr(BoardTables, "leap", leap)
    text = "count(line(own, at least 4611686018427387904)) > 0"
    spec = (Path(__file__).parents[2] / "games" / "tic-tac-toe.yaml").read_text(encoding="utf-8")
    long = re.sub(r"any\(line\(.*?\)\)", text, spec.split("\ntests:")[0])
    assert text in long
    game = load_source(Source("long.yaml", long), engine="python")
    assert game.perft(2) == 72


LAMP = """
spec: 1
name: Lamp
board: {rows: 1, columns: 1}
players: [first, second]
pieces: {empty: "."}
registers: {lamp: {type: number, from: 0, to: 1, each: cell, compared: true}}
rules:
  moves: {select: all, do: set lamp of to to 1 - lamp of to}
  end: {when: position_repeats > 0, result: player wins}
"""


@pytest.mark.parametrize("engine", ["interpreter", *(backend.name for backend in working())])
def test_positions_of_numbers_alone_are_recognised(engine: Engine) -> None:
    """Repeat the initial position by two moves: the lamp is out, the first player to move."""
    game = load_source(Source("lamp.yaml", LAMP), engine=engine)
    played = game.playouts(3, seed=1)
    assert (played.mean_length, played.wins) == (2.0, {"first": 0, "second": 3})
    assert [game.perft(plies) for plies in (1, 2, 3, 5)] == [1, 1, 0, 0]
    job = Job()
    job.stop()
    with pytest.raises(Stopped):
        game.perft(5, job=job)


HEAVY = """
spec: 1
name: Heavy
board: {rows: 2, columns: 2}
players: [first, second]
pieces: {stone: {first: x, second: o}, empty: "."}
registers: {load: {type: number, from: 0, to: 9, each: cell}}
rules:
  moves: {place: stone, to: empty, do: set load of to to 3}
  end: {when: none(empty), result: draw}
strategies:
  light: ["least least(u in [north, west], sum(n in own, load of n))"]
"""


@pytest.mark.parametrize("engine", ["interpreter", *(backend.name for backend in working())])
def test_a_sum_that_is_no_loop_any_more_is_chosen_by(engine: Engine) -> None:
    """Check that the estimate of an expensive choice reads the rules before optimisation."""
    game = load_source(Source("heavy.yaml", HEAVY), engine=engine)
    assert may_take_long(game.program)
    assert not may_take_long(optimised(game.program))
    assert str(game.choose("light", game.initial_state())) == "a1"
    assert game.engine_problems == {}
