"""`test`: the tests inside specs, run one after the other, or written anew."""

from collections.abc import Iterator
from dataclasses import dataclass

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, complain_at_length, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import given_transforms, load_game, open_source
from rulesengine.errors import SpecError, UsageError
from rulesengine.game import Game
from rulesengine.resources import bundled_names
from rulesengine.spectests import Difference, Places, open_for_update, run_test, update


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


def test(options: Options) -> int:
    """Run the tests; 2 if a spec cannot be read, else 1 if something failed, else 0."""
    code, done, left = 0, list[Done](), 0
    with progress("test", "tests") as job:
        for spec in _specs(options):
            try:
                path = open_for_update(spec) if options.update else ""
                game = load_game(spec, options)
                run = _updated(spec, path, game, options) if path else _run(spec, game, options)
                for one in run:
                    job.add(1)
                    done.append(one)
                    _tell(one, options)
            except UsageError as error:
                complain(str(error))
                code, left = 2, left + 1
            except SpecError as error:
                complain_at_length(str(error))
                code, left = max(code, 1), left + 1
            else:
                if not game.tests and not options.json:
                    result(f"{spec}: no tests")
    if options.json:
        json_result({"tests": [_to_json(one, options) for one in done]})
    else:
        result(_total(done, left))
    return max(code, int(any(one.problems for one in done)))


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
