"""The metrics of a study: key, title and value of each, for text, HTML and JSON."""

from collections.abc import Callable
from math import isfinite
from typing import Literal

from rulesengine.contests.stats.intervals import Interval
from rulesengine.contests.study.findings import Findings
from rulesengine.contests.study.tree_size import COUNTED, Tree
from rulesengine.support.frozen import record

NOTHING = "–"
SKILL = "skill"  # the last step of the ladder; full reports list all steps instead
Kind = Literal["share", "number"]


@record
class Metric:
    """A metric of a variant: its key in JSON, a short title, and a description in one line."""

    key: str
    title: str
    description: str
    kind: Kind
    of: Callable[[Findings], Interval | None]


METRICS = (
    Metric("first", "first", "points of the first seat", "share", lambda f: f.first),
    Metric("draws", "draws", "games drawn", "share", lambda f: f.draws),
    Metric("unfinished", "unfinished", "games without an end", "share", lambda f: f.unfinished),
    Metric("length", "length", "plies of a game", "number", lambda f: f.length),
    Metric("branching", "branching", "legal moves at a turn", "number", lambda f: f.branching),
    Metric("lead_changes", "changes", "lead changes", "number", lambda f: f.leads.changes),
    Metric("drama", "drama", "drama", "number", lambda f: f.leads.drama),
    Metric("uncertainty", "open", "uncertainty", "number", lambda f: f.leads.uncertainty),
    Metric("left", "left", "part left once decided", "share", lambda f: f.leads.undecided_share),
    Metric(SKILL, "skill", "points of the strongest over the next", "share", lambda f: f.skill),
    Metric("first_by_chance", "by chance", "first seat at random", "share", lambda f: f.by_chance),
    Metric("length_by_chance", "random length", "plies of a random game", "number",
           lambda f: f.chance_length),
    Metric("payoff", "payoff", "payoff of a game", "number", lambda f: f.payoff),
    Metric("payoff_by_chance", "random payoff", "payoff of a random game", "number",
           lambda f: f.chance_payoff),
)  # fmt: skip
_OF_PAYOFFS = ("payoff", "payoff_by_chance")
_OF_SEVERAL = ("first", "draws", "lead_changes", "drama", "uncertainty", "left", SKILL,
               "first_by_chance")  # fmt: skip


def metrics_of(*findings: Findings) -> tuple[Metric, ...]:
    """Return the metrics of some variants: those of a single player, of several ones, or both."""
    singles = [not one.wins for one in findings]
    left = [] if any(singles) else [*_OF_PAYOFFS]
    left += _OF_SEVERAL if singles and all(singles) else ()
    return tuple(metric for metric in METRICS if metric.key not in left)


def format_metric(metric: Metric, findings: Findings, *, whole: bool = True) -> str:
    """Format a metric, with its interval if `whole` is set."""
    interval = metric.of(findings)
    if interval is None:
        return NOTHING
    value, low, high = (_number(metric, n) for n in (interval.value, interval.low, interval.high))
    if not whole or not isfinite(interval.low):
        return value
    return f"{value} [{low}, {high}]"


def tree_text(tree: Tree | None, *, whole: bool = True) -> str:
    """Format the size of a game tree, with its method if `whole` is set."""
    if tree is None:
        return NOTHING
    if tree.nodes is not None:
        return f"{tree.nodes:,} nodes, {COUNTED}" if whole else f"10^{tree.log:.1f}"
    size = f"10^{tree.log:.1f}"
    if not whole:
        return size
    between = f" [10^{tree.low:.1f}, 10^{tree.high:.1f}]" if isfinite(tree.low) else ""
    return f"{size} nodes{between}, {tree.method}"


def _number(metric: Metric, number: float) -> str:
    return f"{100 * number:.1f} %" if metric.kind == "share" else f"{number:.2f}"
