"""Temporary folders in which programs run."""

from contextlib import AbstractContextManager
from pathlib import Path

from rulesengine.support.leftovers import temporary_folder


def work_folder() -> AbstractContextManager[Path]:
    """Yield an empty folder for a program, and delete it with all that the program left there."""
    return temporary_folder("rulesengine-program-")
