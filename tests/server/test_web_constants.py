"""The page of `export` names constants of the search layouts that exist in the package."""

import re
from pathlib import Path

from rulesengine.engine.drivers.search import layout, pattern_layout, tree_layout

SOURCE = Path(__file__).parents[2] / "web" / "src" / "standalone" / "search.ts"


def test_every_constant_that_the_page_names_exists() -> None:
    # The page gets each layout as a map, so a wrong name would be `undefined` without an error.
    text = SOURCE.read_text("utf-8")
    for pattern, module, least in (
        (r"\bat\.([A-Z_]+)", layout, 8),
        (r"\bpatterns\??\.([A-Z_]+)", pattern_layout, 2),
        (r'constant\("([A-Z_]+)"\)', tree_layout, 8),
    ):
        names = set(re.findall(pattern, text))
        assert len(names) >= least
        assert [name for name in sorted(names) if not hasattr(module, name)] == []
