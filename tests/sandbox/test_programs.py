"""Programs under a supervisor: their output, their end, and no process left over."""

import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from threading import Event, Thread
from typing import Any
from uuid import uuid4

import pytest

from rulesengine import sandbox
from rulesengine.sandbox import (
    Limits,
    OutputClosed,
    OutputLimitExceeded,
    ProgramError,
    Programs,
    TimedOut,
)
from rulesengine.sandbox.program import NO_MORE, Program
from rulesengine.support.frozen import replace
from rulesengine.support.processes import is_subreaper
from tests.helpers.processes import PATIENCE, ROOT, are_running

PYTHON = (sys.executable, "-I", "-S", "-c")
SHORT = Limits(wall=PATIENCE)
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descendants are known on Linux")


@pytest.fixture(scope="module", params=["namespace", "subreaper"])
def programs(request: pytest.FixtureRequest) -> Iterator[Programs]:
    with Programs(namespaces=request.param == "namespace") as starter:
        if starter.confinement().kind != request.param:
            pytest.skip(str(starter.confinement()))
        yield starter


def python(text: str) -> list[str]:
    return [*PYTHON, text]


def tagged(text: str) -> tuple[str, str]:
    """Return a program with a unique comment, and the comment; its forks have it too."""
    tag = f"# {uuid4()}"
    return f"{text}\n{tag}", tag


def test_a_batch_gives_output_errors_and_the_exit_code(programs: Programs) -> None:
    ran = programs.run(["sh", "-c", "cat; echo bad >&2; exit 3"], b"given\n", SHORT)
    assert (ran.output, ran.errors) == (b"given\n", b"bad\n")
    assert (ran.ending.exit, ran.ending.signal, ran.ending.limit) == (3, None, "")


def test_a_signal_is_reported_by_its_name(programs: Programs) -> None:
    ending = programs.run(["sh", "-c", "kill -SEGV $$"], b"", SHORT).ending
    assert (ending.exit, ending.signal, str(ending)) == (None, 11, "ended by SIGSEGV")


def test_large_echoed_input_causes_no_deadlock(programs: Programs) -> None:
    data = bytes(range(256)) * 8192
    assert programs.run("cat", data, SHORT).output == data


@pytest.mark.parametrize("text", ["", "import os\nos.close(0)", "import sys\nsys.stdin.read(1)"])
def test_input_that_is_not_read_is_no_failure(programs: Programs, text: str) -> None:
    assert programs.run(python(text), b"x" * 2**20, SHORT).ending.exit == 0


@pytest.mark.parametrize(
    ("text", "limits", "broken"),
    [
        ("import time\ntime.sleep(60)", Limits(wall=0.2), "wall"),
        ("while True: pass", Limits(cpu=0.1, wall=PATIENCE), "cpu"),
        (
            "x = []\nwhile True: x.append(bytearray(2**20))",
            Limits(memory=2**26, wall=PATIENCE),
            "memory",
        ),
        ("while True: print('x' * 1000)", Limits(output=10_000, wall=PATIENCE), "output"),
        (
            "import os\nwhile True: os.write(2, b'x' * 9)",
            Limits(output=9_999, wall=PATIENCE),
            "output",
        ),
        ("import sys\nsys.stdin.read()\nimport time\ntime.sleep(60)", Limits(wall=0.2), "wall"),
    ],
)
def test_a_limit_ends_a_program(programs: Programs, text: str, limits: Limits, broken: str) -> None:
    ran = programs.run(python(text), b"", limits)
    assert ran.ending.limit == broken
    assert len(ran.output) <= limits.output


def test_addresses_that_are_only_kept_free_are_no_memory(programs: Programs) -> None:
    """Reserve many addresses without writing to them, as virtual machines do at startup."""
    text = "import mmap\nmmap.mmap(-1, 2**34, mmap.MAP_PRIVATE | mmap.MAP_ANON, mmap.PROT_READ)"
    ending = programs.run(python(text), b"", Limits(memory=2**26, wall=PATIENCE)).ending
    assert (ending.exit, ending.limit) == (0, "")


