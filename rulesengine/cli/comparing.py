"""`study` and `diff`: variants of a spec by what is played, two specs by what they say."""

from collections.abc import Iterator
from itertools import groupby, zip_longest

from rulesengine.cli.arguments import Options
from rulesengine.cli.contesting import pool_for, write_page
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_variant
from rulesengine.contests import study as studies
from rulesengine.contests.differences import Numbers, Saying, differences, numbers_of
from rulesengine.contests.text_tables import aligned
from rulesengine.game import Game
from rulesengine.prose.layout import filled
from rulesengine.support.frozen import names_of


def study(options: Options) -> int:
    """Play the games of all variants or go on with them, print what they show, write the page."""
    variants = studies.grid(options.spec, options.set, options.transforms)
    design = studies.Design(
        players=tuple(options.player) or studies.LADDER,
        games=options.games,
        samples=options.samples,
        judge=options.judge,
        seed=options.seed,
        opening=options.opening,
        plies=options.plies,
    )
    with pool_for(options) as pool, progress("study", "games") as job:
        found = studies.study(
            variants, design, options.out, engine=options.engine, executor=pool, job=job
        )
    for one in found.refused:
        complain(f"{one.variant.label}: {one.refused}")
    if options.report:
        write_page(studies.study_page(found), options.report)
    if options.json:
        json_result(studies.as_json(found))
    else:
        result(studies.study_text(found))
    return 0


def diff(options: Options) -> int:
    """Two specs, or two variants of one: only what differs, rules first."""
    one = _side(options.spec, options, options.set_a, options.with_a)
    other = _side(options.other or options.spec, options, options.set_b, options.with_b)
    said = differences(one, other)
    numbers = [numbers_of(game, options.games, options.seed) for game in (one, other)]
    for game, found in zip((one, other), numbers, strict=True):
        if found.problem:
            complain(f"{game.name}: {found.problem}")
    if options.json:
        json_result(_as_json(one, other, said, numbers))
    else:
        result("\n".join([*_rules(one, other, said), "", *aligned(list(_rows(*numbers)))]))
    return 0


def _side(spec: str, options: Options, values: list[str], transforms: list[str]) -> Game:
    """The game of one side, with what is given for both and for it alone."""
    both = [*options.transforms, *transforms], [*options.set, *values]
    return load_variant(spec, options, *both)


def _rules(one: Game, other: Game, said: list[Saying]) -> Iterator[str]:
    """What the rules say differently: `-` is what the first one says, `+` the other."""
    yield f"- {one.name}"
    yield f"+ {other.name}"
    if not said:
        yield "\nThe rules say the same."
    for heading, parts in groupby(said, key=lambda saying: saying.section):
        yield f"\n{heading}"
        for part in parts:
            yield from (filled(text, "  - ") for text in part.one)
            yield from (filled(text, "  + ") for text in part.other)


def _rows(a: Numbers, b: Numbers) -> Iterator[tuple[str, ...]]:
    """The numbers side by side, those that are equal too."""
    yield "", "-", "+"
    yield "cells", str(a.cells), str(b.cells)
    for name in dict.fromkeys((*a.parameters, *b.parameters)):
        yield name, str(a.parameters.get(name, "–")), str(b.parameters.get(name, "–"))
    for depth, (x, y) in enumerate(zip_longest(a.perft, b.perft)):
        yield f"perft {depth}", *("–" if n is None else f"{n:,}" for n in (x, y))
    yield "random games", str(a.games), str(b.games)
    for name in dict.fromkeys((*a.wins, *b.wins)):
        yield f"won by {name}", str(a.wins.get(name, "–")), str(b.wins.get(name, "–"))
    yield "mean plies", f"{a.length:.2f}", f"{b.length:.2f}"
    yield "mean branching", f"{a.branching:.2f}", f"{b.branching:.2f}"


def _as_json(
    one: Game, other: Game, said: list[Saying], numbers: list[Numbers]
) -> dict[str, object]:
    return {
        "a": _numbers(one, numbers[0]),
        "b": _numbers(other, numbers[1]),
        "rules": [
            {"section": part.section, "a": list(part.one), "b": list(part.other)} for part in said
        ],
    }


def _numbers(game: Game, numbers: Numbers) -> dict[str, object]:
    return {"game": game.name} | {name: getattr(numbers, name) for name in names_of(numbers) or ()}
