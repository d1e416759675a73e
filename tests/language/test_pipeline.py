"""From a spec to its program: one text for one program, verified, and no needless imports."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import InternalError
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op, literal
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import rewrite
from rulesengine.language.ir.text import read, show
from rulesengine.language.ir.verify import verify
from rulesengine.language.pipeline import analyse
from rulesengine.support.files import read_source
from rulesengine.support.source import Source
from tests.helpers.processes import PATIENCE

ROOT = Path(__file__).parents[2]
GAMES = sorted(path.stem for path in (ROOT / "games").glob("*.yaml"))
OTHERS: list[tuple[str, Mapping[str, int | str]]] = [
    ("othello", {"n": 4}),
    ("othello", {"n": 26}),
    ("tic-tac-toe", {"m": 5, "n": 4, "k": 3}),
    ("connect-four", {"rows": 1, "columns": 1, "k": 1}),
    ("connect-four", {"rows": 32, "columns": 32, "k": 5}),
    ("hex", {"n": 1}),
    ("breakthrough", {"rows": 5, "columns": 3}),
    ("bio97-othello", {"strategy": 2}),
    ("aps105-reversi", {"n": 26, "computer": "black"}),
]
CASES: list[tuple[str, Mapping[str, int | str]]] = [*((name, {}) for name in GAMES), *OTHERS]
every_case = pytest.mark.parametrize(
    ("name", "values"), CASES, ids=[f"{name} {values}" for name, values in CASES]
)


def game(name: str, values: Mapping[str, int | str]) -> Game:
    return rulesengine.load(name).bind(**values)


@every_case
def test_a_program_reads_back_from_its_text(name: str, values: Mapping[str, int | str]) -> None:
    program = game(name, values).program
    assert read(show(program)) == program


@every_case
def test_a_program_that_was_read_back_is_shown_the_same(
    name: str, values: Mapping[str, int | str]
) -> None:
    text = show(game(name, values).program)
    assert show(read(text)) == text


@pytest.mark.parametrize("name", GAMES)
def test_checked_rules_read_back_and_make_the_same_program(name: str) -> None:
    loaded = game(name, {})
    rules = read(show(loaded.rules))
    assert rules == loaded.rules
    assert Game(rules, loaded.parameters).program == loaded.program


def test_other_parameters_make_another_program() -> None:
    assert game("othello", {"n": 4}).program != game("othello", {"n": 6}).program
    assert game("othello", {"n": 6}).program == game("othello", {}).bind(n=6).program


@every_case
def test_a_program_is_well_formed(name: str, values: Mapping[str, int | str]) -> None:
    verify(game(name, values).program)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (Op("no_such", "cells"), "no operation no_such"),
        (Op("region", "cells", (), "top"), "left after lowering"),
        (Op("parameter", "cells", (), "n"), "left after lowering"),
        (Op("empty", "number"), "empty gives cells, not number"),
        (Op("not", "cells", (literal("number", 1),)), "not takes cells, found number"),
        (Op("not", "cells"), "not needs 1 argument"),
        (Op("not", "cells", (Op("empty", "cells"),) * 2), "1 arguments too many"),
        (Op("if", "cells", (literal("flag", 1), Op("empty", "cells"))), "if needs 3 arguments"),
        (Op("count", "number", (literal("flag", 1),)), "count takes cells, found flag"),
    ],
)
def test_a_broken_program_is_refused(broken: Op, words: str) -> None:
    with pytest.raises(InternalError, match=words):
        verify(with_broken_operation(game("tic-tac-toe", {}).program, broken))


def with_broken_operation(program: Program, broken: Op) -> Program:
    """Replace the first `empty` by a broken operation."""

    def change(op: Op) -> Op:
        if op == Op("empty", "cells"):
            return broken
        return Op(op.name, op.type, tuple(change(arg) for arg in op.args), op.value)

    rules = rewrite(program.rules, change)
    assert rules != program.rules
    return replace(program, rules=rules)


@pytest.mark.parametrize(
    "text",
    ["", "(", ")", "[1", "(Rules)", "(no_such:cells -)", '(Path "x")', "1 2", "{}", "1.5", "NaN",
     '(Statement "stop" [] [] [] [] [] [])', "(empty:cells", "nonsense", "\"open", "(- 1)"],
)  # fmt: skip
def test_a_text_that_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"unexpected|value|record|list|argument"):
        read(text)


def python(code: str, seed: int = 0) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.deep) for n in (1, 2, 3))]
)
def test_the_text_of_a_program_is_the_same_in_every_process(first: int) -> None:
    names = GAMES[first::4]
    code = (
        "import hashlib, rulesengine\n"
        f"for name in {names}:\n"
        "    text = rulesengine.load(name).show()\n"
        "    print(name, hashlib.sha256(text.encode()).hexdigest())"
    )
    one, other = python(code, seed=1), python(code, seed=2)
    assert one == other
    assert len(one.splitlines()) == len(names)


def test_importing_the_package_loads_no_parser() -> None:
    code = (
        "import sys, rulesengine\n"
        "print(sorted({'lark', 'yaml', 'jsonschema', 'referencing'} & set(sys.modules)))"
    )
    assert python(code).strip() == "[]"


@pytest.mark.slow
def test_a_game_restored_from_its_text_needs_no_parser() -> None:
    code = (
        "import sys, rulesengine\n"
        "from rulesengine.game import Game\n"
        "from rulesengine.language.ir.text import read\n"
        "game = Game(read(sys.stdin.read()), {'m': 3, 'n': 3, 'k': 3})\n"
        "print(game.perft(2), sorted({'lark', 'yaml', 'jsonschema'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=show(game("tic-tac-toe", {}).rules),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=PATIENCE,
    )
    assert (done.stdout.strip(), done.stderr) == ("72 []", "")


def findings_over(parent: str, text: str) -> list[tuple[str, str, str, list[str]]]:
    """Return code, source and text of each error of a spec over a bundled one, and its notes."""
    analysis = analyse(Source("mine.yaml", f"spec: 1\nname: Mine\nextends: {parent}\n{text}"))
    return [
        (f.code, f.span.source.name, f.span.text, [Path(n.span.source.name).name for n in f.notes])
        for f in analysis.findings
    ]


def test_an_error_in_a_parent_is_reported_at_the_change_that_causes_it() -> None:
    found = findings_over("othello", "parameters: {n: null}\n")
    assert {(file, text) for _, file, text, _ in found} == {("mine.yaml", "n")}
    assert all(notes == ["othello.yaml"] for *_, notes in found)


def test_an_error_in_a_parent_without_such_a_change_is_reported_at_extends() -> None:
    found = findings_over("breakthrough", "pieces: {pawn: null, man: {white: W, black: B}}\n")
    assert ("unknown-name", "mine.yaml", "pawn", ["breakthrough.yaml"]) in found
    assert {file for _, file, *_ in found} == {"mine.yaml"}


REGISTER = """\
spec: 1
name: Taken
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers: {drawn: {type: number, from: 0, to: 9}}
rules:
  moves: {place: stone, to: empty, do: set drawn to drawn + 1}
  end: {when: drawn > 3, result: draw}
"""


def test_uses_of_a_register_with_a_name_of_the_language_are_not_reported() -> None:
    findings = analyse(Source("taken.yaml", REGISTER)).findings
    assert [(f.code, f.span.text) for f in findings] == [("name-taken", "drawn")]


def test_files_that_extend_each_other_are_reported(tmp_path: Path) -> None:
    for name, parent in (("one", "two"), ("two", "one")):
        text = f"spec: 1\nname: Mine\nextends: ./{parent}.yaml\n"
        (tmp_path / f"{name}.yaml").write_text(text)
    findings = analyse(read_source(tmp_path / "one.yaml")).findings
    assert {finding.code for finding in findings} == {"extends-circle"}
