"""The reference in docs/language.md matches the package, and its examples run.

So do the examples of docs/guide/ and docs/recipes.md, whose fragments complete the same sample.
"""

import json
import re
from collections.abc import Iterator

import pytest

from rulesengine.board.shapes import make_board
from rulesengine.engine.drivers.random import Generator
from rulesengine.game import Game
from rulesengine.language.check.builtins import EACH, FUNCTIONS, NAMES
from rulesengine.language.document import parse
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.loading import load_source
from rulesengine.support.resources import read_text
from rulesengine.support.source import Source
from rulesengine.tools.explain import mistakes
from rulesengine.tools.explain.keys import keys
from rulesengine.tools.explain.tables import effects, statements
from rulesengine.tools.spectests import run_test
from tests.helpers import reference, tutorial

DOCS = reference.PAGE.parent
PAGES = {
    page.relative_to(DOCS).as_posix(): page.read_text(encoding="utf-8")
    for page in (reference.PAGE, DOCS / "recipes.md", *sorted((DOCS / "guide").glob("*.md")))
}
TEXT, RECIPES = PAGES["language.md"], PAGES["recipes.md"]
BLOCKS = tuple(
    (page, *block)
    for page, text in PAGES.items()
    for block in re.findall(r"(?:<!-- ([a-z.]+) -->\n)?```(\w+)\n(.*?)```", text, re.S)
)
(SAMPLE,) = [body for _, mark, _, body in BLOCKS if mark == "sample"]
YAML = [body for _, _, kind, body in BLOCKS if kind == "yaml"]
WHOLE = [body for _, mark, kind, body in BLOCKS if kind == "yaml" and mark != "fragment"]
FRAGMENTS = [(page, body) for page, mark, _, body in BLOCKS if mark == "fragment"]


def sections(text: str, indent: str = "") -> dict[str, str]:
    """Return the texts of the keys at this indentation."""
    parts = re.split(rf"^{indent}(?=[a-z])", text, flags=re.M)
    assert not parts[0].strip()
    return {part.split(":")[0]: indent + part for part in parts[1:]}


def completed(fragment: str) -> str:
    """Return the sample with the sections of a fragment in place of its own."""
    whole, new = sections(SAMPLE), sections(fragment)
    if "rules" in new:
        rules = sections(whole["rules"].split("\n", 1)[1], "  ")
        rules |= sections(new["rules"].split("\n", 1)[1], "  ")
        new["rules"] = "rules:\n" + "".join(rules.values())
    merged = whole | {key: value for key, value in new.items() if value.strip() != f"{key}: null"}
    return "".join(v for k, v in merged.items() if new.get(k, "").strip() != f"{k}: null")


def loaded(text: str) -> Game:
    return load_source(Source("language.md", text))


def random_plies(game: Game) -> Iterator[None]:
    """Play a random game, in which valid expressions can be evaluated."""
    state, draw = game.initial_state(), Generator(1, 0)
    looks_ahead = any(strategy.search for strategy in game.rules.strategies)
    for _ in range(3 if looks_ahead else 12):
        moves = game.legal_moves(state)
        if not moves:
            return
        for strategy in () if game.weights(state) else game.strategies:
            assert game.choose(strategy, state) in moves
        state = game.apply(state, moves[draw.below(len(moves))])
        yield


def test_the_tables_are_those_of_the_package() -> None:
    assert reference.filled(TEXT) == TEXT, "run python -m tests.helpers.reference"


