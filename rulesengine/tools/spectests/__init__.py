"""The `tests` of a spec: running them, reporting differences, and updating expected values."""

from rulesengine.tools.spectests.difference import Difference
from rulesengine.tools.spectests.locations import TestLocations
from rulesengine.tools.spectests.run import Test, run_test
from rulesengine.tools.spectests.update import UpdateResult, open_for_update, update

__all__ = [
    "Difference",
    "Test",
    "TestLocations",
    "UpdateResult",
    "open_for_update",
    "run_test",
    "update",
]
