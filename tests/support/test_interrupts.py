"""Ctrl-C: a call in Python raises KeyboardInterrupt and a command exits with 130, at any point."""

import fcntl
import os
import signal
import sys
import termios
import time
from pathlib import Path
from threading import Event, Thread, get_ident

import pytest

from rulesengine.engine.kernel.analysis.caller_facts import may_take_long
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.loading import load_source
from rulesengine.support.interrupts import interruptible
from rulesengine.support.source import Source
from tests.helpers.lsp_client import serving
from tests.helpers.processes import COMMAND as TOOL
from tests.helpers.processes import PATIENCE, Process, interrupts, running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals are sent in another way"),
]

INSIDE = 0.3  # seconds after which the call is inside a kernel, or about to be
CALLS = {
    "perft": "game.perft(40)",
    "playouts": "game.playouts(10**12)",
    "threads": "game.playouts(10**12, threads=2)",
}
ENGINES = ("interpreter", *(backend.name for backend in working()))
# The kernels are compiled before the long call begins; afterwards the game is unchanged.
CALL = """
import rulesengine, sys, threading
game = rulesengine.load("connect-four", engine=sys.argv[1])
game.perft(2), game.playouts(1)
try:
    print("ready", flush=True)
    CALL
except KeyboardInterrupt:
    print("interrupted", game.perft(2), game.playouts(1).games, threading.active_count())
"""
COMMAND = """
import sys
from rulesengine.cli import main
print("ready", flush=True)
sys.exit(main())
"""


def interrupted(process: Process) -> tuple[str, str]:
    """Interrupt a process and return its remaining output."""
    time.sleep(INSIDE)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    return out.decode(), err.decode()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_is_interrupted_in_every_engine(engine: str, call: str) -> None:
    with running(sys.executable, "-c", CALL.replace("CALL", call), engine) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        assert interrupted(process) == ("interrupted 49 1 1\n", "")
        assert process.returncode == 0


