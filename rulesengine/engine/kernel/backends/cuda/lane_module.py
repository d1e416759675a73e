"""Merge the functions of a module for lanes.

One function for all sides avoids divergence of lanes that play for different sides, and halves the
time of the assembler. See decision 186.
"""

from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.code.function_merging import merge_equal
from rulesengine.engine.kernel.code.side_merging import merge_sides


def lane_module(module: Module) -> Module:
    """Merge the functions of sides and equal functions; return the module, which is changed."""
    return merge_equal(merge_sides(module, with_endings=True))
