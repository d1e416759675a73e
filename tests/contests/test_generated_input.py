"""Generated cases: their layout, right programs and mutants on them, and the validator."""

import io
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulesengine
from rulesengine.contests.judge import (
    Case,
    CaseLimits,
    accepts,
    describe_input,
    expectation,
    generate,
    generate_malformed,
    input_grammar,
    input_validator,
    write_package,
)
from rulesengine.contests.judge import cases as cases_module
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from tests.helpers import contest_problems
from tests.helpers.cli_calls import call
from tests.helpers.mutants import Run, fails, mutants
from tests.helpers.script_runs import BOARD, COUNT, FLIPS, SIZES, text_of

ORACLES = Path(__file__).parents[1] / "oracles"
FOUR, TOMEK = "bio04-four-in-a-line", "gcj13-tomek"
# The format of the input, from the statements of the problems.
FORMATS = {
    FOUR: r"\d+\n[1-7]( [1-7])*\n([nr]\n)*",
    TOMEK: r"\d+\n(([XOT.]{4}\n){4}\n)*",
    "acm92-othello": r"\d+\n(([-BW]{8}\n){8}[BW]\n((L|M[1-8][1-8])\n)*Q\n)*",
    "aps105-reversi": r"\d+\n[BW]\n([a-z]{2}\n)*",
    **contest_problems.FORMATS,
    "bio97-othello": r"([*0.]{4}\n){4}((-1|[1-9]\d*|0 -1|0 -?\d+ -1|0 -?\d+ -?\d+)\n)*",
}
# Games in which random cases seldom need each of the lines of three.
NUMBERS = {"first-line": 250}
# Lines of the script that no input reaches: a parameter selects the other strategy.
MISSED = {"aps105-reversi": ["play move by strong"]}

TOMEK_PROGRAM = """
def run(data):
    lines = data.decode().split("\\n")
    printed = []
    for number in range(int(lines[0])):
        rows = lines[1 + 5 * number : 5 + 5 * number]
        columns = ["".join(column) for column in zip(*rows)]
        falling = "".join(rows[i][i] for i in range(4))
        rising = "".join(rows[i][3 - i] for i in range(4))
        found = "Draw"
        if "." in "".join(rows):
            found = "Game has not completed"
        for line in rows + columns + [falling, rising]:
            for side in "XO":
                if line.count(side) + line.count("T") == 4 and line.count("T") < 2:
                    found = side + " won"
        printed.append("Case #" + str(number + 1) + ": " + found + "\\n")
    return "".join(printed).encode(), 0
"""

# Lines in which a mutant does not change the output for well-formed input.
SAME = {
    "first-line": {"cells = [None] * 9"},
    "four": {"columns = [[] for _ in range(7)]"},
    FOUR: {
        'if word not in (b"n", b"r"):',
        "code = 1",
        "for _ in range(wanted_number(reader, 1, 10)):",
        "if all(at(columns, x + dx * i, level + dy * i) == piece for i in range(4)):",
    },
    TOMEK: {'if line.count(side) + line.count("T") == 4 and line.count("T") < 2:'},
    "acm92-othello": {
        "while left > 0:",
        "left -= 1",
        "board[3][3] = board[4][4] = WHITE",
        "board[3][4] = board[4][3] = BLACK",
        "code = 1",
        'elif len(word) == 3 and word[:1] == b"M" and word[1:].isdigit():',
    },
    "aps105-reversi": {
        "code = 1",
        'return ("B" if black > white else "W") + " player wins.\\n"',
    },
    "bio97-othello": {
        "if n == -1:",
        "if x == -1:",
        "if y == -1:",
        "most = 0",
        "return count(after, player) - most",
        "if value is not None and value >= -1:",
        "winner = WHITE if white > black else BLACK",
        "if not (dx or dy):",
        "best_value = -1",
        "code = 1",
    },
}


def loaded(game: str) -> Game:
    values = {"strategy": 1} if "bio97" in game else {}
    if game in contest_problems.SPECS:
        return load_source(Source(f"{game}.yaml", contest_problems.SPECS[game]))
    return rulesengine.load(game).bind(**values)


@cache
def cases(game: str) -> list[tuple[Case, bytes]]:
    spec = loaded(game)
    found = [
        (case, expectation(spec, case)) for case in generate(spec, NUMBERS.get(game, 30), 0).cases
    ]
    assert not any(expected.error for _, expected in found)
    return [(case, expected.text.encode()) for case, expected in found]


def program(game: str) -> str:
    if game == TOMEK:
        return TOMEK_PROGRAM
    if game in contest_problems.PROGRAMS:
        return contest_problems.PROGRAMS[game]
    return (ORACLES / f"{game.partition('-')[0]}.py").read_text()