# Each of 121 moves has 120 replies, and each of these is followed by all triples of free cells.
CHOICE = """
import rulesengine, sys, threading
game = rulesengine.load("./mine.yaml", engine=sys.argv[1])
state = game.initial_state()
quick = game.choose("quick", state)
game.engines()
try:
    print("ready", flush=True)
    game.choose("long", state)
except KeyboardInterrupt:
    print("interrupted", game.choose("quick", state) == quick, threading.active_count())
"""
SPEC = """
extends: gomoku
name: Mine
parameters: {n: {default: 11}}
strategies:
  quick:
    - most row(to)
  long:
    - most after(least(replies, count(x in empty, count(y in empty, row(x) = row(y) and
        count(z in empty, column(x) > column(y) + row(z) % 3) > 3) > 3)))
tests: []
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_choice_that_takes_long_is_interrupted_in_every_engine(
    engine: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text(SPEC)
    with running(sys.executable, "-c", CHOICE, engine, folder=tmp_path) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        assert interrupted(process) == ("interrupted True 1\n", "")


@pytest.mark.parametrize(
    ("side", "key", "polled"),
    [
        (3, "most count(x in empty, row(x) = row(to))", False),
        (3, "most count(x in empty, count(y in empty, row(x) = row(y)) > 1)", True),
        (9, "most row(to)", True),
    ],
)
def test_a_choice_is_polled_where_it_may_take_long(side: int, key: str, polled: bool) -> None:
    text = f"extends: tic-tac-toe\nstrategies: {{one: ['{key}']}}\ntests: []\n"
    game = load_source(Source("mine.yaml", text), engine="interpreter", m=side, n=side)
    assert may_take_long(game.program) == polled


@pytest.mark.parametrize(
    "words",
    [
        ["perft", "othello", "13"],
        ["perft", "othello", "14", "--divide"],
        ["playout", "othello", "100000000000", "--threads", "2"],
        ["check", "othello", "--fuzz", "100000"],
        ["bench", "othello", "--seconds", "600"],
        ["mutate", "othello"],
    ],
    ids=" ".join,
)
def test_a_command_is_interrupted(words: list[str]) -> None:
    with running(sys.executable, "-c", COMMAND, *words) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        assert interrupted(process) == ("", "")
        assert process.returncode == 130


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux")
def test_an_interrupt_ends_the_processes_that_test(tmp_path: Path) -> None:
    specs = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for spec in specs:
        spec.write_text("extends: othello\ntests: [{random: 1000000}]\n")
    with running(*TOOL, "test", *map(str, specs), "--workers", "2") as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        limit = time.monotonic() + PATIENCE
        while len(found := children.read_text().split()) < 3 and time.monotonic() < limit:
            time.sleep(0.01)  # both workers, and Python's helper process
        assert interrupted(process) == ("", "")
        assert process.returncode == 130
    # Python's own helper ends a little later
    while any(Path(f"/proc/{pid}").exists() for pid in found):
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_an_interrupt_ends_the_compiler_too(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")
    marker, compiler = tmp_path / "told", tmp_path / "compiler.py"
    compiler.write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(marker)!r}).write_text(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    code = (
        "import sys\n"
        "from rulesengine.cli import main\n"
        "from rulesengine.engine.kernel.backends.native import object_code\n"
        f"object_code._program = lambda: [sys.executable, {str(compiler)!r}]\n"
        "sys.exit(main(['perft', 'othello', '3', '--engine', 'native']))\n"
    )
    env = {"RULESENGINE_CACHE": ""}
    with running(sys.executable, "-c", code, env=env) as process:
        limit = time.monotonic() + PATIENCE
        while not (marker.exists() and marker.read_text()) and time.monotonic() < limit:
            time.sleep(0.01)
        assert interrupted(process) == ("", "")
        assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)


def test_a_server_for_editors_is_interrupted_while_it_waits(tmp_path: Path) -> None:
    pytest.importorskip("pygls", reason="needs the extra `lsp`")
    with serving(tmp_path) as client:
        client.process.send_signal(signal.SIGINT)
        assert client.process.wait(PATIENCE) == 130


@pytest.mark.skipif(not hasattr(fcntl, "F_GETPIPE_SZ"), reason="needs Linux")
def test_an_interrupt_that_ends_no_system_call_is_handled() -> None:
    """Send the signal to another thread, while this one blocks on a full pipe."""
    read, write = os.pipe()
    room = fcntl.fcntl(write, fcntl.F_GETPIPE_SZ)
    heard, late = Event(), Event()

    def interrupt() -> None:
        while int.from_bytes(fcntl.ioctl(read, termios.FIONREAD, bytes(4)), sys.byteorder) < room:
            time.sleep(0.001)
        signal.pthread_kill(get_ident(), signal.SIGINT)
        if not heard.wait(PATIENCE):
            late.set()
            os.read(read, 2 * room)  # which lets the other thread continue

    thread = Thread(target=interrupt)
    before = signal.getsignal(signal.SIGURG)
    try:
        with interrupts(), interruptible():
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                os.write(write, bytes(2 * room))
        heard.set()
        thread.join()
    finally:
        os.close(read)
        os.close(write)
    assert not late.is_set()
    assert signal.getsignal(signal.SIGURG) == before
    assert signal.set_wakeup_fd(-1) == -1


def test_nothing_is_changed_where_interrupts_are_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible():
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
            assert signal.set_wakeup_fd(-1) == -1
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_during_the_swap_of_tiers_ends_the_command(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")
    marker = tmp_path / "told"
    code = (
        "import pathlib, sys, time\n"
        "from rulesengine.cli import main\n"
        "from rulesengine.engine.kernel.backends.native import engine, promotion\n"
        "promotion._SMALL = 0\n"
        "def replace(self, data):\n"
        f"    pathlib.Path({str(marker)!r}).write_text('swapping')\n"
        "    time.sleep(600)\n"
        "engine.Native.replace = replace\n"
        "sys.exit(main(['perft', 'othello', '30', '--engine', 'native']))\n"
    )
    with running(sys.executable, "-c", code, env={"RULESENGINE_CACHE": ""}) as process:
        limit = time.monotonic() + PATIENCE
        while not marker.exists() and time.monotonic() < limit:
            time.sleep(0.01)
        assert marker.exists()
        interrupted(process)
        assert process.returncode == 130
