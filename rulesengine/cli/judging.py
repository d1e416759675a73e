"""`judge`: programs on cases, beside what the spec prints, or in games that the spec referees."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import given_values, load_game
from rulesengine.contests.judge import (
    Bounds,
    Case,
    Contestant,
    Expected,
    Judged,
    Result,
    as_json,
    contestant_of,
    contestants_in,
    expectation,
    generate,
    judge_in_games,
    junit,
    read_cases,
    table,
    write_cases,
    write_package,
)
from rulesengine.contests.judge import judge as judge_program
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.sandbox import Programs
from rulesengine.script import read_parameters
from rulesengine.support.blocking import in_threads
from rulesengine.support.files import replace

_Cases = list[tuple[Case, Expected]]
_Judge = Callable[[Contestant], Iterable[Result]]


def judge(options: Options) -> int:
    """Judge programs, write cases, or both; 1 if a program is not right everywhere."""
    game = load_game(options.spec, options)
    if options.against:
        return _in_games(options)
    for name in sorted(read_parameters(game) & given_values(options).keys()):
        raise UsageError(f"--set: the input of {options.spec} gives `{name}`")
    if not (options.cases or options.generate):
        raise UsageError("there are no cases: give --cases DIR or --generate N")
    cases = _cases(game, options)
    for case, expected in cases:
        if expected.differs:
            complain(f"{case.name}: {options.spec} prints otherwise than the answer")
    if options.write:
        write_cases(options.write, cases)
    if not (options.cmd or options.programs):
        return _without_programs(game, cases, options)
    bounds = _bounds(options)
    judged = _judged(
        options,
        len(cases),
        lambda programs, job: lambda one: judge_program(programs, one, cases, bounds),
    )
    _pack(game, cases, judged, options)
    return _told(judged, options)


def _in_games(options: Options) -> int:
    """Judge programs by the games that they play; each thread has a game of its own."""
    given = [name for name in ("cases", "generate", "write", "package") if getattr(options, name)]
    if given:
        raise UsageError(f"--against: programs play games, without `--{given[0]}`")
    if not (options.cmd or options.programs):
        raise UsageError("there is no program: give --cmd COMMAND or --programs DIR")
    bounds = _bounds(options)

    def judge_one(programs: Programs, job: Job) -> _Judge:
        game = load_game(options.spec, options)
        return lambda one: judge_in_games(
            programs, game, one, options.against, options.games, options.seed, bounds, job
        )

    return _told(_judged(options, options.games, judge_one), options)


def _told(judged: list[Judged], options: Options) -> int:
    """Tell what has been found; 1 if a program is not right everywhere."""
    if options.junit:
        replace(options.junit, junit(options.spec, judged))
    if options.json:
        json_result(as_json(options.spec, judged))
    else:
        result(table(judged))
    return int(any(one.right < len(one.results) for one in judged))


def _cases(game: Game, options: Options) -> _Cases:
    """The cases with what is to be printed for each."""
    cases = list(read_cases(options.cases)) if options.cases else []
    with progress("cases", "cases", len(cases) + options.generate) as job:
        found = list[tuple[Case, Expected]]()
        for case in (*cases, *generate(game, options.generate, options.seed)):
            found.append((case, expectation(game, case)))
            job.add(1)
    return found


def _without_programs(game: Game, cases: _Cases, options: Options) -> int:
    if not (options.write or options.package):
        raise UsageError(
            "there is no program: give --cmd COMMAND or --programs DIR, or --write or --package"
        )
    _pack(game, cases, [], options)
    if options.json:
        json_result({"spec": options.spec, "cases": [case.name for case, _ in cases]})
    else:
        result(f"{len(cases)} cases written")
    return 0


def _pack(game: Game, cases: _Cases, judged: list[Judged], options: Options) -> None:
    """Write the problem package, with the programs that are right everywhere."""
    if not options.package:
        return
    good = [Path(one.contestant.source) for one in judged if one.right == len(one.results)]
    accepted = [path for path in good if path.name]
    count = write_package(options.package, game, cases, _bounds(options), accepted)
    if count < len(cases):
        complain(f"{options.package}: {len(cases) - count} cases left out, the spec refuses them")
    if not accepted:
        complain(f"{options.package}: holds no right program yet: some judges ask for one")


def _bounds(options: Options) -> Bounds:
    return Bounds(options.seconds, options.memory * 2**20)


def _judged(options: Options, count: int, make: Callable[[Programs, Job], _Judge]) -> list[Judged]:
    """The programs in order, each with `count` results; `make` makes the judge of a thread."""
    with Programs() as programs, TemporaryDirectory() as made:
        contestants = list(_contestants(options, programs, made))
        judged: dict[int, Judged] = {}
        numbers = iter(range(len(contestants)))
        ends = Job()  # searches count in it, which is no progress
        with progress("judge", "runs", len(contestants) * count) as job:

            def work() -> None:
                judge_one = make(programs, ends)
                for number in numbers:
                    one = contestants[number]
                    judged[number] = Judged(one, tuple(_counted(judge_one(one), job, ends)))

            def stop() -> None:
                ends.stop()
                programs.close()

            in_threads([work] * max(1, options.jobs), stop)
        return [judged[number] for number in range(len(contestants))]


def _counted(results: Iterable[Result], job: Job, ends: Job) -> Iterator[Result]:
    for each in results:
        ends.poll()
        job.add(1)
        yield each


def _contestants(options: Options, programs: Programs, made: str) -> Iterator[Contestant]:
    for command in options.cmd:
        yield contestant_of(command)
    if options.programs:
        yield from contestants_in(options.programs, programs, Path(made))
