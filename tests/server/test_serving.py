"""Answers to the page: positions, reasons, players, values, records, findings, words."""

from typing import Any

import pytest

import rulesengine
from rulesengine.drawing import Annotations, compose, to_svg
from rulesengine.engine.drivers.search.result import WIN, Value
from rulesengine.game import Game
from rulesengine.server.web.game_cache import GameCache
from rulesengine.server.web.operations import Dispatcher
from rulesengine.server.web.value_display import shown_value
from tests.helpers.served import ROW, TILES, respond

OTHELLO = {"spec": {"name": "othello"}}
TEXT = {"spec": {"text": ROW}}
GAMES = Dispatcher(GameCache())


def found(operation: str, **given: Any) -> Any:
    """Return the one line of a successful answer."""
    status, (line,) = respond(operation, GAMES, **given)
    assert status == 200, line
    return line


def refused(operation: str, **given: Any) -> tuple[int, str, str]:
    """Return the status, the kind and the message of an error."""
    status, (line,) = respond(operation, GAMES, **given)
    return status, line["error"]["kind"], line["error"]["message"]


def test_position_response_describes_the_state() -> None:
    shown = found("position", **TEXT, moves=["a1", "b1"])
    assert (shown["mover"], shown["ply"], shown["players"]) == ("one", 2, ["one", "two"])
    assert [move["text"] for move in shown["legal"]] == ["c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    assert [(m["text"], m["player"]) for m in shown["moves"]] == [("a1", "one"), ("b1", "two")]
    cells = shown["drawing"]["cells"]
    at = {cell["name"]: cell["piece"] for cell in cells if cell["piece"]}
    assert at == {"a1": "one stone", "b1": "two stone"}
    table = [[cells[c]["name"] for c in row["cells"]] for row in shown["table"]["rows"]]
    assert table == [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"]]


def test_the_end_of_a_game_of_one_player_has_its_points() -> None:
    moves = "d2-d4 d5-d3 b4-d4 e4-c4 d7-d5 g4-e4".split()
    outcome = found("position", spec={"name": "peg-solitaire"}, moves=moves)["outcome"]
    assert outcome["text"] == "solver gets 6 points"
    row = found("position", **TEXT, moves="a1 a2 b1 b2 c1".split())["outcome"]
    assert row["text"] == "one wins"


def test_cells_lie_in_the_picture_and_moves_lead_to_them() -> None:
    shown = found("position", **OTHELLO)
    left, top, width, height = shown["drawing"]["box"]
    cells = shown["drawing"]["cells"]
    assert len(cells) == 64
    for cell in cells:
        for x, y in [cell["at"], *cell["outline"]]:
            assert left <= x <= left + width
            assert top <= y <= top + height
    targets = {cells[to]["name"] for move in shown["legal"] for _, to in move["steps"]}
    assert targets == {"d3", "c4", "f5", "e6"}


@pytest.mark.parametrize("name", ["connect-four", "hex", "kalah", "l-game", "nine-mens-morris"])
def test_the_picture_of_a_position_is_that_of_the_game(name: str) -> None:
    game, theme = rulesengine.load(name), "auto"
    state = game.initial_state()
    move = game.legal_moves(state)[0]
    for _ in range(2):  # the board is written once, and there the second time
        shown = found("position", spec={"name": name}, moves=[str(move)], theme=theme)
        after = game.apply(state, move)
        assert shown["drawing"]["svg"] == game.svg(after, last=move, theme="auto")
        bare = found("position", spec={"name": name}, marks={"coordinates": False}, theme="dark")
        marked = Annotations(coordinates=False)
        scene = compose(game.program, state, marked)
        assert bare["drawing"]["svg"] == to_svg(scene, "dark")


def test_numbers_at_cells_are_reported_with_the_pieces_there() -> None:
    shown = found("position", spec={"name": "kalah"})["drawing"]["cells"]
    assert {"name", "at", "outline", "piece", "symbol", "numbers"} == set(shown[0])
    assert {tuple(cell["numbers"].items()) for cell in shown} >= {(("seeds", 4),)}


def test_new_games_are_settled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    recalled = list[str]()
    monkeypatch.setattr(Game, "recall", lambda game: recalled.append(game.name))
    answering = Dispatcher(GameCache())
    for _ in range(2):
        respond("position", answering, **OTHELLO)
        answering.games.load_cached_data()
    assert recalled == ["Othello"]


def test_the_end_is_reported_and_no_move_is_left() -> None:
    shown = found("position", **TEXT, moves="a1 a2 b1 b2 c1".split())
    assert shown["outcome"]["winner"] == "one"
    assert shown["outcome"]["reason"] == "three in a row"
    assert shown["legal"] == []


def test_sides_and_colours_follow_a_swap_and_the_deciding_pieces_are_reported() -> None:
    hexes = {"spec": {"name": "hex"}, "parameters": {"n": 3, "pie": True}}
    before = found("position", **hexes, moves=["b2"])
    assert before["sides"] == {"red": "red", "blue": "blue"}
    assert set(before["colours"]) == {"red", "blue"}
    after = found("position", **hexes, moves="b2 swap a1 b1 a3 b3".split())
    assert after["sides"] == {"red": "blue", "blue": "red"}
    assert after["outcome"]["winner"] == "blue"
    cells = after["drawing"]["cells"]
    assert {cells[cell]["name"] for cell in after["decisive"]} == {"b1", "b2", "b3"}
    assert [move["side"] for move in after["moves"]][:3] == ["red", "blue", "blue"]


@pytest.mark.parametrize(
    ("name", "drops"), [("connect-four", "columns"), ("othello", ""), ("kalah", ""), ("hex", "")]
)
def test_columns_determine_placements_where_pieces_fall(name: str, drops: str) -> None:
    assert found("position", spec={"name": name})["drops"] == drops


def test_values_are_described_as_people_read_them() -> None:
    wins = found("play", **TEXT, moves="a1 b1 a2 b2".split(), player="search:plies=1", seed=0)
    assert (wins["value"]["short"], wins["value"]["description"]) == ("win 1", "wins in 1 move")
    game = {"spec": {"name": "connect-four"}}
    chance = found("play", **game, player="mcts:playouts=20", seed=0)["value"]
    percent = round((chance["number"] / 1000 + 1) * 50)
    assert chance["description"] == f"wins with a chance of {percent} %"


def test_bounds_of_values_are_described_as_bounds() -> None:
    lost = shown_value(Value(-(WIN - 4), "plies"), is_bound=True)
    assert (lost["short"], lost["description"]) == ("loss ≤4", "loses in at most 4 moves")
    points = shown_value(Value(3, "points"), is_bound=True)
    assert (points["short"], points["description"]) == ("≤+3", "wins by 3 points at best")
    assert shown_value(Value(1, "points"))["description"] == "wins by 1 point"
    assert shown_value(Value(0, "points"))["description"] == "draws"
    assert shown_value(Value(-1, "result"))["description"] == "loses"


def test_values_in_points_count_the_units_of_a_point() -> None:
    moves = ["c3", "pass"]
    go = {"spec": {"name": "go"}, "parameters": {"n": 5}, "moves": moves}
    assert (found("position", **go)["score_shown"], found("position", **go)["point"]) == (
        "at_end",
        2,
    )
    # After the second pass black has 25 points, white 7.5.
    value = found("play", **go, player="search:plies=1", seed=0)["value"]
    assert (value["unit"], value["description"]) == ("points", "wins by 17.5 points")


def test_moves_that_do_not_fit_are_reported_and_the_others_stand() -> None:
    shown = found("position", **TEXT, moves=["a1", "a1", "b2"])
    assert shown["ply"] == 1
    assert shown["problem"]["ply"] == 2
    assert "a1" in shown["problem"]["message"]


def test_moves_taken_back_give_the_position_that_was_there() -> None:
    before = found("position", **TEXT, moves=["a1"])
    found("position", **TEXT, moves=["a1", "b2"])
    assert found("position", **TEXT, moves=["a1"]) == before


def test_a_move_that_covers_a_tile_has_its_cells() -> None:
    shown = found("position", spec={"text": TILES}, moves=["b1=stone-4"])
    covers = {move["text"]: move.get("covers") for move in shown["legal"]}
    # The first move covers b1, a2 and b2.
    assert covers["a3"] is None
    assert covers["c2=stone-4"] == [5, 7, 8]
    # Six single cells, and the only tile of three of them that has a corner.
    assert len(covers) == 6 + 1


def test_parameters_transforms_and_a_start_make_another_position() -> None:
    small = found("position", **OTHELLO, parameters={"n": 6})
    assert len(small["drawing"]["cells"]) == 36
    assert small["parameters"] == {"n": 6}
    begun = found("position", **TEXT, start="x..\n...\n...\nmover: two")
    assert begun["mover"] == "two"
    assert len(begun["legal"]) == 8
    for spec in ({"name": "tic-tac-toe"}, TEXT["spec"]):
        line = "a1 a2 b1 b2 c1".split()
        misere = found("position", spec=spec, moves=line, **{"with": ["misere"]})
        assert misere["outcome"]["winner"] == misere["players"][1]


@pytest.mark.slow
def test_a_form_receives_the_transforms_that_fit_and_their_arguments() -> None:
    offers = {one["name"]: one for one in found("transforms", **TEXT)["transforms"]}
    assert {name: (one["takes"], one["refused"]) for name, one in offers.items()} == {
        "misere": ({}, ""),
        "torus": ({}, ""),
        "pie": ({"after": 1}, ""),
        "size": ({"rows": 3, "columns": 3}, ""),
    }
    # A rhombus has no torus, a value from a parameter is no size, and this game has a swap.
    hexes = {one["name"]: one for one in found("transforms", spec={"name": "hex"})["transforms"]}
    assert [name for name, one in hexes.items() if not one["refused"]] == ["misere"]
    assert "rhombus" in hexes["torus"]["refused"]
    assert "size" not in hexes


def test_a_record_of_a_variant_names_no_spec_and_is_read_by_the_same_variant() -> None:
    variant: dict[str, Any] = {**OTHELLO, "with": ["misere"]}
    text = found("record", **variant, moves=["d3", "c3"])["text"]
    assert found("read", record=text)["spec"] is None
    assert found("read", **variant, record=text)["problems"] == []
    assert found("read", **OTHELLO, record=text)["problems"] != []


def test_chance_moves_have_weights() -> None:
    dice = {"spec": {"name": "einstein"}}
    shown = found("position", **dice)
    assert shown["chance"]
    assert [move["weight"] for move in shown["legal"]] == [1] * 6  # a die
    thrown = found("play", **dice, player="search:level=1")
    assert thrown["move"] in [move["text"] for move in shown["legal"]]
    assert found("position", **dice, moves=[thrown["move"]])["moves"][0]["player"] is None


def test_operation_why_explains_an_illegal_move() -> None:
    assert found("why", **OTHELLO, move="d3") == {"legal": True, "move": "d3", "text": ""}
    refused = found("why", **OTHELLO, move="d4")["text"]
    assert refused == "`d4` is not legal for black: d4 holds a disc of white"
    assert found("account", **OTHELLO, move="d4")["text"].startswith(refused)
    respond = found("why", **OTHELLO, move="a1")
    assert not respond["legal"]
    assert "a1" in respond["text"]
    assert "black" in respond["text"]


@pytest.mark.parametrize("seed", [0, 3])
def test_a_level_draws_its_count_of_positions_by_the_seed(seed: int) -> None:
    level = rulesengine.loads(ROW, engine="interpreter").level(1)
    counts = {number: level.budget(number).nodes for number in (0, 3)}
    assert counts[0] != counts[3]
    shown = found("play", **TEXT, player="search:level=1", seed=seed)
    assert shown["nodes"] == counts[seed]


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "greedy", "search:plies=1", "mcts:playouts=1"])
def test_players_answer_with_legal_moves(player: str) -> None:
    respond = found("play", **OTHELLO, player=player, seed=3)
    assert respond["move"] in ("d3", "c4", "f5", "e6")


