"""Regions, bounds and forbidden targets of bans hold for steps on random boards, one by one."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.analysis.ban_bounds import BanBounds, BansOfMovers
from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.passes.anchor_bans import AnchorBans
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op
from rulesengine.loading import load, load_source
from rulesengine.support.source import Source
from tests.helpers.ban_specs import ban_spec

BOARDS, STEPS = 16, 24
WHITE = "KDRHP"
# Games with attacks on kings by leaps, rays, pawns, and over other pieces.
GAMES = {"los-alamos": "KQRNP", "xiangqi": "KABNRCP"}
# A spec in which pages are dropped; no group has a ban of its own.
DROPS = 16
BANS = (
    # An own piece makes it true.
    "any(shift(own king, ahead) and own page)",
    "any(way in orthogonal, any(shift(slide(own king, way, empty or own page), way) and enemy))",
    # A piece in between makes it true.
    "any(way in orthogonal, any(met(met(own king, way), way) and enemy))",
    "any((ray(own king, north) minus empty) and (enemy or empty))",
    # A piece that enters a part of the board makes it true.
    "any(shift(own king and top, south) and enemy)",
    # An empty cell makes it true.
    "any(ray(own king, north) and enemy) or any(run(own king, empty, enemy, along: diagonal))",
    "none(neighbours(own king) and own page) and any(neighbours(own king) and enemy)",
)


@dataclass(frozen=True)
class Banned:
    """A game with a ban; `letters` are the symbols of the pieces of the first player."""

    game: Game
    machine: Interpreter
    ban: Op
    region: Op
    bounds: BanBounds | None
    forbidden: Op | None
    letters: str

    def value(self, op: Op, board: list[str], side: int, cell: int = -1) -> int:
        """Return the value of an operation on a board, read by a side."""
        rows, columns = shape_of(self.game)
        lines = ["".join(board[k * columns : (k + 1) * columns]) for k in range(rows)]
        mover = self.game.players[1 - side]
        state = self.game.state_from("\n".join([*lines, f"mover: {mover}"]))
        return int(self.machine.evaluate_in(op, Frame(state, {"player": side, "from": cell})))


def shape_of(game: Game) -> tuple[int, int]:
    places = game.program.topology.coordinates
    rows = len({place[0] for place in places})
    return rows, len(places) // rows


def bans_of(game: Game, letters: str) -> Iterator[Banned]:
    """Yield the different bans of a game that have a region."""
    program = optimised(game.program)
    regions, movers, lone = BanRegions(program), BansOfMovers(program), AnchorBans(program)
    machine, seen = Interpreter(program), set[Op]()
    for group in program.rules.groups:
        if group.forbid is None or group.forbid in seen:
            continue
        seen.add(group.forbid)
        region = regions.of(group, group.forbid)
        if region is not None:
            bounds = movers.of(group, group.forbid)
            forbidden = None if bounds is None else lone.of(group.forbid)
            yield Banned(game, machine, group.forbid, region, bounds, forbidden, letters)


def boards(banned: Banned, draw: random.Random) -> Iterator[list[str]]:
    """Yield random boards with few pieces, whose cells are those of the game, row by row."""
    cells = banned.game.program.topology.cells
    for _ in range(BOARDS):
        count = draw.choice((5, 9, 13))
        pieces = [banned.letters[0] for _ in range(draw.choice((1, 1, 1, 2)))]
        pieces += [draw.choice(banned.letters[1:]) for _ in range(count // 2)]
        pieces += [draw.choice(banned.letters).lower() for _ in range(count // 2)]
        board = [*pieces, *["."] * (cells - len(pieces))]
        draw.shuffle(board)
        yield board if draw.random() < 0.5 else [symbol.swapcase() for symbol in board]


def is_own(symbol: str, side: int) -> bool:
    return symbol.isalpha() and symbol.isupper() == (side == 0)


def moved(board: list[str], start: int, end: int) -> list[str]:
    """Return a board after a step."""
    after = list(board)
    after[end], after[start] = board[start], "."
    return after


def check(banned: Banned, draw: random.Random) -> int:
    """Compare each claim of the analyses with the ban after a step; return their number."""
    return sum(check_board(banned, board, draw) for board in boards(banned, draw))


def check_board(banned: Banned, board: list[str], draw: random.Random) -> int:
    side = draw.randrange(2)
    region, holds = (banned.value(op, board, side) for op in (banned.region, banned.ban))
    own = [cell for cell, symbol in enumerate(board) if is_own(symbol, side)]
    anchors = 0 if banned.bounds is None else banned.value(banned.bounds.anchors, board, side)
    claims = 0
    for _ in range(STEPS if own else 0):
        start, end = drawn_step(own, region, draw)
        if start == end or anchors >> end & 1:
            continue
        after = banned.value(banned.ban, moved(board, start, end), side)
        if not (region >> start | region >> end) & 1:
            assert after == holds
            claims += 1
        if anchors >> start & 1:
            claims += check_lone(banned, board, (side, start, end), anchors, after)
        elif banned.bounds is not None and not holds:
            claims += check_opened(banned, board, (side, start), region, after)
    return claims


def drawn_step(own: list[int], region: int, draw: random.Random) -> tuple[int, int]:
    """Return the cells of a random step; most end in the region, and many start there."""
    cells = [cell for cell in range(region.bit_length()) if region >> cell & 1]
    inside = [cell for cell in own if region >> cell & 1]
    start = draw.choice(inside if inside and draw.random() < 0.3 else own)
    return start, draw.choice(cells) if cells and draw.random() < 0.8 else draw.choice(own)


def check_lone(
    banned: Banned, board: list[str], step: tuple[int, int, int], anchors: int, after: int
) -> int:
    """Compare the forbidden targets of the only anchor with the ban after its step."""
    side, start, end = step
    if banned.forbidden is None or anchors.bit_count() != 1:
        return 0
    assert banned.value(banned.forbidden, board, side, start) >> end & 1 == after
    return 1


def check_opened(
    banned: Banned, board: list[str], step: tuple[int, int], region: int, after: int
) -> int:
    """Compare the bounds with the ban after a step of another piece."""
    bounds, (side, start) = banned.bounds, step
    assert bounds is not None
    if banned.value(bounds.bound, board, side):
        return 0
    around = region & banned.value(bounds.movers, board, side)
    claims = 0
    for emptied in (around | 1 << start, 1 << start):
        rest = ["." if emptied >> cell & 1 else symbol for cell, symbol in enumerate(board)]
        if not banned.value(bounds.opened, rest, side):
            assert not after
            claims += 1
    return claims


@pytest.mark.parametrize("name", GAMES)
def test_claims_about_the_bans_of_a_game_hold(name: str) -> None:
    bans = list(bans_of(load(name), GAMES[name]))
    assert len(bans) == 1
    assert bans[0].forbidden is not None
    assert check(bans[0], random.Random(name)) > 50


def compare(seeds: range) -> int:
    """Check the bans of generated specs; return the number of claims."""
    total = 0
    for seed in seeds:
        game = load_source(Source("banned.yaml", ban_spec(seed)))
        for banned in bans_of(game, WHITE):
            total += check(banned, random.Random(seed))
    return total


@pytest.mark.parametrize("ban", BANS)
def test_claims_about_bans_of_one_form_hold(ban: str) -> None:
    game = load_source(Source("banned.yaml", ban_spec(DROPS, ban)))
    assert sum(check(banned, random.Random(ban)) for banned in bans_of(game, WHITE)) > 50


def test_claims_about_generated_bans_hold() -> None:
    assert compare(range(24)) > 500


@pytest.mark.deep
@pytest.mark.parametrize("first", range(1000, 1600, 50))
def test_claims_about_many_generated_bans_hold(first: int) -> None:
    assert compare(range(first, first + 50)) > 1000
