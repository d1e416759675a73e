"""Notation of a group's moves, and several named choices: in every engine, and parsed again."""

import io
import pickle
import random
import re
from contextlib import suppress
from textwrap import dedent

import pytest
import yaml

import rulesengine
from rulesengine import Game, IllegalMoveError, NotationError, State
from rulesengine.engine.drivers.random import Generator
from rulesengine.language.ir.text import read, show
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from rulesengine.tools import lint
from tests.engine.test_move_lookup import assert_finds
from tests.helpers.engine_comparison import COMPILED, QUICK, TooLong, needs_native, spec_engines
from tests.helpers.rule_games import after, at, board, make, moves
from tests.helpers.spec_strategies import random_spec

HEAD = """\
spec: 1
name: written
board: {rows: 3, columns: 3, origin: bottom-left}
players: [white, black]
pieces: {man: {white: o, black: x}, king: {white: O, black: X}, rock: {neutral: "*"}, empty: "."}
start: put rock on nowhere
rules:
  end: {when: none(empty) or plies > 9, result: draw}
  moves:
"""
# Dropped by column and popped at the bottom; rotated to a side; a word for each of two passes.
POP = """
- {place: man, to: "empty minus shift(empty, north)", written: "{column of to}"}
- {select: own and bottom, do: [remove to, drop occupied to south], written: "pop-{column of to}"}
"""
TURN = """
- {place: man, to: empty, when: count(occupied) < 4, written: "{row of to}.{column of to}"}
- select: own
  along: orthogonal
  when: any(shift(to, direction) and empty)
  do: carry to to first(shift(to, direction))
  written: "{to}{direction}"
- {select: own, do: remove to, written: "lift-{to}"}
- {select: own, do: remove to, written: "take-{to}"}
- {select: own, along: [north, south], written: "{to}/{direction}"}
- {pass: true, do: "remove enemy", when: plies = 4, written: O-O}
- {pass: true, do: "remove own", when: plies = 4, written: O-O-O}
- {swap: true, when: plies = 1, written: takeover}
"""
CHOICES = """
- place: piece
  to: empty
  choice: {piece: [man, king, rock], away: [north, east], how: ['"softly"', '"hard"']}
  when: piece != rock or how = "hard"
  do: if how = "hard" then remove shift(to, away) else flip shift(to, away) minus neutral
  forbid: count(occupied) = 2 and away = east
- move: own king
  to: empty touching from
  choice: ['"on"', '"off"']
  written: "{from}{choice}{to}"
  do: if choice = "off" then promote to to man
"""
CHAINS = """
- {place: man, to: empty, when: count(own) < 3, written: "+{to}"}
- move: own
  to: empty touching from
  written: "{from}>{to}"
  then: {step: shot, optional: true}
"""
STEPS = """\
  steps:
    - name: shot
      select: empty
      choice: {by: [north, east, south]}
      when: any(shift(to, by))
      do: put rock on to
      written: "*{by}-{row of to}{column of to}"
"""
# Moves with two names and the same effect.
TWINS = """
- {place: man, to: empty, choice: [1, 2]}
- {place: man, to: empty, choice: [1, 2], written: "put-{choice}-{to}"}
- {select: own, written: "touch-{to}"}
- {select: own, written: "point-{to}"}
"""
SPECS = {"twins": TWINS, "pop": POP, "turn": TURN, "choices": CHOICES, "chains": CHAINS}


def spec(name: str) -> str:
    groups = dedent(SPECS[name]).strip().replace("\n", "\n    ")
    return f"{HEAD}    {groups}\n" + (STEPS if name == "chains" else "")


def game(name: str, engine: str = "interpreter") -> Game:
    return load_source(Source("written.yaml", spec(name)), engine=engine)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECS)
def test_engines_agree(name: str) -> None:
    engines = spec_engines(spec(name), QUICK)
    for seed in range(2):
        engines.play(seed, 6)
    engines.count(2)
    engines.playouts(5, seed=1)


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.deep if place else pytest.mark.slow)
        for place, name in enumerate(SPECS)
    ],
)
def test_native_kernels_agree_and_are_there_for_all(name: str) -> None:
    engines = spec_engines(spec(name), ("native",))
    engines.play(7, 6)
    engines.count(2)
    engines.playouts(5, seed=2)
    assert set(engines.others[0].engines().values()) == {"native"}


# Lookup by text is independent of the engine; a native one answers some queries itself.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "engine"),
    [*((name, "interpreter") for name in SPECS), *(("turn", name) for name in COMPILED)],
)
def test_each_text_leads_to_its_move(name: str, engine: str) -> None:
    found = game(name, engine)
    state, draw = found.initial_state(), Generator(3, 0)
    before = {"a", "pop-z", "lift-", "takeover", "a1=man", "*", "O-O"}
    for _ in range(5):
        legal = found.legal_moves(state)
        texts = {move.text for move in legal}
        assert len(texts) == len(legal)
        assert_finds(found, state, texts | before)
        before = texts
        state = found.apply(state, legal[draw.below(len(legal))])