def runner(game: str) -> Any:
    def of(names: dict[str, Any]) -> Run:
        called: Run = names["run"]
        return (lambda data: names["run"](data, 1)) if "bio97" in game else called

    return of


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.deep) if "aps105" in g else g for g in FORMATS]
)
def test_cases_are_complete_and_have_the_format_of_the_statement(game: str) -> None:
    assert len(cases(game)) > 0.9 * NUMBERS.get(game, 30)
    for case, _ in cases(game):
        text = case.input.decode()
        assert re.fullmatch(FORMATS[game], text), text
        lines = text.split("\n")
        if game == FOUR:
            assert len(lines[1].split()) == int(lines[0])
        if game == TOMEK:
            assert text.count("\n\n") == int(lines[0])
        if game.startswith("acm92"):
            assert text.count("Q") == int(lines[0])


@pytest.mark.slow
@pytest.mark.parametrize("game", FORMATS)
def test_cases_reach_every_branch_that_input_can_reach(game: str) -> None:
    missed = [site.text for site in generate(loaded(game), 12, 0).missed]
    assert missed == MISSED.get(game, [])


@pytest.mark.slow
@pytest.mark.parametrize("game", FORMATS)
def test_right_programs_pass_and_mutants_fail(game: str) -> None:
    text, given = program(game), [(case.input, answer) for case, answer in cases(game)]
    assert not fails(text, runner(game), given)
    found = mutants(text, 20, frozenset(error_lines(text) | SAME.get(game, set())))
    assert [line for line, mutant in found if not fails(mutant, runner(game), given)] == []


def error_lines(text: str) -> set[str]:
    """Return the lines with conditions of errors: they are false for well-formed input."""
    return set(re.findall(r"^ *(if .*:)\n *raise", text, re.M))


# Scripts with each statement that reads; the games have six cells.
READS: dict[str, tuple[str, str]] = {
    "numbers of a line": ("read numbers a from 1 to 5\nread number b", ""),
    "counted numbers": ("read number n from 0 to 4\nread n numbers a\nprint \"{n}\"", ""),
    "words": ("read word a, b\nread words c\nread 3 words d\nread line e", ""),
    "cells": ("read cell a\nread cells b\nread cell c, d", ""),
    "a mover": ('read mover\nread mover from "1" left, "2" right', ""),
    "a region": ("read board in top", ""),
    "symbols": ('read board by symbols with "x" left, "-" empty\nread number n', ""),
    "a blank as symbol": ('read board with "#" left, " " empty, "o" right\nread word w', ""),
    "a size": ("read board to blank line\nread word w", COUNT),
    "a parameter": ("read parameter n\nrepeat n times\n  read number a from 0 to n", SIZES),
    "moves": (
        "repeat until over\n  command\n    \"p{c:word}\"\n      play move c\n    \"q\"\n      stop",
        "",
    ),
    "a condition": (
        "read number n from 1 to 3\nrepeat i from 1 to n\n  read number a from i to 3 * n\n"
        "  if a = 2 * n\n    read word w\n  else if a > 2\n    read cell c",
        "",
    ),
    "a named block": (
        "read number n from 1 to 3\ndo take(n + 1)\nread word w\nblock take(m)\n"
        "  repeat m times\n    read number a from 0 to m",
        "",
    ),
    "ignored numbers": ("accept numbers from 2 to 4\nrepeat 3 times\n  read number n", ""),
    "an endless loop": ("repeat\n  read number a from 0 to 9\n  print \"{a}\"", ""),
    "a strategy": ("repeat until over\n  read cell c\n  play move where to = c\n  else\n    next\n"
                   "  if not over\n    play move by greedy", FLIPS),
    "layouts": (
        "layout line\nread number a\nrepeat 2 times\n  read word b\nlayout line\n"
        "read cell c, d\nread cell e\nlayout blank line\nlayout lines\n"
        "read number f, g\nread number h",
        "",
    ),
}  # fmt: skip


BOARDS = {"a size": "{rows: r, columns: c}"}


@pytest.mark.parametrize("name", READS)
def test_input_for_each_statement_is_accepted_by_script_and_grammar(name: str) -> None:
    script, more = READS[name]
    game = load_source(Source("script.yaml", text_of(script, more, BOARDS.get(name, BOARD))))
    grammar = input_grammar(game)
    found = generate(game, 25, 5).cases
    assert len(found) >= 4
    for case in found:
        text = case.input.decode()
        assert accepts(grammar, text), text
        assert not expectation(game, case).error
        if name != "an endless loop":  # the script reads no more than the case
            run(game, io.BytesIO(case.input + b"left\n"), io.BytesIO())
        for again in (text + "1\n", text[:-1], text.replace("\n", "\n\n", 1), "\n" + text):
            assert again == text or name == "an endless loop" or not accepts(grammar, again), again


