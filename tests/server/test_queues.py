"""Order of service of clients, and eviction of their history."""

import asyncio
from itertools import count

import pytest

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.lru import LruCache
from rulesengine.server.web.queues import QueueLimits, RequestQueue
from rulesengine.server.web.worker_request import ClientCosts, WorkerRequest


def question(client: str, *, reads: bool = False) -> WorkerRequest:
    return WorkerRequest("position", b"", b"", client, is_long=False, reads=reads)


def served(
    waiting: list[tuple[str, bool]], costs: dict[str, float], seconds: float = 0.0
) -> list[str]:
    """Return the order in which clients get the only slot; some of them are trusted.

    Each arrives so many seconds after the one before.
    """
    clients, order = ClientCosts(), list[str]()
    for client, cost in costs.items():
        clients.record_cost(question(client), cost)
    ticks = count()
    lane = RequestQueue(QueueLimits(1, 1, 8, 8, 10.0), clients, lambda: seconds * next(ticks))

    async def ask(client: str, is_trusted: bool) -> None:
        await lane.enter(question(client, reads=client.startswith("reader")), is_trusted)
        order.append(client)
        lane.leave(is_trusted)

    async def all() -> None:
        assert lane.take(is_trusted=True)
        tasks = [asyncio.create_task(ask(*one)) for one in waiting]
        await asyncio.sleep(0)
        lane.leave(is_trusted=True)
        await asyncio.gather(*tasks)

    asyncio.run(all())
    return order


def test_trusted_clients_come_first_then_cheap_ones() -> None:
    waiting = [("new", False), ("dear", False), ("cheap", False), ("known", True)]
    order = served(waiting, {"dear": 5.0, "cheap": 0.001})
    assert order == ["known", "cheap", "new", "dear"]


def test_cheap_requests_come_before_expensive_ones() -> None:
    waiting = [("new", False), ("reader", False), ("known", True)]
    assert served(waiting, {}) == ["known", "reader", "new"]


def test_expensive_client_is_not_starved() -> None:
    waiting = [("dear", False), *((f"new {n}", False) for n in range(4))]
    order = served(waiting, {"dear": 2.0}, seconds=5.0)
    assert order.index("dear") not in (0, 4)


def test_newcomers_are_trusted_with_short_texts_until_one_takes_long() -> None:
    clients = ClientCosts()
    assert clients.is_modest(question("new", reads=True))
    assert not clients.is_modest(question("new"))
    clients.record_cost(question("dear", reads=True), 0.4)
    assert not clients.is_modest(question("new", reads=True))
    for number in range(100):
        clients.record_cost(question(f"cheap {number}", reads=True), 0.01)
    assert clients.is_modest(question("new", reads=True))
    assert clients.is_modest(question("cheap 99"))
    assert not clients.is_modest(question("dear", reads=True))


def test_equals_are_served_in_the_order_in_which_they_came() -> None:
    assert served([("b", False), ("a", False), ("c", False)], {}) == ["b", "a", "c"]


def test_strangers_do_not_get_all_places() -> None:
    lane = RequestQueue(QueueLimits(2, 1, 8, 8, 10.0), ClientCosts())
    assert lane.take(is_trusted=False)
    assert not lane.take(is_trusted=False)
    assert lane.take(is_trusted=True)
    assert not lane.take(is_trusted=True)


@pytest.mark.parametrize("room", [QueueLimits(0, 0, 0, 8, 10.0), QueueLimits(0, 0, 8, 0, 10.0)])
def test_full_queue_rejects_requests(room: QueueLimits) -> None:
    with pytest.raises(RequestError) as refused:
        asyncio.run(RequestQueue(room, ClientCosts()).enter(question("one"), is_trusted=True))
    assert refused.value.kind == "busy"


def test_queued_request_times_out() -> None:
    lane = RequestQueue(QueueLimits(0, 0, 8, 8, 0.01), ClientCosts())
    with pytest.raises(RequestError):
        asyncio.run(lane.enter(question("one"), is_trusted=True))


def test_lru_cache_evicts_the_least_recently_used() -> None:
    kept = LruCache[str, int](2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.find(["x", "a"]) == 1
    kept.put("c", 3)
    assert [kept.find([key]) for key in "abc"] == [1, None, 3]
