"""Pages of the Python API: one for each area, from the docstrings of the public names."""

from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class ApiArea:
    """An area of the API: a page with public names of one module, or of several."""

    page: str
    title: str
    summary: str
    names: tuple[str, ...]  # with their module, in the order of the page


def _of(module: str, names: str = "") -> tuple[str, ...]:
    """Return names with their module; by default all public ones."""
    listed = names.split() or sorted(import_module(module).__all__)
    return tuple(f"{module}.{name}" for name in listed)


def areas() -> tuple[ApiArea, ...]:
    """Return the areas in the order of the index."""
    return (
        ApiArea(
            "loading",
            "Load games",
            "Read a spec from a file, a text or the bundled games.",
            _of("rulesengine", "load loads games BundledSpec"),
        ),
        ApiArea(
            "game",
            "Game",
            "Moves, counts, searches, formats and batches of a loaded game.",
            _of("rulesengine", "Game"),
        ),
        ApiArea(
            "values",
            "States and moves",
            "Immutable values: positions, moves, results and what a player sees.",
            _of("rulesengine", "State Move Moves Step Outcome Record Playouts Observation")
            + _of("rulesengine", "InformationState"),
        ),
        ApiArea(
            "sessions",
            "Sessions and jobs",
            "A game with its history, and a computation that can be cancelled.",
            _of("rulesengine", "Session Job"),
        ),
        ApiArea(
            "errors",
            "Errors",
            "The exceptions of the package.",
            _of("rulesengine", "RulesError SpecError InputError UsageError IllegalMoveError")
            + _of("rulesengine", "NotationError EvaluationError LimitError Stopped InternalError"),
        ),
        ApiArea(
            "contests",
            "Contests",
            "Matches, tournaments and ratings: the module `rulesengine.contests`.",
            _of("rulesengine.contests"),
        ),
        ApiArea(
            "bridges",
            "PettingZoo, Gymnasium and OpenSpiel",
            "Games as environments of other libraries: the package `rulesengine.bridges`.",
            _of("rulesengine.bridges.pettingzoo")
            + _of("rulesengine.bridges.gymnasium")
            + _of("rulesengine.bridges.openspiel"),
        ),
    )


def api_pages() -> dict[str, str]:
    """Return the index of the API and the page of each area, by path."""
    return {"api": _index(), **{f"api/{area.page}": _area(area) for area in areas()}}


def _index() -> str:
    rows = [
        f"| [{area.title}](api/{area.page}.md) | {area.summary} | {_listed(area)} |"
        for area in areas()
    ]
    tree = "\n".join(["```{toctree}", ":hidden:", "", *(f"api/{a.page}" for a in areas()), "```"])
    return "\n\n".join(
        [
            "# API of Python",
            "Reference: the public classes and functions, generated from their docstrings."
            " [The Python API](python.md) has examples.",
            "\n".join(["| page | contents | names |", "|---|---|---|", *rows]),
            tree + "\n",
        ]
    )


def _listed(area: ApiArea) -> str:
    names = [name.rpartition(".")[2] for name in area.names]
    shown = names[:10]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return ", ".join(f"`{name}`" for name in shown) + more


def _area(area: ApiArea) -> str:
    parts = [f"# {area.title}", f"{area.summary} [All areas](../api.md)."]
    for name in area.names:
        parts += [
            f"## {_heading(name, area)}",
            f"```{{eval-rst}}\n.. {_directive(name)}:: {name}\n"
            + ("   :members:\n" if _directive(name) == "autoclass" else "")
            + "```",
        ]
    return "\n\n".join(parts) + "\n"


def _heading(name: str, area: ApiArea) -> str:
    """Return the name; with its module if another name of the area is equal without it."""
    short = name.rpartition(".")[2]
    modules = {other.rpartition(".")[0] for other in area.names}
    shown = name.removeprefix("rulesengine.bridges.") if len(modules) > 1 else short
    return f"`{shown}`"


def _directive(name: str) -> str:
    module, _, short = name.rpartition(".")
    value = getattr(import_module(module), short)
    if isinstance(value, type):
        return "autoexception" if issubclass(value, BaseException) else "autoclass"
    return "autofunction" if callable(value) else "autodata"
