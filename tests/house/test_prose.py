"""Prose in standard terms: paraphrase words and docstring openings within shrinking budgets."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.house import prose
from tests.house.prose import LIMITS, MOST_OPENINGS, OPENINGS, VERBLESS, VERBS, Prose, has_verb

REWRITE = "run `python -m tests.house.prose --write`"

measured = cache(prose.measured)


@pytest.mark.slow
@pytest.mark.parametrize("area", prose.AREAS)
def test_no_figure_is_above_its_budget(area: str) -> None:
    budgets = prose.read()["budgets"][area]
    figures = measured(area)
    above = {n: (f, budgets[n]) for n, f in figures.items() if f > budgets[n]}
    assert above == {}, f"use the field's terms instead\n{examples(area, above)}"


def examples(area: str, names: dict[str, tuple[float, float]]) -> str:
    """Return the functions without a verb, if these are too many."""
    modules = [path for path in prose.files(area) if path.suffix in prose.MODULES]
    found = [line for path in modules for line in prose.verbless(path)]
    return "\n".join(found[:40] if VERBLESS in names else [])


@pytest.mark.slow
@pytest.mark.parametrize("area", prose.AREAS)
def test_no_budget_is_clearly_above_its_figure(area: str) -> None:
    budgets = prose.read()["budgets"][area]
    stale = {n: f for n, f in measured(area).items() if prose.is_stale(n, budgets[n], f)}
    assert stale == {}, REWRITE


def test_no_budget_of_a_finished_area_is_above_its_limit() -> None:
    stored = prose.read()
    assert stored["budgets"].keys() == prose.AREAS.keys()
    assert set(prose.unfinished(stored["budgets"])) <= set(stored["unfinished"])


# the measurement


def test_a_limit_is_four_times_the_median_and_four() -> None:
    assert LIMITS["what"] == 10.8
    assert LIMITS["mend"] == 4
    assert MOST_OPENINGS == 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("That is what a node holds.", "what"),
        ("A thread whose work is done.", "who, whose"),
        ("Tell the caller.", "tell, told"),
        ("A piece that stands there.", "stand"),
        ("The set in which it is.", "of which, by which"),
        ("He moves.", "he, his"),
    ],
)
def test_a_paraphrase_is_counted(text: str, name: str) -> None:
    found = Prose()
    found.add(text)
    assert {n for n, hits in found.hits.items() if hits} == {name}


def test_standard_terms_are_not_counted() -> None:
    found = Prose()
    found.add("Return the principal variation of the standard search; what?")
    assert not found.hits.total()
    assert found.words == 9


def test_openings_are_in_per_cent_of_docstrings() -> None:
    found = Prose()
    for text in ("Whether it ends.", "Return the end.", "True if it ends.", "An end."):
        found.add_docstring(text)
    assert found.rates()[OPENINGS] == 25


def test_strings_and_code_blocks_are_no_prose(tmp_path: Path) -> None:
    module, page = tmp_path / "module.py", tmp_path / "page.md"
    module.write_text('"""What."""\n\nTEXT = "what what"  # what\n')
    page.write_text("What `what`.\n\n```text\nwhat\n```\n\nwhat\n")
    assert prose.prose_of([module]).hits["what"] == 2
    assert prose.prose_of([page]).hits["what"] == 2


# the first word of docstrings


@pytest.mark.parametrize(
    "docstring",
    ["Return the legal moves.", "True if it is over.", "\n    Yield moves.\n", "Run."],
)
def test_a_docstring_may_begin_with_a_verb(docstring: str) -> None:
    assert has_verb(docstring)


@pytest.mark.parametrize(
    "docstring",
    [
        "The legal moves.",
        "Legal moves.",
        "Returns the moves.",
        "Whether it is over.",
        "Count of the moves.",
        "True.",
        "`legal` as a list.",
        "",
    ],
)
def test_a_docstring_may_not_begin_otherwise(docstring: str) -> None:
    assert not has_verb(docstring)


def test_the_verbs_are_base_forms() -> None:
    assert prose.QUESTIONS.isdisjoint(VERBS)
    ends = ("ing", "ed", "ies")
    others = {"Bring", "Embed", "Exceed", "Feed", "Need", "Seed", "Speed", "String"}
    assert [verb for verb in sorted(VERBS - others) if verb.endswith(ends)] == []
    assert [verb for verb in sorted(VERBS) if verb != verb.capitalize()] == []


def test_methods_and_nested_functions_are_searched(tmp_path: Path) -> None:
    tree = ast.parse(
        'class A:\n "A class."\n def f(self):\n  "The f."\n  async def g():\n   "Run."\n'
    )
    assert sorted(found.text for found in prose.docstrings(tree)) == ["A class.", "Run.", "The f."]


# the budgets


def test_a_new_budget_has_room_for_small_edits_below_its_limit() -> None:
    assert prose.new_budget("what", 2.0) == 3.2
    assert prose.new_budget("what", 10.5) == 10.8
    assert prose.new_budget("what", 50.0) == 50.0
    assert prose.new_budget(VERBLESS, 7) == 7


def test_a_budget_is_never_raised() -> None:
    figures = {"docs": {"what": 5.0, "stand": 1.0}}
    assert prose.lowered({"docs": {"what": 2.0, "stand": 4.0}}, figures) == {
        "docs": {"what": 2.0, "stand": 2.1}
    }


def test_only_a_clear_improvement_makes_a_budget_stale() -> None:
    budget = prose.new_budget("what", 3.0)
    assert not prose.is_stale("what", budget, 1.5)
    assert prose.is_stale("what", budget, 0.2)
    assert not prose.is_stale(VERBLESS, 20, 10)
    assert prose.is_stale(VERBLESS, 40, 10)


def test_a_finished_area_stays_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "BUDGET", tmp_path / "budget.json")
    prose.write({"docs": {"what": 1.0}, "tests": {"what": 30.0}})
    assert prose.read()["unfinished"] == ["tests"]
    prose.write({"docs": {"what": 30.0}, "tests": {"what": 3.0}})
    assert prose.read() == {
        "unfinished": [],
        "budgets": {"docs": {"what": 2.1}, "tests": {"what": 4.3}},
    }