def test_a_file_grows_no_larger_than_its_limit(programs: Programs, tmp_path: Path) -> None:
    text = "f = open('f', 'wb')\nwhile True: f.write(b'x' * 4096)"
    ending = programs.run(
        python(text), b"", Limits(file=100_000, wall=PATIENCE), folder=tmp_path
    ).ending
    assert ending.signal is not None or ending.exit
    assert (tmp_path / "f").stat().st_size <= 100_000


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


# A bounded bomb: forty children in sessions of their own, which print their numbers and stay.
BOMB = """
import os, time
for i in range(40):
    if os.fork() == 0:
        os.setsid()
        print(os.getpid(), flush=True)
        time.sleep(60)
        os._exit(0)
{end}
"""


@pytest.mark.parametrize(
    ("end", "limits", "broken"),
    [
        ("time.sleep(60)", Limits(processes=20, wall=PATIENCE), "processes"),
        ("time.sleep(0.2)", Limits(wall=PATIENCE), ""),
        ("time.sleep(60)", Limits(wall=0.5), "wall"),
    ],
)
def test_descendants_that_left_the_session_are_ended(
    programs: Programs, end: str, limits: Limits, broken: str
) -> None:
    text, tag = tagged(BOMB.format(end=end))
    while not (ran := programs.run(python(text), b"", limits)).output and broken == "wall":
        assert limits.wall is not None
        assert limits.wall < PATIENCE
        limits = replace(limits, wall=2 * limits.wall)  # too little for the first child
    assert ran.ending.limit == broken
    assert not are_running(tag)


# A program in two sessions that does something to its supervisor, or to the fork server above.
ATTACK = """
import os, signal, time
read, write = os.pipe()
parent = os.getppid()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.write(write, b"x")
    time.sleep(60)
os.read(read, 1)
print(flush=True)
input()
{attack}
time.sleep(60)
"""
ABOVE = "int(open(f'/proc/{parent}/stat').read().rpartition(')')[2].split()[1])"
ATTACKS = (
    "os.kill(parent, signal.SIGKILL)",
    "os.kill(parent, signal.SIGSTOP)",
    f"above = {ABOVE}; os.kill(parent, signal.SIGSTOP); os.kill(above, signal.SIGSTOP)",
    f"above = {ABOVE}; os.kill(parent, signal.SIGKILL); os.kill(above, signal.SIGKILL)",
    f"above = {ABOVE}; os.kill(above, signal.SIGKILL)",
    f"above = {ABOVE}; os.kill(above, signal.SIGSTOP)",
)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("waits", [True, False])
def test_no_attack_on_a_supervisor_leaves_a_process(attack: str, *, waits: bool) -> None:
    before = is_subreaper()
    with Programs(namespaces=False) as starter:
        text, tag = tagged(ATTACK.format(attack=attack))
        with starter.start(python(text), Limits(wall=1.0)) as program:
            program.read_line(20)
            assert are_running(tag)
            program.send(b"\n", 20)
            if waits:
                assert program.finish().ending.limit in ("lost", "wall", "stopped")
        assert not are_running(tag)
        assert starter.run("cat", b"next", SHORT).output == b"next"
    assert is_subreaper() == before


def test_a_program_in_a_namespace_cannot_reach_its_supervisor(programs: Programs) -> None:
    """Its supervisor has number 1 there, and ignores signals of its descendants."""
    if programs.confinement().kind != "namespace":
        pytest.skip("in a namespace only")
    text = (
        "import os, signal\n"
        "assert os.getppid() == 1\n"
        "for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM): os.kill(1, number)\n"
        "print(sorted(int(n) for n in os.listdir('/proc') if n.isdecimal()) == [1, os.getpid()])"
    )
    ran = programs.run(python(text), b"", SHORT)
    assert (ran.output, ran.ending.exit) == (b"True\n", 0)


def test_a_program_that_kills_everything_it_may_ends_alone() -> None:
    with Programs() as starter:
        if starter.confinement().kind != "namespace":
            pytest.skip("elsewhere it would end these tests too")
        text = "import os, signal\nos.kill(-1, signal.SIGKILL)"
        ending = starter.run(python(text), b"", SHORT).ending
        assert (ending.signal, ending.limit) in ((signal.SIGKILL, ""), (None, ""))
        assert starter.run("cat", b"next", SHORT).output == b"next"


