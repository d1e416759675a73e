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
    finished = [one for one in study.variants if one.findings]
    if len(finished) == 1 and finished[0].findings:
        lines = [heading(finished[0]), "", *details(finished[0].findings)]
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


def details(findings: Findings) -> list[str]:
    """Return a line for each statistic, and the unused rules."""
    pairs = named(findings)
    wide = max(len(name) for name, _ in pairs)
    lines = [f"{name:{wide}}  {value}" for name, value in pairs]
    return [*lines, *(f"never used: {rule}" for rule in findings.unused)]


def named(findings: Findings) -> list[tuple[str, str]]:
    """Return each statistic with its description; `NOTHING` if there is no value."""
    pairs = [("games", f"{findings.games}, {findings.different} different")]
    pairs += [(f"won by {name}", _share(share)) for name, share in findings.wins.items()]
    pairs += [
        (metric.description, format_metric(metric, findings))
        for metric in metrics_of(findings)
        if metric.key != SKILL
    ]
    pairs += [(f"{one.strong} over {one.weak}", _share(one.score)) for one in findings.steps]
    return [*pairs, ("tree of all games", tree_text(findings.tree)), *_sizes(findings)]


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


def _row(studied: VariantResult, findings: Findings, metrics: Sequence[Metric]) -> list[str]:
    numbers = [format_metric(metric, findings, whole=False) for metric in metrics]
    tree = tree_text(findings.tree, whole=False)
    return [studied.variant.label, *numbers, tree, str(len(findings.unused))]


def _sizes(findings: Findings) -> Iterator[tuple[str, str]]:
    if findings.median is not None:
        lengths = f"{min(findings.lengths)}, {findings.median:g}, {max(findings.lengths)}"
        yield "fewest, median, most plies", lengths
    if findings.tree and findings.tree.positions is not None:
        yield "positions", f"{findings.tree.positions:,}, counted ply by ply"
    if findings.complexity is not None:
        yield "branching ^ turns", f"10^{findings.complexity:.1f}"


def _share(share: Interval | None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def _variant(studied: VariantResult) -> dict[str, object]:
    variant, findings, game = studied.variant, studied.findings, studied.game
    entry: dict[str, object] = {
        "spec": variant.spec,
        "label": variant.label,
        "set": list(variant.values),
        "with": list(variant.transforms),
        "refused": studied.refused or None,
    }
    if findings is None or game is None:
        return entry
    names = game.program.topology.names
    return {
        **entry,
        "game": game.name,
        "parameters": game.parameters,
        "games": findings.games,
        "different": findings.different,
        "wins": {name: _interval(share) for name, share in findings.wins.items()},
        **{metric.key: _interval(metric.of(findings)) for metric in METRICS},
        "median_length": findings.median,
        "lengths": {str(plies): count for plies, count in findings.lengths.items()},
        "steps": [
            {"weak": one.weak, "strong": one.strong, "score": _interval(one.score)}
            for one in findings.steps
        ],
        "complexity": findings.complexity,
        "tree": _tree(findings.tree),
        "cells": {names[cell]: count for cell, count in sorted(findings.cells.items())},
        "unused": list(findings.unused),
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
