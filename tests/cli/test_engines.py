"""Engines on the command line: the engine in use, the machine's capabilities, and speeds."""

import doctest
import importlib.util
import re
import shlex
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rulesengine
from rulesengine.engine.drivers.protocol import Functions
from rulesengine.engine.kernel import emission
from rulesengine.engine.kernel.backends.registry import BACKENDS
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.parallel_runs import PerftRun, PlayoutRun
from rulesengine.engine.kernel.selection import ENGINES
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.support.limits import MAX_COMPILE_BYTES, MAX_COMPILE_SECONDS
from rulesengine.support.resources import bundled_file
from tests.helpers.cli_calls import Result, call
from tests.helpers.each_game import OTHERS, each_game

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "engines.md"
needs_native = pytest.mark.skipif(
    not find_spec("llvmlite"), reason="native kernels need the extra `native`"
)
HERE = [name for name in ENGINES if name != "native" or find_spec("llvmlite")]
SAMPLE = b".0*.\n0..0\n0000\n0*.0\n1\n-1\n"
WORKS = ("perft", "playouts")
BENCH = ("bench", "tic-tac-toe", "--seconds", "0.05")


@pytest.fixture
def no_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a machine on which llvmlite is not installed."""
    found = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> Any:
        return None if name == "llvmlite" else found(name, package)

    monkeypatch.setattr("importlib.util.find_spec", find)


@pytest.fixture
def no_perft_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the emission of every perft kernel fail."""
    made = emission.emitted

    def emitted(machine: Any, part: str, *rest: Any) -> Module:
        if part == "perft":
            raise Unsupported("texts inside rules")
        return made(machine, part, *rest)

    monkeypatch.setattr(emission, "emitted", emitted)
    monkeypatch.setenv("RULESENGINE_CACHE", "")


# examples in the documentation


@pytest.mark.slow
def test_the_python_example_of_the_documentation_runs() -> None:
    done = doctest.testfile(str(DOCS), module_relative=False)
    assert done.attempted
    assert not done.failed


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_documentation_runs(command: str) -> None:
    program, *words = shlex.split(command)
    assert program == "rulesengine"
    done = call(*words)
    # On a busy machine `bench` reports that a work did not fit in its time.
    assert (done.code, done.err if words[0] != "bench" else "") == (0, "")


def test_the_figures_of_the_documentation_are_those_of_the_package() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for backend in BACKENDS:
        factors = f"{1 / backend.rate:.0f} | {1 / backend.call_rate:.0f}"
        assert f"| `{backend.name}` | {factors} | {backend.load_seconds:g} s |" in text
    assert (
        f"after {MAX_COMPILE_SECONDS} seconds of processor time or at {MAX_COMPILE_BYTES >> 30} GiB"
        in text
    )


def test_links_of_the_documentation_lead_somewhere() -> None:
    for target, _, anchor in (
        link.partition("#")
        for link in re.findall(r"\]\(([^)]+)\)", DOCS.read_text(encoding="utf-8"))
    ):
        page = DOCS.parent / target if target else DOCS
        text = page.read_text(encoding="utf-8").lower()
        headings = [h.replace(" ", "-") for h in re.findall(r"^#+ (.+)$", text, re.M)]
        assert not anchor or anchor in headings


# the choice of an engine


@pytest.mark.slow
@pytest.mark.parametrize("engine", HERE)
def test_every_engine_counts_the_published_number(engine: str) -> None:
    done = call("perft", "othello", "4", "--engine", engine)
    assert done == Result(0, "244\n", "")


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", HERE)
def test_every_engine_divides_alike(engine: str) -> None:
    done = call("perft", "othello", "2", "--divide", "--engine", engine)
    assert done == Result(0, "d3 3\nc4 3\nf5 3\ne6 3\n12\n", "")