def test_group_writes_moves_by_its_template() -> None:
    popping = game("pop")
    state = after(popping, popping.initial_state(), "a", "a", "c")
    assert moves(popping, state) == ["a", "c", "b"]
    state = after(popping, state, "b")
    assert moves(popping, state) == ["a", "b", "c", "pop-a", "pop-c"]
    assert board(after(popping, state, "pop-a")) == ["...", "...", "xxo"]


def test_groups_that_write_differently_give_different_moves() -> None:
    turning = game("turn")
    state = at(turning, "...", ".o.", "...", "mover: white", "plies: 4")
    found = moves(turning, state)
    around = ["b2north", "b2east", "b2south", "b2west"]
    others = ["lift-b2", "take-b2", "b2/north", "b2/south", "O-O", "O-O-O"]
    assert [move for move in found if not move[0].isdigit()] == [*around, *others]
    places = {str(move): move for move in turning.legal_moves(state)}
    assert len(set(places.values())) == len(places)
    assert board(after(turning, state, "O-O-O")) == ["...", "...", "..."]
    assert board(after(turning, state, "O-O")) == ["...", ".o.", "..."]
    assert pickle.loads(pickle.dumps(places["O-O"])) == places["O-O"] != places["O-O-O"]


def test_later_steps_write_what_they_add() -> None:
    chained = game("chains")
    state = at(chained, "...", "...", "o..", "mover: white", "plies: 2")
    found = moves(chained, state)
    assert found[8:13] == [
        "a1>a2",
        "a1>a2*east-3a",
        "a1>a2*south-3a",
        "a1>a2*east-3b",
        "a1>a2*south-3b",
    ]
    assert board(after(chained, state, "a1>a2*south-3b")) == [".*.", "o..", "..."]


def test_the_first_of_named_choices_changes_least_and_each_is_written() -> None:
    choosing = game("choices")
    state = at(choosing, "xoo", "xo.", "xxx", "mover: white", "plies: 2")
    ends = ["north=softly", "north=hard", "east=softly", "east=hard"]
    every = [f"c2={piece}={end}" for piece in ("man", "king", "rock") for end in ends]
    assert moves(choosing, state) == [
        text for text in every if text[:8] != "c2=rock=" or "hard" in text
    ]


def test_scripts_and_sessions_read_and_print_what_is_written() -> None:
    script = """\
io: |
  read word w
  play move w
  play move "a"
  print moves "{move}" joined by " "
  print "{column of first(own)}{move}"
"""
    scripted = load_source(Source("written.yaml", spec("pop") + script))
    printed = io.BytesIO()
    run(scripted, io.BytesIO(b"c"), printed)
    assert printed.getvalue() == b"a c b pop-c\nca\n"
    session = game("pop").start()
    for text in ("a", "b", "pop-a", "pop-b"):
        session.push(text)
    assert [str(move) for move in session.legal] == ["a", "b", "c"]


# The same game with a group for each combination, in the notation of choices.
DOES = {"hard": "remove shift(to, {})", "softly": "flip shift(to, {}) minus neutral"}
SPELLED = "".join(
    f"""
- place: {piece}
  to: empty
  do: {DOES[how].format(away)}
  forbid: count(occupied) = 2 and {str(away == "east").lower()}
  written: "{{to}}={piece}={away}={how}"
"""
    for piece in ("man", "king", "rock")
    for away in ("north", "east")
    for how in ("softly", "hard")
    if piece != "rock" or how == "hard"
)


@pytest.mark.slow
def test_named_choices_are_the_groups_spelled_out() -> None:
    chosen = SPECS["choices"].partition("- move")[0].strip().replace("\n", "\n    ")
    spelled = SPELLED.strip().replace("\n", "\n    ")
    one, other = (
        load_source(Source("x.yaml", f"{HEAD}    {groups}\n")) for groups in (chosen, spelled)
    )
    state: State = one.initial_state()
    draw = Generator(1, 0)
    for depth in (1, 2):
        assert one.perft(depth) == other.perft(depth)
    for _ in range(4):
        texts = sorted(moves(one, state))
        assert texts == sorted(moves(other, other.state_from(str(state))))
        text = texts[draw.below(len(texts))]
        same = after(other, other.state_from(str(state)), text)
        state = after(one, state, text)
        assert str(same) == str(state)


