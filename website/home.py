"""The home page: a first screen for visitors, then the README."""

from collections.abc import Mapping

from website.links import relink
from website.sections import ROOT, SECTIONS

# The README repeats the first screen up to this line.
_REST = "From a spec you can:"
_SHOWN = ("tutorial-section", "how-to", "reference", "explanation")

COMMAND = (
    "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/rulesengine play othello"
)

_SCREEN = f"""# rulesengine

<div class="home">
<div>
<p class="lead">One YAML file is a whole board game.</p>
<p>rulesengine is a declarative rules engine. You write the board, the moves and the ends; it plays,
checks, searches and measures the game at the speed of machine code. More than 120 games are
bundled, from tic-tac-toe to chess, shogi and poker.</p>
<p><a class="start" href="games/othello.html">Play Othello here</a>
<a href="games/index.html">All games</a></p>
</div>
<a href="games/othello.html"><img src="gallery/othello.svg" alt="A position of Othello"></a>
</div>

In a clone of the repository, with Python 3.11 or newer:

```sh
{COMMAND}
```

"""


def home_page(pages: Mapping[str, str]) -> str:
    """Return the first screen, the sections, the README and the table of contents."""
    names = [*(section.path for section in SECTIONS[:1]), "games/index"]
    names += [section.path for section in SECTIONS[1:]]
    tree = "\n".join(["```{toctree}", ":hidden:", "", *names, "```"])
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rest = _REST + text.partition(_REST)[2]
    return _SCREEN + _sections() + relink(rest, "README.md", "index", pages, ROOT) + f"\n{tree}\n"


def _sections() -> str:
    """Return the links to the four sections as cards."""
    cards = [
        f'<a href="{section.path}.html"><strong>{section.title}</strong>'
        f"<span>{section.introduction}</span></a>"
        for section in SECTIONS
        if section.path in _SHOWN
    ]
    return '<div class="sections">\n' + "\n".join(cards) + "\n</div>\n\n## About\n\n"
