"""Frozen records behave like frozen dataclasses with slots."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulesengine.support.frozen import field, make, names_of, record, replace

ROOT = Path(__file__).parents[2]


@record
class Point:
    """A record with every kind of field."""

    x: int
    y: int = 2
    tags: dict[str, int] = field(default_factory=dict, compare=False)
    note: str = field(default="", repr=False)
    double: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.x)

    @property
    def sum(self) -> int:
        return self.x + self.y


@dataclasses.dataclass(frozen=True, slots=True)
class Twin:
    """The same as a dataclass: the reference for `Point`."""

    x: int
    y: int = 2
    tags: dict[str, int] = dataclasses.field(default_factory=dict, compare=False)
    note: str = dataclasses.field(default="", repr=False)
    double: int = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.x)


MANY: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 2), {}),
    ((1, 3), {}),
    ((1,), {"tags": {"a": 1}}),
    ((1,), {"note": "n"}),
    ((), {"y": 1, "x": 2}),
    ((1, 2, {}, "note"), {}),
]


@pytest.mark.parametrize(("words", "keywords"), MANY)
def test_a_record_is_made_shown_and_compared_as_a_dataclass(
    words: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    one, other = Point(*words, **keywords), Twin(*words, **keywords)
    assert repr(one) == repr(other).replace("Twin", "Point")
    assert (one.x, one.y, one.tags, one.note, one.double) == (
        other.x, other.y, other.tags, other.note, other.double,
    )  # fmt: skip
    for more, keys in MANY:
        point, twin = Point(*more, **keys), Twin(*more, **keys)
        assert (one == point, one != point) == (other == twin, other != twin)
        assert (hash(one) == hash(point)) == (hash(other) == hash(twin))


@pytest.mark.parametrize(
    ("words", "keywords"),
    [((), {}), ((1, 2, {}, "", 5), {}), ((1,), {"x": 1}), ((1,), {"double": 1}), ((1,), {"z": 1})],
)
def test_a_record_refuses_the_arguments_that_a_dataclass_refuses(
    words: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    for cls in (Twin, Point):
        with pytest.raises(TypeError):
            cls(*words, **keywords)


def test_default_factory_is_called_for_each_value() -> None:
    assert Point(1).tags is not Point(1).tags


def test_a_record_cannot_change() -> None:
    point = Point(1)
    for name in ("x", "double", "other"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(point, name, 1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(point, name)
    assert not hasattr(point, "__dict__")


def test_a_record_is_equal_to_nothing_but_its_like() -> None:
    others: list[Any] = [Twin(1), (1, 2), 1]
    for other in others:
        assert Point(1) != other
        assert Point(1).__eq__(other) is NotImplemented


def test_records_are_dataclasses_to_those_who_ask() -> None:
    cls: Any = Point
    assert dataclasses.is_dataclass(cls)
    names = [f.name for f in dataclasses.fields(Twin)]
    assert [f.name for f in dataclasses.fields(Point)] == names
    for one, other in zip(dataclasses.fields(Point), dataclasses.fields(Twin), strict=True):
        assert (one.init, one.repr, one.compare) == (other.init, other.repr, other.compare)
        assert (one.default, one.default_factory) == (other.default, other.default_factory)
    assert dataclasses.asdict(Point(1)) == dataclasses.asdict(Twin(1))
    assert dataclasses.replace(Point(1), x=4).double == 8


def test_dataclass_fields_are_built_once() -> None:
    assert dataclasses.fields(Point(1))[0] is dataclasses.fields(Point(2))[0]


def test_a_copy_with_other_values_is_made_again() -> None:
    point = Point(1, 3, note="n")
    assert replace(point, x=5) == Point(5, 3, note="n")
    assert (replace(point, x=5).double, point.double) == (10, 2)
    with pytest.raises(TypeError):
        replace(point, z=1)


def test_records_are_copied_and_pickled_whole() -> None:
    point = Point(1, tags={"a": 1})
    for again in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert (again, again.tags, again.double) == (point, {"a": 1}, 2)
        with pytest.raises(dataclasses.FrozenInstanceError):
            again.__setattr__("x", 2)


def test_a_record_is_taken_apart_by_its_fields() -> None:
    match Point(1, 5):
        case Point(x, y=5):
            assert x == 1
        case _:
            pytest.fail("no match")
    assert Point(1).sum == 3
    assert (names_of(Point(1)), names_of((1, 2))) == (("x", "y", "tags", "note"), None)


def test_a_record_is_made_of_all_its_values() -> None:
    assert make(Point, [1, 5, {}, "n"]) == Point(1, 5, {}, "n")
    assert make(Point, [4, 5, {}, ""]).double == 8
    for values in ([], [1], [1, 2, {}, "", 5]):
        with pytest.raises(TypeError, match="4 fields"):
            make(Point, values)


def test_to_define_records_loads_no_dataclasses() -> None:
    code = (
        "import sys\n"
        "from rulesengine.support.frozen import record\n"
        "@record\n"
        "class A:\n"
        "    x: int\n"
        "assert A(1) == A(1) != A(2)\n"
        "print('dataclasses' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "False\n"