@pytest.mark.slow
def test_a_system_without_namespaces_is_reported_with_its_reason() -> None:
    """The limit of PID namespaces below a user namespace is 0."""
    inside = "echo 0 > /proc/sys/user/max_pid_namespaces && exec "
    text = "from rulesengine.sandbox import Programs\nstarter = Programs()\n"
    text += "print(starter.confinement())\nprint(starter.run('echo run').output)\nstarter.close()"
    words = shlex.join(["env", f"PYTHONPATH={ROOT}", sys.executable, "-c", text])
    enter = ["unshare", "--user", "--map-root-user"]
    if which("unshare") is None or subprocess.run([*enter, "true"], check=False).returncode:
        pytest.skip("there are no user namespaces")
    done = subprocess.run([*enter, "sh", "-c", inside + words], capture_output=True, check=True)
    message = "process trees below a subreaper (no PID namespace: No space left on device)"
    assert done.stdout.decode().splitlines() == [message, "b'run\\n'"]


def test_lines_go_to_a_program_and_come_from_it(programs: Programs) -> None:
    with programs.start("cat", SHORT) as program:
        for line in (b"one\n", b"\xff\x00\n", b"three\n"):
            program.send(line, 20)
            assert program.read_line(20) == line
        program.send(b"abcdef", 20)
        assert program.read_exactly(4, 20) == b"abcd"
        assert program.read_some(20) == b"ef"
        program.close_input()
        assert program.wait(20).exit == 0


def test_unread_output_is_pending(programs: Programs) -> None:
    with programs.start(["sh", "-c", "echo early; cat"], SHORT) as program:
        assert program.read_exactly(2, 20) == b"ea"
        assert program.pending == b"rly\n"


def test_a_silent_program_is_late_and_one_that_left_is_closed(programs: Programs) -> None:
    with programs.start("cat", SHORT) as program, pytest.raises(TimedOut):
        program.read_line(0.05)
    with programs.start("true", SHORT) as program, pytest.raises(OutputClosed):
        program.read_line(20)
    mute = ["sh", "-c", "exec 1>&-; sleep 60"]
    with programs.start(mute, SHORT) as program, pytest.raises(OutputClosed):
        program.read_line(20)
    with programs.start(["sh", "-c", "exec 0<&-; echo; sleep 60"], SHORT) as program:
        program.read_line(20)
        with pytest.raises(OutputClosed):
            program.send(b"x" * 2**20, 20)
    with programs.start(["sleep", "60"], SHORT) as program, pytest.raises(TimedOut):
        program.send(b"x" * 2**20, 0.05)


def test_endless_output_ends_a_wait(programs: Programs) -> None:
    text = "import sys\nwhile True: sys.stdout.write('x' * 99)"
    with programs.start(python(text), Limits(output=2**17, wall=PATIENCE)) as program:
        with pytest.raises(OutputLimitExceeded):
            program.read_line(20)
        with pytest.raises(OutputLimitExceeded):
            program.read_exactly(2**18, 20)
        assert program.stop().limit == "output"


