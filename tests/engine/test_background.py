"""Compilation on background threads."""

import sys
from threading import Event

from rulesengine.engine import background


def _wait(end: Event) -> None:
    assert end.wait(10)


def test_threads_alternate_often_until_the_last_compilation_ends() -> None:
    usual = sys.getswitchinterval()
    ends = [Event(), Event()]
    begun = Event()

    def compiling(end: Event) -> background.CompileThread:
        return background.CompileThread("test", lambda: _wait(end), is_awaited=False)

    threads = [compiling(end) for end in ends]
    threads.append(background.CompileThread("test", begun.set, is_awaited=False))
    for thread in threads:
        thread.start()
    assert begun.wait(10)
    assert sys.getswitchinterval() < usual
    ends[0].set()
    threads[0].join()
    threads[2].join()
    assert sys.getswitchinterval() < usual
    ends[1].set()
    threads[1].join()
    assert sys.getswitchinterval() == usual
