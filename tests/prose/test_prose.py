"""Rules in plain English, reasons for illegal moves, and the effects of a move one by one."""

import random
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.interpreter.reasons import Objection
from rulesengine.language.ir.ops import OPS, Op, Type, make
from rulesengine.language.ir.rules import Group, Rules
from rulesengine.play import marked_board
from rulesengine.prose import Format, account, rules_page, trace_text
from rulesengine.prose.effects import Describer
from rulesengine.prose.nouns import a
from rulesengine.prose.page import sections
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names
from tests.helpers.cli_calls import call
from tests.helpers.each_game import LARGER, OTHERS, each_game
from tests.helpers.rule_games import make as make_game

PAGES = Path(__file__).parents[1] / "cases" / "rules"
EFFECTS = (
    *"put remove flip carry carry_each push promote drop set set_kind add_kind".split(),
    *"lay unstack carry_stack sow when block for bind repeat".split(),
)


def undrawn(state: State, mask: int) -> str:
    return f"[{mask:x}]"


# every operation has a phrase


def describer() -> Describer:
    game = rulesengine.load("english-draughts")
    return Describer(game.program.rules, game.program)


def test_every_operation_has_a_phrase_and_every_phrase_an_operation() -> None:
    spoken = {name[3:] for name in dir(Describer) if name.startswith("op_")}
    needed_names = {name for name, row in OPS.items() if not row.by_passes}
    needed = needed_names - {"by_side", "if", "each", "after"}
    assert needed <= spoken
    assert spoken - set(OPS) == {"literal_cells"}


SAMPLES: dict[str, Op] = {
    "number": Op("literal", "number", (), 3),
    "flag": Op("register", "flag", (), "crowned"),
    "cells": Op("empty", "cells"),
    "cell": Op("literal", "cell", (), 9),
    "direction": Op("literal", "direction", (), 0),
    "directions": Op("literal", "directions", (), 3),
    "side": Op("variable", "side", (), "player"),
    "kind": Op("literal", "kind", (), 1),
    "text": Op("literal", "text", (), "wild"),
    "track": Op("track", "track", (), "ring"),
    "effect": Op("remove", "effect", (Op("empty", "cells"),)),
}
VALUES: dict[str, Any] = {
    "variable": "to", "track": "ring", "parameter": "n", "region": "top", "named_cell": ("d4", "0"),
    "named_direction": ("north", "0"), "register": "quiet", "record": "captured",
    "repeats": "board", "replies": "least", "set": ("quiet", "0"),
    "for": ("do", "c_1", "cells", "0"), "carry_each": ("carry", "c_1", "cells", "0"),
    "bind": ("be", "c_1"), "repeat": "0",
    "number_at": ("seeds", "0"), "set_at": ("seeds", "0"),
    "kind_register": ("hand", "0"), "set_kind": ("hand", "0"), "add_kind": ("hand", "0"),
    "by_kind": ("worth", "0"),
}  # fmt: skip
CHOSEN = Op("chosen", "direction", (), "way")
EACH = ("where", "any", "every", "none", "count", "sum", "least", "most", "union", "reach")


def sample(name: str, type: Type) -> Op:
    row = OPS[name]
    args = [
        SAMPLES[type if kind.strip("*?") in ("T", "") else kind.strip("*?")] for kind in row.args
    ]
    value: Any = VALUES.get(name)
    if name == "literal":
        value = SAMPLES[type].value if type != "cells" else 5
    if name == "by_side":
        args.append(args[-1])
    return Op(name, type, tuple(args), value)


def cases() -> list[Op]:
    found = []
    for name, row in OPS.items():
        types: list[Any] = ["number", "flag", "cells"] if row.result == "T" else [row.result]
        if name != "each" and not row.by_passes:
            found += [sample(name, type) for type in types]
    for function in EACH:
        type: Any = {"where": "cells", "union": "cells", "reach": "cells"}.get(function, "number")
        type = "flag" if function in ("any", "every", "none") else type
        body = {"where": "flag", "count": "flag"}.get(function, type)
        args = (SAMPLES["cells"], SAMPLES[body])
        found.append(Op("each", type, args, (function, "it_1", "cells", "0")))
    return found