@pytest.mark.slow
def test_search_response_lists_all_moves() -> None:
    status, lines = respond("search", GAMES, **TEXT, moves="a1 a2 b1 b2".split(), nodes=300)
    assert status == 200
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    best = lines[-1]["moves"][0]
    assert (best["text"], best["value"]["text"], best["value"]["bar"]) == ("c1", "win in 1", 1)
    assert len(lines[-1]["moves"]) == 5


@pytest.mark.slow
def test_annotations_name_the_move_that_threw_the_game_away() -> None:
    game = "a1 b2 a2 c3 a3".split()  # a3 would have kept the draw: one fills the column
    _, lines = respond("annotate", GAMES, **TEXT, moves=game, nodes=3000)
    assert lines[-1] == {"done": True}
    assert [line["ply"] for line in lines[:-1]] == [1, 2, 3, 4, 5]
    assert [line["turns"] for line in lines[:-1]] == [False, False, False, True, False]
    assert lines[3]["best"] == "a3"


@pytest.mark.slow
def test_a_study_tells_what_its_games_so_far_show() -> None:
    # Two stones on two cells: two plies, two moves and one, no winner.
    text = ROW.replace("rows: 3, columns: 3", "rows: 1, columns: 2")
    status, lines = respond("study", GAMES, spec={"text": text}, games=4, theme="dark")
    last = lines[-1]
    assert (status, last["done"], last["total"]) == (200, True, 12)
    assert 0 < last["games"] <= 12  # as many as there is time for
    numbers = dict(last["numbers"])
    assert numbers["games drawn"].startswith("100.0 %")
    assert numbers["plies of a game"].startswith("2.00")
    assert numbers["legal moves at a turn"].startswith("1.50")
    assert [plies for plies, _ in last["lengths"]] == ["2"]
    assert any("at least 3" in rule for rule in last["unused"])
    assert last["svg"].startswith("<svg")


