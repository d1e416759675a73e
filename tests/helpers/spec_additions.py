"""Additional sections of generated specs, drawn last: without them a seed's spec is unchanged."""

from typing import Any

from tests.helpers.spec_boards import Board, Draw, likely, pick, some

Section = dict[str, Any]
# A register that chance sets, so its own condition cannot hold again before a move.
THROWN = "thrown"
# The keys of a plain rectangle, and the number of rows or columns that makes it large, or small.
PLAIN = frozenset({"rows", "columns", "origin", "adjacency"})
LARGE, SMALL = 6, 4


def add(draw: Draw, spec: Section, board: Board) -> None:
    """Add limits of pieces, texts of moves, named choices, chance, and another board."""
    if likely(draw, 20):
        _limit(draw, spec, board)
    groups = [g for g in spec["rules"]["moves"] if isinstance(g, dict) and "swap" not in g]
    own = [group for group in groups if "pass" not in group]
    if likely(draw, 15):
        _choose(draw, pick(draw, own), board)
    if likely(draw, 20):
        _label(draw, own)
    if likely(draw, 15):
        _let_chance_move(draw, spec)
    _change_board(draw, spec)
    if likely(draw, 20):
        _distinguish_kinds(draw, spec)
    if likely(draw, 15):
        _turn(draw, spec, board)
    if likely(draw, 15):
        _query_passes(draw, spec)
    if likely(draw, 15):
        _cover(draw, spec)


def _limit(draw: Draw, spec: Section, board: Board) -> None:
    """Limit a kind to the pieces of the start, or a few more."""
    kinds = [kind for kind, of in spec["pieces"].items() if isinstance(of, dict)]
    number = board.size // (len(spec["players"]) + 1) + draw(4)
    spec["pieces"][pick(draw, kinds)]["at_most"] = max(number, 1)


def _choose(draw: Draw, group: Section, board: Board) -> None:
    """Add two named choices that the group's effects read."""
    if "choice" in group:
        return
    ways = list(dict.fromkeys(some(draw, board.directions, 1, 3))) if board.directions else []
    cells = list(dict.fromkeys(some(draw, board.cells, 1, 2)))
    where, values = ("shift(to, spot)", ways) if ways else ("spot", cells)
    group["choice"] = {"size": [1, 2, 5][: 1 + draw(3)], "spot": values}
    changes = ["remove", "put rock on", "flip"]
    effect = f"if size < 2 + plies % 3 then {pick(draw, changes)} {where} minus to"
    group["do"] = [*group.get("do", ()), effect]


def _label(draw: Draw, groups: list[Section]) -> None:
    """Give the moves of some groups texts of their own, with all parts that distinguish them."""
    for number, group in enumerate(groups):
        if likely(draw, 60):
            cell = pick(draw, ["{to}", "{column of to}/{row of to}"])
            parts = [f"w{number}:", "{from}>" if "move" in group else "", cell]
            parts += ["+{direction}"] if "along" in group and likely(draw, 50) else []
            named = group.get("choice", [])
            fields = named if isinstance(named, dict) else ["choice"] if named else []
            group["written"] = "".join([*parts, *(f"={{{name}}}" for name in fields)])


def _let_chance_move(draw: Draw, spec: Section) -> None:
    """Add dice, and sometimes pieces that appear, vanish or wander, before some moves."""
    register = {"type": "number", "from": 0, "to": 6, "lives": "move"}
    spec["registers"] = {**spec.get("registers", {}), THROWN: register}
    seen = f"set {THROWN} to "
    weight = pick(draw, ["1", "if choice = 2 then 3 else 1", "choice + count(own)"])
    branches: list[Section] = [{"choice": [1, 2, 6], "weight": weight, "do": [f"{seen}choice"]}]
    kind = next(kind for kind, of in spec["pieces"].items() if "neutral" in of)
    others: list[Section] = [
        {"place": kind, "to": "empty touching occupied", "do": [f"{seen}1"]},
        {"select": "enemy", "weight": 2, "do": ["remove to", f"{seen}2"]},
        {"move": "own", "to": "empty touching from", "do": [f"{seen}3"], "weight": 5},
        {"written": "wind", "when": "any(own)", "do": ["flip own touching enemy", f"{seen}4"]},
    ]
    branches += [branch for branch in others if likely(draw, 30)]
    when = pick(draw, ["plies > 0", "plies % 2 = 0", "any(enemy touching own)"])
    chance: Section = {"when": f"{THROWN} = 0 and ({when})", "branches": branches}
    if likely(draw, 30):
        chance["turn"] = pick(draw, [f"if {THROWN} = 2 then next(player) else player", "player"])
    if likely(draw, 30):
        chance["counts"] = True
    spec["rules"]["chance"] = chance


