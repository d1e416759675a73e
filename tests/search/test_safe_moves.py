"""Safe moves in reserve, against exhaustive search."""

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.memory import Memory, store
from rulesengine.engine.drivers.protocol import SETTLED
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.drivers.search.safe_moves import FAR, every, gained, outlasts, settled, won
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.passes.safe_moves import safe_moves_of
from rulesengine.loading import load_source
from rulesengine.search.null_window import NullWindow
from rulesengine.support.source import Source


def deep_seeds(first: int, past: int) -> list[Any]:
    return [pytest.param(seed, marks=pytest.mark.deep) for seed in range(first, past)]


BACKENDS = tuple(sorted(backend.name for backend in working()))
# The number of filled cells before a position is tested.
SMALL: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("domineering", {"n": 4}, 4),
    ("domineering", {"n": 5}, 14),
    ("col", {"n": 3}, 1),
    ("snort", {"n": 3}, 1),
)

SPEC = """\
spec: 1
name: Filling
board: {{rows: 2, columns: 3, origin: top-left}}
players: [left, right]
pieces: {{stone: {{left: x, right: o}}, empty: "."}}
rules:
  moves:
    place: stone
    to: {to}
    do: {do}
  end:
    - when: {when}
      result: {side} loses
      reason: no move left
"""


SHAPED = """\
spec: 1
name: Shaped
board: {{rows: 3, columns: 4, origin: top-left}}
players:
  left: {{axis: south, turn: southeast}}
  right: {{axis: east, turn: northeast}}
pieces: {{stone: {{left: x, right: o}}, empty: "."}}
rules:
  moves:
    place: stone
    to: {to}
    do: {do}
  end:
    - when: not can_move(mover)
      result: mover loses
      reason: no move left
"""

Gains = tuple[int, ...]


def filling(
    to: str, do: str = "[]", when: str = "not can_move(mover)", side: str = "mover"
) -> Game:
    text = SPEC.format(to=to, do=do, when=when, side=side)
    return load_source(Source("filling.yaml", text), engine="interpreter")


def wins(game: Game, state: State, known: dict[State, bool]) -> bool:
    """True if the side to move wins, by exhaustive search."""
    if state not in known:
        replies = (game.apply(state, move) for move in game.legal_moves(state))
        known[state] = not all(wins(game, after, known) for after in replies)
    return known[state]


def positions(game: Game, filled: int, games: int) -> Iterator[State]:
    """Yield the positions of random games with so many filled cells."""
    chance = random.Random(1)
    for _ in range(games):
        state = game.initial_state()
        while moves := game.legal_moves(state):
            state = game.apply(state, chance.choice(moves))
            if sum(state.planes).bit_count() >= filled:
                yield state


class Decider:
    """The decided winner of positions of one game, as a search queries it."""

    def __init__(self, game: Game) -> None:
        window = NullWindow(game._dispatcher, game.initial_state(), Budget(), 64)
        self.own, self.judged = window.own, game._dispatcher.interpreted.search_functions()
        assert self.own.numbers[layout.USES_SAFE_MOVES] == 1

    def settled(self, state: State) -> int:
        return settled(self.judged, state, self.own)


def count_proofs(game: Game, filled: int, games: int) -> dict[int, int]:
    """Count how often a winner is proven, which must be correct, and how often none is."""
    decider, known = Decider(game), dict[State, bool]()
    found = {SETTLED: 0, -SETTLED: 0, 0: 0}
    for state in positions(game, filled, games):
        sure = decider.settled(state)
        if sure:
            assert wins(game, state, known) is (sure == SETTLED)
        found[sure] += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters", "filled"), SMALL, ids=str)
def test_safe_move_proofs_are_correct(name: str, parameters: dict[str, Any], filled: int) -> None:
    game = rulesengine.load(name, engine="interpreter", **parameters)
    assert min(count_proofs(game, filled, 40).values()) > 0


BACK = "shift(empty, opposite(axis))"
# Rules of one shape each: the cells for a piece, and the further cells it fills.
SHAPES = {
    "bars": (
        f"empty and {BACK} and shift({BACK}, opposite(axis))",
        ["shift(to, axis)", "shift(shift(to, axis), axis)"],
    ),
    "corners": (
        f"empty and {BACK} and shift(empty, opposite(turn))",
        ["shift(to, axis)", "shift(to, turn)"],
    ),
    "crosswise": ("empty and shift(empty, opposite(turn))", ["shift(to, turn)"]),
    "beside, one way": ("empty minus shift(enemy, axis)", []),
    "beside, two ways": ("empty minus shift(enemy, axis) minus shift(own, turn)", []),
    "behind": (f"empty and {BACK} minus shift(enemy, axis)", ["shift(to, axis)"]),
}


