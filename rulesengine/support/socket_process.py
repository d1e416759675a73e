"""Start of a process that is controlled over a socket."""

import socket
import subprocess
from collections.abc import Mapping, Sequence


def start_with_socket(
    command: Sequence[str], *, shows_errors: bool = False, env: Mapping[str, str] | None = None
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a process in a session of its own; return it and our end of a socket pair.

    The number of its own end is appended to the command. It has no other open descriptor except,
    with `shows_errors`, standard error. Raises OSError.
    """
    ours, theirs = socket.socketpair()
    nothing = subprocess.DEVNULL
    try:
        with theirs:
            process = subprocess.Popen(
                [*command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env=env,
                stdin=nothing,
                stdout=nothing,
                stderr=None if shows_errors else nothing,
                start_new_session=True,
            )
    except BaseException:
        ours.close()
        raise
    return process, ours
