"""The public path of `rulesengine.adapters.gymnasium`."""

from rulesengine.adapters.gymnasium import make, make_vec

__all__ = ["make", "make_vec"]