def test_a_record_is_read_back() -> None:
    text = found("record", **OTHELLO, moves=["d3", "c3"], players={"white": "greedy"})["text"]
    back = found("read", record=text)
    assert back["spec"] == {"name": "othello"}
    assert (back["moves"], back["problems"]) == (["d3", "c3"], [])
    assert back["players"] == {"black": "human", "white": "greedy"}


@pytest.mark.parametrize(
    ("settled", "line"),
    [
        ({"kind": "resigned", "player": "white"}, "forfeit: white, resigned"),
        ({"kind": "time", "player": "black"}, "forfeit: black, out of time"),
        ({"kind": "agreed"}, "stated: draw, agreement"),
    ],
)
def test_result_by_the_players_is_kept_by_a_record(settled: dict[str, str], line: str) -> None:
    text = found("record", **OTHELLO, moves=["d3"], settled=settled)["text"]
    assert text.splitlines()[-2:] == ["result: unfinished", line]
    back = found("read", record=text)
    assert (back["settled"], back["problems"]) == (settled, [])
    assert found("read", record=text.replace(f"{line}\n", ""))["settled"] is None
    wrong = refused("record", **OTHELLO, settled={"kind": "resigned", "player": "nobody"})
    assert wrong[:2] == (400, "request")


def test_game_in_a_format_is_read_by_the_spec_and_written_again() -> None:
    back = found("read", **OTHELLO, record="f5d6c3\nf5f6\n")
    assert (back["spec"], back["moves"]) == (OTHELLO["spec"], ["f5", "d6", "c3"])
    assert back["problems"] == []
    assert back["games"] == [{"number": n, "players": [], "result": ""} for n in (1, 2)]
    second = found("read", **OTHELLO, record="f5d6c3\nf5f6\n", game=2)
    assert second["moves"] == ["f5", "f6"]
    refusal = refused("read", **OTHELLO, record="f5d6c3\nf5f6\n", game=3)
    assert "the text has no game 3" in str(refusal)
    assert (
        found("record", **OTHELLO, moves=back["moves"], format="transcript")["text"] == "f5d6c3\n"
    )
    go = {"spec": {"name": "go"}}
    back = found("read", **go, record="(;SZ[13]KM[0.5]RE[B+R];B[dd])")
    assert {"n": 13, "komi": 0, "half": True}.items() <= back["parameters"].items()
    assert back["settled"] == {"kind": "resigned", "player": "white"}
    again = found("record", **go, **{k: back[k] for k in ("parameters", "moves")}, format="sgf")
    assert "SZ[13]KM[0.5]" in again["text"].replace("\n", "")
    names = [row["name"] for row in found("position", **OTHELLO)["formats"]]
    assert names[:2] == ["pgn", "ggf"]
    assert "wthor" not in names
    assert refused("record", **OTHELLO, format="x")[:2] == (422, "game")


