"""`coverage` and `mutate`: clauses that never held, and changes that no test notices."""

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import open_source
from rulesengine.tools.coverage import Coverage, Covered, coverage
from rulesengine.tools.mutation import Fate, Mutation, Site, Tried, mutation
from rulesengine.tools.spectests import run_test

_SHOWN = 72


def show_coverage(options: Options) -> int:
    """Say which clauses never held; always 0 for a spec without mistakes."""
    source = open_source(options.spec)
    with progress("coverage", "games", options.games) as job:
        found = coverage(source, run_test, games=options.games, seed=options.seed, job=job)
    _tell_failed(found.failed)
    if found.problem:
        complain(f"the random games stopped: {found.problem}")
    if options.json:
        json_result(_coverage_to_json(found))
        return 0
    for one in found.clauses:
        if not one.in_tests:
            result(_uncovered(one))
    result(_totals(found))
    return 0


def _uncovered(one: Covered) -> str:
    never = "not in the tests" if one.held else "never"
    what = "had no step" if one.key == "moves" else "did not hold"
    return f"{_place(one.site)}: {never}: `{one.key}` {what}: {_cut(one.site.text)}"


def _totals(found: Coverage) -> str:
    games = sum(one.in_games for one in found.clauses)
    tests = sum(one.in_tests for one in found.clauses)
    never = sum(not one.held for one in found.clauses)
    return (
        f"{_many(len(found.clauses), 'clause')}: {games} held in"
        f" {_many(found.games, 'random game')}, {tests} in {_many(found.tests, 'test')},"
        f" {never} never"
    )


def _coverage_to_json(found: Coverage) -> dict[str, object]:
    clauses = [
        {**_to_json(c.site), "key": c.key, "games": c.in_games, "tests": c.in_tests}
        for c in found.clauses
    ]
    never = sum(not one.held for one in found.clauses)
    return {"games": found.games, "seed": found.seed, "tests": found.tests,
            "failed": found.failed, "never": never, "clauses": clauses}  # fmt: skip


def show_mutation(options: Options) -> int:
    """Say which changes no test notices; 1 if there is one, else 0."""
    source = open_source(options.spec)

    def tell(tried: Tried) -> None:
        job.add(1)
        if tried.fate == "survived" and not options.json:
            result(f"{_place(tried.site)}: no test notices: {_cut(tried.change)}")

    with progress("mutate", "changes") as job:
        found = mutation(source, run_test, games=options.games, seed=options.seed, tell=tell)
    _tell_failed(found.failed)
    if options.json:
        json_result(_mutation_to_json(found))
    else:
        result(_fates(found, options.games))
    return int(found.count("survived") > 0)


def _fates(found: Mutation, games: int) -> str:
    tried = len(found.tried) - found.count("broken") - found.count("same")
    shown = (
        f"{_many(tried, 'change')}: {found.count('noticed')} noticed,"
        f" {found.count('survived')} not noticed"
    )
    alike = found.count("alike")
    return shown + (f", {alike} without effect in {_many(games, 'random game')}" if alike else "")


def _mutation_to_json(found: Mutation) -> dict[str, object]:
    fates: tuple[Fate, ...] = ("noticed", "survived", "alike", "same", "broken")
    changes = [{**_to_json(t.site), "change": t.change, "fate": t.fate} for t in found.tried]
    counts: dict[str, object] = {fate: found.count(fate) for fate in fates}
    return {"tests": found.tests, "failed": found.failed, **counts, "changes": changes}


def _tell_failed(failed: int) -> None:
    if failed:
        complain(f"{_many(failed, 'test')} failed: see `rulesengine test`")


def _to_json(site: Site) -> dict[str, object]:
    return {"file": site.file, "line": site.line, "column": site.column, "text": site.text}


def _place(site: Site) -> str:
    return f"{site.file}:{site.line}:{site.column}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
