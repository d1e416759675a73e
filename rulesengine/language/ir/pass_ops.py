"""The operations that only passes create; see `ops`."""

from types import MappingProxyType

from rulesengine.language.ir.signature import (
    Signature,
    by_cell,
    by_direction,
    by_ray,
    once,
    pass_row,
)

# fmt: off
PASS_OPS: MappingProxyType[str, Signature] = MappingProxyType(
    {
        # the cells with numbers in a range, and the sum of the numbers of a set
        "cells_with": pass_row(
            "number", "number", to="cells", value="its name", cost=once, reads="registers",
        ),
        "total": pass_row("cells", to="number", value="its name", cost=once, reads="registers"),
        # true if a position of the game so far, this one included, has so many pieces on each plane
        "met": pass_row("number*", to="flag", cost=once, reads="pieces history"),
        # inverse images: the cells from which steps and runs lead to a set
        "back": pass_row(
            "cells", "directions*", to="cells", cost=by_direction, reads="",
            traits="additive, additive",
        ),
        "toward": pass_row(
            "cells", "cells", "number", "number", "directions", to="cells", cost=by_ray, reads="",
        ),
        # components of a set that are adjacent to several cells of another, or to one; or these
        # cells
        "components": pass_row(
            "cells", "cells", to="cells", value="several, one or last", cost=by_cell, reads="",
        ),
        # components of a set with at least so many cells, or the cells outside it that would make
        # such a component
        "large_groups": pass_row(
            "cells", to="cells", value="alone or joined, and a number", cost=by_cell, reads="",
        ),
        # the cells with a sum of weights, over the sets that contain them, in a range
        "tally": pass_row(
            "cells*", to="cells", value="weights, bounds and modulus", cost=once, reads="",
        ),
        # the cells of the first set with the greatest or least sum of weights over the other sets
        "best": pass_row(
            "cells", "cells*", to="cells", value="most or least, and weights", cost=once, reads="",
        ),
    }
)
# fmt: on
