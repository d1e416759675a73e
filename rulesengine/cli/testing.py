"""`test`: the tests inside specs, run by one process or several, or written anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, complain_at_length, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import given_transforms, load_game, open_source
from rulesengine.errors import SpecError, UsageError
from rulesengine.game import Game
from rulesengine.support.resources import bundled_names
from rulesengine.tools.spectests import Difference, Places, open_for_update, run_test, update


@dataclass(frozen=True, slots=True)
class Done:
    """A test that has run; without problems it has passed, maybe after keys were updated.

    `place` is the file and line of one that has not, or was updated.
    """

    spec: str
    name: str
    problems: tuple[str, ...]
    place: str = ""
    updated: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """A spec that was not tested, and the exit code for that: 0 if it has no tests."""

    text: str
    code: int


def test(options: Options) -> int:
    """Run the tests; 2 if a spec cannot be read, else 1 if something failed, else 0."""
    done, left = list[Done](), list[Left]()
    with progress("test", "tests") as job:
        for found in _found(_specs(options), options):
            if isinstance(found, Done):
                job.add(1)
                done.append(found)
                _tell(found, options)
            else:
                left.append(found)
                _tell_left(found, options)
    if options.json:
        json_result({"tests": [_to_json(one, options) for one in done]})
    else:
        result(_total(done, sum(one.code > 0 for one in left)))
    code = max((one.code for one in left), default=0)
    return max(code, int(any(one.problems for one in done)))


def _found(specs: tuple[str, ...], options: Options) -> Iterator[Done | Left]:
    """What comes of all specs in order, by this process or by several."""
    if options.workers < 1:
        raise UsageError("--workers: at least 1")
    if options.workers == 1 or len(specs) == 1:
        return chain.from_iterable(_of_spec(spec, options) for spec in specs)
    if options.update:
        raise UsageError("--workers: specs are updated by one process")
    return chain.from_iterable(_by_workers(specs, options))


def _by_workers(specs: tuple[str, ...], options: Options) -> Iterator[list[Done | Left]]:
    from rulesengine.contests import processes  # here: it takes 50 ms to load

    with processes(options.workers) as pool:
        due = [pool.executor.submit(_all_of_spec, spec, options) for spec in specs]
        yield from (one.result() for one in due)


def _all_of_spec(spec: str, options: Options) -> list[Done | Left]:
    return list(_of_spec(spec, options))


def _of_spec(spec: str, options: Options) -> Iterator[Done | Left]:
    """The tests of a spec as they come out, or why there are none."""
    try:
        path = open_for_update(spec) if options.update else ""
        game = load_game(spec, options)
        yield from _updated(spec, path, game, options) if path else _run(spec, game, options)
    except UsageError as error:
        yield Left(str(error), 2)
    except SpecError as error:
        yield Left(str(error), 1)
    else:
        if not game.tests:
            yield Left(f"{spec}: no tests", 0)


def _specs(options: Options) -> tuple[str, ...]:
    if options.all == bool(options.specs):
        raise UsageError("test: expected specs, or `--all` for those that are bundled")
    if "-" in options.specs:
        raise UsageError("`test` needs files or bundled names, not `-`")
    if options.update and (options.set or options.transforms):
        raise UsageError("--update: writes what the spec itself does, not with `--set` or `--with`")
    return bundled_names() if options.all else tuple(dict.fromkeys(options.specs))


def _run(spec: str, game: Game, options: Options) -> Iterator[Done]:
    """The tests of one spec, each as it has come out."""
    places = _places(spec, options)
    for number, test in enumerate(game.tests):
        problems = tuple(one.text for one in run_test(game, test))
        place = places.of(number) if problems else ""
        yield Done(spec, _name(game, number), problems, place)


def _updated(spec: str, path: str, game: Game, options: Options) -> Iterator[Done]:
    """The tests of one spec, those that failed after what they found has been written down."""
    found = [run_test(game, test) for test in game.tests]
    changes = {
        (number, one.key): one.found
        for number, differences in enumerate(found)
        for one in differences
        if one.found is not None
    }
    left = update(path, changes).left if changes else ()
    again = load_game(spec, options) if changes else game
    places = _places(spec, options)
    for number, differences in enumerate(found):
        tried = [one for one in differences if (number, one.key) in changes]
        written = tuple(one for one in tried if (number, one.key) not in left)
        problems = [one.text for one in (run_test(again, again.tests[number]) if tried else ())]
        if len(written) < len(tried):
            problems.append("not updated: the test stands in a parent, or its text has no room")
        kept = problems if tried else [one.text for one in differences]
        place = places.of(number) if kept or written else ""
        yield Done(spec, _name(game, number), tuple(kept), place, written)


def _places(spec: str, options: Options) -> Places:
    return Places(lambda: open_source(spec, given_transforms(options)))


def _name(game: Game, number: int) -> str:
    return str(game.tests[number].get("name", f"test {number + 1}"))


def _tell(one: Done, options: Options) -> None:
    """Print what a test has changed, and where it fails."""
    if options.json:
        return
    texts = [difference.text for difference in one.updated]
    for word, lines in (("UPDATED", texts), ("FAILED", one.problems)):
        if lines:
            result("\n".join([f"{word} {one.place}: {one.name}", *map(_indented, lines)]) + "\n\n")


def _tell_left(one: Left, options: Options) -> None:
    """Print why a spec was not tested."""
    if one.code == 1:
        complain_at_length(one.text)
    elif one.code:
        complain(one.text)
    elif not options.json:
        result(one.text)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def _total(done: list[Done], left: int) -> str:
    """How the tests have come out, and how many specs have none to run for their mistakes."""
    failed = sum(bool(one.problems) for one in done)
    updated = sum(bool(one.updated and not one.problems) for one in done)
    parts = [f"{len(done) - failed - updated} passed"] if done or not left else []
    parts += [f"{updated} updated"] if updated else []
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{left} {'spec' if left == 1 else 'specs'} not tested"] if left else []
    return ", ".join(parts)


def _to_json(one: Done, options: Options) -> dict[str, object]:
    table = {
        "spec": one.spec,
        "name": one.name,
        "passed": not one.problems,
        "problems": list(one.problems),
    }
    return table | ({"updated": [d.key for d in one.updated]} if options.update else {})
