"""Execution of a study: plays the games of all variants and computes their statistics.

See decision 047.
"""

import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from os import PathLike
from pathlib import Path

from rulesengine.contests.dispatch import Task, results
from rulesengine.contests.executors import Pool, pool_of
from rulesengine.contests.opening_files import OpeningLine
from rulesengine.contests.store import Identity, opened
from rulesengine.contests.study.design import (
    Design,
    Pairing,
    lines_for,
    pairings,
    tasks,
    terms_for,
    with_work,
)
from rulesengine.contests.study.findings import Findings, findings_of
from rulesengine.contests.study.grid import Variant, why_refused
from rulesengine.contests.units import PlayedGame, Terms, with_lines
from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import RulesError, UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.support.frozen import record, replace


@record
class VariantResult:
    """A variant with its game and statistics, or with the reason why it was refused."""

    variant: Variant
    game: Game | None
    findings: Findings | None
    refused: str = ""


@record
class Study:
    """The results of all variants in the order of the grid, and the design."""

    design: Design
    variants: tuple[VariantResult, ...]

    @property
    def refused(self) -> list[VariantResult]:
        """Return the variants that could not be played."""
        return [one for one in self.variants if one.refused]


def study(
    variants: Iterable[Variant],
    design: Design | None = None,
    out: str | PathLike[str] | None = None,
    *,
    engine: Engine = "auto",
    executor: Executor | Pool | None = None,
    job: Job | None = None,
) -> Study:
    """Play the games of all variants and return their statistics.

    A variant that is refused is reported, and the others are played. With a file `out` finished
    games are stored in it, and a repeated call resumes from it. A `job` counts the games. Raises
    UsageError if no variant can be played, and for the file of another study.
    """
    design = (design or Design()).checked()
    looked = [_Variant.load(variant, design, engine) for variant in variants]
    playing = _numbered([one for one in looked if one.terms])
    if not playing:
        reason = "; ".join(f"{one.variant.label}: {one.refused}" for one in looked[:3])
        raise UsageError(f"nothing to study: {reason or 'there are no variants'}")
    opening = opened(Path(out), _identity(design, playing)) if out is not None else nullcontext()
    job = job or Job()
    with opening as store:
        every = [task for one in playing for task in one.tasks]
        owner = {unit.number: one for one in playing for _, unit in one.tasks}
        for result in results(every, store=store, pool=pool_of(executor), job=job):
            owner[result.unit.number].take(result.unit.group, result.games, design)
            job.advance(len(result.games))
    return Study(design, tuple(one.studied() for one in looked))


class _Variant:
    """A variant with its games so far, which are released once the statistics are computed."""

    def __init__(self, variant: Variant, refused: str = "") -> None:
        self.variant, self.refused = variant, refused
        self.game: Game | None = None
        self.terms: Terms | None = None
        self.lines: tuple[OpeningLine, ...] = ()
        self.pairings = list[Pairing]()
        self.tasks = list[Task]()
        self.group = 0
        self.games = dict[int, list[PlayedGame]]()
        self.findings: Findings | None = None

    @classmethod
    def load(cls, variant: Variant, design: Design, engine: Engine) -> "_Variant":
        """Load a variant; if it is refused, store the reason."""
        loaded = cls(variant)
        try:
            game = loaded.game = variant.game(engine)
            loaded.lines = lines_for(design, game)
            terms = terms_for(design, game, variant.spec, loaded.lines)
            loaded.terms = with_work(terms, design, game)
            loaded.pairings = pairings(design, len(game.players))
        except RulesError as error:
            return cls(variant, why_refused(error))
        return loaded

    def take(self, group: int, games: Sequence[PlayedGame], design: Design) -> None:
        """Add the games of a unit; when all are complete, sort them and compute the statistics."""
        self.games.setdefault(group - self.group, []).extend(games)
        if sum(map(len, self.games.values())) < sum(one.games for one in self.pairings):
            return
        assert self.game is not None
        for several in self.games.values():
            several.sort(key=lambda played: (played.round, played.turn))
        self.findings = findings_of(self.game, design, self.games)
        self.games.clear()

    def studied(self) -> VariantResult:
        return VariantResult(self.variant, self.game, self.findings, self.refused)


def _numbered(playing: Sequence[_Variant]) -> Sequence[_Variant]:
    """Assign units to the variants, numbered through all of them."""
    number = group = 0
    for one in playing:
        assert one.terms is not None
        one.group = group
        planned = tasks(one.terms, one.pairings, group, number)
        one.tasks = [(t, with_lines(unit, one.lines if t.book else ())) for t, unit in planned]
        number, group = number + len(one.tasks), group + len(one.pairings)
    return playing


def _identity(design: Design, playing: Sequence[_Variant]) -> Identity:
    """Return the identity stored in the file of this study; it is independent of the engine."""
    terms = [one.terms for one in playing if one.terms]
    rules = hashlib.sha256("\n".join(one.rules for one in terms).encode()).hexdigest()
    terms = [replace(one, rules="", version="", engine="auto", work=()) for one in terms]
    plan = [one.pairings for one in playing]
    schedule = hashlib.sha256(repr((design, terms, plan)).encode()).hexdigest()
    first = playing[0].variant
    return Identity(rules, schedule, f"a study of {first.spec}, {len(playing)} variants")
