"""Operations on tiles: lowering replaces them by shifts. See decision 171."""

from types import MappingProxyType

from rulesengine.language.ir.signature import Signature, value_row

# fmt: off
TILE_OPS: MappingProxyType[str, Signature] = MappingProxyType(
    {
        # the cells of the tile of a kind in a form, if its first cell is here
        "tile": value_row(
            "cell", "kind", "number", to="cells", reads="names", fails="", role="tile",
        ),
        # the first cells of such tiles that lie within a set
        "fitting": value_row(
            "cells", "kind", "number", to="cells", reads="names", fails="", role="fit",
        ),
    }
)
# fmt: on
