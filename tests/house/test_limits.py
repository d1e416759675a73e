"""Each limit of `limits.py`, just below, at and just above it."""

import pytest

from rulesengine.engine.drivers.playouts import random_game
from rulesengine.engine.drivers.protocol import Functions
from rulesengine.engine.drivers.search.layout import DEEPEST
from rulesengine.engine.interpreter import game_operations, move_generation
from rulesengine.errors import LimitError, UsageError
from rulesengine.game import Game
from rulesengine.language.document import parse as parse_spec
from rulesengine.language.pipeline import analyse
from rulesengine.language.syntax.parse import Start, parse
from rulesengine.language.syntax.script import parse_script
from rulesengine.loading import load_source
from rulesengine.support import limits
from rulesengine.support.diagnostic import Diagnostic, render, render_all
from rulesengine.support.files import decode_source
from rulesengine.support.source import Slice, Source, Span

BASE = """\
spec: 1
name: A game
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules: {moves: {place: stone, to: empty}}
"""


def codes(text: str) -> list[str]:
    """Return the codes of the errors; warnings are ignored here."""
    findings = analyse(Source("test.yaml", text)).findings
    return [finding.code for finding in findings if finding.severity == "error"]


def with_line(line: str) -> str:
    """Return the small game with another line for a key."""
    key = line.split(":")[0]
    return "".join(
        old for old in BASE.splitlines(keepends=True) if not old.startswith(f"{key}:")
    ) + (line + "\n")


def shape(text: str) -> list[str]:
    return [finding.code for finding in parse_spec(Source("test.yaml", text))[1]]


def rejected(text: str, start: Start = "expression") -> list[str]:
    return [finding.code for finding in parse(Slice.of(text), start)[1]]


def game(text: str) -> Game:
    return load_source(Source("test.yaml", text))


def test_the_table_is_the_table_of_the_documentation() -> None:
    assert (limits.MAX_SPEC_BYTES, limits.MAX_NODES, limits.MAX_DEPTH) == (262_144, 50_000, 32)
    assert (limits.MAX_STRING, limits.MAX_TOKENS, limits.MAX_EXPRESSION_DEPTH) == (16_384, 2000, 64)
    assert (limits.MAX_ERRORS_SHOWN, limits.MAX_IDENTIFIER, limits.MAX_SHOWN_NAME) == (20, 32, 64)
    assert (limits.MAX_CELLS, limits.MAX_KINDS, limits.MAX_PLAYERS) == (4096, 64, 8)
    assert (limits.MAX_NATIVE_CELLS, limits.MAX_BOARD_STEPS) == (1024, 200_000)
    assert limits.MAX_AUTOMORPHISMS == 1024
    assert (limits.MAX_MOVES, limits.MAX_PLIES, limits.MAX_PLY_COST) == (4096, 10_000, 10**8)
    assert (limits.MAX_CHAIN_STEPS, limits.MAX_CHOICE_STEPS) == (100_000, 10**6)
    assert limits.MAX_WRITTEN_OUT == 10**7
    assert limits.MAX_SEARCH_PLIES == DEEPEST == 127
    assert (limits.MAX_MOVE_STEPS, limits.MAX_FREE_PASSES) == (256, 100)
    assert (limits.MAX_ROUNDS, limits.MAX_IDLE_ROUNDS) == (1000, 10**6)
    assert limits.MAX_INPUT_LINE == 4 * 2**20
    assert (limits.MAX_COMPILE_SECONDS, limits.MAX_COMPILE_BYTES) == (30, 2 * 2**30)
    assert (limits.MAX_AFTER_DEPTH, limits.MAX_MESSAGE, limits.MAX_QUOTED_LINE) == (2, 300, 100)


# the text of a spec


@pytest.mark.parametrize("size", [262_143, 262_144])
def test_a_spec_of_256_kilobytes_is_read(size: int) -> None:
    assert len(decode_source(b"#" * size, "test.yaml").text) == size


def test_a_spec_of_a_byte_more_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="too large"):
        decode_source(b"#" * 262_145, "test.yaml")


def test_bytes_are_counted_not_characters() -> None:
    with pytest.raises(UsageError, match="too large"):
        decode_source("é".encode() * 131_073, "test.yaml")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "found"), [(49_996, []), (49_997, []), (49_998, ["too-many-values"])]
)
def test_a_spec_has_fifty_thousand_values(items: int, found: list[str]) -> None:
    assert shape("a:\n" + "- 1\n" * items) == found  # the map, its key and the list too


@pytest.mark.parametrize(("lists", "found"), [(30, []), (31, []), (32, ["too-deep"])])
def test_a_spec_is_32_deep(lists: int, found: list[str]) -> None:
    assert shape("a: " + "[" * lists + "]" * lists) == found  # the map is the first level


@pytest.mark.parametrize(
    ("length", "found"), [(16_383, []), (16_384, []), (16_385, ["text-too-long"])]
)
def test_a_text_has_16_kilobytes(length: int, found: list[str]) -> None:
    assert shape(f"about: {'a' * length}") == found
    assert shape(f"about: |\n  {'a' * (length - 1)}\n") == found


