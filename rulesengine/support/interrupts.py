"""Interrupts that come just as the main thread begins to wait in a call of the system.

A signal's handler in Python runs once the call is back, and what ends the call is the signal. One
that comes after Python has looked for signals, and before the call waits, ends nothing: Ctrl-C
would come to nothing until a line is typed or it is pressed again. What is left of it is a byte in
a pipe (`signal.set_wakeup_fd`). Here a thread waits for that byte, and if no handler runs soon,
sends another signal, which ends the call if it waits by then, and again until a handler has run.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Thread, current_thread, get_ident, main_thread
from time import sleep
from types import FrameType

from rulesengine.support.blocking import start_thread

_SOON = 0.01  # seconds in which a handler has mostly run
# Ends a call that waits, and does nothing else: no process is sent it that has not asked for it.
_WAKE = getattr(signal, "SIGURG", None)

_Handler = Callable[[int, FrameType | None], object]


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, each Ctrl-C raises KeyboardInterrupt, also where it comes as a read begins.

    For the main thread, and where signals can be sent to threads; elsewhere, and where Ctrl-C is
    ignored or ends the process, nothing is changed.
    """
    handler = signal.getsignal(signal.SIGINT)
    is_ours = current_thread() is main_thread() and hasattr(signal, "pthread_kill")
    if not is_ours or _WAKE is None or not callable(handler):
        yield
        return
    has_run = False
    thread = get_ident()

    def note(number: int, frame: FrameType | None) -> None:
        # Nothing is called: Python runs this between an error and its handling too (`input`).
        nonlocal has_run
        has_run = True

    def interrupt(number: int, frame: FrameType | None) -> object:
        nonlocal has_run
        has_run = True
        return handler(number, frame)

    def wake(is_over: Callable[[], bool]) -> None:
        nonlocal has_run
        has_run = False
        sleep(_SOON)
        while not (has_run or is_over()):
            signal.pthread_kill(thread, _WAKE)
            sleep(_SOON)

    with ExitStack() as stack:
        write = stack.enter_context(_watching(wake))
        for number, then in ((_WAKE, note), (signal.SIGINT, interrupt)):
            stack.callback(signal.signal, number, signal.signal(number, then))
        before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        stack.callback(signal.set_wakeup_fd, before)
        yield


@contextmanager
def _watching(wake: Callable[[Callable[[], bool]], None]) -> Iterator[int]:
    """Where to write the numbers of signals: for an interrupt a thread calls `wake`."""
    read, write = os.pipe()
    os.set_blocking(write, False)  # which `set_wakeup_fd` asks for
    is_over = False

    def watch() -> None:
        while not is_over:
            if signal.SIGINT in os.read(read, 512):
                wake(lambda: is_over)

    thread = Thread(target=watch, name="interrupts", daemon=True)
    try:
        start_thread(thread)
        try:
            yield write
        finally:
            is_over = True
            with suppress(BlockingIOError):  # there is enough to read
                os.write(write, b"\0")
            thread.join()
    finally:
        os.close(read)
        os.close(write)
