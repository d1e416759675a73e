"""Pictures of positions against stored ones that a person has inspected.

No letters are drawn, since fonts differ between systems. Pixels may differ a little, as renderers
do at edges: on average by no more than `MEAN` of 255, and by more than `MUCH` for no more than
`FEW` of all.
"""

import io
from pathlib import Path

import pytest

import rulesengine

resvg = pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra `png`)")
image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
chops = pytest.importorskip("PIL.ImageChops", reason="pillow is not installed")
stats = pytest.importorskip("PIL.ImageStat", reason="pillow is not installed")

STORED = Path(__file__).parents[1] / "data" / "pictures"
SIZE = 200
MEAN, MUCH, FEW = 1.0, 48, 0.004
# Each shows a kind of board or piece that no other one does.
SHOWN = {
    "backgammon": "2-5 p12/2,p12/5 6-1",
    "chess": "e2e4 e7e5 g1f3",
    "connect-four": "d1 d2 c1 e1",
    "cram": "a1-b1 c2-c3 d4-e4",
    "dots-and-boxes": "b1 a2 b3 c2",
    "english-draughts": "b6-c5",
    "gale": "b1 c2 d1 e2",
    "go": "c3 g7 g3",
    "hex": "f6 e7",
    "kalah": "c1 a1",
    "l-game": "",
    "nine-mens-morris": "d6 f4 d2",
    "okiya": "a4=t8 b4=tc c4=t5 d4=tf a3=te b3=td c3=ta d3=t0 a2=tb b2=t9 c2=t2 d2=t1 a1=t4 b1=t3"
    " c1=t7 d1=t6 a4",
    "othello": "d3 c3",
    "peg-solitaire": "d2-d4",
    "quarto": "f4 b3xh3",
    "tic-tac-toe-3d": "a1 b2",
    "ultimate-tic-tac-toe": "a1 a2 a4 b1 d1 b2 d4 b3 d7 a7",
    "xiangqi": "h3e3",
}


@pytest.mark.parametrize(
    ("name", "theme"), [*((name, "light") for name in SHOWN), ("chess", "dark"), ("go", "dark")]
)
def test_a_picture_equals_its_reviewed_copy(name: str, theme: str, update_golden: bool) -> None:
    stored = STORED / f"{name}-{theme}.png"
    data = drawn(name, theme)
    if update_golden:
        stored.parent.mkdir(exist_ok=True)
        stored.write_bytes(data)
    before, now = (image.open(io.BytesIO(d)).convert("RGBA") for d in (stored.read_bytes(), data))
    assert now.size == before.size
    apart = chops.difference(before, now)
    most = image.merge("RGBA", [part.point(lambda v: 255 * (v > MUCH)) for part in apart.split()])
    assert max(stats.Stat(apart).mean) <= MEAN
    assert max(stats.Stat(most).mean) / 255 <= FEW


def drawn(name: str, theme: str) -> bytes:
    """Return the PNG of a game after some moves, with the last and the legal moves marked."""
    game = rulesengine.load(name)
    state, last = game.initial_state(), None
    for text in SHOWN[name].split():
        last = game.move(text, state)
        state = game.apply(state, last)
    legal = name == "chess"
    picture = game.svg(state, last=last, legal=legal, theme=theme, size=SIZE)  # type: ignore[arg-type]
    return bytes(resvg.svg_to_bytes(svg_string=picture, skip_system_fonts=True))
