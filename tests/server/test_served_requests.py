"""The server and untrusted clients: accepted hosts, limits of its processes, and leftovers."""

import asyncio
import gc
import os
import signal
import socket
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from rulesengine.server.web import http_server, middleware, worker_pool
from rulesengine.server.web.middleware import is_own
from rulesengine.server.web.worker_handle import ForkServer, Worker
from rulesengine.server.web.worker_pool import Limits, Pool
from rulesengine.server.web.worker_request import WorkerRequest
from tests.helpers.processes import PATIENCE
from tests.helpers.served import ENDLESS, ROW, children, serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="workers are forked"),
]

OTHELLO = {"spec": {"name": "othello"}}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Yield a client of a server with short limits, started in a folder that holds a spec."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "parent.yaml").write_text(ROW)
    (folder / "main-1a2b3c4d.js").write_text("let x")
    (folder / "index.html").write_text("<!doctype html>")
    before = Path.cwd()
    os.chdir(folder)
    try:
        with serving(limits=Limits(quick=0.2, cpu=0.6), assets=folder) as client:
            yield client
    finally:
        os.chdir(before)


def post(client: httpx.Client, operation: str, **given: object) -> httpx.Response:
    return client.post(f"/api/{operation}", json=given)


def nurseries() -> set[int]:
    """Return the fork servers, one for each server."""
    found = set[int]()
    for number in children(os.getpid()):
        with suppress(OSError):  # it has gone
            if (
                b"rulesengine.server.web.fork_server"
                in Path(f"/proc/{number}/cmdline").read_bytes()
            ):
                found.add(number)
    return found


def workers() -> list[int]:
    """Return the worker processes, busy or idle."""
    return [worker for nursery in nurseries() for worker in children(nursery)]


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["kind"]


def test_a_request_is_answered_by_a_process_apart(client: httpx.Client) -> None:
    answer = post(client, "position", **OTHELLO, moves=["d3"])
    assert answer.status_code == 200
    assert answer.json()["mover"] == "white"
    assert answer.headers["content-type"] == "application/json"


def test_a_page_may_run_its_own_scripts_alone(client: httpx.Client) -> None:
    for path in ("/", "/api/games", "/nothing"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'self'; script-src 'self'; style-src 'self'; " in policy
        assert "unsafe" not in policy
        assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_files_have_tags_and_hashed_names_are_kept_for_ever(client: httpx.Client) -> None:
    page = client.get("/")
    assert (page.text, page.headers["cache-control"]) == ("<!doctype html>", "no-cache")
    again = client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" in client.get("/main-1a2b3c4d.js").headers["cache-control"]
    assert kind(client.get("/../pyproject.toml")) == (404, "unknown")
    assert kind(client.get("/%2e%2e/pyproject.toml")) == (404, "unknown")


def test_the_gallery_has_all_games_at_once(client: httpx.Client) -> None:
    table = client.get("/api/games").json()
    titles = {game["name"]: game["title"] for game in table["games"]}
    assert titles["connect-four"] == "Connect Four"
    assert "spec: 1" in client.get("/api/games/othello").json()["text"]
    assert kind(client.get("/api/games/nothing")) == (404, "unknown")
    assert client.get("/api/games/checkers").json()["name"] == "english-draughts"
    ambiguous = client.get("/api/games/mancala")
    assert kind(ambiguous) == (404, "unknown")
    assert ambiguous.json()["error"]["message"].endswith("did you mean `kalah` or `oware`?")
    picture = client.get("/api/pictures/tic-tac-toe.svg?theme=dark")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": ""}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:1"}, 403),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, 200),
        ({"host": "[::1]:8000"}, 200),
    ],
)
def test_foreign_sites_are_refused(
    client: httpx.Client, headers: dict[str, str], status: int
) -> None:
    assert client.get("/api/games/othello", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("host", "bound", "own"),
    [
        ("192.168.0.7:8000", "127.0.0.1", False),
        ("192.168.0.7:8000", "0.0.0.0", True),
        ("evil.example", "0.0.0.0", False),
        ("games.example:80", "games.example", True),
        ("[fe80::1]:8000", "::", True),
        ("localhost", "::1", True),
        ("", "", False),
    ],
)
def test_host_header_of_the_server_is_its_own(host: str, bound: str, own: bool) -> None:
    assert is_own(host, bound) is own