def test_every_engine_plays_the_same_random_games() -> None:
    words = ("playout", "tic-tac-toe", "40", "--seed", "3", "--engine")
    assert len({call(*words, engine).out for engine in HERE}) == 1


@pytest.mark.parametrize("engine", HERE)
def test_every_engine_runs_a_script(engine: str) -> None:
    plain = call("run", "bio97-othello", "--engine", "interpreter", stdin=SAMPLE)
    assert "Strategy 1" in plain.out
    assert call("run", "bio97-othello", "--engine", engine, stdin=SAMPLE) == plain


@pytest.mark.parametrize(
    "words",
    [
        ["run", "hex"],
        ["play", "hex"],
        ["test", "hex"],
        ["perft", "hex", "1"],
        ["playout", "hex", "1"],
        ["bench", "hex"],
        ["doctor", "hex"],
        ["show", "hex", "--stage", "document"],
        ["replay", "no-such-file"],
    ],
)
def test_an_unknown_engine_is_wrong_use_with_the_nearest_name(words: list[str]) -> None:
    done = call(*words, "--engine", "natve")
    assert (done.code, done.out) == (2, "")
    assert "no engine `natve`: did you mean `native`?" in done.err
    assert done.err.count("\n") == 1
    known = f"use {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
    assert known in call(*words, "--engine", "zz").err


@pytest.mark.usefixtures("no_llvmlite")
@pytest.mark.parametrize(
    "words",
    [
        ["run", "hex"],
        ["test", "hex"],
        ["perft", "hex", "1"],
        ["playout", "hex", "1"],
        ["bench", "hex"],
        ["doctor", "hex"],
        ["show", "hex", "--stage", "kernel"],
    ],
)
def test_native_without_llvmlite_names_the_extra(words: list[str]) -> None:
    done = call(*words, "--engine", "native")
    assert done.code == 2
    assert "'.[native]'" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.usefixtures("no_llvmlite")
def test_auto_without_llvmlite_is_quiet_and_right() -> None:
    assert call("perft", "othello", "6") == Result(0, "8200\n", "")


# threads


@pytest.mark.slow
@pytest.mark.parametrize("engine", HERE)
def test_threads_change_no_result(engine: str) -> None:
    words = ("playout", "tic-tac-toe", "300", "--seed", "9", "--engine", engine)
    one = call(*words)
    assert one.code == 0
    assert call(*words, "--threads", "3") == one


@pytest.mark.parametrize("threads", ["0", "257", "-1", "two"])
def test_threads_are_a_number_from_1_to_256(threads: str) -> None:
    done = call("playout", "tic-tac-toe", "1", "--threads", threads)
    assert (done.code, done.out) == (2, "")
    assert "threads" in done.err


# kernels that did not compile


@pytest.mark.slow
@pytest.mark.usefixtures("no_perft_kernel")
def test_a_kernel_that_cannot_be_compiled_is_reported_once() -> None:
    for words in (["perft", "othello", "4"], ["perft", "othello", "4", "--divide"]):
        done = call(*words, "--engine", "python")
        assert done.code == 0
        assert done.out.endswith("244\n")
        assert done.err == "rulesengine: Othello: no python kernel for perft: texts inside rules\n"


@pytest.mark.slow
@pytest.mark.usefixtures("no_perft_kernel")
def test_a_kernel_that_was_not_wanted_is_not_missed() -> None:
    assert call("perft", "othello", "4", "--engine", "interpreter") == Result(0, "244\n", "")
    assert call("perft", "othello", "2") == Result(0, "12\n", "")
    assert call("playout", "tic-tac-toe", "5", "--engine", "python").err == ""


@needs_native
def test_playout_says_that_compiling_took_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesengine.engine.kernel.backends.native import object_code

    def late(*args: Any, **keywords: Any) -> bytes:
        raise object_code.CompileError("compiling takes more than 30 seconds of processor time")

    monkeypatch.setattr("rulesengine.engine.kernel.backends.native.build.compile_cached", late)
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    words = ("playout", "tic-tac-toe", "5", "--engine")
    done = call(*words, "native")
    assert done.out == call(*words, "interpreter").out
    assert done.err == (
        "rulesengine: Tic-tac-toe: no native kernel for playouts:"
        " compiling takes more than 30 seconds of processor time\n"
    )


