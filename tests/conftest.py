"""Settings that all tests share."""

import os

from hypothesis import settings

# The gate must say the same twice; at the desk each run tries new examples.
settings.register_profile("desk", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "desk")