def shaped(shape: str) -> Game:
    to, ways = SHAPES[shape]
    puts = [f"put stone on {way}" for way in ways]
    text = SHAPED.format(to=to, do=puts)
    return load_source(Source("shaped.yaml", text), engine="interpreter")


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_safe_move_proofs_are_correct_for_other_shapes(shape: str) -> None:
    found = count_proofs(shaped(shape), 3, 60)
    assert found[SETTLED] > 0
    assert found[-SETTLED] > 0


class RandomPlacements:
    """Random placements of two sides without a board: the moves that each one fills, takes and
    bars.
    """

    def __init__(self, draw: random.Random, least: int = 2) -> None:
        cells, sizes = draw.randint(6, 12), draw.choice(((1,), (2,), (2,), (1, 2), (2, 3)))
        self.counts = [draw.randint(least, 5 + least) for _ in range(2)]
        self.fills = [
            [
                sum(1 << c for c in draw.sample(range(cells), draw.choice(sizes)))
                for _ in range(count)
            ]
            for count in self.counts
        ]
        extra = draw.choice((0, 0, 0.1, 0.3))
        self.takes = [self.meeting(draw, fills, fills, extra / 2) for fills in self.fills]
        for takes in self.takes:
            for i, mask in enumerate(takes):
                takes[i] = mask | 1 << i | sum(1 << j for j, m in enumerate(takes) if m >> i & 1)
        self.bars = [
            self.meeting(draw, self.fills[side], self.fills[1 - side], extra) for side in range(2)
        ]

    def meeting(
        self, draw: random.Random, fills: list[int], others: list[int], extra: float
    ) -> list[int]:
        """Return for each placement the others that fill a cell of it, and some more."""
        return [
            sum(1 << j for j, other in enumerate(others) if mask & other or draw.random() < extra)
            for mask in fills
        ]

    def laid_out(self) -> Memory:
        own = Memory(layout.ROOT)
        for side in range(2):
            size = min(mask.bit_count() for mask in self.fills[side])
            store(own, layout.SIZES + side, size)
            for cell in range(self.counts[side]):
                sets = self.sets(side, cell)
                for place, mask in enumerate(sets):
                    store(own, layout.placement(side, cell) + place, mask)
        return own

    def sets(self, side: int, cell: int) -> list[int]:
        other, takes, bars = 1 - side, self.takes[side], self.bars[side]
        spoiled = [
            sum(1 << o for o, mask in enumerate(self.bars[other]) if mask >> place & 1)
            for place in range(self.counts[side])
        ]
        guards = sum(
            1 << j
            for j, mask in enumerate(spoiled)
            if mask & bars[cell] and not takes[cell] >> j & 1
        )
        apart = 1 << cell
        for j in range(cell + 1, self.counts[side]):
            if takes[cell] >> j & 1 and not apart & ~takes[j]:
                apart |= 1 << j
        fills = self.fills[side][cell]
        return [1 << cell, takes[cell], spoiled[cell], bars[cell], fills, guards, apart]

    def wins(self, moves: int, replies: int, side: int, known: dict[Any, bool]) -> bool:
        """True if the side to move wins, by exhaustive search."""
        key = moves, replies, side
        if key not in known:
            known[key] = any(
                not self.wins(replies & ~self.bars[side][i], moves & ~takes, 1 - side, known)
                for i, takes in enumerate(self.takes[side])
                if moves >> i & 1
            )
        return known[key]


@pytest.mark.parametrize("begin", [pytest.param(0, marks=pytest.mark.slow), *deep_seeds(1, 40)])
def test_safe_move_proofs_are_correct_for_random_placements(begin: int) -> None:
    sure = sum(
        proven_wins(RandomPlacements(random.Random(seed)))
        for seed in range(500 * begin, 500 * begin + 500)
    )
    assert 100 < sure < 1900


def test_no_two_doubles_are_spoiled_at_once() -> None:
    """Check that a reply spoils the double that one of two moves guards, but not that move."""
    assert proven_wins(RandomPlacements(random.Random(3682), least=5)) == 0


def proven_wins(drawn: RandomPlacements) -> int:
    """Count in how many of four cases a win is proven, which must be correct."""
    own, known, count = drawn.laid_out(), dict[Any, bool](), 0
    both = [(1 << each) - 1 for each in drawn.counts]
    for side, first in product(range(2), range(2)):
        moves, replies = both[side], both[1 - side]
        if outlasts(moves, replies, side, first, own):
            count += 1
            if first:
                assert drawn.wins(moves, replies, side, known)
            else:
                assert not drawn.wins(replies, moves, 1 - side, known)
    return count