def test_malformed_request_is_rejected(client: httpx.Client) -> None:
    address = "/api/position"
    json = {"content-type": "application/json"}
    assert kind(client.post(address, content=b"{}")) == (400, "request")
    assert kind(client.post(address, content=b"{", headers=json)) == (400, "request")
    assert kind(client.post(address, content=b"[" * 100_000, headers=json)) == (400, "request")
    assert kind(client.post(address, content=b"[]", headers=json)) == (400, "request")
    assert kind(client.post(address, content=b" " * 2**21, headers=json)) == (413, "size")
    assert kind(post(client, "position", spec={"name": ["othello"]})) == (400, "request")
    assert kind(client.post("/api/gallery-row", json=OTHELLO)) == (404, "unknown")
    assert kind(client.get(address)) == (404, "unknown")


def test_no_file_is_read_but_the_bundled_ones(client: httpx.Client) -> None:
    for parent in ("./parent.yaml", "parent.yaml", f"{Path.cwd()}/parent.yaml", "../parent.yaml"):
        answer = post(client, "position", spec={"text": f"extends: {parent}\nname: Mine"})
        assert kind(answer) == (422, "spec")
        assert answer.json()["error"]["findings"][0]["code"] == "unknown-parent"
    mine = post(client, "position", spec={"text": "extends: othello\nname: Mine"})
    assert mine.json()["title"] == "Mine"


def test_a_spec_without_end_is_ended_and_others_are_answered_meanwhile(
    client: httpx.Client,
) -> None:
    with ThreadPoolExecutor(4) as threads:
        pending = [
            threads.submit(post, client, "position", spec={"text": f"{ENDLESS}# {number}"})
            for number in range(4)
        ]
        time.sleep(0.1)
        meanwhile = [post(client, "position", **OTHELLO).status_code for _ in range(3)]
        found = {kind(one.result()) for one in pending}
    assert found <= {(422, "limit"), (503, "busy")}
    assert 200 in meanwhile
    assert post(client, "position", spec={"text": ROW}).status_code == 200


def test_a_worker_that_dies_ends_one_request_and_no_other(client: httpx.Client) -> None:
    def search() -> httpx.Response:
        return post(client, "search", **OTHELLO, seconds=8)

    with ThreadPoolExecutor(1) as threads:
        pending = threads.submit(search)
        until = time.monotonic() + 30
        while not pending.done() and time.monotonic() < until:
            for worker in workers():
                os.kill(worker, signal.SIGKILL)
            time.sleep(0.1)
        last_line = pending.result().text.splitlines()[-1]
    assert '"failed"' in last_line
    assert post(client, "position", **OTHELLO).status_code == 200


