"""Texts of a spec for its clauses: shown while they fit, dropped when they are outdated."""

import re
from pathlib import Path

import pytest

from rulesengine.language.pipeline import analyse, clause_digests
from rulesengine.loading import load_source
from rulesengine.prose import rules_page
from rulesengine.support.source import Source
from rulesengine.tools.format import formatted, stamped
from tests.helpers.cli_calls import call

SPEC = """spec: 1
name: Put
board: {rows: 1, columns: 4}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
define:
  # Stones in a corner count for nobody.
  inner: empty minus corners
rules:
  moves:
    - {name: put, place: stone, to: inner}
  end:
    - {name: full, when: none(inner), result: draw, reason: full}
says:
  put: Put a stone anywhere but in a corner.
  full: >-
    The game is drawn
    if only corners are empty.
"""


def spec(text: str) -> Source:
    return Source("put.yaml", text)


def page(source: Source) -> str:
    return " ".join(rules_page(load_source(source)).split())


def stale(source: Source) -> list[str]:
    found = analyse(source).findings
    return [one.message for one in found if one.code == "stale-text"]


def test_a_text_replaces_the_generated_one() -> None:
    page_text = page(stamped(spec(SPEC)))
    assert "Put a stone anywhere but in a corner." in page_text
    assert "Place a stone" not in page_text
    assert "The game is drawn if only corners are empty." in page_text
    assert "[" not in page_text


def test_a_stamp_makes_the_texts_current_and_changes_nothing_else() -> None:
    made = stamped(spec(SPEC))
    assert len(stale(spec(SPEC))) == 2
    assert stale(made) == []
    assert re.sub(r'"?( \[[0-9a-f]{8}\])"?', "", made.text).replace('"Put', "Put") == SPEC
    assert stamped(made).text == made.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("place: stone, to: inner", "place: stone, to: empty and inner"),
        ("empty minus corners", "empty minus corners minus c1"),
    ],
)
def test_a_text_is_not_shown_once_its_clause_or_a_definition_in_it_changes(
    old: str, new: str
) -> None:
    changed = spec(stamped(spec(SPEC)).text.replace(old, new))
    assert "the text of `put` is older than its clause, so it is not shown" in stale(changed)
    assert "Put a stone anywhere" not in page(changed)
    assert "Put: place a stone" in page(changed)


def test_layout_comments_and_other_clauses_do_not_outdate_a_text() -> None:
    made = stamped(spec(SPEC)).text
    block = "- name: put\n      place: stone\n      # anywhere inside\n      to:   inner"
    made = made.replace("- {name: put, place: stone, to: inner}", block)
    made = made.replace("reason: full", "reason: the board is full")
    assert stale(spec(made)) == ["the text of `full` is older than its clause, so it is not shown"]


def test_a_variant_keeps_the_texts_of_clauses_that_it_leaves_alone(tmp_path: Path) -> None:
    (tmp_path / "put.yaml").write_text(stamped(spec(SPEC)).text)
    variant = tmp_path / "more.yaml"
    variant.write_text(
        "spec: 1\nname: More\nextends: ./put.yaml\n"
        "rules: {end: {full: {when: none(empty), reason: all full}}}\n"
    )
    source = Source(str(variant), variant.read_text())
    page_text = page(source)
    assert stale(source) == []
    assert "Put a stone anywhere but in a corner." in page_text
    assert "drawn (“all full”) if there is no empty cell" in page_text


def test_a_comment_is_shown_with_the_definition_below_it() -> None:
    long = "empty minus neighbours(own) minus neighbours(enemy) minus corners minus own"
    page_text = page(spec(SPEC.partition("says:")[0].replace("empty minus corners", long)))
    assert (
        "‘inner’: Stones in a corner count for nobody. ‘inner’ means the empty cells" in page_text
    )


def test_about_is_shown_without_code_marks() -> None:
    page_text = page(spec(SPEC.replace("board:", "about: A game of `stones`.\nboard:", 1)))
    assert "About A game of ‘stones’. Players" in page_text


def test_a_digest_is_the_same_for_every_order_of_the_sections() -> None:
    head, rules = SPEC.split("define:")
    turned = f"{head.splitlines()[0]}\ndefine:{rules}" + "\n".join(head.splitlines()[1:]) + "\n"
    assert [d for _, d in clause_digests(spec(SPEC))] == [
        d for _, d in clause_digests(spec(turned))
    ]


def test_fmt_stamps_a_file(tmp_path: Path) -> None:
    path = tmp_path / "put.yaml"
    path.write_text(SPEC)
    assert call("fmt", "--stamp", str(path)).code == 0
    assert path.read_text() == formatted(stamped(spec(SPEC)))
    assert call("check", str(path)).out.endswith(": ok\n")
    assert call("fmt", "--check", "--stamp", str(path)).code == 0