@pytest.mark.parametrize("spec", WHOLE, ids=lambda s: re.findall(r"name: (.*)", s)[0])
def test_every_whole_spec_can_be_played(spec: str) -> None:
    assert list(random_plies(loaded(spec)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "fragment",
    [body for _, body in FRAGMENTS],
    ids=[f"{page}-{number}" for number, (page, _) in enumerate(FRAGMENTS)],
)
def test_every_fragment_completes_the_sample(fragment: str) -> None:
    assert list(random_plies(loaded(completed(fragment))))


def test_first_example_of_the_reference_plays_as_stated() -> None:
    game = loaded(WHOLE[0])
    state = game.initial_state()
    for word in "a1 b1 a2 b2 a3".split():
        state = game.apply(state, game.move(word, state))
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("cross", "three in a row")
    assert [game.perft(depth) for depth in (1, 2, 3)] == [12, 12 * 11, 12 * 11 * 10]


def test_every_example_of_a_word_checks() -> None:
    rows = [*NAMES.values(), *(row for row in FUNCTIONS.values() if row.word != "height")]
    stacked = SAMPLE.replace("origin: bottom-left}", "origin: bottom-left, stacks: {height: 9}}")
    loaded(f'{stacked}define:\n  probe: "{FUNCTIONS["height"].example}"\n')
    probes = "".join(f'  probe_{i}: "{row.example}"\n' for i, row in enumerate(rows))
    loaded(SAMPLE + "define:\n" + probes)
    assert [row.word for row in rows if row.word not in row.example] == []


def test_every_expression_of_a_recipe_checks() -> None:
    table = RECIPES.split("| rule | expression |")[1].split("\n\n")[0]
    probes = re.findall(r"\| `([^`]+)`", table)
    assert len(probes) > 5
    loaded(SAMPLE + "define:\n" + "".join(f'  r{i}: "{p}"\n' for i, p in enumerate(probes)))


@pytest.mark.slow
def test_every_phrase_and_its_expansion_mean_the_same() -> None:
    for phrase in reference.PHRASES:
        shown = reference.expansion(phrase)
        definitions = f'define:\n  one: "{phrase}"\n  other: "{shown}"\n'
        one, other = (
            loaded(SAMPLE + definitions + f"strategies:\n  s: [prefer {word} = {word}]\n")
            .program.rules.strategies[0]
            .keys[0]
            for word in ("one", "other")
        )
        assert one == other
        assert shown != phrase


@pytest.mark.parametrize(("written", "read"), reference.PRECEDENCE)
def test_operators_bind_as_the_table_shows(written: str, read: str) -> None:
    assert reference.parsed(written) == reference.parsed(read)
    assert written != read


def test_the_code_that_shows_the_draws_is_the_generator() -> None:
    (code,) = [body for _, mark, _, body in BLOCKS if mark == "generator"]
    space: dict[str, object] = {}
    exec(code, space)  # noqa: S102 - our own page
    draws = space["draws"]
    assert callable(draws)
    for seed in (0, 1, 2**63, -5):
        for game in (0, 7):
            counts = [1, 2, 3, 1, 1000, 4096]
            generator = Generator(seed, game)
            assert list(draws(seed, game, counts)) == [generator.below(n) for n in counts]


def test_every_word_of_expressions_has_its_example_in_the_tables() -> None:
    tables = [TEXT.split(f"begin:{name} -->")[1].split("<!-- end")[0] for name in ("names", "each")]
    rows = [row.split(" | ") for table in tables for row in table.strip().splitlines()[2:]]
    assert len(rows) == len(NAMES) + len(EACH)
    words = [re.findall(r"\w+", row[0])[0] for row in rows]
    shown = [row[-1].rstrip(" |") for row in rows]
    assert [w for w, one in zip(words, shown, strict=True) if not re.search(rf"\b{w}\b", one)] == []


def test_nearly_every_code_has_an_instance_in_the_table() -> None:
    table = TEXT.split("begin:codes -->")[1].split("<!-- end")[0].strip().splitlines()[2:]
    assert len(table) == len(mistakes())
    assert sum(not row.endswith("see `explain` |") for row in table) > len(table) - 15


def test_the_hexagons_are_numbered_as_drawn() -> None:
    (drawn,) = [body for _, mark, _, body in BLOCKS if mark == "hexagons"]
    lines = [re.split(r" {6,}", line.strip()) for line in drawn.splitlines()]
    for side, origin in enumerate(("top-left", "bottom-left")):
        board = make_board("hexagon", {"size": 3, "origin": origin})
        assert [name for line in lines for name in line[side].split()] == list(board.names)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_to_a_heading_or_a_file(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", PAGES[page])
    assert links
    assert [link for link in links if not leads_somewhere(page, *link)] == []


def leads_somewhere(page: str, path: str, anchor: str) -> bool:
    target = (DOCS / page).parent / path if path else DOCS / page
    if not target.exists():
        return False
    return not anchor or anchor in anchors(target.read_text(encoding="utf-8"))


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^a-z0-9_ -]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        re.fullmatch(r"\$ (rulesengine .*)\n((?:.*\n)*)", body).groups()  # type: ignore[union-attr]
        for _, _, kind, body in BLOCKS
        if kind == "console"
    ],
)
def test_commands_of_the_reference_match_their_output(command: str, output: str) -> None:
    assert tutorial.printed(command) == output