@pytest.mark.slow
def test_run_stays_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def emitted(machine: Any, part: str, *rest: Any) -> Module:
        raise Unsupported("texts inside rules")

    monkeypatch.setattr(emission, "emitted", emitted)
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    plain = call("run", "bio97-othello", "--engine", "interpreter", stdin=SAMPLE)
    assert call("run", "bio97-othello", "--engine", "python", stdin=SAMPLE) == plain
    assert plain.err == ""


# doctor


@pytest.mark.slow
def test_doctor_lists_the_engines() -> None:
    done = call("doctor")
    assert (done.code, done.err) == (0, "")
    names = [line.split()[0] for line in done.out.splitlines()]
    engines = ["interpreter", "python", "native"]
    assert names == [*engines, "processor", "features", "gpu", "cache", "programs"]


@pytest.mark.slow
@needs_native
def test_doctor_names_the_versions_and_the_features_that_kernels_use() -> None:
    import llvmlite

    found = call("doctor", "--json").json()
    native = found["engines"]["native"]
    assert (native["works"], native["llvmlite"]) == (True, llvmlite.__version__)
    assert native["llvm"].replace(".", "").isdigit()
    assert found["processor"]["name"]
    known = {"avx2", "avx512cd", "avx512f", "avx512vl", "bmi2"}
    assert set(found["processor"]["features"]) <= known


def test_doctor_reports_why_no_gpu_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)  # as if it was not installed
    reason = "no device `cuda`: cuda-bindings is not installed"
    assert call("doctor", "--json").json()["gpu"].startswith(reason)


def test_a_gpu_that_is_missing_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    done = call("playout", "tic-tac-toe", "5", "--device", "cuda")
    assert done.code == 2
    assert "cuda-bindings is not installed: `pip install '.[cuda]'` in a clone adds it" in done.err
    done = call("playout", "tic-tac-toe", "5", "--device", "auto")
    assert done.out == call("playout", "tic-tac-toe", "5").out
    assert "cuda-bindings is not installed" in done.err


@needs_native
def test_doctor_checks_every_feature_of_native_code() -> None:
    from rulesengine.engine.kernel.backends.native.target import USED

    texts = (ROOT / "rulesengine" / "engine" / "kernel" / "backends" / "native").glob("*.py")
    code = "".join(path.read_text(encoding="utf-8") for path in texts)
    calls = re.findall(r'(?:target|self)\.has\(("[^)]*)\)', code)
    assert {word for call in calls for word in re.findall(r'"(\w+)"', call)} == USED


@pytest.mark.slow
@pytest.mark.usefixtures("no_llvmlite")
def test_doctor_says_why_there_is_no_native_engine() -> None:
    done = call("doctor", "tic-tac-toe")
    assert done.code == 0
    assert "llvmlite is not installed: `pip install '.[native]'` in a clone adds it" in done.out
    assert "features     unknown without llvmlite" in done.out
    assert "  playouts    python\n" in done.out


@pytest.mark.slow
def test_doctor_reports_parts_without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesengine.engine.drivers.search import proof_number
    from rulesengine.engine.kernel import emission
    from rulesengine.engine.kernel.unsupported import Unsupported

    def entry(ctx: Any, function: Any, name: str) -> None:
        if function is proof_number.proved:
            raise Unsupported("a word that no kernel knows")

    monkeypatch.setattr(emission, "driver_entry", entry)
    done = call("doctor", "tic-tac-toe")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "tic-tac-toe: no kernel for proof: a word that no kernel knows" in done.err
    report = call("doctor", "tic-tac-toe", "--json").json()["games"]["tic-tac-toe"]
    assert report["refused"] == {"proof": "a word that no kernel knows"}