# the map, its key and the list count too


@pytest.mark.parametrize(
    ("numbers", "last", "found"),
    [(997, "1", []), (998, "1", []), (998, "-1", ["too-large"]), (999, "1", ["too-large"])],
)
def test_an_expression_has_two_thousand_words_and_signs(
    numbers: int, last: str, found: list[str]
) -> None:
    # tokens: `greater`, two brackets, the last number, and two for each further number
    assert rejected(f"greater({'1, ' * numbers}{last})") == found


@pytest.mark.parametrize(("brackets", "found"), [(61, []), (62, []), (63, ["too-large"])])
def test_an_expression_in_brackets_is_64_deep(brackets: int, found: list[str]) -> None:
    # each bracket is a level of the tree, the root and the name are two more
    assert rejected("(" * brackets + "own" + ")" * brackets) == found


@pytest.mark.parametrize(("nots", "found"), [(61, []), (62, []), (63, ["too-large"])])
def test_a_tree_is_64_deep(nots: int, found: list[str]) -> None:
    assert rejected("not " * nots + "own") == found  # the root and the name are levels too


@pytest.mark.parametrize(("letters", "found"), [(31, []), (32, []), (33, ["name-too-long"])])
def test_a_name_has_32_letters(letters: int, found: list[str]) -> None:
    assert rejected("a" * letters) == found


@pytest.mark.parametrize(("letters", "found"), [(31, []), (32, []), (33, ["bad-name"])])
def test_a_name_that_is_declared_has_32_letters(letters: int, found: list[str]) -> None:
    assert codes(BASE + f"define: {{{'a' * letters}: own}}\n") == found


@pytest.mark.parametrize(
    ("number", "found"), [(2**63 - 2, []), (2**63 - 1, []), (2**63, ["number-too-large"])]
)
def test_a_number_has_64_bits(number: int, found: list[str]) -> None:
    assert rejected(str(number)) == found


@pytest.mark.parametrize(("depth", "found"), [(31, []), (32, []), (33, ["too-large"])])
def test_blocks_of_a_script_are_32_deep(depth: int, found: list[str]) -> None:
    lines = [" " * level + "if over" for level in range(depth)] + [" " * depth + "stop"]
    findings = parse_script(Slice.of("\n".join(lines)))[1]
    assert [finding.code for finding in findings] == found


@pytest.mark.parametrize(("looks", "found"), [(1, []), (2, []), (3, ["too-expensive"])])
def test_a_rule_looks_two_moves_ahead(looks: int, found: list[str]) -> None:
    text = "after(" * looks + "won" + ")" * looks
    assert codes(BASE + f"strategies: {{deep: prefer {text}}}\n") == found


# the game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "found"), [(63, 65, []), (64, 64, []), (17, 241, ["bad-board"])]
)
def test_a_board_has_4096_cells(rows: int, columns: int, found: list[str]) -> None:
    assert codes(with_line(f"board: {{rows: {rows}, columns: {columns}}}")) == found


@pytest.mark.parametrize(("count", "found"), [(7, []), (8, []), (9, ["wrong-count"])])
def test_a_game_has_eight_players(count: int, found: list[str]) -> None:
    names = [f"p{i}" for i in range(count)]
    pieces = ", ".join(
        f"{name}: {letter}" for name, letter in zip(names, "abcdefghi", strict=False)
    )
    text = with_line(f"players: [{', '.join(names)}]")
    assert codes(text.replace("left: x, right: o", pieces)) == found


@pytest.mark.parametrize(("count", "found"), [(63, []), (64, []), (65, ["wrong-count"])])
def test_a_game_has_64_kinds_of_piece(count: int, found: list[str]) -> None:
    kinds = ", ".join(f"k{i}: {{left: {chr(0x400 + i)}}}" for i in range(count))
    text = with_line(f'pieces: {{{kinds}, empty: "."}}').replace("place: stone", "place: k0")
    assert codes(text) == found


@pytest.mark.parametrize(("length", "found"), [(63, []), (64, []), (65, ["not-allowed-value"])])
def test_a_shown_name_has_64_characters(length: int, found: list[str]) -> None:
    assert codes(with_line(f"name: {'é' * length}")) == found
    assert codes(with_line(f"players: {{left: {{label: {'é' * length}}}, right: }}")) == found


@pytest.mark.parametrize(
    ("label", "found"),
    [("Köln", []), ('"Ko\\u0308ln"', ["not-allowed-value"]), ('"a\\nb"', ["not-allowed-value"]),
     ('"a\\u202eb"', ["bad-character"]), ('"a\\u200bb"', ["not-allowed-value"])],
)  # fmt: skip
def test_a_shown_name_is_what_it_looks_like(label: str, found: list[str]) -> None:
    text = with_line(f"players: {{left: {{label: {label}}}, right: }}")
    assert found == [] or set(found) <= set(codes(text))
    assert found != [] or codes(text) == []


