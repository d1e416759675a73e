"""A bar on standard error for what takes long, where that is a terminal and tqdm is installed."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Event, RLock, Thread

from rulesengine.job import Job

_PATIENCE = 2.0  # seconds without a bar
_LOOK = 0.2  # seconds between two looks at what is done
_MANY = 10_000  # are told in thousands
_COLUMNS, _LINES = 80, 24  # of a terminal that does not know its own


@contextmanager
def progress(what: str, unit: str = "", total: int | None = None) -> Iterator[Job]:
    """Show how far a job is, of a `total` if that is known, until the block is left.

    Without a unit the time alone is shown. A thread of its own looks at the job, and loads what
    draws the bar only when it is time.
    """
    job, over = Job(), Event()
    shown = Thread(target=_show, args=(job, over, what, unit, total)) if _is_wanted() else None
    if shown:
        from rulesengine.support.blocking import start_thread

        start_thread(shown)
    try:
        yield job
    finally:
        over.set()
        if shown:
            shown.join()


def _is_wanted() -> bool:
    return bool(sys.stderr) and sys.stderr.isatty() and find_spec("tqdm") is not None


def _show(job: Job, over: Event, what: str, unit: str, total: int | None) -> None:
    if over.wait(_PATIENCE):
        return
    from tqdm import tqdm

    tqdm.set_lock(RLock())  # that of its own is made for processes too, which takes time
    columns, lines = os.get_terminal_size(sys.stderr.fileno())
    form = None if unit else "{desc}: {elapsed}"
    with tqdm(desc=what, total=total, unit=f" {unit}", unit_scale=max(job.done, total or 0) > _MANY,
              initial=job.done, leave=False, bar_format=form,
              ncols=columns or _COLUMNS, nrows=lines or _LINES) as bar:  # fmt: skip
        bar.initial, bar.start_t = 0, bar.start_t - _PATIENCE  # as if it had been there before
        while not over.wait(_LOOK):
            bar.n = job.done
            bar.refresh()
