"""The `tests` of a spec: running them, reporting differences, and updating expected values."""

from rulesengine.tools.spectests.difference import Difference
from rulesengine.tools.spectests.locations import Places
from rulesengine.tools.spectests.run import Test, run_test
from rulesengine.tools.spectests.update import Updated, open_for_update, update

__all__ = ["Difference", "Places", "Test", "Updated", "open_for_update", "run_test", "update"]
