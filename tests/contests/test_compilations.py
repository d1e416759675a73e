"""Compilations of a contest: each kernel once, by whichever worker needs it first."""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import rulesengine
from rulesengine import contests
from rulesengine.contests.expected_work import Games, expected_plies
from rulesengine.contests.selfplay import Terms, write_selfplay
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.support import cache
from rulesengine.support.cache import Cache
from rulesengine.support.temporary_cache import cache_for_workers
from tests.helpers.processes import PATIENCE

PLAYERS = ["mcts:playouts=40", "mcts:playouts=10"]
# Every process that Python starts logs the kernels that it compiles.
SITE = """
import os
from rulesengine.engine.kernel.kernels import Kernels
compile = Kernels._compile
def logged(self, name):
    with open(os.environ["COMPILATIONS"], "a") as file:
        file.write(f"{self.backend.name} {name}\\n")
    return compile(self, name)
Kernels._compile = logged
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file to which worker processes write the parts that they compile."""
    (tmp_path / "sitecustomize.py").write_text(SITE)
    root = str(Path(rulesengine.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), root]))
    found = tmp_path / "log"
    found.touch()
    monkeypatch.setenv("COMPILATIONS", str(found))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("has_cache", [True, False])
def test_workers_compile_each_kernel_once(
    has_cache: bool, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path / "cache") if has_cache else ""
    monkeypatch.setenv("RULESENGINE_CACHE", folder)
    game = rulesengine.load("breakthrough", engine=working()[-1].name)
    with contests.processes(2) as pool:
        alone = contests.match(game, PLAYERS, 8, executor=pool)
    compiled = Counter(log.read_text().splitlines())
    assert set(compiled) >= {f"{working()[-1].name} tree"}
    assert set(compiled.values()) == {1}
    assert alone.table.played == 8
    assert os.environ["RULESENGINE_CACHE"] == folder


@pytest.mark.slow
def test_two_commands_at_the_same_time_compile_a_kernel_once(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))
    command = [
        sys.executable,
        "-m",
        "rulesengine",
        "perft",
        "english-draughts",
        "2",
        "--engine",
        "python",
    ]
    with ThreadPoolExecutor(3) as pool:
        run = partial(
            subprocess.run, command, capture_output=True, check=True, text=True, timeout=PATIENCE
        )
        done = [future.result() for future in [pool.submit(run) for _ in range(3)]]
    assert {one.stdout for one in done} == {"49\n"}
    assert log.read_text().splitlines() == ["python perft"]


def test_an_interrupted_compilation_releases_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))

    def interrupt(kernels: Kernels, part: str) -> None:
        raise KeyboardInterrupt

    def never(seconds: float) -> None:
        raise AssertionError("the lock has an owner")

    game = rulesengine.load("tic-tac-toe", engine="python")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(Kernels, "_compile", interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.perft(3)
    monkeypatch.setattr(cache, "sleep", never)
    assert game.perft(3) == 504


def test_a_temporary_cache_is_private_and_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    with cache_for_workers():
        found = Cache.open()
        assert found is not None
        folder = Path(found.directory)
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()
    assert Cache.open() is None


def test_the_work_of_a_match_is_that_of_its_players() -> None:
    game = rulesengine.load("tic-tac-toe", k=3)
    length = expected_plies(game, [Games(("random", "random"), 1)])["singles"] / 2
    assert 5 <= length <= 9
    # Ten games of `length` plies, half of them by each player.
    found = expected_plies(game, [Games(("mcts:playouts=10", "search:nodes=50"), 10)])
    assert found == {
        "singles": 20 * length,
        "tree": 5 * length * 10 * length,
        "search": 5 * length * 50,
    }


@pytest.mark.parametrize(("name", "part"), [("tic-tac-toe", "tree"), ("hex", "guided")])
def test_values_of_positions_announce_the_tree_search_that_is_used(name: str, part: str) -> None:
    """The package has weights of moves for Hex."""
    found = expected_plies(rulesengine.load(name), [Games(("random", "random"), 1, judge=10)])
    assert set(found) == {"singles", part}


def test_a_player_limited_by_time_announces_nothing() -> None:
    game = rulesengine.load("tic-tac-toe")
    found = expected_plies(game, [Games(("search:seconds=1", "random"), 10)])
    assert set(found) == {"singles"}


def test_an_engine_by_name_announces_nothing() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    assert expected_plies(game, [Games(("random", "random"), 10**6)]) == {}


def test_a_count_announces_the_next_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    game, announced = rulesengine.load("tic-tac-toe"), list[object]()
    monkeypatch.setattr(game, "expect", announced.append)
    assert game.count(3) == (1, 9, 72, 252)
    # 9 moves of 1 state, then 72 of 9: two layers that grow by 9, and one.
    assert announced == [
        {"singles": 9 * (1 + 9) / 2 * (1 + 9)},
        {"singles": 72 * (1 + 8) / 2},
    ]


def test_selfplay_announces_the_batches_of_all_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy")
    announced = list[dict[str, float]]()
    monkeypatch.setattr(rulesengine.Game, "expect", lambda game, plies: announced.append(plies))
    game = rulesengine.load("tic-tac-toe")
    write_selfplay(game, tmp_path, Terms(40, part=10))
    assert len(announced) == 4
    (plies,) = {tuple(one.items()) for one in announced}
    ((part, work),) = plies
    assert part == "batch"
    assert 40 * 5 <= work <= 40 * 9
