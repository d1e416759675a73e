"""Fills of large boards as functions of a kernel, which all equal fills call."""

import re

import pytest

pytest.importorskip("llvmlite", reason="native kernels need the extra `native`")

from rulesengine import load
from rulesengine.engine.kernel.backends.native.emit import emit
from rulesengine.engine.kernel.backends.native.target import host
from rulesengine.engine.kernel.emission import emitted


def text_of(name: str) -> str:
    return emit(emitted(load(name).machine, "search"), host())


def test_a_long_fill_is_one_function() -> None:
    text = text_of("y")
    assert re.findall(r"define internal fastcc .+ @h\.(fill\d+)", text) == ["fill0"]
    assert len(re.findall(r" = call fastcc .+ @h\.fill0\(", text)) > 20


def test_a_short_fill_is_inline() -> None:
    assert "@h.fill" not in text_of("clobber")


@pytest.mark.usefixtures("in_haste")
def test_searches_with_a_fill_function_are_those_of_the_interpreter() -> None:
    game, other = load("y", engine="native"), load("y", engine="interpreter")
    found, wanted = (g.search(g.initial_state(), nodes=300) for g in (game, other))
    assert (found.nodes, found.value, str(found.move)) == (
        wanted.nodes,
        wanted.value,
        str(wanted.move),
    )
