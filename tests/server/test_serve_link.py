"""`serve SPEC`: the printed link opens the spec."""

import json
import zlib
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from tests.helpers.cli_calls import call

http_server = pytest.importorskip("rulesengine.server.web.http_server")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Return a list that gets the arguments of the server, which is not started."""
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(http_server, "serve", lambda *arguments: calls.append(arguments))
    return calls


def test_bundled_game_has_a_link_with_its_name(served: list[tuple[object, ...]]) -> None:
    assert call("serve", "breakthrough", "--port", "0").code == 0
    assert call("serve", "--port", "0").code == 0
    assert served == [("127.0.0.1", 0, "#play/breakthrough"), ("127.0.0.1", 0, "")]


def test_file_is_in_its_link(served: list[tuple[object, ...]], tmp_path: Path) -> None:
    """The format of links is that of docs/serve.md."""
    file = tmp_path / "own.yaml"
    file.write_text("spec: 1\nname: Möbius\n", encoding="utf-8")
    assert call("serve", str(file)).code == 0
    (_, _, fragment) = served[0]
    head, _, text = str(fragment).partition("~")
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    assert (head, data[0]) == ("#play/", 1)
    game = json.loads(zlib.decompress(data[1:], wbits=-15))
    assert game == {"spec": {"text": file.read_text("utf-8")}, "parameters": {}, "moves": []}


def test_unknown_spec_is_an_error(served: list[tuple[object, ...]]) -> None:
    failed = call("serve", "breakthru")
    assert (failed.code, served) == (2, [])
    assert "breakthrough" in failed.err
