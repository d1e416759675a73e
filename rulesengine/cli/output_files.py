"""Checks of the files that a command writes at its end, before hours of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.support.files import are_one_file, require_writable
from rulesengine.support.resources import is_path

if TYPE_CHECKING:
    from rulesengine.cli.shared_options import Options

_OTHERS = ("out", "report", "resume", "position", "openings")  # options with files


def check_outputs(options: Options, *names: str) -> None:
    """Raise UsageError for a file of these options that is not writable, or has another use."""
    known = {f"`--{name}`": getattr(options, name, None) for name in _OTHERS if name not in names}
    if is_path(options.spec):
        known["the spec"] = options.spec
    for name in names:
        path = getattr(options, name)
        if path is None:
            continue
        for use, other in known.items():
            if other is not None and are_one_file(path, other):
                raise UsageError(f"--{name}: {path}: would overwrite the file of {use}")
        require_writable(path)
        known[f"`--{name}`"] = path
