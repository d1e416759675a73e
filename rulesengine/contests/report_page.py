"""The frame of HTML reports: one self-contained page for screens, phones, dark themes and print."""

from collections.abc import Iterable, Sequence
from html import escape

from rulesengine.game import Game
from rulesengine.play import describe_player
from rulesengine.play.picture_position import picture_position
from rulesengine.state import Move, State

_BOARD = 200  # width of a board in pixels
_STYLE = """
:root { color-scheme: light dark; --bar: #3a7bd5; --rule: #8884; --good: #2e8b57; --bad: #d1495b; }
* { box-sizing: border-box; }
a { color: #1a5fb4; }
@media (prefers-color-scheme: dark) { a { color: #8ab4f8; } }
html { background: Canvas; color: CanvasText; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { line-height: 1.2; } h2 { margin-top: 2em; }
h1, h2, h3, p, dt, dd, td:first-child, li { overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; }
thead th, thead td { border-bottom-width: 2px; }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .2em 1em; }
dt { font-weight: 600; } dd { margin: 0; }
.wide { overflow-x: auto; }
pre { overflow-x: auto; white-space: pre-wrap; }
.boards { display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0; }
figure { margin: 0; } figure svg { max-width: 100%; height: auto; display: block; }
figcaption { font-size: .9em; max-width: 200px; }
svg.plot { max-width: 100%; height: auto; display: block; margin: 1em 0; font-size: 12px; }
svg.plot text { fill: currentColor; } svg.plot rect, svg.plot circle { fill: var(--bar); }
svg.plot .range { stroke: var(--bar); stroke-width: 2; } svg.plot .axis { stroke: #8888; }
@media (max-width: 40em) {
  body { margin: 1em auto; } th, td { padding: .2em .4em; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .5em; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; margin: 0; font-size: 10pt; }
  a { color: inherit; text-decoration: none; }
  h2, h3 { break-after: avoid; } figure, tr, svg.plot, dl { break-inside: avoid; }
  .wide { overflow: visible; } thead { display: table-header-group; }
  svg.plot rect, svg.plot circle, td, th { print-color-adjust: exact; }
}
"""


def report_page(title: str, parts: Iterable[str], *, style: str = "", script: str = "") -> str:
    """Return the page; `parts` are elements, `style` and `script` are added to those of all."""
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}{style}</style><body><main>"
    )
    scripts = [f"<script>{script}</script>"] if script else []
    return "\n".join([head, *parts, "</main>", *scripts, "</body></html>\n"])


def wide(label: str) -> str:
    """Begin a region that scrolls, also by keys, where a table is wider than the page.

    The labels of the regions of a page differ.
    """
    return f'<div class="wide" tabindex="0" role="region" aria-label="{escape(label)}">'


def html_table(label: str, rows: Iterable[Sequence[str]], *, is_html: bool = False) -> str:
    """Format rows as a table with a header; with `is_html` the cells are HTML already."""
    lines = [f"{wide(label)}<table>"]
    for at, row in enumerate(rows):
        cells = row if is_html else map(escape, row)
        line = "<tr>" + "".join(_cell(cell, is_head=not at) for cell in cells) + "</tr>"
        lines.append(line if at else f"<thead>{line}</thead><tbody>")
    return "\n".join([*lines, "</tbody></table></div>"])


def _cell(cell: str, *, is_head: bool) -> str:
    """Return a cell; an empty one heads nothing."""
    kind = "th" if is_head and cell else "td"
    return f"<{kind}>{cell}</{kind}>"


def definitions(terms: Iterable[tuple[str, str]]) -> str:
    """Format terms and their meanings as a list."""
    items = (f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in terms)
    return f"<dl>{''.join(items)}</dl>"


def player_definitions(game: Game, players: Iterable[tuple[str, str]]) -> str:
    """Format the names of players with their meanings; `players` are names and texts."""
    rows = []
    for name, text in players:
        means = describe_player(game, text)
        rows.append((name, means if name == text else f"{text}: {means}"))
    return definitions(rows)


def boards(figures: Iterable[str]) -> str:
    """Place figures next to each other."""
    return f'<div class="boards">{"".join(figures)}</div>'


def board(game: Game, state: State, caption: str, last: Move | None = None) -> str:
    """Draw a position with a caption."""
    svg = game.svg(state, last=last, size=_BOARD)
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def game_board(game: Game) -> str:
    """Draw the position of the game's picture."""
    state, last = picture_position(game)
    is_start = last is None and state == game.initial_state()
    return boards(
        [board(game, state, "initial position" if is_start else "a position of the game", last)]
    )
