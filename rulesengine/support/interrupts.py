"""Interrupts that arrive just before the main thread blocks in a system call.

Python runs signal handlers after a system call returns, and a signal makes the call return. A
signal that arrives after Python's last check and before the call blocks has no effect. Ctrl-C would
be lost until a line is typed or it is pressed again. It leaves a byte in a pipe
(`signal.set_wakeup_fd`). Here a thread waits for that byte. If no handler runs soon, it sends
further signals, which interrupt the call, until a handler has run. See decision 080.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Thread, current_thread, get_ident, main_thread
from time import sleep
from types import FrameType

from rulesengine.support.blocking import start_thread

_HANDLER_SECONDS = 0.01  # seconds in which a handler usually runs
# A signal that only interrupts a blocking call; no process gets it without requesting it.
_WAKE = getattr(signal, "SIGURG", None)

_Handler = Callable[[int, FrameType | None], object]


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for each Ctrl-C in the `with` block, even as a read begins.

    It works on the main thread, on systems that can send signals to threads. Elsewhere, or if
    Ctrl-C is ignored or ends the process, nothing changes.
    """
    handler = signal.getsignal(signal.SIGINT)
    is_ours = current_thread() is main_thread() and hasattr(signal, "pthread_kill")
    if not is_ours or _WAKE is None or not callable(handler):
        yield
        return
    has_run = False
    thread = get_ident()

    def note(number: int, frame: FrameType | None) -> None:
        # No calls here: Python also runs this between an error and its handler (`input`).
        nonlocal has_run
        has_run = True

    def interrupt(number: int, frame: FrameType | None) -> object:
        nonlocal has_run
        has_run = True
        return handler(number, frame)

    def wake(is_over: Callable[[], bool]) -> None:
        nonlocal has_run
        has_run = False
        sleep(_HANDLER_SECONDS)
        while not (has_run or is_over()):
            signal.pthread_kill(thread, _WAKE)
            sleep(_HANDLER_SECONDS)

    with ExitStack() as stack:
        write = stack.enter_context(_watching(wake))
        for number, then in ((_WAKE, note), (signal.SIGINT, interrupt)):
            stack.callback(signal.signal, number, signal.signal(number, then))
        before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        stack.callback(signal.set_wakeup_fd, before)
        yield


@contextmanager
def _watching(wake: Callable[[Callable[[], bool]], None]) -> Iterator[int]:
    """Yield a descriptor for signal numbers; a thread calls `wake` for each interrupt."""
    read, write = os.pipe()
    os.set_blocking(write, False)  # required by `set_wakeup_fd`
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
            with suppress(BlockingIOError):  # the pipe is full, so that the thread wakes anyway
                os.write(write, b"\0")
            thread.join()
    finally:
        os.close(read)
        os.close(write)
