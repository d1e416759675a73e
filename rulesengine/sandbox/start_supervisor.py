"""The script that runs the supervisor: `python -I -S start_supervisor.py CONFINEMENT FD`.

It imports the supervisor without the `__init__` modules of the package. These take ten times as
long as the supervisor itself, and need libraries that `-S` hides.
"""

import sys
from types import ModuleType

_FOLDER = __file__.rpartition("/")[0]
_FOLDERS = (("rulesengine", _FOLDER.rpartition("/")[0]), ("rulesengine.sandbox", _FOLDER))


def main() -> None:
    """Register empty packages, and run the supervisor."""
    for name, folder in _FOLDERS:
        package = ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package
    from rulesengine.sandbox.supervisor import main as supervise

    supervise(int(sys.argv[2]), sys.argv[1])


if __name__ == "__main__":
    main()