@pytest.mark.parametrize("op", cases(), ids=lambda op: f"{op.name}-{op.type}-{op.value}")
def test_a_phrase_is_english(op: Op) -> None:
    phrase = describer().text(op, {"to": "d4"})
    assert phrase == " ".join(phrase.split())
    assert "None" not in phrase
    assert "Op(" not in phrase
    assert "_" not in phrase
    if op.type == "flag":
        denied = describer().condition(op, {"to": "d4"}, holds=False)
        assert denied != describer().condition(op, {"to": "d4"})


@pytest.mark.parametrize(
    ("op", "phrase"),
    [
        (make("any", Op("empty", "cells")), "there is an empty cell"),
        (make("none", Op("empty", "cells")), "there is no empty cell"),
        (make("less", *(Op("literal", "number", (), 0), make("count", make("empty")))),
         "there is an empty cell"),
        (make("deny", make("can_move", make("mover"))), "the player to move has no legal move"),
        (make("any", make("and", make("owned", SAMPLES["side"]), make("region", value="top"))),
         "one of your pieces is in the top row"),
        (make("remove", make("neighbours", make("single", SAMPLES["cell"]))),
         "remove all pieces on the cells next to b7"),
        (Op("by_side", "cells", (make("next", SAMPLES["side"]), Op("region", "cells", (), "top"),
                                 Op("region", "cells", (), "bottom"))),
         "the cells of the bottom row (black) or the cells of the top row (white)"),
        (Op("below", "cells", (Op("literal", "number", (), 1), make("empty"))),
         "the cells among the empty cells with the upper piece taken off each stack"),
        (Op("after", "cells", (SAMPLES["side"], make("empty"))),
         "the cells among the empty cells after the move"),
        (Op("opposite", "directions", (Op("just", "directions", (CHOSEN,)),)),
         "opposite to the chosen way"),
    ],
)  # fmt: skip
def test_phrase_of_each_operation(op: Op, phrase: str) -> None:
    assert describer().text(op, {}) == phrase


# the pages of the bundled games


@each_game()
def test_the_rules_of_a_game_read_as_they_were_read(name: str, update_golden: bool) -> None:
    """Compare with pages that a person has checked against the sources in the specs: see README.md
    there.
    """
    game = rulesengine.load(name)
    page = rules_page(game, picture=marked_board(game, game.initial_state()))
    path = PAGES / f"{name}.txt"
    if update_golden:
        path.write_text(page, encoding="utf-8")
    assert page == path.read_text(encoding="utf-8")


def test_no_page_is_of_a_game_that_is_gone() -> None:
    assert {path.stem for path in PAGES.glob("*.txt")} == set(bundled_names())


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_page_holds_its_picture(form: Format) -> None:
    game = rulesengine.load("hex")
    page = rules_page(game, form, game.svg())
    assert game.svg() in page
    assert page.startswith("# Hex" if form == "markdown" else "<!doctype html>")