def test_words_are_those_that_the_script_compares_with_or_plays() -> None:
    """The text of a move is the small form of a word; two other words have lines of their own."""
    script = (
        'repeat until over\n  read word w\n  if w = "save"\n    print "saved"\n    next\n'
        '  else if w = "quit"\n    stop\n  play move "{small_letters(w)}"\n  print "played"'
    )
    game = load_source(Source("script.yaml", text_of(script)))
    found = generate(game, 20, 0)
    assert found.missed == ()
    words = b" ".join(case.input for case in found.cases).split()
    assert {*words} == {b"save", b"quit", b"a1", b"a2", b"b1", b"b2", b"c1", b"c2"}
    outputs = [expectation(game, case).text for case in found.cases]
    assert any(text.count("played") == 6 for text in outputs)
    assert any(text.count("saved") > 2 for text in outputs)


@pytest.mark.parametrize(
    ("text", "is_accepted"),
    [
        ("1 a b\na1 b2 c1\n\n2 4\n3\n", True),
        ("1\na b\na1 b2 c1\n\n2 4\n3\n", False),
        ("1 a b\na1 b2\nc1\n\n2 4\n3\n", False),
        ("1 a b a1 b2 c1\n\n2 4\n3\n", False),
        ("1 a b\na1 b2 c1\n2 4\n3\n", False),
        ("1 a b\na1 b2 c1\n\n\n2 4\n3\n", False),
        ("1 a b\na1 b2 c1\n\n2\n4\n3\n", False),
        ("1 a b\na1 b2 c1\n\n2 4 3\n", False),
        ("1  a b\na1 b2 c1\n\n2 4\n3\n", False),
        ("01 a b\na1 b2 c1\n\n2 4\n3\n", False),
        ("1 a b\na1 b2 c1\n\n2 4\n3", False),
        ("1 a b \na1 b2 c1\n\n2 4\n3\n", False),
        ("1 a b\na1 b2 d1\n\n2 4\n3\n", False),
    ],
)
def test_layout_statements_say_where_lines_end(text: str, is_accepted: bool) -> None:
    game = load_source(Source("script.yaml", text_of(*READS["layouts"])))
    assert accepts(input_grammar(game), text) == is_accepted


@pytest.mark.parametrize(
    ("text", "is_accepted"),
    [
        ("2\n1 2\nn\nr\n", True),
        ("2\n1 2\n", True),
        ("2\n1\n", False),
        ("2\n1 2 3\n", False),
        ("2\n1 8\n", False),
        ("0\n", False),
        ("11\n1 1 1 1 1 1 2 2 2 2 2\nr\n", False),
        ("2\n1 2\nnn\n", False),
        ("2\n1 2\nN\n", False),
        ("2 1 2\nr\n", False),
        ("", False),
    ],
)
def test_the_grammar_of_an_announced_count_accepts_as_many_numbers(
    text: str, is_accepted: bool
) -> None:
    assert accepts(input_grammar(rulesengine.load(FOUR)), text) == is_accepted


HUGE = 10**9
# Scripts whose headers announce a number of rounds, with input of a few lines.
HEADERS = {
    "rounds that print": (
        'read number n\nrepeat n times\n  print "x"\nread word w',
        "{n}\nw\n",
        True,
    ),
    "rounds that read at times": (
        "read number n\nread number k\nrepeat n times\n  if k > 0\n    read word w",
        "{n}\n0\n",
        False,
    ),
    "words of a list": ("read number n\nread n words w", "{n}\na b c\n", False),
    "a product that overflows": (
        "read number n\nread number k from n * n * n\nread word w",
        "{n}\n9\nw\n",
        False,
    ),
    "a quotient by zero": ("read number n\nlet m be 7 / (n - n)\nread word w", "{n}\nw\n", False),
    "squares of squares": (
        "read number n\nrepeat 40 times\n  read word w\n  let n be n * n",
        "{n}\n" + "w\n" * 40,
        False,
    ),
}