# `if` and its numbers cost 3 and hold an `any` over n numbers, which costs 3 for the numbers and
# n * (4,003 + 1): an `any` over 1,000 numbers, each 3 for `=` and its sides, and one more. Each
# `plies = plies` costs 3, the `and` 1: 24,975 numbers and 31 of these cost exactly 10^8.
@pytest.mark.parametrize(("more", "found"), [(30, []), (31, []), (32, ["too-expensive"])])
def test_a_ply_costs_a_hundred_million_set_operations(more: int, found: list[str]) -> None:
    loops = "any(x in numbers(1 to 24975), any(y in numbers(1 to 1000), x = y))"
    key = "prefer " + "plies = plies and " * more + loops
    assert codes(BASE + f'strategies: {{costly: "{key}"}}\n') == found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "own", "count"), [(9, 14, 63, 3_969), (8, 16, 64, 4_096)]
)
def test_a_position_has_4096_moves(rows: int, columns: int, own: int, count: int) -> None:
    filled = game(crowd(rows, columns, own))
    assert len(filled.legal_moves(filled.initial_state())) == count


def test_a_position_with_more_moves_is_an_error() -> None:
    crowded = game(crowd(3, 43, 65))  # 65 pieces and 64 empty cells
    with pytest.raises(LimitError, match="4096"):
        crowded.legal_moves(crowded.initial_state())


def crowd(rows: int, columns: int, own: int) -> str:
    """Return a game in which each of the pieces may go to each of the empty cells."""
    cells = "x" * own + "." * (rows * columns - own)
    lines = "".join(f"  {cells[i : i + columns]}\n" for i in range(0, rows * columns, columns))
    text = with_line(f"board: {{rows: {rows}, columns: {columns}}}")
    return text.replace("place: stone, to", "move: own, to") + f"start: |\n{lines}"


@pytest.mark.parametrize(("last", "length"), [(9_999, 9_999), (10_000, 10_000), (10_001, 10_000)])
def test_a_random_game_has_ten_thousand_plies(last: int, length: int) -> None:
    def legal(ply: int) -> list[int]:
        return [1] if ply < last else []

    counting: Functions[int, int] = Functions(
        legal, lambda ply, move: ply + move, lambda ply: None, lambda ply: [ply], lambda move: False
    )
    assert random_game(counting, 0, 1, 0) == (length, length)


# 9 moves, and 8 replies to each of them
@pytest.mark.parametrize(("limit", "fits"), [(82, True), (81, True), (80, False)])
def test_a_choice_looks_at_so_many_steps(
    limit: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_operations, "MAX_CHOICE_STEPS", limit)
    small = game(BASE + "strategies: {deep: 'most after(least(replies, count(own)))'}\n")
    if fits:
        assert small.choose("deep", small.initial_state()) is not None
    else:
        with pytest.raises(LimitError, match="80"):
            small.choose("deep", small.initial_state())


# 9 first steps, and 8 second ones after each
@pytest.mark.parametrize(("limit", "fits"), [(82, True), (81, True), (80, False)])
def test_the_chains_of_a_position_have_so_many_steps(
    limit: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_generation, "MAX_CHAIN_STEPS", limit)
    groups = "{place: stone, to: empty, then: {step: second}}"
    steps = "[{name: second, place: stone, to: empty}]"
    double = game(with_line(f"rules: {{moves: {groups}, steps: {steps}}}"))
    if fits:
        assert len(double.legal_moves(double.initial_state())) == 72
    else:
        with pytest.raises(LimitError, match="80"):
            double.legal_moves(double.initial_state())


# printed findings


def finding(message: str, help: str = "", line: str = "x") -> Diagnostic:
    return Diagnostic("code-a", Span(Source("t", line), 0, 1), message, help)


@pytest.mark.parametrize(("count", "more"), [(19, ""), (20, ""), (21, "and 1 more")])
def test_twenty_errors_are_shown(count: int, more: str) -> None:
    shown = render_all(tuple(finding(f"number {i}") for i in range(count)))
    assert shown.count("code-a") == min(count, 20)
    assert ("more" in shown) == bool(more)
    assert shown.endswith(more)


@pytest.mark.parametrize(("length", "cut"), [(298, False), (299, False), (300, True), (9000, True)])
def test_messages_and_helps_stay_under_300_characters(length: int, cut: bool) -> None:
    shown = render(finding("m" * length, "w" * length))
    for letter in "mw":
        (line,) = [line for line in shown.splitlines() if letter * 9 in line]
        assert line.count(letter) + line.count("…") == min(length, 299)
        assert ("…" in line) == cut


@pytest.mark.parametrize(("length", "shown"), [(99, 99), (100, 100), (101, 100), (9000, 100)])
def test_a_quoted_line_has_100_characters(length: int, shown: int) -> None:
    lines = render(finding("here", line="q" * length)).splitlines()
    assert [line.count("q") for line in lines if "q" in line] == [shown]
