"""`serve` from the command line: its address, its output, its end."""

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.helpers.cli_calls import call
from tests.helpers.processes import COMMAND, PATIENCE, running
from tests.helpers.served import descendants

pytestmark = pytest.mark.slow


@pytest.mark.skipif(os.name != "posix", reason="workers are forked")
@pytest.mark.parametrize(("end", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_no_process_is_left_however_the_server_ends(end: signal.Signals, code: int) -> None:
    with running(*COMMAND, "serve", "--port", "0") as process:
        assert process.stdout
        home = process.stdout.readline().decode().split()[0]
        body = {"spec": {"name": "tic-tac-toe"}, "moves": ["a1"]}
        answer = httpx.post(f"{home}api/position", json=body, timeout=PATIENCE)
        assert answer.json()["ply"] == 1
        started = descendants(process.pid)
        process.send_signal(end)
        assert process.wait(PATIENCE) == code
        assert process.stderr
        assert process.stderr.read() == b""
    assert len(started) >= 2
    until = time.monotonic() + PATIENCE
    while any(map(is_there, started)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(is_there, started))


@pytest.mark.skipif(os.name != "posix", reason="workers are forked")
def test_an_answer_under_way_ends_with_the_server() -> None:
    with running(*COMMAND, "serve", "--port", "0") as process:
        assert process.stdout
        home = process.stdout.readline().decode().split()[0]
        body = {"spec": {"name": "othello"}, "seconds": 8}
        with httpx.stream("POST", f"{home}api/search", json=body, timeout=PATIENCE) as answer:
            lines = answer.iter_lines()
            assert json.loads(next(lines))["done"] is False
            process.send_signal(signal.SIGINT)
            *_, last = lines
        assert json.loads(last)["error"]["kind"] == "failed"
        assert process.wait(PATIENCE) == 130
        assert process.stderr
        assert process.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="workers are forked")
def test_an_interrupt_before_workers_are_there_ends_all() -> None:
    with running(*COMMAND, "serve", "--port", "0") as process:
        assert process.stdout
        process.stdout.readline()
        until = time.monotonic() + PATIENCE
        while not (started := descendants(process.pid)) and time.monotonic() < until:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stderr
        assert process.stderr.read() == b""
    assert started
    assert not any(map(is_there, started))


def is_there(number: int) -> bool:
    """True if a process runs, and is no zombie."""
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_port_in_use_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = call("serve", "--port", str(port))
    assert result.code == 2
    assert f"port {port} is in use" in result.err


def test_an_address_of_others_is_reported() -> None:
    result = call("serve", "--host", "192.0.2.1")  # of documentation alone, RFC 5737
    assert result.code == 2
    assert "192.0.2.1" in result.err


def test_serve_without_its_extra_names_the_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [n for n in sys.modules if n.startswith("rulesengine.server.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = call("serve")
    assert result.code == 2
    assert "`pip install '.[web]'` in a clone" in result.err