@pytest.mark.parametrize("name", HEADERS)
def test_numbers_in_a_header_do_not_determine_the_states_of_the_validator(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, text, is_accepted = HEADERS[name]
    grammar = input_grammar(load_source(Source("script.yaml", text_of(script))))
    following, calls = input_validator._following, 0

    def counted(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        return following(*args)

    monkeypatch.setattr(input_validator, "_following", counted)
    for digits in (str(HUGE), "9" * 5000):
        calls, given = 0, text.replace("{n}", digits)
        assert accepts(grammar, given) is is_accepted
        assert calls <= 50_000 + 50 * len(given)


def test_the_validator_accepts_small_numbers_in_such_headers() -> None:
    for name in ("rounds that read at times", "words of a list"):
        script, text, _ = HEADERS[name]
        grammar = input_grammar(load_source(Source("script.yaml", text_of(script))))
        assert accepts(grammar, text.replace("{n}", "3"))


@pytest.mark.slow
def test_a_number_of_rounds_does_not_determine_the_time_of_the_generator() -> None:
    script = f'read number n from 1 to {HUGE}\nrepeat n times\n  print "x"'
    game = load_source(Source("script.yaml", text_of(script)))
    found = [*generate(game, 4, 0).cases, *generate_malformed(game, 4, 0)]
    numbers = [int(case.input.split()[0]) for case in found if case.input.split()[:1]]
    assert numbers
    assert max(numbers) < HUGE


def test_a_case_with_more_output_than_programs_may_print_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cases_module, "_MOST_TEXTS", 50)
    game = load_source(Source("script.yaml", text_of('read number n\nrepeat n times\n  print "x"')))
    assert expectation(game, Case("few", b"50\n")).text == "x\n" * 50
    with pytest.raises(UsageError, match="many: the spec prints more than programs may"):
        expectation(game, Case("many", b"51\n"))


def test_a_parameter_that_the_script_sets_has_its_new_value_in_the_grammar() -> None:
    script = "read parameter n\nset n to n + 1\nrepeat n times\n  read number a from 0 to 9"
    game = load_source(Source("script.yaml", text_of(script, SIZES)))
    grammar = input_grammar(game)
    assert accepts(grammar, "2\n1\n2\n3\n")
    assert not accepts(grammar, "2\n1\n2\n")


def test_malformed_cases_are_others_in_a_folder_of_their_own(tmp_path: Path) -> None:
    game, grammar = rulesengine.load(FOUR), input_grammar(rulesengine.load(FOUR))
    found = generate_malformed(game, 30, 1)
    assert len({case.input for case in found}) == 30
    assert not any(accepts(grammar, case.input.decode("utf-8", "replace")) for case in found)
    folder, others = tmp_path / "cases", tmp_path / "malformed"
    words = ("judge", FOUR, "--generate", "40", "--write", str(folder), "--malformed", str(others))
    assert call(*words).out == "40 cases written\n"
    assert len([*folder.glob("*.in")]) == len([*others.glob("*.in")]) == 40
    assert not any(folder.glob("*.err"))
    rejected = [path.read_text() for path in others.glob("*.err")]
    assert rejected
    assert all(text.endswith("\n") for text in rejected)
    done = call("judge", FOUR, "--malformed", str(others))
    assert "no cases" in done.err


def test_lines_that_no_case_reaches_are_reported() -> None:
    done = call("judge", "aps105-reversi", "--generate", "4", "--write", "/dev/null/none")
    assert "no generated case reaches" in done.err
    assert "`play move by strong`" in done.err


@pytest.mark.slow
def test_a_package_has_samples_and_a_validator_that_refuses_changed_files(tmp_path: Path) -> None:
    game, chance = rulesengine.load(TOMEK), Random(0)
    found = [(case, expectation(game, case)) for case in generate(game, 12, 0).cases]
    wrong = Case("wrong", b"1\nXXXX\n....\n....\n....\n")
    count = write_package(
        str(tmp_path / "tomek"), game, [*found, (wrong, expectation(game, wrong))], CaseLimits()
    )
    assert count == 12
    validator = tmp_path / "tomek" / "input_validators" / "well_formed.py"

    def code(data: bytes) -> int:
        command = [sys.executable, "-I", "-S", str(validator)]
        return subprocess.run(command, input=data, check=False).returncode

    samples = sorted((tmp_path / "tomek" / "data" / "sample").glob("*.in"))
    assert len(samples) == 2
    assert all(path.with_suffix(".ans").read_bytes() for path in samples)
    for path in (tmp_path / "tomek" / "data").rglob("*.in"):
        data = path.read_bytes()
        assert code(data) == 42
        at = chance.randrange(len(data))
        changed = data[:at] + chance.choice([b"", b"Z", b"  ", b"\r\n"]) + data[at + 1 :]
        for other in (changed, data + b"1\n", data[:-1], b"\xff" + data):
            assert code(other) == 43, other
    statement = (tmp_path / "tomek" / "problem_statement" / "problem.en.tex").read_text()
    assert describe_input(game) in statement


def test_the_description_of_input_and_output_follows_the_script() -> None:
    text = describe_input(rulesengine.load(FOUR))
    wanted = [
        "- Input: a whole number n from 1 to 10.",
        "- The following inputs are on one line, separated by single blanks.",
        "- Repeat n times:",
        "  - Input: a whole number c from 1 to 7.",
        "- Output: the board.",
        '    - "n":',
        '  - Output: "Draw"',
    ]
    places = [text.index(line) for line in wanted]
    assert places == sorted(places)
    assert "is full" not in text