def exactly(first: bool, doubles: Gains, lone: Gains, linked: Gains, known: dict[Any, int]) -> int:
    """Return the guaranteed gains of a side: exact play by both sides.

    The other one spoils a double, or a part of it and a linked one too, a lone one or two linked.
    """
    key = first, doubles, lone, linked
    if key in known or not (doubles or lone or linked):
        return known.get(key, 0)
    after = []
    for gain in set(doubles):
        left = without(doubles, gain)
        part = tuple(sorted((*lone, gain // 2)))
        after += [(gain, left, lone, linked)]
        if not first:
            fewer = [without(linked, other) for other in set(linked)]
            after += [(0, left, part, others) for others in (linked, *fewer)]
    for gain in set(lone):
        after += [(gain, doubles, without(lone, gain), linked)]
    for gain in set(linked):
        left = without(linked, gain)
        after += [(gain, doubles, lone, left)]
        if not first:
            after += [(0, doubles, lone, without(left, other)) for other in set(left)]
    values = [gain * first + exactly(not first, a, b, c, known) for gain, a, b, c in after]
    known[key] = max(values) if first else min(values)
    return known[key]


def without(gains: Gains, gain: int) -> Gains:
    place = gains.index(gain)
    return (*gains[:place], *gains[place + 1 :])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("doubles", "lone", "linked"),
    [((8,), (4, 2, 1), (4,)), ((8, 6), (4, 3, 1), (3,)), ((6,), (4,), (4,)), ((2,), (1,), (1,))],
)
def test_a_side_gets_what_is_reported(doubles: Gains, lone: Gains, linked: Gains) -> None:
    """Bound the gains by exact play; with one kind of gains they are equal."""
    known: dict[Any, int] = {}
    for first in (False, True):
        for a, b, c in product(several(doubles, 3), several(lone, 3), several(linked, 5)):
            half = min((gain // 2 for gain in a), default=FAR)
            found = won(sum(map(gained, a + b)), sum(map(gained, c)), half, int(first))
            exact = exactly(first, a, b, c, known)
            assert found <= exact, (first, a, b, c)
            assert found == exact or (a or c) or not b, (first, b)
            assert found == exact or (a or b) or not c, (first, c)


def several(gains: Gains, most: int) -> list[Gains]:
    """Return all combinations, with repetition, of up to so many of these gains."""
    return [found for n in range(most + 1) for found in combinations_with_replacement(gains, n)]


def test_every_third_gain() -> None:
    gains = sum(map(gained, (5, 1, 4, 4, 2)))
    assert [every(gains, 3, seen) for seen in (0, 1, 2)] == [4, 4 + 1, 5 + 2]
    assert [every(gains, 2, seen) for seen in (0, 1)] == [4 + 2, 5 + 4 + 1]
    assert every(gained(99), 1, 0) == 9  # no larger count matters


def state_of(game: Game, rows: str, mover: str) -> State:
    return game.state_from("\n".join((*rows.split(), f"mover: {mover}")))


@pytest.mark.parametrize(
    ("rows", "mover", "ahead"),
    [
        # two adjacent cells twice, and no two in a row elsewhere
        (".v.hh .v.hh vvvhh hhhhh hhhhh", "vertical", SETTLED),
        # the second player has two own moves to none, or to one that is not spoiled
        ("..hhh hhh.. hhhhh hhhhh hhhhh", "vertical", -SETTLED),
        ("..hhh hhh.. hhhhh hhhh. hhhh.", "vertical", -SETTLED),
        # two against two: the mover runs out first
        (".v.hh .v.hh vvvhh ..hhh hhh..", "vertical", -SETTLED),
        (".v.hh .v.hh vvvhh ..hhh hhh..", "horizontal", -SETTLED),
        # a square belongs to the first to enter, with two moves there; two squares are one for each
        # side
        ("..hhh ..hhh hhhhh hhhhh hhhhh", "vertical", SETTLED),
        ("..hhh ..hhh hhhhh hhh.. hhh..", "vertical", -SETTLED),
        # one move each, and either spoils the other: the search decides
        ("vhhhh v...v hh.vv hhvvv hhv.v", "vertical", 0),
    ],
)
def test_safe_move_results_in_domineering(rows: str, mover: str, ahead: int) -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=5)
    assert Decider(game).settled(state_of(game, rows, mover)) == ahead


def test_unprovable_win_stays_undecided() -> None:
    """Give left two moves or, from the middle of the three cells, one; right has one."""
    game = rulesengine.load("col", engine="interpreter", n=5)
    state = state_of(game, "o..ox o.oxx ooxxx ooxxx ooxx.", "left")
    assert wins(game, state, {})
    assert Decider(game).settled(state) == 0


def test_placement_masks_of_domineering() -> None:
    """Check on two by two that a vertical and a horizontal domino always share a cell."""
    game = rulesengine.load("domineering", engine="interpreter", n=2)
    reserves = safe_moves_of(game.program)
    assert reserves is not None
    standing, lying = reserves.sides
    assert standing.spoiled[:2] == standing.bars[:2] == (0b0101, 0b0101)  # they begin at a2, a1
    assert standing.takes[:2] == (0b01, 0b10)
    assert standing.fills[:2] == (0b0101, 0b1010)
    assert standing.guards[:2] == (0b10, 0b01)  # either makes the other one safe
    assert standing.size == 2
    assert lying.takes[0] == lying.apart[0] == 0b0001
    assert lying.spoiled[2] == 0b0011


def test_neighbours_in_a_column_are_never_both_played() -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=4)
    reserves = safe_moves_of(game.program)
    assert reserves is not None
    assert reserves.sides[0].apart[0] == 1 << 0 | 1 << 4
    assert reserves.sides[1].apart[0] == 1 << 0 | 1 << 1


@pytest.mark.parametrize(
    ("to", "do", "has"),
    [
        ("empty", "[]", True),
        ("empty minus neighbours(own)", "[]", True),
        ("empty and shift(empty, east)", "put stone on shift(to, west)", True),
        ("empty and shift(empty, [east, south])", "[]", False),  # it needs one of two
        ("empty and neighbours(own)", "[]", False),  # it places a piece too
        ("empty or enemy", "[]", False),  # it replaces a piece
        ("empty", "put stone on shift(to, east)", False),
        ("empty", "remove neighbours(to) and enemy", False),
        ("empty and shift(empty, east)", "put stone on last(own)", False),
        ("where(it in empty, count(neighbours(it) and own) < 2)", "[]", False),  # it takes two
    ],
)
def test_rules_must_show_that_pieces_only_take_moves(to: str, do: str, has: bool) -> None:
    game = filling(to, do)
    assert (safe_moves_of(game.program) is not None) is has


@pytest.mark.parametrize(
    ("when", "side", "has"),
    [
        ("not can_move(mover)", "mover", True),
        ("not can_move(mover) or plies > 3", "mover", False),
        ("not can_move(left)", "left", False),  # a right player without a move has not lost
        ("not can_move(player)", "player", False),  # the player not to move may lose
    ],
)
def test_other_ends_leave_it_open(when: str, side: str, has: bool) -> None:
    assert (safe_moves_of(filling("empty", when=when, side=side).program) is not None) is has


@pytest.mark.parametrize(
    ("name", "has"),
    [
        *((name, True) for name in ("col", "domineering", "snort")),
        *((name, False) for name in ("amazons", "clobber", "cram", "hex", "konane", "nogo")),
    ],
)
def test_games_with_safe_move_analysis(name: str, has: bool) -> None:
    game = rulesengine.load(name, engine="interpreter")
    assert (safe_moves_of(game.program) is not None) is has


GATED = (("domineering", 4, "python"), ("col", 8, "python"))
CASES = [
    pytest.param(name, n, backend, marks=() if (name, n, backend) in GATED else pytest.mark.deep)
    for backend in BACKENDS
    for name, n in (("domineering", 4), ("col", 3), ("snort", 3), ("domineering", 8), ("col", 8))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n", "backend"), CASES)
def test_engines_look_at_the_same_positions(name: str, n: int, backend: str) -> None:
    """Check eight by eight: the set fills a word, which is negative with its last cell."""
    found, budget = [], Budget(nodes=20 if n == 8 else None)
    for engine in ("interpreter", backend):
        game = rulesengine.load(name, engine=engine, n=n)
        window = NullWindow(game._dispatcher, game.initial_state(), budget, 64)
        window.expected = 1 << 40
        answer = window.reaches(game.initial_state(), 0, 1)
        found.append((answer, window.nodes, bytes(window.table.bytes)))
        assert window.engine == engine
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_solver_looks_at_fewer_positions_with_them() -> None:
    game = rulesengine.load("domineering", engine="interpreter", n=4)
    found = []
    for asks in (1, 0):
        window = NullWindow(game._dispatcher, game.initial_state(), Budget(), 4096)
        assert window.own.numbers[layout.USES_SAFE_MOVES] == 1
        window.own.numbers[layout.USES_SAFE_MOVES] = asks
        found.append((window.reaches(game.initial_state(), 0, 1), window.nodes))
    (known, few), (plain, many) = found
    assert known is plain is True
    assert few < many
