"""`test`: the tests inside specs, run by one process or several, or updated."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, print_long_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    MOST_WORKERS,
    SPEC,
    Options,
    Parser,
    add_game_options,
    add_json,
    whole_number,
)
from rulesengine.cli.spec_arguments import given_transforms, load_game, open_source
from rulesengine.errors import SpecError, UsageError
from rulesengine.support.resources import bundled_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesengine.game import Game
    from rulesengine.tools.spectests import Difference, TestLocations


@dataclass(frozen=True, slots=True)
class TestResult:
    """The result of a test; it has passed if there are no problems.

    `place` is the file and line of a failed or updated test, `updated` its updated keys.
    """

    spec: str
    name: str
    problems: tuple[str, ...]
    place: str = ""
    updated: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class UntestedSpec:
    """A spec without results, and its exit code: 0 if it has no tests."""

    text: str
    code: int


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    command.add_argument("specs", metavar="SPEC", nargs="*", help=SPEC)
    command.add_argument("--all", action="store_true", help="test every bundled spec")
    command.add_argument(
        "--workers",
        type=whole_number(MOST_WORKERS),
        default=1,
        metavar="N",
        help="worker processes that run tests",
    )
    command.add_argument(
        "--update",
        action="store_true",
        help="write the actual values into failed tests, and print the changes",
    )


def execute(options: Options) -> int:
    """Run the tests; return 2 if a spec is unreadable, else 1 if a test failed, else 0."""
    done, untested = list[TestResult](), list[UntestedSpec]()
    with progress("test", "tests") as job:
        for outcome in _results(_specs(options), options):
            if isinstance(outcome, TestResult):
                job.advance(1)
                done.append(outcome)
                _print_result(outcome, options)
            else:
                untested.append(outcome)
                _print_untested(outcome, options)
    if options.json:
        json_result({"tests": [_to_json(one, options) for one in done]})
    else:
        result(_total(done, sum(one.code > 0 for one in untested)))
    code = max((one.code for one in untested), default=0)
    return max(code, int(any(one.problems for one in done)))


def _results(specs: tuple[str, ...], options: Options) -> Iterator[TestResult | UntestedSpec]:
    """Yield the results of all specs in order."""
    if options.workers < 1:
        raise UsageError("--workers: at least 1")
    if options.workers == 1 or len(specs) == 1:
        return chain.from_iterable(_of_spec(spec, options) for spec in specs)
    if options.update:
        raise UsageError("--workers: specs are updated by one process")
    return chain.from_iterable(_by_workers(specs, options))


def _by_workers(
    specs: tuple[str, ...], options: Options
) -> Iterator[list[TestResult | UntestedSpec]]:
    from rulesengine.contests import processes

    with processes(options.workers) as pool:
        due = [pool.executor.submit(_all_of_spec, spec, options) for spec in specs]
        yield from (one.result() for one in due)


def _all_of_spec(spec: str, options: Options) -> list[TestResult | UntestedSpec]:
    return list(_of_spec(spec, options))


def _of_spec(spec: str, options: Options) -> Iterator[TestResult | UntestedSpec]:
    """Yield the test results of a spec, or the reason why there are none."""
    from rulesengine.tools.spectests import open_for_update

    try:
        path = open_for_update(spec) if options.update else ""
        game = load_game(spec, options)
        yield from _updated(spec, path, game, options) if path else _run(spec, game, options)
    except UsageError as error:
        yield UntestedSpec(str(error), 2)
    except SpecError as error:
        yield UntestedSpec(str(error), 1)
    else:
        if not game.tests:
            yield UntestedSpec(f"{spec}: no tests", 0)


def _specs(options: Options) -> tuple[str, ...]:
    if options.all == bool(options.specs):
        raise UsageError("test: expected specs, or `--all` for the bundled ones")
    if "-" in options.specs:
        raise UsageError("`test` needs files or bundled names, not `-`")
    if options.update and (options.set or options.transforms):
        raise UsageError("--update: not with `--set` or `--with`: the file has the default values")
    return bundled_names() if options.all else tuple(dict.fromkeys(options.specs))


def _run(spec: str, game: Game, options: Options) -> Iterator[TestResult]:
    """Yield the test results of one spec."""
    from rulesengine.tools.spectests import run_test

    places = _places(spec, options)
    for number, test in enumerate(game.tests):
        problems = tuple(one.text for one in run_test(game, test))
        place = places.of(number) if problems else ""
        yield TestResult(spec, _name(game, number), problems, place)


def _updated(spec: str, path: str, game: Game, options: Options) -> Iterator[TestResult]:
    """Yield the test results of one spec after updating its failed tests."""
    from rulesengine.tools.spectests import run_test, update

    results = [run_test(game, test) for test in game.tests]
    changes = {
        (number, one.key): one.found
        for number, differences in enumerate(results)
        for one in differences
        if one.found is not None
    }
    left = update(path, changes).unwritten if changes else ()
    again = load_game(spec, options) if changes else game
    places = _places(spec, options)
    for number, differences in enumerate(results):
        tried = [one for one in differences if (number, one.key) in changes]
        written = tuple(one for one in tried if (number, one.key) not in left)
        problems = [one.text for one in (run_test(again, again.tests[number]) if tried else ())]
        if len(written) < len(tried):
            problems.append(
                "not updated: the test is in a parent, or its layout cannot hold the value"
            )
        reported = problems if tried else [one.text for one in differences]
        place = places.of(number) if reported or written else ""
        yield TestResult(spec, _name(game, number), tuple(reported), place, written)


def _places(spec: str, options: Options) -> TestLocations:
    from rulesengine.tools.spectests import TestLocations

    return TestLocations(lambda: open_source(spec, given_transforms(options)))


def _name(game: Game, number: int) -> str:
    return str(game.tests[number].get("name", f"test {number + 1}"))


def _print_result(one: TestResult, options: Options) -> None:
    """Print the changes of a test, and its problems."""
    if options.json:
        return
    texts = [difference.text for difference in one.updated]
    for word, lines in (("UPDATED", texts), ("FAILED", one.problems)):
        if lines:
            result("\n".join([f"{word} {one.place}: {one.name}", *map(_indented, lines)]) + "\n\n")


def _print_untested(one: UntestedSpec, options: Options) -> None:
    """Print why a spec was not tested."""
    if one.code == 1:
        print_long_error(one.text)
    elif one.code:
        print_error(one.text)
    elif not options.json:
        result(one.text)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def _total(done: list[TestResult], untested: int) -> str:
    """Format the numbers of passed, updated and failed tests, and of untested specs."""
    failed = sum(bool(one.problems) for one in done)
    updated = sum(bool(one.updated and not one.problems) for one in done)
    parts = [f"{len(done) - failed - updated} passed"] if done or not untested else []
    parts += [f"{updated} updated"] if updated else []
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{untested} {'spec' if untested == 1 else 'specs'} not tested"] if untested else []
    return ", ".join(parts)


def _to_json(one: TestResult, options: Options) -> dict[str, object]:
    table = {
        "spec": one.spec,
        "name": one.name,
        "passed": not one.problems,
        "problems": list(one.problems),
    }
    return table | ({"updated": [d.key for d in one.updated]} if options.update else {})
