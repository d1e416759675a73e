"""Generator of the gallery page: `python -m tests.helpers.gallery` redraws one picture of each
game.

The position is that of `picture:` in the spec, or the initial one.
"""

import sys
from pathlib import Path

import rulesengine
from rulesengine import Game
from rulesengine.play.picture_position import picture_position
from rulesengine.support.resources import bundled_names

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURES = DOCS / "gallery.md", DOCS / "gallery"
ACROSS = 4
WIDTH = 200
_HEAD = """\
# Gallery

Reference: the bundled games, drawn by `rulesengine draw`. Each name is an argument of \
`rulesengine play`. Each shows the opening, or the position of `picture:` in its spec. \
`python -m tests.helpers.gallery` redraws the pictures.

"""


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    for name in bundled_names():
        (PICTURES / f"{name}.svg").write_text(shown(rulesengine.load(name)) + "\n")
    PAGE.write_text(page())
    return 0


def page() -> str:
    """Return the text of the page: a table of pictures with names below them."""
    names = bundled_names()
    rows = [names[i : i + ACROSS] for i in range(0, len(names), ACROSS)]
    lines = ["| " + " | ".join([""] * ACROSS) + " |", "|" + "---|" * ACROSS]
    for row in rows:
        cells = [f"![{n}](gallery/{n}.svg)<br>{n}" for n in row]
        lines.append("| " + " | ".join(cells + [""] * (ACROSS - len(row))) + " |")
    return _HEAD + "\n".join(lines) + "\n"


def shown(game: Game) -> str:
    """Return the picture of a game as SVG."""
    state, last = picture_position(game)
    return game.svg(state, last=last, size=WIDTH)


if __name__ == "__main__":
    sys.exit(main())
