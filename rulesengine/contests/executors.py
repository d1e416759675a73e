"""Executors for units: threads, processes, Dask, or one of the caller."""

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
from rulesengine.support.temporary_cache import cache_for_workers

_LIVES = 3  # consecutive restarts of worker processes without a result
_LOGGERS = ("asyncio", "distributed", "distributed.client", "tornado.application")
# The log level of local Dask workers; they read it before they import anything that logs.
_LEVEL = "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED"
_ANSWER = 10  # timeout of the scheduler's answer in seconds


class Pool:
    """An executor that is replaced when its workers die; `size` is the number of workers.

    Workers that are threads of this process share a `job`; closing the pool cancels it.
    """

    def __init__(
        self, make: Callable[[], Executor], size: int, lives: int = 0, job: Job | None = None
    ) -> None:
        self.executor = make()
        self.size = size
        self.job = job
        self._factory = make
        self._lives = self._restarts_left = lives

    def worked(self) -> None:
        """Reset the number of restarts: a result has arrived."""
        self._restarts_left = self._lives

    def renew(self) -> None:
        """Replace the executor. Raises UsageError if workers die repeatedly."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self._restarts_left -= 1
        if self._restarts_left < 0:
            raise UsageError("workers have died: finished games are stored")
        self.executor = self._factory()

    def close(self) -> None:
        """Shut down the executor; running units are discarded."""
        if self.job:
            self.job.stop()
        self.executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def threads(count: int) -> Iterator[Pool]:
    """Yield a pool of threads: for external programs, and for games played by kernels."""
    with cache_for_workers():
        yield from _closed(Pool(lambda: ThreadPoolExecutor(count), count, job=Job()))


@contextmanager
def processes(count: int) -> Iterator[Pool]:
    """Yield a pool of spawned processes; one that dies is replaced."""

    def make() -> Executor:
        return ProcessPoolExecutor(count, get_context("spawn"), _begin)

    with cache_for_workers():
        yield from _closed(Pool(make, count, _LIVES))


@contextmanager
def dask(address: str | None = None, count: int = 2) -> Iterator[Pool]:
    """Yield a pool on the Dask scheduler at `address`, or on a local cluster of `count` workers.

    Raises UsageError without the extra `dask`, or if no scheduler answers.
    """
    if find_spec("distributed") is None:
        raise UsageError("Dask needs the extra `dask`")
    distributed: Any = import_module("distributed")  # partly untyped
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
        yield from _closed(Pool(lambda: _OpaqueExecutor(client.get_executor()), size))


def wrap_executor(executor: Executor, size: int = 4) -> Pool:
    """Return a pool for an executor that the caller owns and shuts down.

    Units wait in its queue; about twice `size` are submitted at a time.
    """
    return Pool(lambda: executor, size)


def pool_of(executor: Executor | Pool | None) -> Pool | None:
    """Return a pool unchanged, and any other executor as a pool."""
    if not (executor is None or isinstance(executor, Pool) or hasattr(executor, "submit")):
        raise UsageError(f"expected an executor, found {executor!r:.40}")
    return executor if isinstance(executor, Pool) or executor is None else wrap_executor(executor)


@contextmanager
def _silent() -> Iterator[None]:
    """Suppress the log messages of libraries; errors are reported as one sentence."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class _OpaqueExecutor(Executor):
    """A wrapper of Dask's executor that submits the arguments of a call as one opaque object."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, fn: Callable[..., Any], /, *args: Any, **keywords: Any) -> "Future[Any]":
        return self._inner.submit(_call, fn, _OpaqueArguments(args), **keywords)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait)


class _OpaqueArguments:
    """Opaque arguments of a call; otherwise Dask hashes their contents and rejects records."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = args

    def __dask_tokenize__(self) -> str:
        return uuid4().hex


def _call(function: Callable[..., Any], sealed: _OpaqueArguments) -> Any:
    return function(*sealed.args)


def _closed(pool: Pool) -> Iterator[Pool]:
    try:
        yield pool
    finally:
        pool.close()


def _begin() -> None:
    """Initialise a worker process: ignore SIGINT, since the driver ends its workers."""
    signal(SIGINT, SIG_IGN)
    Thread(target=_end_with_driver, daemon=True).start()


def _end_with_driver() -> None:
    """Exit when the driver exits.

    A killed driver does not end its workers, which would wait for work forever on each other's ends
    of a pipe.
    """
    if driver := parent_process():
        driver.join()
        os._exit(1)
