"""The public path of `rulesengine.adapters.pettingzoo`."""

from rulesengine.adapters.pettingzoo import env, parallel_env

__all__ = ["env", "parallel_env"]