def test_record_of_another_game_is_reported() -> None:
    text = found("record", **OTHELLO, moves=["d3", "c3"])["text"]
    other = found("read", **TEXT, record=text)
    assert any("record of Othello" in problem for problem in other["problems"])
    unknown = found("read", record=text.replace("spec: othello\n", ""))
    assert unknown["spec"] is None
    assert "Othello" in unknown["problems"][0]


def test_invalid_move_of_a_record_is_reported_alone() -> None:
    text = found("record", **OTHELLO, moves=["d3"])["text"].replace("\nd3\n", "\na1\n")
    (problem,) = found("read", record=text)["problems"]
    assert "a1" in problem
    assert "record of" not in problem
    assert refused("read", record="")[2].endswith("found an empty line")


def test_findings_have_offsets_and_fixes() -> None:
    text = ROW.replace("to: empty", "to: emtpy")
    (finding,) = found("check", spec={"text": text})["findings"]
    assert text[finding["from"] : finding["to"]] == "emtpy"
    fix = finding["fix"]
    assert text[: fix["from"]] + fix["text"] + text[fix["to"] :] == ROW
    assert finding["line"] == 1 + text[: finding["from"]].count("\n")
    assert found("check", **TEXT) == {"findings": []}


def test_check_plays_random_games_on_request() -> None:
    endless = ROW.replace("place: stone\n    to: empty", "pass")
    assert "place" not in endless
    quick = {f["code"] for f in found("check", spec={"text": endless})["findings"]}
    whole = {f["code"] for f in found("check", spec={"text": endless}, games=True)["findings"]}
    assert whole - quick