def test_invalid_program_is_an_error(programs: Programs, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("hello")
    wrong = {
        str(tmp_path / "none"): "no such program",
        str(plain): "is no program that may be run",
        str(tmp_path): "is no program that may be run",
        "'": "expected the words of a command",
        "": "expected the words of a command",
    }
    for command, reason in wrong.items():
        with pytest.raises(ProgramError, match=reason):
            programs.run(command)
    plain.chmod(0o755)
    with pytest.raises(ProgramError, match="is no program"):
        programs.run(str(plain))
    with pytest.raises(ProgramError, match="no such folder"):
        programs.run("true", folder=tmp_path / "none")
    assert programs.run("cat", b"next", SHORT).output == b"next"


def test_a_program_gets_no_descriptor_but_its_streams(programs: Programs) -> None:
    ran = programs.run(python("import os\nprint(os.listdir('/proc/self/fd'))"), b"", SHORT)
    assert ran.output == b"['0', '1', '2', '3']\n"  # the last one belongs to the listing itself


def test_threads_share_what_starts_programs_and_no_descriptor_is_left() -> None:
    before = descriptors()
    outputs: list[bytes] = []
    with Programs() as starter:

        def echo(number: int) -> None:
            for i in range(5):
                outputs.append(starter.run("cat", b"%d %d" % (number, i), SHORT).output)

        threads = [Thread(target=echo, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(outputs) == sorted(b"%d %d" % (n, i) for n in range(6) for i in range(5))
    assert descriptors() == before


def test_programs_that_run_end_with_what_started_them() -> None:
    with Programs() as starter:
        text, tag = tagged("print(flush=True)\nimport time\ntime.sleep(60)")
        starter.start(python(text), SHORT).read_line(20)
        assert are_running(tag)
    assert not are_running(tag)


def test_waiting_thread_sees_the_stop_by_another_thread(tmp_path: Path) -> None:
    found: list[object] = []
    begun = tmp_path / "begun"
    waits = ["sh", "-c", f"touch {begun}; exec sleep 60"]
    with Programs() as starter:
        reader = starter.start(["sleep", "60"], SHORT)

        def read() -> None:
            try:
                reader.read_line()
            except OutputClosed as error:
                found.append(str(error))

        threads = [
            Thread(target=read),
            Thread(target=lambda: found.append(starter.run(waits, b"", SHORT).ending.limit)),
        ]
        for thread in threads:
            thread.start()
        limit = time.monotonic() + PATIENCE
        while not begun.exists() and time.monotonic() < limit:
            time.sleep(0.01)
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(map(str, found)) == ["it has ended, or closed its output", "stopped"]
    with pytest.raises(ProgramError, match="no program starts any more"):
        starter.start("true")


@pytest.mark.parametrize("moment", ["_admit", "begin", "_first_answer"])
def test_a_program_that_is_being_started_ends_with_what_starts_it(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    starter, reached, closing = Programs(), Event(), Event()
    owner: Any = Programs if moment == "_admit" else Program
    before = getattr(owner, moment)

    def late(self: object, *words: object) -> object:
        reached.set()
        closing.wait(20)
        time.sleep(0.1)  # the other thread is inside of `close` by then
        return before(self, *words)

    monkeypatch.setattr(owner, moment, late)
    found: list[str] = []

    def run() -> None:
        try:
            found.append(starter.run("sleep 60", b"", Limits(wall=60)).ending.limit)
        except ProgramError as error:
            found.append(str(error))

    thread = Thread(target=run)
    thread.start()
    assert reached.wait(20)
    closing.set()
    starter.close()
    thread.join(20)
    assert found in (["stopped"], [NO_MORE], [f"sleep: {NO_MORE}"])


@pytest.mark.slow
@pytest.mark.parametrize("namespaces", [True, False])
def test_a_host_that_is_killed_leaves_nothing(programs: Programs, *, namespaces: bool) -> None:
    inner, tag = tagged("print(flush=True)\nimport time\ntime.sleep(60)")
    text = (
        "from rulesengine.sandbox import Programs\n"
        f"program = Programs(namespaces={namespaces}).start({python(inner)!r})\n"
        "print(program.read_line(20).decode(), flush=True)\nimport time\ntime.sleep(60)\n"
    )
    words = ["env", f"PYTHONPATH={Path(__file__).parents[2]}", sys.executable, "-c", text]
    with programs.start(words, Limits(wall=60)) as host:
        host.read_line(60)
        assert are_running(tag)
    limit = time.monotonic() + 20
    while are_running(tag) and time.monotonic() < limit:
        time.sleep(0.01)
    assert not are_running(tag)


def test_the_supervisor_starts_without_the_package() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    script = str(Path(sandbox.__file__).with_name("start_supervisor.py"))
    command = [
        sys.executable,
        "-I",
        "-S",
        "-X",
        "importtime",
        script,
        "group",
        str(theirs.fileno()),
    ]
    with theirs:
        done = subprocess.run(command, pass_fds=[theirs.fileno()], capture_output=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    own = {name for name in imported if name.partition(".")[0] == "rulesengine"}
    expected = {"sandbox.supervisor", "support", "support.namespaces", "support.processes"}
    assert own == {f"rulesengine.{name}" for name in expected}
    assert not imported & {"subprocess", "asyncio", "logging"}
