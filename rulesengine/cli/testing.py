"""`test`: the tests inside specs, run one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, complain_at_length, json_result, result
from rulesengine.cli.specs import load_game
from rulesengine.cli.spectests import run_test
from rulesengine.errors import SpecError, UsageError
from rulesengine.game import Game
from rulesengine.resources import bundled_names


@dataclass(frozen=True, slots=True)
class Done:
    """A test that has run; without problems it has passed."""

    spec: str
    name: str
    problems: tuple[str, ...]


def test(options: Options) -> int:
    """Run the tests; 2 if a spec cannot be read, else 1 if something failed, else 0."""
    code, done = 0, list[Done]()
    for spec in _specs(options):
        try:
            game = load_game(spec, options)
        except UsageError as error:
            complain(str(error))
            code = 2
        except SpecError as error:
            complain_at_length(str(error))
            code = max(code, 1)
        else:
            done += _run(spec, game, options)
    if options.json:
        json_result({"tests": [_to_json(one) for one in done]})
    else:
        result(_total(done))
    return max(code, int(any(one.problems for one in done)))


def _specs(options: Options) -> tuple[str, ...]:
    if options.all == bool(options.specs):
        raise UsageError("test: expected specs, or `--all` for those that are bundled")
    if "-" in options.specs:
        raise UsageError("`test` needs files or bundled names, not `-`")
    return bundled_names() if options.all else tuple(dict.fromkeys(options.specs))


def _run(spec: str, game: Game, options: Options) -> Iterator[Done]:
    """The tests of one spec, those that fail printed as they come."""
    if not game.tests and not options.json:
        result(f"{spec}: no tests")
    for number, test in enumerate(game.tests, start=1):
        name = str(test.get("name", f"test {number}"))
        one = Done(spec, name, tuple(run_test(game, test)))
        if not options.json and one.problems:
            result("\n".join([f"FAILED {spec}: {name}", *map(_indented, one.problems)]) + "\n\n")
        yield one


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def _total(done: list[Done]) -> str:
    failed = sum(bool(one.problems) for one in done)
    return f"{len(done) - failed} passed, {failed} failed" if failed else f"{len(done)} passed"


def _to_json(one: Done) -> dict[str, object]:
    passed = not one.problems
    return {"spec": one.spec, "name": one.name, "passed": passed, "problems": list(one.problems)}
