"""The list of bundled specs with their titles and parameters, cached between runs."""

from typing import Any

from rulesengine.language import rules_cache
from rulesengine.loading import load
from rulesengine.support.files import read_source
from rulesengine.support.frozen import record
from rulesengine.support.resources import bundled_file, bundled_names


@record
class BundledSpec:
    """A bundled spec; each parameter is given as a JSON table and in words."""

    name: str
    title: str
    parameters: dict[str, dict[str, object]]
    described: tuple[str, ...]


def bundled_specs() -> tuple[BundledSpec, ...]:
    """Return all bundled specs by name; they are parsed only if a cached text has changed."""
    names = bundled_names()
    texts = rules_cache.DerivedValue(
        "catalogue", tuple(read_source(bundled_file(name)) for name in names)
    )
    rows = texts.recall()
    if rows is None:
        rows = list(map(_row, names))
        texts.store(rows)
    return tuple(
        BundledSpec(name, title, shown, tuple(words)) for name, title, shown, words in rows
    )


def _row(name: str) -> list[Any]:
    from rulesengine.tools import inspect  # imported here: it imports all modules that read specs

    game = load(name)
    given = game.rules.parameters
    shown = {one.name: inspect.to_json(one) for one in given}
    return [name, game.name, shown, [inspect.describe(one) for one in given]]