def test_words_and_their_meanings_are_reported_at_a_place() -> None:
    at = ROW.index("none(empty)")
    hover = found("hover", **TEXT, offset=at + 1)
    assert ROW[hover["from"] : hover["to"]] == "none"
    assert "**none**" in hover["markdown"]
    respond = found("complete", **TEXT, offset=at + 2)
    assert respond["from"] == at
    labels = {item["label"]: item["kind"] for item in respond["items"]}
    assert labels["none"] == "function"
    assert labels["stone"] == "piece"


def test_tests_of_a_spec_are_run() -> None:
    assert found("test", **TEXT) == {"passed": 1, "failed": []}
    wrong = ROW.replace("outcome: one wins", "outcome: two wins")
    (failed,) = found("test", spec={"text": wrong})["failed"]
    assert ROW.split("\n")[failed["line"] - 1].strip().startswith("- moves")
    assert "two wins" in failed["differences"][0]


def test_a_layout_and_the_rules_in_english_are_made() -> None:
    assert found("format", spec={"text": ROW.replace("one: x", "one:   x")})["text"] == ROW
    rules = found("rules", **TEXT)
    assert [section["heading"] for section in rules["sections"]][-1] == "Notation"
    assert "three in a row" in rules["text"].lower() or "3" in rules["text"]


