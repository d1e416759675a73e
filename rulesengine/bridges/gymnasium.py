"""The public path of `rulesengine.adapters.gymnasium`."""

from rulesengine.adapters.gymnasium import SPEC, env_id, make, make_vec

__all__ = ["SPEC", "env_id", "make", "make_vec"]
