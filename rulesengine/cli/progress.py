"""A progress bar for long jobs, if standard error is a terminal and tqdm is installed."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Event, RLock, Thread

from rulesengine.job import Job

_PATIENCE = 2.0  # seconds until the bar appears
_LOOK = 0.2  # seconds between two updates
_MANY = 10_000  # larger counts are shown in thousands
_COLUMNS, _LINES = 80, 24  # of a terminal that does not report its size


@contextmanager
def progress(what: str, unit: str = "", total: int | None = None) -> Iterator[Job]:
    """Show the progress of a job, out of `total` if that is known, until the block ends.

    Without a unit only the time is shown. A separate thread polls the job, and imports tqdm only
    when the bar appears.
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

    tqdm.set_lock(RLock())  # the default lock is shared with processes, which is slow to create
    columns, lines = os.get_terminal_size(sys.stderr.fileno())
    form = None if unit else "{desc}: {elapsed}"
    with tqdm(desc=what, total=total, unit=f" {unit}", unit_scale=max(job.done, total or 0) > _MANY,
              initial=job.done, leave=False, bar_format=form,
              ncols=columns or _COLUMNS, nrows=lines or _LINES) as bar:  # fmt: skip
        bar.initial, bar.start_t = 0, bar.start_t - _PATIENCE  # count from the start of the job
        while not over.wait(_LOOK):
            bar.n = job.done
            bar.refresh()
