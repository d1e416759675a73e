"""Random boards for properties that hold on every board."""

from hypothesis import strategies as st

from rulesengine.board.cell_positions import ORIGINS
from rulesengine.board.shapes import (
    STAGGERS,
    WRAPS,
    box,
    graph,
    hexagon,
    rectangle,
    rhombus,
    staggered,
    triangle,
)
from rulesengine.board.topology import Topology

SIZES = st.integers(1, 6)


@st.composite
def rectangles(draw: st.DrawFn, wraps: tuple[str, ...] = WRAPS) -> Topology:
    rows, columns = draw(SIZES), draw(SIZES)
    places = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    holes = draw(st.sets(st.sampled_from(places), max_size=min(5, len(places) - 1)))
    origin, wrap = draw(st.sampled_from(ORIGINS)), draw(st.sampled_from(wraps))
    return rectangle(rows, columns, origin=origin, wrap=wrap, holes=holes)


@st.composite
def graphs(draw: st.DrawFn) -> Topology:
    cells = [f"p{i}" for i in range(draw(SIZES))]
    pairs = [(a, b) for a in cells for b in cells if a != b]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=10)) if pairs else []
    return graph(cells, edges, edges)


def unwrapped() -> st.SearchStrategy[Topology]:
    """Regular boards with ends on every side."""
    origins = st.sampled_from(ORIGINS)
    return st.one_of(
        rectangles(("none",)),
        st.builds(rhombus, SIZES, SIZES, origin=origins),
        st.builds(hexagon, st.integers(1, 4), origin=origins),
        st.builds(triangle, SIZES, origin=origins),
        st.builds(staggered, SIZES, SIZES, stagger=st.sampled_from(STAGGERS), origin=origins),
        st.builds(box, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), origin=origins),
    )


def regular() -> st.SearchStrategy[Topology]:
    """Boards with directions."""
    wraps, origins = st.sampled_from(WRAPS), st.sampled_from(ORIGINS)
    rhombi = st.builds(rhombus, SIZES, SIZES, origin=origins, wrap=wraps)
    return st.one_of(unwrapped(), rectangles(), rhombi)


def boards() -> st.SearchStrategy[Topology]:
    return st.one_of(regular(), graphs())