class Tags(HTMLParser):
    """The open tags of a page, and all texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append(tag)
        self.open += [] if tag == "meta" else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_page_of_html_is_whole_and_says_what_the_text_says() -> None:
    game = rulesengine.load("chess")
    page = Tags(rules_page(game, "html", game.svg(theme="light")))
    assert page.open == []
    assert page.met.count("svg") == 1
    parts = [part for section in sections(game) for part in section.parts if part]
    items = [i for part in parts for i in ([part] if isinstance(part, str) else part)]
    assert set(items) <= set(page.texts)


def test_a_page_of_html_shows_a_hostile_name_as_it_is() -> None:
    made = make_game(2, 2, "moves: {place: man, to: empty}\nend: {when: none(empty), result: draw}")
    game = Game(replace(made.rules, name="<script>alert(1)</script> & co"), {})
    page = Tags(rules_page(game, "html", game.svg()))
    assert "script" not in page.met
    assert any("<script>alert(1)</script>" in text for text in page.texts)


def test_a_parameter_is_described_by_its_value() -> None:
    page = rules_page(rulesengine.load("tic-tac-toe", m=5, n=4, k=4))
    assert "4 rows and 5 columns" in page
    assert "at least 4 of your marks" in " ".join(page.split())


# reasons for illegal moves


# The notation of all the moves of a large position takes seconds.
@each_game(quick=(), deep=OTHERS, hidden=False)
def test_the_clause_against_a_move_is_in_its_way_for_another_engine(name: str) -> None:
    """Check that without the clause the step is possible, or another clause forbids it.

    Kernels list the cells of a clause, from a program that has only that clause.
    """
    game = rulesengine.load(name)
    rng = random.Random(name)
    state, named = game.initial_state(), 0
    for _ in range(4):
        for text in wishes(game, state, rng):
            objection = game.reason(text, state).objection
            if objection is not None:
                named += bool(objection.key)
                check(game, state, objection)
            assert account(game, state, text, undrawn)
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.apply(state, rng.choice(moves))
    # Games that begin with chance moves may name no clause.
    assert named or game.rules.chance


def wishes(game: Game, state: State, rng: random.Random) -> list[str]:
    """Return some texts that are no legal moves: cells, pairs of cells, changed legal moves."""
    names, legal = game.program.topology.names, {str(m) for m in game.legal_moves(state)}
    starts = [n for i, n in enumerate(names) if any(p >> i & 1 for p in state.planes)] or names
    some = [rng.choice(names) for _ in range(3)]
    some += [f"{rng.choice(starts)}-{rng.choice(names)}" for _ in range(4)]
    return [text for text in some if text not in legal]


def check(game: Game, state: State, objection: Objection) -> None:
    group = game.program.rules.groups[objection.group]
    # The cells of a tile depend on its form; tests of tiles compare them with another program.
    if objection.steps or not objection.key or group.tiles:
        return
    if objection.cell >= 0:
        assert not objection.cells >> objection.cell & 1
        assert listed(game, state, group, objection) == objection.cells
    kind = group.kind
    variables = dict(objection.variables)
    if objection.key in ("when", "forbid"):
        wanted = variables["from"], variables["to"]
        without = replace(group, **{objection.key: None})
        steps = singles(game, state, without)
        assert wanted in steps
        assert wanted not in singles(game, state, group) or kind in ("pass", "swap")


def singles(game: Game, state: State, group: Group) -> set[tuple[int, int]]:
    """Return the first steps of a program that has one group only, as another engine lists them."""
    plain = replace(group, then=None)
    rules = replace(game.rules, tiers=((plain,),), steps=(), ends=(), keep=())
    other = other_game(game, rules)
    lost = [name for name in state.form.registers if name not in other.program.form.registers]
    lines = [t for t in str(state).splitlines() if t.partition(":")[0] not in lost]
    moves = other.legal_moves(other.state_from("\n".join(lines)))
    return {(move.steps[0].origin, move.steps[0].target) for move in moves}


def listed(game: Game, state: State, group: Group, objection: Objection) -> int:
    """Return the cells of a clause as kernels list them."""
    keep = {"effects": (), "forbid": None, "when": None, "then": None, "choice": ()}
    if objection.key == "move":
        group = replace(group, kind="select", target=group.origin, origin=None, along=None, **keep)
    else:
        group = replace(group, **keep)
    found = singles(game, state, group)
    origin = dict(objection.variables).get("from", -1)
    return sum({1 << to for start, to in found if start == origin})


def other_game(game: Game, rules: Rules) -> Game:
    return Game(rules, game.parameters, "python")


SUICIDE = ".x.\nx..\n...\nmover: white"


def test_a_forbidden_move_is_shown_where_it_leads() -> None:
    game = rulesengine.load("go", n=3)
    explanation = account(game, game.state_from(SUICIDE), "a3", undrawn)
    assert explanation.startswith(
        "`a3` is not legal for white: after it, there is a piece of ‘dead’ for"
    )
    assert explanation.endswith("[1]")  # the stone that would have no liberty


def test_a_legal_move_names_the_rule_and_what_it_captures() -> None:
    explanation = account(
        rulesengine.load("othello"), rulesengine.load("othello").initial_state(), "d3", undrawn
    )
    assert "It captures d4: turn over" in explanation
    assert explanation.startswith("`d3` is legal for black.")


def test_a_later_step_has_its_reason_too() -> None:
    game = rulesengine.load("amazons")
    why = game.why_not("d1-d2/e5", game.initial_state())
    assert why == "`d1-d2/e5` is not legal for white: after d2, nothing can be placed on e5"


def test_a_step_that_nothing_follows_is_complete() -> None:
    game = rulesengine.load("nine-mens-morris")
    assert "after a7 the move is complete" in game.why_not("a7xd7", game.initial_state())


# the effects of a move


@each_game(deep=LARGER)
def test_the_changes_of_a_move_lead_where_the_move_leads(name: str) -> None:
    game = rulesengine.load(name)
    state, rng = game.initial_state(), random.Random(name)
    for _ in range(8):
        moves = game.legal_moves(state)
        if not moves:
            break
        move = rng.choice(moves)
        changes = game.trace(state, move)
        after = game.apply(state, move)
        assert changes[0].before == state
        assert changes[-1].after == after
        for one, two in pairwise(changes):
            assert one.after == two.before
        captured = 0
        for change in changes:
            captured |= change.record.captured
        assert captured == game.move_record(state, move).captured
        assert trace_text(game, state, move, undrawn).startswith(f"`{move}` by {state.mover}")
        state = after


def test_trace_lists_the_changes_of_each_effect() -> None:
    game = rulesengine.load("english-draughts")
    board = "........\n....w...\n...b....\n........\n........\n........\n........\n........\n"
    state = game.state_from(
        board.replace("w", "b", 1).replace("b....\n........", "w....\n........", 1)
    )
    assert state.mover == "black"
    trace = trace_text(game, state, game.legal_moves(state)[0], undrawn)
    assert "removed d6" in " ".join(trace.split())
    assert "The turn ends, white is to move." in trace


# the commands


def test_rules_prints_the_page_with_the_board() -> None:
    result = call("rules", "tic-tac-toe", "--set", "m=4")
    assert result.code == 0
    assert "3 rows and 4 columns" in result.out
    assert "  3  . . . ." in result.out
    assert call("rules", "othello", "--format", "markdown").out.count("<svg") == 1
    assert "Moves" in call("rules", "othello", "--json").json()["text"]


def test_rules_are_written_next_to_their_picture_without_overlaps(tmp_path: Path) -> None:
    page = tmp_path / "hex.md"
    words = ("rules", "hex", "--format", "markdown", "--output", str(page))
    assert call(*words).code == 0
    assert "![The board at the start](<hex.svg>)" in page.read_text(encoding="utf-8")
    assert (tmp_path / "hex.svg").read_text(encoding="utf-8").startswith("<svg")
    page.write_text("mine", encoding="utf-8")
    again = call(*words)
    assert again.code == 2
    assert "already exists" in again.err
    assert page.read_text(encoding="utf-8") == "mine"


def test_command_why_reads_a_position_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(SUICIDE, encoding="utf-8")
    words = ("why", "go", "--set", "n=3", "a3", "--position")
    one, two = call(*words, str(file)), call(*words, "-", stdin=SUICIDE.encode())
    assert one.code == 0
    assert one.out == two.out
    assert "`a3` is not legal for white: after it, there is a piece of ‘dead’" in one.out
    assert "(o)" in one.out


@pytest.mark.slow
def test_command_why_prints_the_reason_of_why_not() -> None:
    game = rulesengine.load("othello")
    output = " ".join(call("why", "othello", "a1").out.split())
    assert output.startswith(game.why_not("a1", game.initial_state()))


def test_trace_shows_each_effect_on_the_board() -> None:
    result = call("trace", "othello", "d3")
    assert result.code == 0
    assert "turned over d4" in " ".join(result.out.split())
    assert "(*)" in result.out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("why", "othello", "hello"), 1, "names no move"),
        (("trace", "othello", "a1"), 1, "`a1` is not legal for black"),
        (("why", "othello", "a1", "--position", "/no/such/file"), 2, "no such file"),
        (("why", "othello", "a1", "--position", "-"), 1, "<stdin>: expected a game or a position"),
        (("rules", "no-such-game"), 2, "no bundled game"),
        (("rules", "othello", "--format", "pdf"), 2, "invalid choice"),
        (("rules", "othello", "--output", "/no/such/folder/x"), 2, "no such folder"),
    ],
)
def test_usage_error_is_a_single_line(words: tuple[str, ...], code: int, message: str) -> None:
    result = call(*words)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert result.err.count("\n") == 1


# words for loops, lines and numbers


def end_of(condition: str) -> str:
    """Return the sentence about an end of a small game, on one line."""
    game = make_game(
        4, 4, f'moves: {{place: man, to: empty}}\nend: {{when: "{condition}", result: draw}}'
    )
    return " ".join(rules_page(game).split("End\n")[-1].split("Notation")[0].split()).removeprefix(
        "- "
    )


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (
            "any(c in empty, row(c) > 3)",
            "for at least one of the empty cells, the row of that cell is more than 3",
        ),
        (
            "every(a in corners, any(b in top, row(a) = row(b)))",
            "for every one of the cells of the corners, for at least one of the cells of the top"
            " row (the second cell), the row of that cell is the row of the second cell",
        ),
        (
            "sum(c in empty, row(c)) > 9",
            "the sum, over the empty cells, of the row of that cell is more than 9",
        ),
        (
            "least(c in empty, row(c)) > 1",
            "the least, over the empty cells, of the row of that cell is more than 1",
        ),
        ("any(line(all, at least 3, diagonal) and top)", "running diagonally, of at least 3"),
        (
            "none(own minus (all where row(it) > 2))",
            "there is none of your pieces except those whose row is more than 2",
        ),
        (
            "any(union(g in groups(own), if count(g) > 5 then g else nowhere))",
            "one of your pieces is in a group for which there are more than 5 cells of that group",
        ),
        (
            "any(g in groups(occupied), count(g) > 5)",
            "for at least one of the groups of the occupied cells,"
            " there are more than 5 cells of that group",
        ),
    ],
)
def test_the_members_of_a_loop_are_called_by_what_they_are(condition: str, sentence: str) -> None:
    assert sentence in end_of(condition)


def test_a_word_that_sounds_like_a_consonant_has_the_article_of_one() -> None:
    assert [a(word) for word in ("one", "unicorn", "urn", "elephant", "king")] == [
        "a one",
        "a unicorn",
        "an urn",
        "an elephant",
        "a king",
    ]


def test_one_row_is_no_rows() -> None:
    game = make_game(1, 3, "moves: {place: man, to: empty}")
    assert "The board has one row and 3 columns" in rules_page(game)


NAMED = """
define:
  far: empty minus neighbours(own or enemy)
  near(cells): empty touching cells and empty touching corners
  blocked(c): any(neighbours(c) and enemy) and none(neighbours(c) and own)
  short: empty
