"""Text report of a study: a table of variants, or the full statistics of a single one."""

from collections.abc import Iterator, Sequence
from math import isfinite

from rulesengine.contests.stats.intervals import Interval
from rulesengine.contests.study.findings import Findings
from rulesengine.contests.study.metrics import (
    METRICS,
    NOTHING,
    SKILL,
    Metric,
    format_metric,
    metrics_of,
    tree_text,
)
from rulesengine.contests.study.runner import Study, VariantResult
from rulesengine.contests.study.tree_size import Tree
from rulesengine.contests.text_tables import aligned

INTERVALS = "In brackets: 95 % intervals, of shares Wilson's, of means Student's"


def study_text(study: Study) -> str:
    """Format the full statistics of a single variant, or a line for each of several."""
    found = [one for one in study.variants if one.findings]
    if len(found) == 1 and found[0].findings:
        lines = [heading(found[0]), "", *details(found[0].findings)]
    else:
        lines = aligned(rows(study))
    refused = [f"refused: {one.variant.label}: {one.refused}" for one in study.refused]
    return "\n".join([*lines, "", *refused, INTERVALS])


def heading(studied: VariantResult) -> str:
    """Return the name of the game and the label of the variant."""
    name = studied.game.name if studied.game else studied.variant.spec
    return f"{name}, {studied.variant.label}"


def rows(study: Study) -> list[list[str]]:
    """Return a header, and a row for each variant that was played."""
    metrics = metrics_of(*(one.findings for one in study.variants if one.findings))
    head = ["variant", *(metric.title for metric in metrics), "tree", "unused"]
    return [head, *(_row(one, one.findings, metrics) for one in study.variants if one.findings)]


def details(found: Findings) -> list[str]:
    """Return a line for each statistic, and the unused rules."""
    pairs = named(found)
    wide = max(len(name) for name, _ in pairs)
    lines = [f"{name:{wide}}  {value}" for name, value in pairs]
    return [*lines, *(f"never used: {rule}" for rule in found.unused)]


def named(found: Findings) -> list[tuple[str, str]]:
    """Return each statistic with its description; `NOTHING` if there is no value."""
    pairs = [("games", f"{found.games}, {found.different} different")]
    pairs += [(f"won by {name}", _share(share)) for name, share in found.wins.items()]
    pairs += [
        (metric.description, format_metric(metric, found))
        for metric in metrics_of(found)
        if metric.key != SKILL
    ]
    pairs += [(f"{one.strong} over {one.weak}", _share(one.score)) for one in found.steps]
    return [*pairs, ("tree of all games", tree_text(found.tree)), *_sizes(found)]


def as_json(study: Study) -> dict[str, object]:
    """Return the study as a JSON object."""
    design = study.design
    return {
        "players": {entrant.name: entrant.player for entrant in design.entrants},
        "games": design.games,
        "samples": design.samples,
        "judge": design.judge,
        "seed": design.seed,
        "intervals": {"level": 0.95, "shares": "Wilson", "means": "Student"},
        "variants": [_variant(one) for one in study.variants],
    }


def _row(studied: VariantResult, found: Findings, metrics: Sequence[Metric]) -> list[str]:
    numbers = [format_metric(metric, found, whole=False) for metric in metrics]
    tree = tree_text(found.tree, whole=False)
    return [studied.variant.label, *numbers, tree, str(len(found.unused))]


def _sizes(found: Findings) -> Iterator[tuple[str, str]]:
    if found.median is not None:
        lengths = f"{min(found.lengths)}, {found.median:g}, {max(found.lengths)}"
        yield "fewest, median, most plies", lengths
    if found.tree and found.tree.positions is not None:
        yield "positions", f"{found.tree.positions:,}, counted ply by ply"
    if found.complexity is not None:
        yield "branching ^ turns", f"10^{found.complexity:.1f}"


def _share(share: Interval | None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def _variant(studied: VariantResult) -> dict[str, object]:
    variant, found, game = studied.variant, studied.findings, studied.game
    entry: dict[str, object] = {
        "spec": variant.spec,
        "label": variant.label,
        "set": list(variant.values),
        "with": list(variant.transforms),
        "refused": studied.refused or None,
    }
    if found is None or game is None:
        return entry
    names = game.program.topology.names
    return {
        **entry,
        "game": game.name,
        "parameters": game.parameters,
        "games": found.games,
        "different": found.different,
        "wins": {name: _interval(share) for name, share in found.wins.items()},
        **{metric.key: _interval(metric.of(found)) for metric in METRICS},
        "median_length": found.median,
        "lengths": {str(plies): count for plies, count in found.lengths.items()},
        "steps": [
            {"weak": one.weak, "strong": one.strong, "score": _interval(one.score)}
            for one in found.steps
        ],
        "complexity": found.complexity,
        "tree": _tree(found.tree),
        "cells": {names[cell]: count for cell, count in sorted(found.cells.items())},
        "unused": list(found.unused),
    }


def _interval(interval: Interval | None) -> dict[str, float | None] | None:
    """Return an interval as JSON; infinite bounds become null."""
    if interval is None:
        return None
    ends = {"value": interval.value, "low": interval.low, "high": interval.high}
    return {**{k: v if isfinite(v) else None for k, v in ends.items()}, "count": interval.count}


def _tree(tree: Tree | None) -> dict[str, object] | None:
    if tree is None:
        return None
    logs = {"log10": tree.log, "low": tree.low, "high": tree.high}
    finite = {name: log if isfinite(log) else None for name, log in logs.items()}
    return {"method": tree.method, **finite, "nodes": tree.nodes, "positions": tree.positions}
