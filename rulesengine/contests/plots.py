"""Plots as SVG text without libraries or scripts; their colours suit light and dark pages."""

from collections.abc import Sequence
from html import escape

from rulesengine.contests.stats.ratings import Rating

_ROW, _LEFT, _RIGHT, _TOP = 22, 150, 60, 26
_WIDTH = 640


def rating_plot(names: Sequence[str], rated: Sequence[Rating]) -> str:
    """Plot the rating of each player with its interval, the first player at the top."""
    low, high = min(r.low for r in rated), max(r.high for r in rated)
    span = (high - low) or 1.0

    def at(elo: float) -> float:
        return _LEFT + (elo - low) / span * (_WIDTH - _LEFT - _RIGHT)

    parts = [_line(at(0), _TOP - 8, at(0), _TOP + _ROW * len(names), "axis")] * (low <= 0 <= high)
    for row, (name, rating) in enumerate(zip(names, rated, strict=True)):
        y = _TOP + _ROW * row + _ROW / 2
        parts += [
            _text(_LEFT - 10, y + 4, name, "end"),
            _line(at(rating.low), y, at(rating.high), y, "range"),
            f'<circle cx="{at(rating.elo):.1f}" cy="{y:.1f}" r="4"/>',
            _text(_WIDTH - _RIGHT + 8, y + 4, f"{rating.elo:+.0f}", "start"),
        ]
    return _svg(_TOP + _ROW * len(names) + 10, "Elo with 95 % intervals", parts)


def bar_plot(title: str, names: Sequence[str], counts: Sequence[int]) -> str:
    """Plot a bar for each count."""
    most = max(counts, default=0) or 1
    parts = []
    for row, (name, count) in enumerate(zip(names, counts, strict=True)):
        y, width = _TOP + _ROW * row, count / most * (_WIDTH - _LEFT - _RIGHT)
        parts += [
            _text(_LEFT - 10, y + 15, name, "end"),
            f'<rect x="{_LEFT}" y="{y + 3}" width="{width:.1f}" height="{_ROW - 6}"/>',
            _text(_LEFT + width + 8, y + 15, str(count), "start"),
        ]
    return _svg(_TOP + _ROW * len(names) + 10, title, parts)


def _svg(height: int, title: str, parts: Sequence[str]) -> str:
    head = f'<svg class="plot" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" role="img">'
    return "\n".join(
        [head, f"<title>{escape(title)}</title>", _text(0, 14, title), *parts, "</svg>"]
    )


def _line(x: float, y: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