def test_every_guide_says_in_its_first_line_which_kind_of_page_it_is() -> None:
    guides = [text for page, text in PAGES.items() if page.startswith("guide/")]
    assert len(guides) > 4
    kinds = ("*How-to.*", "*Explanation.*")
    assert [text[:60] for text in guides if not text.split("\n\n")[1].startswith(kinds)] == []


def test_the_reference_names_every_page_of_the_guide() -> None:
    assert [page for page in PAGES if page != "language.md" and f"({page})" not in TEXT] == []


@pytest.mark.slow
def test_the_tests_on_the_pages_pass() -> None:
    tested = [body for _, body in FRAGMENTS if "\ntests:" in f"\n{body}"]
    specs = [*WHOLE, *map(completed, tested)]
    games = [game for game in map(loaded, specs) if game.tests]
    assert len(games) > 2
    assert [one.text for game in games for test in game.tests for one in run_test(game, test)] == []


def test_every_key_has_an_example_that_runs() -> None:
    roots = [root for root in (parse(Source("page", body))[0] for body in YAML) if root]
    used = {path for root in roots for path in paths(root.root)}
    missing = [path for path, _ in keys() if not any(fits(path, one) for one in used)]
    assert sorted({as_group(path) for path in missing}) == []


def paths(node: Node, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the keys below a node, each with the keys above it."""
    for item in node if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):  # `otherwise`, `misere`
            yield (*above, item.text.text)
        else:
            yield from paths(item, above)
    for entry in node if isinstance(node, Mapping) else ():
        path = (*above, entry.key)
        yield path
        yield from paths(entry.value, path)


def as_group(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of a group of `steps` as one of `moves`: they have the same keys."""
    if path[:2] == ("rules", "steps") and len(path) > 2:
        return ("rules", "moves", *path[2:])
    return path


def fits(path: tuple[str, ...], used: tuple[str, ...]) -> bool:
    path, used = as_group(path), as_group(used)
    return len(path) == len(used) and all(
        one in ("*", two) for one, two in zip(path, used, strict=True)
    )


def test_every_statement_and_effect_is_used_on_the_pages() -> None:
    lines = "\n".join(YAML)
    shown = [shown for _, shown, *_ in (*statements(), *effects())]
    assert len(shown) > 40
    assert [one for one in shown if not re.search(as_pattern(one), lines, re.M)] == []


def as_pattern(shown: str) -> str:
    """Return `read number NAME [from NUMBER]` as a pattern of a line that contains it."""
    text = re.sub(r" ?\[.*\]", "", shown).strip()
    text = re.sub(r'"TEXT"', "\0", text)
    text = re.escape(text).replace("\\\0", "\0").replace("\\ ", " ")
    text = re.sub(r"[A-Z]{2,}", ".+", text)
    return r"(^|[ ,\[])" + text.replace("\0", '"[^"]*"')


def test_every_key_of_the_schema_is_on_the_page() -> None:
    schema = json.loads(read_text("grammars/game.schema.json"))
    keys: set[str] = set()
    stack: list[object] = [schema]
    while stack:
        top = stack.pop()
        if isinstance(top, dict):
            properties = top.get("properties")
            keys |= set(properties) if isinstance(properties, dict) else set()
            stack += top.values()
        elif isinstance(top, list):
            stack += top
    assert [key for key in sorted(keys) if not re.search(rf"`[^`]*\b{key}\b|\b{key}:", TEXT)] == []
