"""The pause of the garbage collector."""

import gc

import pytest

from rulesengine.support.collection import without_collection


def fail_inside() -> None:
    with without_collection():
        assert not gc.isenabled()
        raise ValueError("inside")


def test_collection_is_off_inside_and_on_again_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="inside"):
        fail_inside()
    assert gc.isenabled()


def test_a_collector_that_the_caller_switched_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()
