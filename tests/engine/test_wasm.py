"""Kernels in WebAssembly: every instruction, and every bundled game at every ply."""

import json
import struct
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Move
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search import tree_layout
from rulesengine.engine.drivers.search.fixed_point import fill_tables
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.selection import Selector
from rulesengine.errors import RulesError, UsageError
from rulesengine.job import Job
from rulesengine.search.searches import start_search
from rulesengine.state import step_words
from rulesengine.support.resources import bundled_names
from tests.helpers.engine_comparison import Engines
from tests.helpers.kernel_reference import Board, graph_board, grid_board

pytest.importorskip("llvmlite", reason="code for WebAssembly needs the extra `native`")
pytest.importorskip("wasmtime", reason="WebAssembly runs by wasmtime, which is not here")

import wasmtime

from rulesengine.engine.kernel.backends.wasm.build import build_web_module
from rulesengine.engine.kernel.web_module import module_of
from tests.engine.test_kernel_native import MORE, agree, operations
from tests.helpers.wasm_backend import Instance, WebAssembly

COUNTED = ("singles", "perft", "playouts")
# One word, two, rows; a chain, a history, a swap, chance.
QUICK = ("tic-tac-toe", "hex-pie")
FEW = 64  # first moves
SMALL = grid_board(8, 8), graph_board(100, 37), grid_board(9, 9)


@pytest.mark.parametrize(
    "board",
    [
        *(pytest.param(b, marks=pytest.mark.slow, id=b.name) for b in SMALL),
        *(pytest.param(b, marks=pytest.mark.deep, id=b.name) for b in MORE),
    ],
)
def test_every_instruction_gives_the_value_that_is_documented(board: Board) -> None:
    module = operations(board)
    agree(module, 25, WebAssembly().compile(module, None, {}))


def played(name: str, level: int, parts: tuple[str, ...] = COUNTED) -> tuple[Engines, WebAssembly]:
    """Return a game by the interpreter and by WebAssembly."""
    first = rulesengine.load(name, engine="interpreter")
    modules = {part: emitted(first.machine, part, 1) for part in parts}
    backend = WebAssembly(modules, level=level)
    return Engines(first, by(backend, first)), backend


def by(backend: WebAssembly, game: Game) -> Game:
    """Return a game that runs on a back end."""
    found = Game(game.rules, game.parameters, "interpreter")
    found._dispatcher.selector = Selector(found.machine, backend.name, None, (backend,))
    return found


def check(name: str, level: int, plies: int, every: int) -> None:
    """Compare one random game, counts and playouts, without any fallback to the interpreter."""
    engines, backend = played(name, level)
    engines.play(1, plies, every=every)
    engines.playouts(2, seed=3)
    # Throws that take no ply may go on for ever, and every engine raises an error for their count.
    # In a game with thousands of first moves the interpreter would count for hours.
    game = engines.first
    if not game.rules.chance:
        engines.count(2 if len(game.legal_moves(game.initial_state())) <= FEW else 1)
    assert backend.failed == 0
    assert not any(other.engine_problems for other in engines.others)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_bundled_game_is_the_same(name: str) -> None:
    check(name, 0, 60, 6)


@pytest.mark.deep
@pytest.mark.parametrize("name", bundled_names())
def test_every_bundled_game_is_the_same_at_every_ply(name: str) -> None:
    check(name, 2, 500, 1)


# searches, and the player to move


def searched(game: Game, budget: Budget) -> tuple[object, ...]:
    """Return all results of a search."""
    state = game.initial_state()
    count = len(game.legal_moves(state))
    search = start_search(game._dispatcher, state, count, budget, Settings(memory=1, seed=5))
    search.run(Job())
    values = [str(search.value_of(number)) for number in range(count)]
    return search.order, search.line, search.nodes, search.depth, search.whole, values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "budget"),
    [("tic-tac-toe", Budget(nodes=400)), ("tic-tac-toe", Budget(playouts=60))],
    ids=["alpha-beta", "tree"],
)
def test_a_search_finds_the_same(name: str, budget: Budget) -> None:
    part = "tree" if budget.playouts else "search"
    engines, backend = played(name, 0, (part,))
    (other,) = engines.others
    assert searched(other, budget) == searched(engines.first, budget)
    assert part in [made.part for made in backend.compiled]
    assert backend.failed == 0


