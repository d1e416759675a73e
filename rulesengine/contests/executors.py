"""Where units are played: in threads, in processes of their own, or by Dask."""

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any
from uuid import uuid4

from rulesengine.errors import UsageError
from rulesengine.job import Job

_LIVES = 3  # how often in a row processes are started anew that have died without a result
_LOGGERS = ("asyncio", "distributed", "distributed.client", "tornado.application")
# How much our own workers log, which they read before they import anything that does so.
_LEVEL = "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED"
_ANSWER = 10  # seconds until a scheduler that is silent is taken to be gone


class Pool:
    """An executor, made anew where its workers have died; `size` is how many there are.

    Workers that are threads of this process share a `job`, by which closing stops them.
    """

    def __init__(
        self, make: Callable[[], Executor], size: int, lives: int = 0, job: Job | None = None
    ) -> None:
        self.executor = make()
        self.size = size
        self.job = job
        self._make = make
        self._lives = self._left = lives

    def worked(self) -> None:
        """A result has come."""
        self._left = self._lives

    def renew(self) -> None:
        """Take a new executor. Raises UsageError if workers die again and again."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self._left -= 1
        if self._left < 0:
            raise UsageError("workers have died: what was finished before is kept")
        self.executor = self._make()

    def close(self) -> None:
        """End the executor; units that have begun come to nothing."""
        if self.job:
            self.job.stop()
        self.executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def threads(count: int) -> Iterator[Pool]:
    """Threads of this process: for programs, and for games that kernels play."""
    yield from _closed(Pool(lambda: ThreadPoolExecutor(count), count, job=Job()))


@contextmanager
def processes(count: int) -> Iterator[Pool]:
    """Processes of their own, started from nothing; one that dies is replaced."""

    def make() -> Executor:
        return ProcessPoolExecutor(count, get_context("spawn"), _begin)

    yield from _closed(Pool(make, count, _LIVES))


@contextmanager
def dask(address: str | None = None, count: int = 2) -> Iterator[Pool]:
    """A scheduler of Dask at an address, or one of our own with so many workers.

    Raises UsageError without the extra `dask`, and where no scheduler answers.
    """
    if find_spec("distributed") is None:
        raise UsageError("Dask needs the extra `dask`")
    distributed: Any = import_module("distributed")  # half of it has types
    with ExitStack() as opened:
        opened.enter_context(_silent())
        opened.enter_context(import_module("dask").config.set({_LEVEL: "critical"}))
        try:
            cluster = address or opened.enter_context(
                distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, dashboard_address=None
                )
            )
            client = opened.enter_context(distributed.Client(cluster, timeout=_ANSWER))
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(f"no scheduler at `{address}`: {str(error)[:200]}") from None
        size = len(client.scheduler_info()["workers"]) or count
        yield from _closed(Pool(lambda: _Plain(client.get_executor()), size))


def given(executor: Executor, size: int = 4) -> Pool:
    """An executor of somebody else, who also ends it; units wait in it, `size` at a time."""
    return Pool(lambda: executor, size)


def pool_of(executor: Executor | Pool | None) -> Pool | None:
    """A pool as it is, any other executor as one."""
    return executor if isinstance(executor, Pool) or executor is None else given(executor)


@contextmanager
def _silent() -> Iterator[None]:
    """Keep what libraries log from the terminal: what has gone wrong is told in a sentence."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class _Plain(Executor):
    """Dask's executor, which gets what is sent as one thing that it does not look into."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, fn: Callable[..., Any], /, *args: Any, **keywords: Any) -> "Future[Any]":
        return self._inner.submit(_call, fn, _Sealed(args), **keywords)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait)


class _Sealed:
    """Arguments of a call; Dask would hash all that is in them, and takes no records."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = args

    def __dask_tokenize__(self) -> str:
        return uuid4().hex


def _call(function: Callable[..., Any], sealed: _Sealed) -> Any:
    return function(*sealed.args)


def _closed(pool: Pool) -> Iterator[Pool]:
    try:
        yield pool
    finally:
        pool.close()


def _begin() -> None:
    """An interrupt at the terminal is the driver's, who ends the workers."""
    signal(SIGINT, SIG_IGN)
    Thread(target=_end_with_driver, daemon=True).start()


def _end_with_driver() -> None:
    """Leave nothing behind, whatever becomes of the driver: who is killed ends no workers, and
    these would wait for work from one another's ends of a pipe for ever.
    """
    if driver := parent_process():
        driver.join()
        os._exit(1)