def test_illegal_move_is_explained_by_the_group_with_its_notation() -> None:
    popping = game("pop")
    state = after(popping, popping.initial_state(), "a")
    with pytest.raises(IllegalMoveError, match="none of a3, a2, a1 fits"):
        popping.move("pop-a", state)
    legal = str(popping.legal_moves(state)[0])
    with pytest.raises(NotationError, match=re.escape(f"names no move: a legal move is `{legal}`")):
        popping.move("pop!", state)
    turning = game("turn")
    with pytest.raises(IllegalMoveError, match="the number of moves made so far is not 1"):
        turning.move("takeover", turning.initial_state())


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ('{place: man, to: empty, written: "{column of to}"}', "a"),
        ("{place: man, to: empty, written: put}", "put"),
        ('[{place: man, to: empty, written: "{to}"}, {select: empty}]', "a3"),
        ("[{place: man, to: empty}, {pass: true, written: b2}]", "b2"),
    ],
)
def test_two_moves_of_one_text_are_a_finding(groups: str, text: str) -> None:
    made = HEAD.replace("moves:\n", f"moves: {groups}\n")
    (finding,) = (f for f in lint.findings(Source("x.yaml", made)) if f.code == "ambiguous-move")
    assert finding.message == f"two legal moves are both written `{text}` at the start"


def test_a_choice_that_is_not_shown_is_a_finding_where_it_is_written() -> None:
    groups = '[{place: piece, to: empty, choice: {piece: [man, king]}, written: "{to}"}]'
    source = Source("x.yaml", HEAD.replace("moves:\n", f"moves: {groups}\n"))
    found = {f.span.text: f.message for f in lint.findings(source) if f.code == "ambiguous-move"}
    assert found == {
        '"{to}"': "moves with another piece are written the same",
        "moves": "two legal moves are both written `a3` at the start",
    }


def test_groups_without_these_keys_are_shown_without_them() -> None:
    # The hash of their rules, which records contain, must not change.
    plain = rulesengine.load("tic-tac-toe").rules.groups[0]
    assert re.search(r'"\)\s+-\)\s$', show(plain))
    assert read(show(plain)) == plain
    for group in game("choices").rules.groups:
        assert not re.search(r'"\)\s+-\)\s$', show(group))
        assert read(show(group)) == group


def test_cells_can_be_named_by_their_places_on_the_screen() -> None:
    shown = make(
        0, 0, "moves: {place: man, to: empty}\nend: {when: none(empty), result: draw}",
        "board: {shape: hexagon, size: 2, origin: bottom-left}\n"
        'notation: {rows: capitals, columns: numbers, cell: "{screen_row}{screen_column}"}\n',
    )  # fmt: skip
    assert moves(shown, shown.initial_state()) == ["A1", "A2", "B1", "B2", "B3", "C1", "C2"]


def changed(text: str, seed: int) -> str:
    """Give the groups of a generated spec a notation, and named choices where allowed."""
    draw, found = random.Random(seed), yaml.safe_load(text)
    groups = found["rules"]["moves"]
    for group in groups if isinstance(groups, list) else [groups]:
        if not isinstance(group, dict) or "swap" in group or "pass" in group:
            continue
        fields = ["{from}>"] if "move" in group else []
        fields += ["{to}"] if draw.random() < 0.7 else ["{column of to}", "{row(to)}"]
        fields += ["{direction}"] if "along" in group and draw.random() < 0.5 else []
        if "choice" not in group:
            group["choice"] = {
                "how": ['"high"', '"low"'],
                "number": [3, 1],
                "which": ["first(all)", "last(all)"],
            }
            group["when"] = f'({group.get("when", "true")}) and (how = "low" or number = 1)'
            does = group.get("do", [])
            group["do"] = [*does, "if number > 1 and which != to then remove which"]
            fields += [":{how}", "{number}", "{which}"]
        else:
            fields += ["={choice}"]
        if draw.random() < 0.6:
            group["written"] = "".join(fields)
    return yaml.safe_dump(found, allow_unicode=True, sort_keys=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_engines_agree_on_generated_specs(seed: int) -> None:
    engines = spec_engines(changed(random_spec(seed), seed), QUICK)
    engines.limit(20_000)
    with suppress(TooLong):
        engines.play(seed, 4)
        engines.count(2)


DIRECTIONS = """\
spec: 1
name: directions
board: {rows: 2, columns: 2, origin: bottom-left}
players: [white, black]
pieces: {man: {white: o, black: x}, empty: "."}
registers: {last: {type: direction}}
notation: {directions: {north: "+", east: ">"}}
start: put man of white on a1
rules:
  moves:
    - move: own
      along: [north, east, northeast]
      to: shift(from, direction) and empty
      written: "{from}{direction}"
      do: set last to direction
    - {place: man, to: empty, choice: [north, south]}
  end: {when: plies > 2, result: draw}
"""


def test_directions_are_written_in_moves_and_positions_as_the_notation_says() -> None:
    for engine in ("interpreter", *QUICK):
        game = load_source(Source("directions.yaml", DIRECTIONS), engine=engine)
        state = game.initial_state()
        texts = [str(move) for move in game.legal_moves(state)]
        assert texts[:3] == ["a1+", "a1northeast", "a1>"]
        assert "b1=+" in texts
        assert "b1=south" in texts
        state = game.apply(state, "a1>")
        assert "last: >" in str(state)
        assert game.state_from(str(state)) == state
        assert game.find("a1north", game.initial_state()) is None