def _distinguish_kinds(draw: Draw, spec: Section) -> None:
    """Add values of kinds, and a register of kinds that counts the pieces that moves take."""
    rules, of_kinds = spec["rules"], {k: v for k, v in spec["pieces"].items() if k != "empty"}
    for number, piece in enumerate(of_kinds.values()):
        if likely(draw, 70):
            piece["values"] = {"worth": number + draw(3)}
    worth = any("values" in piece for piece in of_kinds.values())
    each = pick(draw, ["kind", ["player", "kind"]])
    taken = {"type": "number", "each": each, "from": 0, "to": 30}
    spec["registers"] = {**spec.get("registers", {}), "taken": taken}
    first = next(iter(of_kinds))
    kinds = ["before(kind(c))", f"(if plies > 2 then {first} else before(kind(c)))"]
    kind = pick(draw, kinds)
    more = pick(draw, ["1", *(["worth of before(kind(c)) / 2"] if worth else [])])
    effect = f"for c in captured do add {more} to taken of {kind}"
    rules["do"] = [*_listed(rules.get("do", [])), effect]
    end = {"when": f"taken of {first} > {2 + draw(3)}", "result": "draw"}
    rules["end"] = [*_listed(rules["end"]), end]
    group = next((g for g in rules["moves"] if isinstance(g, dict) and "forbid" not in g), None)
    if group is not None and "pass" not in group and likely(draw, 20):
        group["forbid"] = f"taken of {first} > 1 and not can_move(next(player))"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _change_board(draw: Draw, spec: Section) -> None:
    """Add arcs to a plain rectangle, or cells on its borders and points."""
    board = spec["board"]
    if not board.keys() <= PLAIN or max(board["rows"], board["columns"]) > LARGE:
        return
    if likely(draw, 25):
        spec["board"] = {**board, "joins": _joins(draw, board)}
        ends = ["slide(own, orthogonal, empty, joins: at least 1) and corners"]
        ends += ["run(own, empty, enemy, at least 1, orthogonal) and edge"]
        when = f"plies > 4 and any({pick(draw, ends)})"
        spec["rules"]["end"].append({"when": when, "result": "draw"})
    elif max(board["rows"], board["columns"]) <= SMALL and likely(draw, 70):
        spec["board"] = {**board, "shape": "mesh"}


def _joins(draw: Draw, board: Section) -> list[str]:
    """Return arcs between cells of the top row and of the left column, at most one per cell."""
    rows, columns, origin = board["rows"], board["columns"], board["origin"]
    top, left = 1 if "top" in origin else rows, 1 if "left" in origin else columns
    ends = [(f"{'abcdef'[column]}{top}", "north", "south") for column in range(columns)]
    ends += [(f"{'abcdef'[left - 1]}{row + 1}", "west", "east") for row in range(rows)]
    joins = []
    for _ in range(1 + draw(2)):
        (cell, ahead, _), (other, _, onward) = (ends.pop(draw(len(ends))) for _ in range(2))
        joins.append(f"{cell} {ahead} to {other} {onward}")
    return joins


def _turn(draw: Draw, spec: Section, board: Board) -> None:
    """Add a direction that each move turns, and effects and an end along turned directions."""
    if not board.directions:
        return
    start, other = some(draw, board.directions, 2, 2)
    heading = {"type": "direction", "start": start}
    spec["registers"] = {**spec.get("registers", {}), "heading": heading}
    rules = spec["rules"]
    steps = pick(draw, ["1", "-2", "plies - 3", "count(own) - count(enemy)"])
    far = pick(draw, ["plies % 7", "2", "count(occupied)"])
    change, where = pick(draw, ["remove", "flip"]), pick(draw, board.cells)
    effects = [f"set heading to turned(heading, {steps})"]
    effects += [f"{change} shift({where}, turned([heading, {other}], {far}))"]
    rules["do"] = [*_listed(rules.get("do", [])), *effects]
    when = f"plies > 3 and any(w in [all], none(shift({where}, turned(w, {far}))))"
    rules["end"] = [*_listed(rules["end"]), {"when": when, "result": "draw"}]


def _query_passes(draw: Draw, spec: Section) -> None:
    """Add an end, and sometimes a ban, that reads the moves of a side together with its passes."""
    rules, players = spec["rules"], list(spec["players"])
    side = pick(draw, ["mover", "next(player)", *players])
    when = f"plies > 2 and not can_act({side})"
    result = pick(draw, ["draw", f"{players[0]} loses"])
    rules["end"] = [*_listed(rules["end"]), {"when": when, "result": result}]
    groups = (g for g in rules["moves"] if isinstance(g, dict) and "forbid" not in g)
    group = next(groups, None)
    if group is None or "pass" in group or "can_move" in str(rules.get("turn")):
        return
    if likely(draw, 40):
        group["forbid"] = "plies > 1 and not can_act(next(player))"


def _cover(draw: Draw, spec: Section) -> None:
    """Add a group of moves that cover tiles, on a board where tiles can be turned."""
    if spec["board"].get("shape") in ("graph", "box"):
        return
    pieces, rules = spec["pieces"], spec["rules"]
    first = next(iter(pieces))
    pieces["bar"] = {"tile": pick(draw, ["##", "###"])}
    pieces["bend"] = {"tile": pick(draw, ["#. ##", "##. .##", "#.. ###"])}
    group: Section = {"place": first, "cover": pick(draw, ["bar", "bend", ["bar", "bend"]])}
    group["to"] = pick(draw, ["empty", "empty or neutral", "empty touching occupied"])
    group["when"] = pick(draw, ["form < 4", "any(covered touching own)", "tile = bar or form = 2"])
    if likely(draw, 50):
        group["do"] = [
            pick(draw, ["flip neighbours(covered)", "remove neighbours(to) minus covered"])
        ]
    if likely(draw, 25):
        group["forbid"] = f"count(own) > {4 + draw(6)}"
    rules["moves"] = [group, *_listed(rules["moves"])]