def test_a_worker_leads_a_session_which_is_nice_where_it_works_for_strangers() -> None:
    """Check the priority of each worker's session too, for systems that schedule by session."""
    before = nurseries()
    with serving() as client:  # a client with few requests is no stranger any more
        post(client, "position", spec={"text": f"{ROW}# of a stranger"})
        (nursery,) = nurseries() - before
        found = children(nursery)
        assert [os.getsid(worker) for worker in found] == found
        nice = {worker: os.getpriority(os.PRIO_PROCESS, worker) for worker in found}
        assert max(nice.values()) == worker_pool._UNTRUSTED_NICENESS
        shared = Path("/proc/self/autogroup")
        for worker in found if shared.exists() else ():
            group = Path(f"/proc/{worker}/autogroup").read_text().split()[-1]
            assert group == str(nice[worker] // 2)


def test_a_process_that_takes_too_much_memory_is_ended() -> None:
    with serving(limits=Limits(memory=1)) as client:
        answer = post(client, "position", spec={"text": ENDLESS})
    assert kind(answer) == (422, "limit")


def test_refusal_for_cpu_time_is_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_DELAY", 1e6)  # as long as for any client
    monkeypatch.setattr(worker_pool, "_LONGEST", 1.0)
    with serving(limits=Limits(cpu=0.1)) as client:
        began = time.monotonic()
        assert kind(post(client, "position", spec={"text": ENDLESS})) == (422, "limit")
    assert time.monotonic() - began >= 1.0


def test_long_bodies_are_read_alternately(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "_TURN_SECONDS", 0.05)
    with ThreadPoolExecutor(2) as threads:
        began = time.monotonic()
        pending = [threads.submit(post, client, "position", text="x" * 2**22) for _ in range(2)]
        assert {kind(one.result()) for one in pending} == {(413, "size")}
    # 8 MiB, of which the server reads a quarter of one per turn
    assert time.monotonic() - began >= 0.3


class IdleWorker(Worker):
    """A worker without a process."""

    def __init__(self, number: int, nice: int, client: str = "", spec: bytes = b"hex") -> None:
        super().__init__(number, nice, Any, Any)  # type: ignore[arg-type]
        if client:
            self.specs.put(spec, True)
            self.clients.put((client, spec), True)

    @property
    def has_gone(self) -> bool:
        return False


def worker_of(idle: list[IdleWorker], spec: bytes, client: str, nice: int = 0) -> int:
    """Return the number of the worker for a request; 0 if it is a new one."""
    pool = Pool()
    for worker in idle:
        pool._idle[worker.nice].append(worker)

    async def fork(nice: int) -> Worker:
        return IdleWorker(0, nice)

    vars(pool._fork_server)["fork"] = fork
    question = WorkerRequest("position", b"", spec, client, False)
    found = asyncio.run(pool._worker(question, nice))
    assert found.number == 0 or found not in pool._idle[found.nice]
    return found.number


def test_client_is_assigned_its_previous_worker() -> None:
    idle = [IdleWorker(1, 0), IdleWorker(2, 0, "b"), IdleWorker(3, 0, "a")]
    assert [worker_of(idle, b"hex", client) for client in "abc"] == [3, 2, 3]
    assert worker_of(idle, b"go", "a") == 3
    assert worker_of([], b"go", "a") == 0


def test_a_quick_request_returns_to_a_worker_that_has_become_slow() -> None:
    """A new worker would load the game, and perhaps compile its kernels, once more."""
    idle = [IdleWorker(1, 0), IdleWorker(2, 5, "a"), IdleWorker(3, 19, "c")]
    assert worker_of(idle, b"hex", "a") == 2
    assert worker_of(idle, b"hex", "b") == 2  # it has at least the spec
    assert worker_of(idle, b"go", "a") == 1
    assert worker_of(idle[1:], b"go", "a") == 0
    # Workers of untrusted requests are apart, and long requests do not delay short ones.
    assert worker_of(idle, b"hex", "c", nice=10) == 3
    assert worker_of([IdleWorker(1, 0, "a")], b"hex", "a", nice=5) == 0


def test_nothing_is_left_when_the_server_has_ended() -> None:
    before = nurseries()
    with serving() as client:
        post(client, "position", **OTHELLO)
        (nursery,) = nurseries() - before
        started = [nursery, *children(nursery)]
        assert len(started) >= 2
    assert not any(Path(f"/proc/{number}").exists() for number in started)


def test_slow_request_times_out(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = (client.base_url.host, client.base_url.port or 80)
    head = b"POST /api/position HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 9\r\n"
    json = b"content-type: application/json\r\n\r\n"
    heads, bodies = (http_server, "_HEAD_SECONDS"), (middleware, "_BODY_SECONDS")
    for sent, reply, (module, seconds) in (
        (b"", b"", heads),
        (head, b"", heads),
        (head + json + b"{", b"HTTP/1.1 408", bodies),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, seconds, 0.2)
            with socket.create_connection(address, PATIENCE) as line:
                line.sendall(sent)
                assert line.recv(12) == reply


def test_a_broken_frame_ends_its_connection_alone(client: httpx.Client) -> None:
    address = (client.base_url.host, client.base_url.port or 80)
    with socket.create_connection(address, PATIENCE) as line:
        began = time.monotonic()
        line.sendall(b"\x00\xff\x16\x03\r\n\r\n")
        assert line.recv(12) == b"HTTP/1.1 400"
    # a client that sends more of it is delayed
    assert time.monotonic() - began >= http_server._BROKEN_SECONDS
    assert post(client, "position", **OTHELLO).status_code == 200


@pytest.mark.parametrize("has_answered", [False, True])
def test_the_process_that_workers_are_forked_from_is_started_again(has_answered: bool) -> None:
    before, until = nurseries(), time.monotonic() + PATIENCE
    with serving() as client:
        if has_answered:
            assert post(client, "position", **OTHELLO).status_code == 200
        while not (started := nurseries() - before):
            assert time.monotonic() < until
        for nursery in started:
            os.kill(nursery, signal.SIGKILL)
        while post(client, "position", **OTHELLO, parameters={"n": 4}).status_code != 200:
            assert time.monotonic() < until


def test_fork_after_close_leaks_no_socket() -> None:
    async def ask() -> None:
        nursery = ForkServer()
        await nursery.open()
        await nursery.close()
        with pytest.raises((EOFError, OSError)):
            await nursery.fork(0)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        asyncio.run(ask())
        gc.collect()
    assert [str(one.message) for one in warned] == []
