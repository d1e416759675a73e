"""The progress of long commands, on standard error if it is a terminal.

It is a line of text, or a bar if tqdm is installed.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any

from rulesengine.cli.compile_log import CompileLog, compile_log
from rulesengine.cli.output import print_error
from rulesengine.job import Job

_PATIENCE = 2.0  # seconds until it appears
_POLL_SECONDS = 0.2  # seconds between two updates
_SLOW = 5.0  # seconds of a job for which machine code is worth an installation
_MANY = 10_000  # larger counts are shown in thousands
_COLUMNS, _LINES = 80, 24  # of a terminal that does not report its size


@contextmanager
def progress(
    label: str, unit: str = "", total: int | None = None, *, engine: str = ""
) -> Iterator[Job]:
    """Show the progress of a job, out of `total` if that is known, until the block ends.

    Without a unit only the time is shown. A compilation is shown by the name of its kernel. If
    kernels that took long to compile cannot be cached, report that at the end. `engine` is the one
    selected, for a job that machine code makes faster; if that is missing, report it after long
    jobs.
    """
    job, is_shown = Job(), bool(sys.stderr) and sys.stderr.isatty()
    start_time = monotonic()
    with compile_log(is_shown=is_shown) as log:
        if is_shown:
            with ProgressThread(job, label, unit, total, log).running():
                yield job
        else:
            yield job
    if engine == "auto" and monotonic() - start_time > _SLOW and find_spec("llvmlite") is None:
        print_error(
            f"machine code makes `{label}` faster: `pip install '.[native]'` in a clone adds it"
        )


class ProgressThread(Thread):
    """A thread that polls a job and shows its progress; it imports tqdm only when it appears."""

    def __init__(self, job: Job, label: str, unit: str, total: int | None, log: CompileLog) -> None:
        super().__init__(daemon=True)
        self._job, self._label, self._unit, self._total, self._log = job, label, unit, total, log
        self._over, self._begun = Event(), monotonic()
        self._writing = RLock()
        self._text = ""  # on the terminal

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the thread for the duration of a block."""
        from rulesengine.support.blocking import start_thread

        start_thread(self)
        try:
            yield
        finally:
            self._over.set()
            self.join()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the line or the bar while a block prints."""
        bar = getattr(sys.modules.get("tqdm"), "tqdm", None)
        with ExitStack() as stack:
            stack.enter_context(self._writing)
            if bar:
                stack.enter_context(bar.external_write_mode())
            self._write("")
            yield

    def run(self) -> None:
        """Show the progress after a while, until the job is over."""
        if self._over.wait(_PATIENCE):
            return
        if find_spec("tqdm") is None:
            self._show_line()
        else:
            self._show_bar()

    def _show_line(self) -> None:
        while not self._over.wait(_POLL_SECONDS):
            with self._writing:
                self._write(self._line())
        with self._writing:
            self._write("")

    def _line(self) -> str:
        """Return the text of the line, such as `study: 120 games, 0:07`."""
        minutes, seconds = divmod(int(monotonic() - self._begun), 60)
        time = f"{minutes}:{seconds:02}"
        of = f" of {self._total:,}" if self._total else ""
        count = f"{self._job.done:,}{of} {self._unit}, " if self._unit else ""
        compiling = self._log.current
        return f"{self._label}: {count}{time}{f', compiling {compiling}' if compiling else ''}"

    def _write(self, text: str) -> None:
        """Replace the line on the terminal; spaces erase the rest of the last one."""
        text = text[: _size()[0] - 1]
        if text == self._text:
            return
        erased = " " * (len(self._text) - len(text))
        self._text = text
        back = "\r" if not text else ""
        sys.stderr.write(f"\r{text}{erased}{back}")
        sys.stderr.flush()

    def _show_bar(self) -> None:
        from tqdm import tqdm

        tqdm.set_lock(RLock())  # the default lock is shared with processes: slow to create
        columns, lines = _size()
        done, total, unit = self._job.done, self._total, self._unit
        form = None if unit else "{desc}: {elapsed}"
        with tqdm(desc=self._label, total=total, unit=f" {unit}", initial=done, leave=False,
                  unit_scale=max(done, total or 0) > _MANY, bar_format=form,
                  ncols=columns, nrows=lines) as bar:  # fmt: skip
            bar.initial, bar.start_t = 0, bar.start_t - _PATIENCE  # count from the start of the job
            while not self._over.wait(_POLL_SECONDS):
                self._update(bar)

    def _update(self, bar: Any) -> None:
        compiling = self._log.current
        bar.set_description_str(
            f"{self._label}, compiling {compiling}" if compiling else self._label, refresh=False
        )
        bar.n = self._job.done
        bar.refresh()


def _size() -> tuple[int, int]:
    """Return the columns and lines of the terminal."""
    try:
        columns, lines = os.get_terminal_size(sys.stderr.fileno())
    except (OSError, ValueError):
        columns = lines = 0
    return columns or _COLUMNS, lines or _LINES
