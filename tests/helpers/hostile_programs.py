"""Hostile programs for tests of a judge, each with the verdicts that it may get.

A program starts with the imports of `START`. It is judged on one case with the input `x` and the
expected output `secret`, with half a second of CPU time and 64 MB.
"""

from types import MappingProxyType

START = """import glob, os, resource, signal, sys, threading, time
parent = os.getppid()
above = int(open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[1])
"""

_DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    time.sleep(600)
"""
_QUIET = "os.close(0); os.close(1); os.close(2)"

# Name: text, verdicts with a PID namespace, verdicts without one.
PROGRAMS: MappingProxyType[str, tuple[str, str, str]] = MappingProxyType(
    {
        "stops_parent": ("os.kill(parent, signal.SIGSTOP)\ntime.sleep(600)", "T", "C"),
        "stops_parent_often": (
            "while True: os.kill(parent, signal.SIGSTOP)\n", "T", "C"),
        "stops_both": (
            "os.kill(above or 1, signal.SIGSTOP); os.kill(parent, signal.SIGSTOP)\ntime.sleep(600)",
            "T", "C"),
        "kills_parent": ("os.kill(parent, signal.SIGKILL)\ntime.sleep(600)", "T", "C"),
        "kills_both": (
            "os.kill(parent, signal.SIGKILL); os.kill(above or 1, signal.SIGKILL)\ntime.sleep(600)",
            "T", "C"),
        "kills_parent_from_daemon": (
            _DAEMON.replace("time", "os.kill(parent, 9)\n    time") + "time.sleep(600)", "T", "C"),
        "terminates_parent": ("os.kill(parent, signal.SIGTERM)\ntime.sleep(600)", "T", "C"),
        "notifies_parent": ("while True: os.kill(parent, signal.SIGCHLD)", "T", "T"),
        "kills_its_group": ("os.killpg(0, signal.SIGKILL)", "C", "C"),
        "stops_itself": ("os.kill(os.getpid(), signal.SIGSTOP)", "T", "T"),
        "daemon": (_DAEMON + "print('no')", "W", "W"),
        "daemon_that_is_quiet": (_DAEMON.replace("time", _QUIET + "\n    time"), "W", "W"),
        "fork_bomb": ("for _ in range(9): os.fork()\ntime.sleep(600)", "C", "C"),
        "thread_bomb": (
            "while True: threading.Thread(target=time.sleep, args=(600,)).start()", "TMC", "TMC"),
        "zombies": (
            "for _ in range(29):\n    if os.fork() == 0: os._exit(0)\ntime.sleep(600)", "T", "T"),
        "many_short_children": (
            "while True:\n    if os.fork() == 0: os._exit(0)\n    os.wait()", "T", "T"),
        "chain_of_children": ("while True:\n    if os.fork(): os._exit(0)", "TWC", "TWC"),
        "chain_of_programs": ("os.execv(sys.executable, [sys.executable, *sys.argv])", "T", "T"),
        "ignores_signals": (
            "for number in range(1, 32):\n    try: signal.signal(number, signal.SIG_IGN)\n"
            "    except OSError: pass\ntime.sleep(600)", "T", "T"),
        "sleeps": ("time.sleep(600)", "T", "T"),
        "computes": ("while True: pass", "T", "T"),
        "closes_its_streams": (_QUIET + "\ntime.sleep(600)", "T", "T"),
        "closes_all": ("os.closerange(0, 4096)\ntime.sleep(600)", "T", "T"),
        "floods_output": ("while True: os.write(1, b'x' * 65536)", "W", "W"),
        "floods_errors": ("while True: os.write(2, b'x' * 65536)", "W", "W"),
        "nul_bytes": ("os.write(1, bytes(10000))", "W", "W"),
        "hoards": ("kept = []\nwhile True: kept.append(bytes(range(256)) * 4096)", "M", "M"),
        "hoards_in_children": (
            "for _ in range(8):\n    if os.fork() == 0: break\nkept = bytes(range(256)) * 65536\n"
            "time.sleep(600)", "M", "M"),
        "fills_the_disk": (
            "f = open('f', 'wb')\nwhile True: f.write(bytes(2**20))", "TWC", "TWC"),
        "deep_folders": (
            "for _ in range(1100): os.mkdir('d'); os.chdir('d')", "W", "W"),
        "locked_folders": (
            "os.makedirs('a/b'); open('a/b/f', 'w'); os.chmod('a/b', 0); os.chmod('a', 0)\n"
            "os.chmod('.', 0)", "W", "W"),
        "removes_its_folder": ("os.rmdir(os.getcwd())", "W", "W"),
        "escape_sequences": (
            r"os.write(2, b'\x1b[2J\x1b]0;taken\x07\x1b[31mbad\x9b\xff\rworse'); sys.exit(3)",
            "C", "C"),
        "reads_the_answer": (
            "found = [*glob.glob('../*.ans'), *glob.glob('*.ans'), *glob.glob('*/*.ans')]\n"
            "found += [*glob.glob(os.environ.get('OLDPWD', '/none') + '/*.ans')]\n"
            "print(*(open(path).read() for path in found), end='')", "W", "W"),
        "lifts_its_limits": (
            "for kind in (resource.RLIMIT_CPU, resource.RLIMIT_DATA):\n"
            "    try: resource.setrlimit(kind, (-1, -1))\n"
            "    except (OSError, ValueError): pass\nwhile True: pass", "T", "T"),
        "child_holds_the_output": (
            "if os.fork() == 0: time.sleep(600)\nprint('no')", "W", "W"),
    }
)  # fmt: skip
