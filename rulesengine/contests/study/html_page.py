"""HTML page of a study: a sortable table of variants, and a section with plots for each."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from rulesengine.contests.plots import bar_plot
from rulesengine.contests.report_page import (
    game_board,
    player_definitions,
    report_page,
    wide,
)
from rulesengine.contests.study.findings import Findings
from rulesengine.contests.study.metrics import Metric, format_metric, metrics_of, tree_text
from rulesengine.contests.study.runner import Study, VariantResult
from rulesengine.contests.study.text_report import INTERVALS, details, heading
from rulesengine.drawing import Annotations, Theme, picture
from rulesengine.game import Game

_BARS = 16  # maximum number of bars
_SIZE = 320  # size of a board in pixels
_SORTS = """
for (const head of document.querySelectorAll("#variants th")) {
  const button = head.firstElementChild;
  button.onclick = () => {
    const body = document.querySelector("#variants tbody"), at = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending", key = row => {
      const text = row.cells[at].dataset.value ?? row.cells[at].textContent;
      return text !== "" && !isNaN(text) ? Number(text) : text;
    };
    const rows = [...body.rows].sort((a, b) => (key(a) > key(b)) - (key(a) < key(b)));
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...(down ? rows.reverse() : rows));
  };
}
"""
_MORE = """
th button { all: unset; cursor: pointer; font-weight: bold; }
th button:focus-visible { outline: 2px solid; }
th[aria-sort=ascending] button::after { content: " ↑"; }
th[aria-sort=descending] button::after { content: " ↓"; }
body { max-width: 90em; } td { white-space: nowrap; }
svg { max-width: 100%; height: auto; }
@media print { th[aria-sort] button::after { content: none; } }
"""


def study_page(study: Study) -> str:
    """Return a self-contained HTML page."""
    first = next(one for one in study.variants if one.game)
    name = first.game.name if first.game else first.variant.spec
    title = escape(name)
    game = first.game
    entrants = [(one.name, one.player) for one in study.design.entrants]
    design = f"{study.design.games} games of each kind, {study.design.samples} at random"
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{escape(design)}; seed {study.design.seed}.</p>",
        *([game_board(game)] if game else []),
        "<h2>Players, the weakest first</h2>",
        player_definitions(game, entrants) if game else "",
        "<h2>Variants</h2>",
        wide("Variants"),
        *_table(study),
        "</div>",
        *(f"<p>Refused: {escape(f'{one.variant.label}: {one.refused}')}</p>"
          for one in study.refused),
        f"<p>{escape(INTERVALS)}.</p>",
        *(part for one in study.variants if one.findings for part in _section(one, one.findings)),
    ]  # fmt: skip
    return report_page(name, parts, style=_MORE, script=_SORTS)


def _table(study: Study) -> Iterator[str]:
    """Yield the table of variants; tooltips show the confidence intervals."""
    metrics = metrics_of(*(one.findings for one in study.variants if one.findings))
    titles = ["variant", *(metric.title for metric in metrics), "tree", "unused"]
    heads = "".join(f"<th><button>{title}</button></th>" for title in titles)
    yield f'<table id="variants"><thead><tr>{heads}</tr></thead><tbody>'
    for studied in study.variants:
        if studied.findings:
            yield f"<tr>{''.join(_cells(studied, studied.findings, metrics))}</tr>"
    yield "</tbody></table>"


def _cells(studied: VariantResult, findings: Findings, metrics: Sequence[Metric]) -> Iterator[str]:
    label = escape(studied.variant.label)
    yield f'<td><a href="#{_anchor(studied)}">{label}</a></td>'
    for metric in metrics:
        interval = metric.of(findings)
        value = -1.0 if interval is None else interval.value
        text = escape(format_metric(metric, findings, whole=False))
        title = escape(format_metric(metric, findings))
        yield f'<td data-value="{value}" title="{title}">{text}</td>'
    tree = findings.tree
    yield (
        f'<td data-value="{tree.log if tree else -1}" title="{tree_text(tree)}">'
        f"{tree_text(tree, whole=False)}</td><td>{len(findings.unused)}</td>"
    )


def _section(studied: VariantResult, findings: Findings) -> Iterator[str]:
    """Yield the section of a variant: statistics, winners, lengths and a heat map of the cells."""
    yield f'<h2 id="{_anchor(studied)}">{escape(heading(studied))}</h2>'
    yield f"<pre>{escape(chr(10).join(details(findings)))}</pre>"
    shares = {name: share.value if share else 0.0 for name, share in findings.wins.items()}
    counts = [round(findings.games * share) for share in shares.values()]
    if shares:
        yield bar_plot(
            "Games by winner", [*shares, "nobody"], [*counts, findings.games - sum(counts)]
        )
    bins = binned(findings.lengths)
    yield bar_plot("Games by their plies", [*bins], [*bins.values()])
    if studied.game and findings.cells:
        yield "<h3>Cells by use</h3>"
        yield heat_map(studied.game, findings.cells)


def heat_map(game: Game, cells: Mapping[int, int], theme: Theme = "auto") -> str:
    """Draw the initial board as a heat map of the number of moves that name each cell."""
    most = max(cells.values())
    heat = {cell: count / most for cell, count in cells.items()}
    numbers = {cell: str(count) for cell, count in cells.items()}
    marked = Annotations(heat=heat, numbers=numbers)
    return picture(game.program, game.initial_state(), marked, theme=theme, size=_SIZE)


def binned(lengths: Mapping[int, int]) -> dict[str, int]:
    """Return a histogram of games by plies, with at most 16 bins."""
    if not lengths:
        return {}
    low, high = min(lengths), max(lengths)
    width = -(-(high - low + 1) // _BARS)
    counts: dict[str, int] = {}
    for begin in range(low, high + 1, width):
        end = begin + width - 1
        name = str(begin) if width == 1 else f"{begin}–{end}"
        counts[name] = sum(count for plies, count in lengths.items() if begin <= plies <= end)
    return counts


def _anchor(studied: VariantResult) -> str:
    return escape("-".join(("v", *studied.variant.values, *studied.variant.transforms)), quote=True)