@pytest.mark.slow
@needs_native
def test_doctor_tries_whether_native_kernels_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesengine.engine.kernel.backends.native import object_code

    def refuse(*args: Any, **keywords: Any) -> bytes:
        raise object_code.CompileError("the compiler does not start: no memory")

    monkeypatch.setattr("rulesengine.engine.kernel.backends.native.build.compile_cached", refuse)
    done = call("doctor")
    assert "native       the compiler does not start: no memory" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("record", ["top_level.txt", "RECORD"])
def test_doctor_reports_a_namesake_distribution(
    record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("doctor", "--json").json()["namesakes"] == []
    about = tmp_path / "rulesengine-7.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: rulesengine\nVersion: 7.0\n")
    (about / record).write_text(
        "rulesengine\n" if record == "top_level.txt" else "rulesengine/__init__.py,,\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    done = call("doctor")
    assert (done.code, done.err.count("\n")) == (0, 1)
    assert "the distribution `rulesengine` also installs a package `rulesengine`" in done.err
    assert call("doctor", "--json").json()["namesakes"] == ["rulesengine"]


@pytest.mark.slow
def test_doctor_says_why_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    assert "cache        none: it is switched off" in call("doctor").out
    assert call("doctor", "--json").json()["cache"]["problem"] == "it is switched off"


@pytest.mark.slow
def test_doctor_lists_the_parts_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    (game,) = (
        call("doctor", "bio97-othello", "--json", "--engine", "python").json()["games"].items()
    )
    assert game == (
        "bio97-othello",
        {
            "parts": {
                "singles": "python",
                "perft": "python",
                "playouts": "python",
                "strategy 1": "python",
                "strategy 2": "python",
            },
            "search": "grave",
            "reason": "by the bundled trial: grave 3, uct 0; grave 3, alpha-beta 0",
            "trial": None,
            "evaluation": "rules",
            "stale": None,
            "learn": {"patterns": 72, "entries": 4 * 154273},
            "problems": {},
            "refused": {},
        },
    )
    # Another test compiles the optional parts of one game, so they are left out here.
    monkeypatch.setattr(emission, "search_parts", lambda machine: ())
    assert call("doctor", "hex", "--json").json()["games"]["hex"]["search"] == "grave"


@pytest.mark.slow
@pytest.mark.usefixtures("no_perft_kernel")
def test_doctor_finds_a_part_that_falls_back() -> None:
    done = call("doctor", "tic-tac-toe", "--engine", "python")
    assert done.code == 1
    assert "  perft       interpreter\n" in done.out
    assert done.err == "rulesengine: tic-tac-toe: no python kernel for perft: texts inside rules\n"


@pytest.mark.slow
@pytest.mark.usefixtures("no_perft_kernel")
def test_doctor_all_has_a_line_for_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesengine.cli.doctor.bundled_names", lambda: ("hex", "clobber"))
    done = call("doctor", "--all", "--engine", "python")
    assert done.code == 1
    *_, one, other, blank, total = done.out.splitlines()
    assert (one.split(), other.split()) == (
        ["hex", "perft", "interpreter"],
        ["clobber", "perft", "interpreter"],
    )
    assert (blank, total) == ("", "0 of 2 games run on the engine python throughout")


@pytest.mark.slow
def test_doctor_all_is_content_when_nothing_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesengine.cli.doctor.bundled_names", lambda: ("hex", "clobber"))
    done = call("doctor", "--all", "--engine", "python")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("\n2 of 2 games run on the engine python throughout\n")


@pytest.mark.parametrize("words", [["hex"], ["--set", "n=3"], ["--with", "misere"]])
def test_doctor_all_takes_nothing_else(words: list[str]) -> None:
    assert call("doctor", "--all", *words).code == 2


# every bundled game


def refused(*args: Any, **keywords: Any) -> Any:
    raise AssertionError("the interpreter is asked")


def alone(name: str) -> rulesengine.Game:
    """Return a bundled game with native kernels that have no fallback."""
    game = rulesengine.load(name, engine="native")
    assert set(game.engines().values()) == {"native"}, game.engine_problems
    assert game.engine_problems == {}
    native = game._dispatcher.selector.parts.kernels("native")
    native.machine = SimpleNamespace(program=game.program, derived=game.machine.derived)  # type: ignore[assignment]
    functions: Functions[Any, Any] = Functions(refused, refused, refused, refused, refused)
    game._dispatcher.interpreted.functions = lambda: functions  # type: ignore[method-assign]
    return game


@pytest.mark.usefixtures("in_haste")
@needs_native
@each_game(quick=(), deep=OTHERS | {"nine-mens-morris", "reversi"})
def test_a_bundled_game_runs_natively_without_fallback(name: str) -> None:
    game = alone(name)
    state = game.initial_state()
    moves = game.legal_moves(state)
    if game.rules.has_free_chance and game.weights(state):
        assert game.perft(1) == sum(game.perft(1, game.apply(state, move)) for move in moves)
    else:
        assert game.perft(1) == len(moves) > 0
    assert game.perft(2, bulk=False) == game.perft(2)
    played = game.playouts(5, seed=1)
    assert played.games == sum(played.wins.values()) + played.draws + played.unfinished == 5
    for strategy in game.strategies:
        assert game.choose(strategy, state) in moves
    assert game.move_record(state, moves[0]) is not None
    assert game.apply(state, moves[0]) != state


# bench


@pytest.mark.slow
def test_bench_prints_a_row_for_each_engine() -> None:
    done = call(*BENCH)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    head = next(i for i, line in enumerate(lines) if "first result" in line)
    rows = [line.split()[0] for line in lines[head + 1 : head + len(HERE)]]
    assert rows == HERE[1:]
    kinds = ["no kernel", "Python integers", "one word"]
    assert all(
        k in line for k, line in zip(kinds, lines[head + 1 : head + len(HERE)], strict=False)
    )
    assert lines[head + len(HERE)] == ""
    assert "the same by interpreter and python: perft to depth" in done.out


def test_bench_as_json_has_rates_ratios_and_checksums() -> None:
    found = call(*BENCH, "--json", "--engine", "python").json()
    assert list(found["engines"]) == ["interpreter", "python"]
    assert found["processor"]
    for one in found["engines"].values():
        assert one["first_result"] > 0
        for work in map(one.__getitem__, WORKS):
            assert work["rate"] > 0
            assert min(work["rates"]) <= work["rate"] <= max(work["rates"])
    kinds = [one[work]["kind"] for one in found["engines"].values() for work in WORKS]
    assert kinds == ["no kernel", "no kernel", "Python integers", "Python integers"]
    base, fast = (found["engines"][name] for name in ("interpreter", "python"))
    assert base["perft"]["ratio"] == base["playouts"]["ratio"] == 1
    ratio = fast["perft"]["rate"] / base["perft"]["rate"]
    assert fast["perft"]["ratio"] == pytest.approx(ratio)
    (agreed,) = found["agreements"]
    games = call("playout", "tic-tac-toe", str(agreed["games"]), "--json").json()
    assert agreed["checksum"] == games["checksum"]
    # Sequences of so many moves in tic-tac-toe, from the literature.
    known = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert agreed["leaves"] == known[agreed["depth"]]


def other_games(totals: list[int]) -> list[int]:
    return [*totals[:-1], totals[-1] ^ 1]


def one_more_draw(totals: list[int]) -> list[int]:
    return [*totals[:2], totals[2] + 1, *totals[3:]]


@pytest.mark.parametrize(
    ("work", "method", "change", "message"),
    [
        (PerftRun, "below", lambda leaves: leaves + 1, "perft 1: 9 by interpreter, 10 by python"),
        (PlayoutRun, "totals", other_games, "the checksum of 1 random games: "),
        (PlayoutRun, "totals", one_more_draw, "1 random games: "),
    ],
)
def test_engines_that_differ_are_a_bug_of_ours(
    work: type,
    method: str,
    change: Callable[[Any], Any],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = getattr(work, method)
    monkeypatch.setattr(work, method, lambda *args: change(right(*args)))
    done = call("bench", "tic-tac-toe", "--seconds", "0.001", "--engine", "python")
    assert (done.code, done.out) == (101, "")
    assert message in done.err
    assert "please report it" in done.err


@pytest.mark.usefixtures("no_llvmlite")
def test_bench_without_llvmlite_reports_the_missing_extra() -> None:
    done = call(*BENCH, "--json")
    assert list(done.json()["engines"]) == [e for e in ENGINES if e not in ("auto", "native")]
    assert "'.[native]'" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("no_perft_kernel")
def test_bench_measures_no_engine_under_the_name_of_another() -> None:
    done = call(*BENCH, "--json", "--engine", "python")
    assert list(done.json()["engines"]["python"])[1:] == ["playouts", "too_long", "problems"]
    assert done.err == "rulesengine: Tic-tac-toe: no python kernel for perft: texts inside rules\n"
    assert " -  " in call(*BENCH, "--engine", "python").out


@pytest.mark.parametrize("seconds", ["0", "3601", "-1", "x", "1e3", "nan", "1.2.3", ""])
def test_seconds_are_a_number_above_0(seconds: str) -> None:
    done = call("bench", "tic-tac-toe", "--seconds", seconds)
    assert (done.code, done.out) == (2, "")
    assert "--seconds" in done.err


# show --stage kernel


@pytest.mark.slow
def test_the_kernel_of_other_parameters_is_shown() -> None:
    wide = call("show", "tic-tac-toe", "--stage", "kernel", "--set", "m=5")
    assert wide.code == 0
    assert "0x7fff" in wide.out  # all fifteen cells
    assert "0x7fff" not in call("show", "tic-tac-toe", "--stage", "kernel").out


@needs_native
def test_a_native_kernel_is_shown_as_assembly() -> None:
    done = call("show", "tic-tac-toe", "--stage", "kernel", "--engine", "native")
    assert (done.code, done.err) == (0, "")
    assert "define" in done.out
    assert "target triple" in done.out


def test_the_interpreter_has_no_kernel_to_show() -> None:
    done = call("show", "tic-tac-toe", "--stage", "kernel", "--engine", "interpreter")
    assert (done.code, done.out) == (2, "")
    assert "python or native" in done.err


@pytest.mark.usefixtures("no_perft_kernel")
def test_a_part_without_a_kernel_is_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesengine.engine.kernel import listing

    monkeypatch.setattr(listing, "emitted", emission.emitted)
    done = call("show", "tic-tac-toe", "--stage", "kernel")
    assert done.code == 0
    assert "# perft\n\n# no kernel: texts inside rules\n" in done.out
    assert "# playouts\n\ndef " in done.out


def test_doctor_names_the_file_of_a_clause_that_a_spec_extends(tmp_path: Path) -> None:
    """The clauses of the base are at lines of its own file."""
    (tmp_path / "own.yaml").write_text("extends: chess\nname: Own\nsays: null\ntests: null\n")
    done = call("doctor", str(tmp_path / "own.yaml"), "--engine", "interpreter")
    _, _, clauses = done.out.partition("clauses that are not evaluated as sets\n")
    assert clauses
    lines = Path(bundled_file("chess")).read_text().splitlines()
    for row in clauses.splitlines():
        file, _, line = row.split()[0].rpartition(":")
        assert Path(file).name == "chess.yaml"
        assert lines[int(line) - 1].strip()