# the calls of a web page, with only the module and the manifest


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile modules without optimisation, in a fifth of the time."""
    monkeypatch.setattr(
        "rulesengine.engine.kernel.web_module.build_web_module", partial(build_web_module, level=0)
    )


class Page:
    """A client of a game that knows only the manifest."""

    def __init__(self, game: Game, parts: Sequence[str]) -> None:
        made = module_of(game.machine, parts)
        self.manifest = json.loads(json.dumps(made.manifest))
        self.instance = Instance(made.code)
        self.size = self.manifest["state"]["words"]
        self.start = self.words(bytes.fromhex(self.manifest["start"]))

    def words(self, data: bytes) -> tuple[int, ...]:
        return struct.unpack(f"<{len(data) // 8}q", data)

    def ask(self, name: str, state: Sequence[int], *more: int, steps: Sequence[int] = ()) -> Any:
        """Return the result words of an entry point; the words of its steps precede the other
        arguments.
        """
        heap = self.manifest["heap"]
        lists = (heap, len(steps)) if "b" in self.manifest["entries"][name]["params"] else ()
        given = (*steps, *state, *lists, *more)
        self.instance.write(heap, struct.pack(f"<{len(given)}q", *given) + bytes(8 * 64))
        out = heap + 8 * len(given)
        assert self.instance.call(name, heap + 8 * len(steps), out) == 0
        return self.words(self.instance.read(out, 8 * 64))

    def moves(self, state: Sequence[int]) -> list[tuple[int, ...]]:
        steps, count, ends, number = self.ask("singles.legal", state)[:4]
        numbers = self.words(self.instance.read(steps, 8 * count))
        last = self.words(self.instance.read(ends, 8 * number))
        return [numbers[a:b] for a, b in pairwise((0, *last))]

    def apply(self, state: Sequence[int], steps: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.ask("singles.apply", state, 1, steps=steps)[: self.size])


def words_of(moves: Sequence[Move]) -> list[tuple[int, ...]]:
    return [tuple(word for step in move.steps for word in step_words(step)) for move in moves]


# A chain, a history, a swap of sides, registers and chance.
@pytest.mark.slow
@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize("name", ["nine-mens-morris", "go", "hex-pie", "pig"])
def test_page_plays_by_the_manifest(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter")
    page, state, draw = Page(game, ("singles", "turn")), game.initial_state(), Generator(1, 0)
    words, layout = page.start, page.manifest["state"]
    for _ in range(12):
        planes = layout["planes"]
        assert words[layout["side"]] == state.side
        assert all(_set(page, words, at) == state.planes[int(p)] for p, at in planes.items())
        assert [words[at] for at in layout["registers"]] == list(state.registers)
        moves = page.moves(words)
        assert moves == words_of(game.legal_moves(state))
        weights = game.weights(state)
        mover = -1 if weights else game.players.index(state.mover)
        assert page.ask("turn.mover", words)[:2] == (mover, sum(weights))
        places = [page.ask("turn.branch", words, n)[0] for n in range(sum(weights))]
        assert places == [place for place, w in enumerate(weights) for _ in range(w)]
        chosen = draw.below(len(moves))
        words = page.apply(words, moves[chosen])
        state = game.apply(state, game.legal_moves(state)[chosen])
    assert layout["history"] is None or words[layout["history"]] == len(state.history)
    assert layout["seats"] is None or words[layout["seats"]] == bool(state.seats)


def _set(page: Page, words: Sequence[int], at: int) -> int:
    count = page.manifest["words"]
    return int.from_bytes(struct.pack(f"<{count}q", *words[at : at + count]), "little")


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_hurry")
def test_a_page_hears_how_a_game_has_ended() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    page, state = Page(game, ("singles",)), game.initial_state()
    words = page.start
    for text in ("a1", "b1", "a2", "b2", "a3"):
        assert page.ask("singles.ending", words)[0] == page.manifest["goesOn"]
        number = [str(move) for move in game.legal_moves(state)].index(text)
        words, state = page.apply(words, page.moves(words)[number]), game.apply(state, text)
    end, winner = divmod(page.ask("singles.ending", words)[0], page.manifest["winners"])
    outcome = game.outcome(state)
    assert outcome is not None
    assert (game.players[winner - 1], game.rules.ends[end].reason) == ("cross", outcome.reason)
    assert page.moves(words) == []


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_hurry")
def test_a_call_that_breaks_off_harms_no_other() -> None:
    page = Page(rulesengine.load("tic-tac-toe", engine="interpreter"), ("singles",))
    before = page.moves(page.start)
    for _ in range(50):
        with pytest.raises(wasmtime.Trap):
            page.instance.call("singles.legal", -8, -8)
    assert page.moves(page.start) == before


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_hurry")
def test_the_tables_of_a_tree_are_those_of_a_search() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    page, memory = Page(game, ("turn", "tree")), Memory(tree_layout.PATH)
    at = page.manifest["heap"] + 1024
    page.instance.write(at, bytes(memory.bytes))
    page.ask("turn.tables", (), at)
    fill_tables(memory)
    assert page.instance.read(at, len(memory.bytes)) == bytes(memory.bytes)


def test_missing_llvm_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NativeBackend, "problem", lambda row: "llvmlite is not installed")
    machine = rulesengine.load("tic-tac-toe", engine="interpreter").machine
    with pytest.raises(UsageError, match="no code for WebAssembly: llvmlite is not installed"):
        module_of(machine)


def test_a_board_that_is_too_large_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesengine.engine.kernel.backends.native_backend.MAX_NATIVE_CELLS", 8)
    machine = rulesengine.load("tic-tac-toe", engine="interpreter").machine
    with pytest.raises(RulesError, match="at most 8 cells, this board has 9"):
        module_of(machine)
