"""Unknown commands, garbage and incomplete lines, in every protocol of engine mode."""

import io

import pytest

import rulesengine
from rulesengine.play.engine_mode import PROTOCOLS, serve

GAME = rulesengine.load("othello", engine="interpreter")
LINES = (
    "",
    " ",
    "nonsense",
    "set",
    "setoption",
    "setoption name",
    "setoption name Nothing value 3",
    "option Nothing=3",
    "position",
    "position moves d3",
    "position fen 8/8 w",
    "play",
    "play b z99",
    "usermove z99",
    "setboard x",
    "move",
    "\x00\x7f\ufffd",
    "9" * 4000,
)
# A line that each protocol answers afterwards.
ALIVE = {
    "uci": ("uci", "uciok"),
    "usi": ("usi", "usiok"),
    "ucci": ("ucci", "ucciok"),
    "gtp": ("protocol_version", "= 2"),
    "xboard": ("ping 7", "pong 7"),
    "nboard": ("ping 7", "pong 7"),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_unknown_lines_do_not_end_an_engine(protocol: str) -> None:
    found: list[str] = []
    engine = PROTOCOLS[protocol](GAME, found.append)
    for line in LINES:
        assert engine.handle(line), line
    line, answer = ALIVE[protocol]
    assert engine.handle(line)
    assert any(answer in text for text in found[-3:]), found[-3:]
    assert engine.handle("quit") is False
    engine.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_byte_order_mark_before_the_first_line_is_ignored(protocol: str) -> None:
    line, answer = ALIVE[protocol]
    target = io.BytesIO()
    serve(GAME, PROTOCOLS[protocol], io.BytesIO(f"\ufeff{line}\r\n".encode()), target)
    assert answer in target.getvalue().decode()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_last_line_without_an_end_is_handled(protocol: str) -> None:
    line, answer = ALIVE[protocol]
    target = io.BytesIO()
    serve(GAME, PROTOCOLS[protocol], io.BytesIO(line.encode()), target)
    assert answer in target.getvalue().decode()
