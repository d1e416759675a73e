"""Back ends: a new one is one row, and their names occur in one place each."""

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import rulesengine
from rulesengine.engine.drivers.protocol import Functions
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.protocol import Backend
from rulesengine.engine.kernel.backends.registry import BACKENDS, backend_by_name, working
from rulesengine.engine.kernel.code.builder import Builder
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.listing import listing
from rulesengine.engine.kernel.parallel_runs import PerftRun
from rulesengine.engine.kernel.selection import ENGINES, Selector
from rulesengine.errors import UsageError
from rulesengine.job import Job
from tests.helpers.counting_backend import Counted, Counting
from tests.helpers.modules import MODULES, PACKAGE, parse, read


def test_the_engines_are_those_that_users_know() -> None:
    assert ENGINES == ("auto", "interpreter", "python", "native")


# a minimal back end: one that counts


def test_counting_backend_counts_instructions() -> None:
    b = Builder(4)
    with b.function("double", ["i"], ["i"], pure=True) as (number,):
        b.emit_return(b.op("iadd", number, number))
    with b.function("sum", ["i"], ["i"], entry=True) as (count,):
        total = b.let(b.i(0))

        def more(number: Value) -> None:
            b.set(total, b.op("iadd", b.get(total), *b.call("double", number)))

        b.range(b.i(0), count, more)
        b.emit_return(b.get(total))
    counting = Counting()
    assert counting.compile(b.module, None, {}).call("sum", [7]) == (42,)
    once = Counter({"entries": 1, "let": 1, "range": 1})
    seven = dict.fromkeys(("call", "set", "get"), 7)
    assert counting.counts == once + Counter({**seven, "iadd": 14, "return": 7}) + Counter(
        {"get": 1, "return": 1}
    )


def machine_of(name: str) -> Interpreter:
    return rulesengine.load(name, engine="interpreter").machine


def perft(kernels: Kernels, depth: int) -> int:
    def refuse(*args: object) -> Any:
        raise AssertionError("the interpreter is asked")

    functions = Functions(refuse, refuse, refuse, refuse, refuse)
    state = kernels.machine.initial_state()
    count = PerftRun(kernels, functions, Job(), keep=False, free=False, bulk=False)
    return count.below(state, depth)


def test_a_game_is_counted_by_a_back_end_that_counts() -> None:
    counting = Counting()
    kernels = Kernels(machine_of("tic-tac-toe"), counting)
    # No game is won before the fifth ply: 9 * 8 * 7 lines of play, for which `made` moves are
    # applied.
    assert perft(kernels, 3) == 9 * 8 * 7
    assert counting.counts["entries"] >= 1
    made = 9 + 9 * 8 + 9 * 8 * 7
    assert counting.counts.total() > made
    before = counting.counts.total()
    assert perft(kernels, 2) == 9 * 8
    assert 0 < (counting.counts.total() - before) * 3 < before


def test_a_history_is_passed_to_a_back_end_that_stores_it() -> None:
    machine = rulesengine.load("go", n=2, engine="interpreter").machine
    kernels, state = Kernels(machine, Counting()), machine.initial_state()
    for _ in range(4):
        expected = machine.legal(state)
        assert kernels.legal(state) == expected
        state = machine.apply(state, expected[0])


@pytest.mark.slow
def test_a_row_is_all_that_the_choice_of_an_engine_needs() -> None:
    counting = Counting()
    rows: tuple[Backend, ...] = (counting, *BACKENDS)
    machine = machine_of("tic-tac-toe")
    assert Selector(machine, "auto", None, rows).best("singles") == "counting"
    chosen = Selector(machine, "counting", None, rows).for_work("perft", 1)
    assert chosen is not None
    assert chosen.backend is counting
    assert Selector(machine, "auto", None).best("singles") == working()[0].name


class BrokenBackend(Counting):
    name = "broken"

    def problem(self) -> str:  # type: ignore[override]
        return "it is Sunday"


def test_a_back_end_that_does_not_work_is_left_out_or_reported_as_missing() -> None:
    rows: tuple[Backend, ...] = (BrokenBackend(), Counting())
    machine = machine_of("tic-tac-toe")
    assert working(rows) == rows[1:]
    assert Selector(machine, "auto", None, rows).best("singles") == "counting"
    with pytest.raises(UsageError, match="no engine `broken` here: it is Sunday"):
        Selector(machine, "broken", None, rows)


def test_failed_compilation_falls_back_to_a_slower_backend() -> None:
    class Refusing(Counting):
        name = "refusing"

        def compile(self, *args: Any) -> Counted:
            raise UsageError("too much")

    rows: tuple[Backend, ...] = (Refusing(), Counting())
    selector = Selector(machine_of("tic-tac-toe"), "refusing", None, rows)
    assert selector.best("singles") == "counting"
    assert selector.problems == {"refusing singles": "too much"}


def test_an_engine_without_kernels_has_no_text() -> None:
    machine = machine_of("tic-tac-toe")
    for engine in ("interpreter", "nonsense"):
        with pytest.raises(UsageError, match=f"`{engine}` has no kernels"):
            listing(machine, engine)
    assert listing(machine) == listing(machine, BACKENDS[-1].name)


# names

# A string equal to an engine's name that is no engine: the version of Python in the facts of
# `bench`.
NO_ENGINES = {("cli/bench.py", "python")}


def texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.name)
def test_the_name_of_a_back_end_is_in_one_module(backend: Backend) -> None:
    found = set()
    for path in MODULES:
        module = path.relative_to(PACKAGE).as_posix()
        # The text of a module is searched first: to walk its tree takes much longer.
        is_named = backend.name in read(path) and backend.name in texts(parse(path))
        if is_named and (module, backend.name) not in NO_ENGINES:
            found.add(module)
    row = type(backend).__module__.removeprefix("rulesengine.").replace(".", "/")
    assert found == {f"{row}.py"}
    assert backend_by_name(backend.name) is backend
