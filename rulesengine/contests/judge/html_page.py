"""HTML report of judging: verdicts of all programs, and the first difference of each one."""

import shlex
from collections.abc import Iterator, Sequence
from html import escape

from rulesengine.contests.judge.comparison import Difference
from rulesengine.contests.judge.reports import JudgedProgram
from rulesengine.contests.judge.verdicts import CaseLimits, Result
from rulesengine.contests.report_page import (
    definitions,
    game_board,
    html_table,
    player_definitions,
    report_page,
)
from rulesengine.game import Game

_MOST_CASES = 200  # verdicts of a program that are shown one by one
_MEANINGS = (
    ("right", "the expected output, or in games no illegal move"),
    ("presentation", "the expected output but for blanks and line ends"),
    ("wrong", "another output, or an illegal move"),
    ("time", "more CPU time than the limit, or no answer"),
    ("memory", "more memory than the limit"),
    ("crash", "an exit status other than 0, or a program that does not start"),
)
_STYLE = """
.verdicts { display: flex; flex-wrap: wrap; gap: 2px; list-style: none; padding: 0; }
.verdicts li { min-width: 1.6em; padding: 0 .3em; text-align: center; color: #fff;
  background: #b02a37; border-radius: 3px; print-color-adjust: exact; }
.verdicts .right { background: #1f6f43; } .verdicts .presentation { background: #8a5a00; }
"""


def judge_page(
    game: Game, judged: Sequence[JudgedProgram], bounds: CaseLimits, against: str = ""
) -> str:
    """Return a self-contained page; `against` is the player of games, empty for cases."""
    title = f"{game.name}: verdicts"
    of_games = bool(against)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>Each program has {bounds.seconds:g} s of CPU time and {bounds.memory >> 20} MB.</p>",
        game_board(game),
        *(["<h2>Opponent</h2>", player_definitions(game, [(against, against)])] if against else []),
        "<h2>Programs</h2>",
        definitions((one.contestant.name, shlex.join(one.contestant.command)) for one in judged),
        html_table("Programs", [_head(of_games), *(_row(one, of_games) for one in judged)]),
        "<h2>Verdicts</h2>",
        definitions(_MEANINGS),
        *(part for one in judged for part in _program(one)),
    ]
    return report_page(title, parts, style=_STYLE)


def _head(of_games: bool) -> list[str]:
    return ["program", "right", "most time", "most memory", *(["points"] if of_games else [])]


def _row(one: JudgedProgram, of_games: bool) -> list[str]:
    seconds = max((each.seconds for each in one.results), default=0.0)
    memory = max((each.memory for each in one.results), default=0) / 2**20
    cells = [one.contestant.name, f"{one.right} of {len(one.results)}"]
    cells += [f"{seconds:.2f} s", f"{memory:.0f} MB"]
    return [*cells, f"{one.points:g}"] if of_games else cells


def _program(one: JudgedProgram) -> Iterator[str]:
    """Yield the verdicts of a program, and its first result that is not right."""
    yield f"<h3>{escape(one.contestant.name)}</h3>"
    if one.contestant.problem:
        yield f"<p>{escape(one.contestant.problem)}</p>"
    shown = one.results[:_MOST_CASES]
    items = (
        f'<li class="{each.verdict}" title="{escape(f"{each.case}: {each.verdict}")}">'
        f"{escape(each.case)}</li>"
        for each in shown
    )
    yield f'<ul class="verdicts">{"".join(items)}</ul>'
    if more := len(one.results) - len(shown):
        yield f"<p>{more} further cases.</p>"
    bad = next((each for each in one.results if each.verdict != "right"), None)
    if bad:
        yield from _result(bad)


def _result(bad: Result) -> Iterator[str]:
    text = f"{bad.case}: {bad.verdict}: {bad.note}"
    yield f"<p>First case that is not right: {escape(text)}</p>"
    if bad.difference:
        yield _difference(bad.difference)


def _difference(one: Difference) -> str:
    rows = [("output", f"line {one.line}, column {one.column}: {one.found}")]
    rows += [
        ("expected", f"line {one.expected_line}, column {one.expected_column}: {one.expected}")
    ]
    if one.site:
        rows.append(("printed by", f"{one.site.file}:{one.site.line}: {one.site.text}"))
    return definitions(rows)
