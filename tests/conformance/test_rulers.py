"""The reference programs in C that kernels are benchmarked against agree with the interpreter."""

from pathlib import Path
from typing import Any

import pytest

import rulesengine
from tests.benchmarks import bench_variants, c_rulers
from tests.benchmarks.c_rulers import Ruler
from tests.benchmarks.works import CHANGED, COUNTS, GAMES, SIZES, VARIANTS, Count, Work

# On a small board positions repeat, which the rules forbid.
SMALL = Work("go 3x3", "go", Ruler("go.c", ("N=3",)), {"n": 3})

# The interpreter takes seconds for one game on these; 10 x 10 and 26 x 26 are the same program.
QUICK = ("breakthrough", "connect-four", "hex", "othello 6x6")

WORKS = [
    pytest.param(work, id=work.name, marks=() if work.name in QUICK else pytest.mark.deep)
    for work in (*GAMES, *SIZES, *CHANGED, SMALL)
    if work.ruler is not None
]

# The number of games that the interpreter plays in about half a second; for other work that of
# Othello on 8 x 8.
GAMES_OF = {
    "connect-four": 100,
    "breakthrough": 20,
    "gomoku": 8,
    "hex": 20,
    "english-draughts": 20,
    "go": 2,
    "go 3x3": 60,
    "othello 4x4": 100,
    "othello 6x6": 20,
    "othello 10x10": 3,
    "othello 12x12": 4,
    "othello 16x16": 2,
    "othello 20x20": 1,
    "othello 26x26": 1,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if missing := c_rulers.missing():
        pytest.skip(missing)
    return tmp_path_factory.mktemp("rulers")


@pytest.mark.slow
@pytest.mark.parametrize("work", WORKS)
def test_a_ruler_plays_the_games_of_the_interpreter(work: Work, folder: Path) -> None:
    assert work.ruler is not None
    words: dict[str, Any] = {"engine": "interpreter", **work.parameters}
    games, seed = GAMES_OF.get(work.name, 6), 2**63 + 11
    ours = rulesengine.load(work.spec, **words).playouts(games, seed=seed)
    c = c_rulers.play(c_rulers.build(work.ruler, folder), games, seed)
    assert (c.wins, c.draws, c.unfinished) == ([*ours.wins.values()], ours.draws, ours.unfinished)
    assert c.plies == round(ours.mean_length * games)
    assert c.checksum == ours.checksum


@pytest.mark.slow
@pytest.mark.parametrize("work", COUNTS, ids=lambda work: work.name)
def test_a_ruler_counts_what_is_published(work: Count, folder: Path) -> None:
    program = c_rulers.build(work.ruler, folder)
    assert c_rulers.count(program, work.depth, bulk=work.bulk).nodes == work.nodes


@pytest.mark.parametrize("work", CHANGED, ids=lambda work: work.name)
def test_a_variant_of_the_benchmark_is_a_game(work: Work) -> None:
    assert rulesengine.load(work.spec).perft(2) > 0


def test_every_variant_of_the_benchmark_is_measured() -> None:
    measured = {Path(work.spec) for work in CHANGED} | set(bench_variants.specs())
    assert measured == set(VARIANTS.rglob("*.yaml"))
    assert not {path.suffix for path in VARIANTS.rglob("*") if path.is_file()} - {".yaml"}