"""


def test_a_definition_is_explained_once_and_then_used_by_its_name() -> None:
    rules = """
        moves:
          - {place: man, to: far}
          - {place: king, to: near(own) or short, when: any(far) and any(near(own))}
          - {move: own, to: near(from), forbid: blocked(to)}
        end: [{when: none(far), result: draw}]
        """
    page = " ".join(rules_page(make_game(3, 3, rules, NAMED)).split())
    assert page.count("‘far’ means the empty cells not next to") == 1
    assert "Place a man on a cell of ‘far’." in page
    assert "there is a cell of ‘far’ and there is a cell of ‘near’ for your pieces" in page
    assert "to a cell of ‘near’ for the piece" in page
    assert "drawn if there is no cell of ‘far’" in page
    assert "A cell is ‘blocked’ if one of the opponent's pieces is next to the cell" in page
    assert "if, after it, the moved piece is ‘blocked’" in page
    assert "‘short’" not in page
    assert page.index("Terms") < page.index("Moves")


def test_a_use_for_the_opponent_names_the_opponent() -> None:
    rules = """
        moves: [{place: man, to: empty, when: "none(far of opponent) and not stuck of opponent"}]
        end: [{when: "none(far) and stuck", result: draw}]
        """
    more = """
define:
  far: empty minus neighbours(own) minus neighbours(corners) minus corners
  stuck: none(neighbours(own) and empty) and any(own) and none(own and corners)
"""
    page = " ".join(rules_page(make_game(3, 3, rules, more)).split())
    assert "no cell of the opponent's ‘far’" in page
    assert "‘stuck’ does not hold for the opponent" in page
    assert "drawn if there is no cell of ‘far’ and ‘stuck’ holds." in page


@pytest.mark.parametrize(
    ("steps", "phrase"),
    [
        ("1", "turned clockwise by 1 step"),
        ("-1", "turned counterclockwise by 1 step"),
        ("-2", "turned counterclockwise by 2 steps"),
    ],
)
def test_turns_of_directions_have_a_sense_and_a_number(steps: str, phrase: str) -> None:
    to = f"shift(from, turned(direction, {steps}))"
    game = make_game(3, 3, f"moves: {{move: own, along: orthogonal, to: '{to}'}}")
    assert phrase in " ".join(rules_page(game).split())