def test_no_text_of_a_spec_is_markup() -> None:
    evil = '</title><script>alert(1)</script>"'
    text = ROW.replace("name: Row", f"name: '{evil}'").replace("one: x", 'one: "<"')
    shown = found("position", spec={"text": text}, moves=["a1"])
    assert shown["title"] == evil
    assert "<script" not in shown["drawing"]["svg"]
    assert "<script" not in found("rules", spec={"text": text})["html"]


def test_gallery_rows_distinguish_games() -> None:
    row = found("gallery-row", spec={"name": "hex"})
    assert row["title"] == "Hex"
    assert "hexagons" in row["tags"]
    assert row["board"]["cells"] == 121
    assert found("gallery-picture", spec={"name": "hex"})["svg"].startswith("<svg")


@pytest.mark.parametrize(
    ("operation", "given", "status", "kind"),
    [
        ("position", {}, 400, "request"),
        ("position", {"spec": {"name": "no-such-game"}}, 404, "unknown"),
        ("position", {"spec": {"name": "../README"}}, 404, "unknown"),
        ("position", {"spec": {"name": "./x.yaml"}}, 404, "unknown"),
        ("position", {"spec": {"text": "a: [" * 1000}}, 422, "spec"),
        ("position", {"spec": {"text": "x" * 300_000}}, 413, "size"),
        ("position", {"spec": {"text": "\ud800"}}, 422, "game"),
        ("position", {**OTHELLO, "moves": "d3"}, 400, "request"),
        ("position", {**OTHELLO, "moves": [3]}, 400, "request"),
        ("position", {**OTHELLO, "parameters": {"n": 5}}, 422, "game"),
        ("position", {**OTHELLO, "parameters": {"n": [8]}}, 400, "request"),
        ("position", {**OTHELLO, "start": "nothing"}, 422, "game"),
        ("position", {**OTHELLO, "with": [{"size": "x"}]}, 422, "spec"),
        ("position", {**OTHELLO, "theme": "pink"}, 400, "request"),
        ("position", {**OTHELLO, "marks": {"arrows": [["a1"]]}}, 400, "request"),
        ("position", {**OTHELLO, "marks": {"heat": {"z9": 1}}}, 422, "game"),
        ("position", {**TEXT, "with": ["mirror"]}, 422, "spec"),
        ("play", {**OTHELLO, "player": "human"}, 400, "request"),
        ("play", {**OTHELLO, "player": "nobody"}, 422, "game"),
        ("search", {**OTHELLO, "seconds": 1e9}, 400, "request"),
        ("search", {**OTHELLO, "seconds": float("nan")}, 400, "request"),
        ("why", {**OTHELLO, "move": "x" * 2000}, 413, "size"),
        ("read", {"record": "no record"}, 422, "game"),
        ("hover", {**TEXT, "offset": -1}, 400, "request"),
    ],
)
def test_invalid_request_fields_are_rejected(
    operation: str, given: dict[str, Any], status: int, kind: str
) -> None:
    assert refused(operation, **given)[:2] == (status, kind)


def test_unfit_variant_is_rejected_with_a_reason() -> None:
    _, _, message = refused("position", spec={"name": "hex"}, **{"with": ["torus"]})
    assert message == "the spec has a mistake: `torus` needs a rectangle, this board is a rhombus"


def test_the_gallery_says_what_one_does_and_who_wins() -> None:
    assert found("gallery-row", **TEXT)["summary"] == (
        "Place a stone on an empty cell. You win (“three in a row”) if there is an unbroken"
        " straight line of at least 3 of your stones."
    )
