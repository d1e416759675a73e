"""`judge`: programs compared with a spec on test cases, or in games that the spec referees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import (
    Options,
    Parser,
    add_game_options,
    add_json,
    add_seed,
    add_spec,
    seconds,
    whole_number,
)
from rulesengine.cli.spec_arguments import given_values, load_game
from rulesengine.errors import UsageError
from rulesengine.job import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulesengine.contests.judge import (
        Case,
        CaseLimits,
        Contestant,
        Expected,
        JudgedProgram,
        Result,
    )
    from rulesengine.game import Game
    from rulesengine.sandbox import Programs

    _Cases = list[tuple[Case, Expected]]
    _Judge = Callable[[Contestant], Iterable[Result]]

_MOST_CASES, _MOST_MEMORY, _MOST_JOBS = 10_000, 2**20, 256
_GAMES = 10


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_game_options(command)
    add_spec(command)
    command.add_argument(
        "--cases", metavar="DIR", help="folder of cases: NAME.in and optionally NAME.ans"
    )
    command.add_argument(
        "--cmd",
        action="append",
        default=[],
        metavar="COMMAND",
        help="command line of a program, split as by a shell (may be repeated)",
    )
    command.add_argument(
        "--programs", metavar="DIR", help="folder of programs: executable, .py, .c, .cc, .cpp"
    )
    command.add_argument(
        "--generate",
        type=whole_number(_MOST_CASES),
        default=0,
        metavar="N",
        help="generate N well-formed cases by random games through the spec's `io`",
    )
    command.add_argument(
        "--malformed",
        metavar="DIR",
        help="write N other inputs to a folder, with the output and the error of the spec",
    )
    add_seed(command)
    command.add_argument(
        "--against", metavar="PLAYER", help="play games against a player instead of running cases"
    )
    command.add_argument(
        "--games",
        type=whole_number(_MOST_CASES),
        default=_GAMES,
        metavar="N",
        help=f"games of each program, with rotating seats; {_GAMES} unless given",
    )
    command.add_argument("--write", metavar="DIR", help="write all cases with their answers")
    command.add_argument(
        "--package",
        metavar="DIR",
        help="write a problem package for Kattis and DOMjudge; NAME.zip compresses it",
    )
    command.add_argument(
        "--seconds",
        type=seconds,
        default=2.0,
        metavar="S",
        help="limit of CPU time, 2 unless given",
    )
    command.add_argument(
        "--memory",
        type=whole_number(_MOST_MEMORY),
        default=256,
        metavar="MB",
        help="limit of memory in megabytes, 256 unless given",
    )
    command.add_argument(
        "--jobs",
        type=whole_number(_MOST_JOBS),
        default=1,
        metavar="N",
        help="programs that run concurrently",
    )
    command.add_argument(
        "--report", metavar="FILE", help="write a page with the verdicts of all programs"
    )
    command.add_argument("--junit", metavar="FILE", help="write the verdicts as JUnit XML")


def execute(options: Options) -> int:
    """Judge programs, write cases, or both; return 1 if a program has a wrong result."""
    from rulesengine.contests.judge import judge as judge_program
    from rulesengine.contests.judge import write_cases
    from rulesengine.script import read_parameters

    game = load_game(options.spec, options)
    if options.against:
        return _in_games(game, options)
    for name in sorted(read_parameters(game) & given_values(options).keys()):
        raise UsageError(f"--set: the input of {options.spec} gives `{name}`")
    if not (options.cases or options.generate):
        raise UsageError("no cases: give --cases DIR or --generate N")
    cases = _cases(game, options)
    if options.malformed:
        _write_malformed(game, options)
    for case, expected in cases:
        if expected.differs:
            print_error(f"{case.name}: {options.spec} prints another answer than the case")
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
    return _print_verdicts(game, judged, options)


def _in_games(game: Game, options: Options) -> int:
    """Judge programs by games; each thread loads its own game."""
    from rulesengine.contests.judge import GameSeries, judge_in_games

    unused = [
        name
        for name in ("cases", "generate", "malformed", "write", "package")
        if getattr(options, name)
    ]
    if unused:
        raise UsageError(f"--against: programs play games, without `--{unused[0]}`")
    if not (options.cmd or options.programs):
        raise UsageError("no program: give --cmd COMMAND or --programs DIR")
    bounds = _bounds(options)

    def judge_one(programs: Programs, job: Job) -> _Judge:
        own = load_game(options.spec, options)
        series = GameSeries(options.against, options.games, options.seed)
        return lambda one: judge_in_games(programs, own, one, series, bounds, job)

    return _print_verdicts(game, _judged(options, options.games, judge_one), options)


def _print_verdicts(game: Game, judged: list[JudgedProgram], options: Options) -> int:
    """Print the verdicts and write the reports; return 1 if a program has a wrong result."""
    from rulesengine.cli.contest_setup import write_page
    from rulesengine.contests.judge import as_json, judge_page, junit, table
    from rulesengine.support.files import replace

    if options.report:
        page = judge_page(game, judged, _bounds(options), options.against or "")
        write_page(page, options.report)

    if options.junit:
        replace(options.junit, junit(options.spec, judged))
    if options.json:
        json_result(as_json(options.spec, judged))
    else:
        result(table(judged))
    return int(any(one.right < len(one.results) for one in judged))


def _cases(game: Game, options: Options) -> _Cases:
    """Return the cases with their expected output."""
    from rulesengine.contests.judge import expectation, generate, read_cases

    cases = list(read_cases(options.cases)) if options.cases else []
    with progress("cases", "cases", len(cases) + options.generate) as job:
        cases_with_output: _Cases = []
        generated = generate(game, options.generate, options.seed)
        for case in (*cases, *generated.cases):
            cases_with_output.append((case, expectation(game, case)))
            job.advance(1)
    for site in generated.missed if options.generate else ():
        print_error(f"no generated case reaches {site.file}:{site.line}: `{site.text}`")
    return cases_with_output


def _write_malformed(game: Game, options: Options) -> None:
    """Write as many malformed cases as well-formed ones, with the behaviour of the spec."""
    from rulesengine.contests.judge import expectation, generate_malformed, write_cases

    if not options.generate:
        raise UsageError("--malformed: give the number of cases by --generate N")
    cases = generate_malformed(game, options.generate, options.seed)
    write_cases(options.malformed, [(case, expectation(game, case)) for case in cases])


def _without_programs(game: Game, cases: _Cases, options: Options) -> int:
    if not (options.write or options.package or options.malformed):
        raise UsageError(
            "no program: give --cmd COMMAND or --programs DIR, or --write or --package"
        )
    _pack(game, cases, [], options)
    if options.json:
        json_result({"spec": options.spec, "cases": [case.name for case, _ in cases]})
    else:
        result(f"{len(cases)} cases written")
    return 0


def _pack(game: Game, cases: _Cases, judged: list[JudgedProgram], options: Options) -> None:
    """Write the problem package, with the programs that are correct on all cases."""
    from rulesengine.contests.judge import write_package

    if not options.package:
        return
    good = [Path(one.contestant.source) for one in judged if one.right == len(one.results)]
    accepted = [path for path in good if path.name]
    count = write_package(options.package, game, cases, _bounds(options), accepted)
    if count < len(cases):
        print_error(
            f"{options.package}: {len(cases) - count} cases skipped: their input is not well-formed"
        )
    if not accepted:
        print_error(f"{options.package}: has no correct program, which some judges require")


def _bounds(options: Options) -> CaseLimits:
    from rulesengine.contests.judge import CaseLimits

    return CaseLimits(options.seconds, options.memory * 2**20)


def _judged(
    options: Options, count: int, make: Callable[[Programs, Job], _Judge]
) -> list[JudgedProgram]:
    """Return each program with `count` results; `make` builds the judge of a thread."""
    from rulesengine.contests.judge import JudgedProgram
    from rulesengine.sandbox import Programs
    from rulesengine.support.blocking import in_threads
    from rulesengine.support.leftovers import temporary_folder

    with Programs() as programs, temporary_folder("rulesengine-judge-") as folder:
        contestants = list(_contestants(options, programs, str(folder)))
        judged: dict[int, JudgedProgram] = {}
        numbers = iter(range(len(contestants)))
        ends = Job()  # stops the judges; their searches count in it, so it is not the progress
        with progress("judge", "runs", len(contestants) * count) as job:

            def work() -> None:
                judge_one = make(programs, ends)
                for number in numbers:
                    one = contestants[number]
                    judged[number] = JudgedProgram(one, tuple(_counted(judge_one(one), job, ends)))

            def stop() -> None:
                ends.stop()
                programs.close()

            in_threads([work] * max(1, options.jobs), stop)
        return [judged[number] for number in range(len(contestants))]


def _counted(results: Iterable[Result], job: Job, ends: Job) -> Iterator[Result]:
    for each in results:
        ends.raise_if_stopped()
        job.advance(1)
        yield each


def _contestants(options: Options, programs: Programs, folder: str) -> Iterator[Contestant]:
    from rulesengine.contests.judge import contestant_of, contestants_in

    for command in options.cmd:
        yield contestant_of(command)
    if options.programs:
        yield from contestants_in(options.programs, programs, Path(folder))
