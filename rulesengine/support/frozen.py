"""Frozen records with slots: compatible with dataclasses, but cheap to define.

A start for one game defines some forty classes first; `dataclasses` needs a millisecond for each
and ten for its import. Here a constructor is generated on its first call. See decision 012.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")

_NOTHING: Any = object()


class Field:
    """The options of a field, as arguments of `field`."""

    __slots__ = ("compare", "default", "default_factory", "init", "repr")

    def __init__(
        self, default: Any, default_factory: Any, init: bool, repr: bool, compare: bool
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare


def field(
    *,
    default: Any = _NOTHING,
    default_factory: Any = _NOTHING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
) -> Any:
    """Declare a field with the options of `dataclasses.field`."""
    return Field(default, default_factory, init, repr, compare)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Return the class as a frozen record with slots, a constructor, comparison and hash.

    It replaces `dataclass(frozen=True, slots=True)`; `fields`, `replace`, `match` and pickle treat
    its values alike. Fields without `init` are not pickled; they follow from the others. Methods
    that the class defines are not replaced. A record cannot be a base class.
    """
    fields = {name: _field(cls, name) for name in cls.__annotations__}
    names = tuple(fields)
    body = {name: value for name, value in cls.__dict__.items() if name not in names}
    del body["__dict__"], body["__weakref__"]
    key = _key(tuple(name for name in names if fields[name].compare))
    made_here: dict[str, Any] = {
        "__slots__": names,
        "__match_args__": tuple(name for name in names if fields[name].init),
        "__dataclass_fields__": _DataclassFields(names, fields),
        "__init__": _first_init(fields),
        "__eq__": _eq(key),
        "__hash__": lambda self: hash(key(self)),
        "__repr__": _repr(tuple(name for name in names if fields[name].repr)),
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__getstate__": lambda self: [getattr(self, name) for name in self.__match_args__],
        "__setstate__": _set_state,
    }
    created = type(cls.__name__, cls.__bases__, made_here | body)
    created.__qualname__ = cls.__qualname__
    return created


def replace(value: T, /, **changes: Any) -> T:
    """Return a copy of a record with other values in some fields, as `dataclasses.replace` does."""
    names = value.__match_args__  # type: ignore[attr-defined]
    return type(value)(**{name: getattr(value, name) for name in names} | changes)


def make(cls: type[T], values: list[Any]) -> T:
    """Create a record from the values of all its fields in order.

    Raises TypeError for a wrong number of values. It does the same as the constructor without
    generating one, for a class with few instances.
    """
    names = cls.__match_args__  # type: ignore[attr-defined]
    if len(values) != len(names):
        raise TypeError(f"{cls.__name__} has {len(names)} fields, found {len(values)}")
    instance = cls.__new__(cls)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(instance, name, value)
    if hasattr(cls, "__post_init__"):
        instance.__post_init__()  # type: ignore[attr-defined]
    return instance


def names_of(value: object) -> tuple[str, ...] | None:
    """Return the names of the constructor's fields; None if the value is no record."""
    return getattr(type(value), "__match_args__", None)


def _field(cls: type, name: str) -> Field:
    value = cls.__dict__.get(name, _NOTHING)
    return value if isinstance(value, Field) else Field(value, _NOTHING, True, True, True)


def _first_init(fields: dict[str, Field]) -> Callable[..., None]:
    def init(self: Any, *args: Any, **keywords: Any) -> None:
        written = _write_init(type(self), fields)
        type(self).__init__ = written
        written(self, *args, **keywords)

    return init


def _write_init(cls: type, fields: dict[str, Field]) -> Callable[..., None]:
    """Generate the constructor; `exec` is safe because the names come from our own code."""
    words: list[str] = []
    lines: list[str] = []
    known: dict[str, Any] = {"nothing": _NOTHING}
    for name, options in fields.items():
        if not options.init:
            continue
        known |= {f"set_{name}": getattr(cls, name).__set__, f"default_{name}": options.default}
        known[f"make_{name}"] = options.default_factory
        has_default = options.default is not _NOTHING or options.default_factory is not _NOTHING
        words.append(f"{name}=default_{name}" if has_default else name)
        if options.default_factory is not _NOTHING:
            lines.append(f"    if {name} is nothing: {name} = make_{name}()")
        lines.append(f"    set_{name}(self, {name})")
    lines.append("    self.__post_init__()" if hasattr(cls, "__post_init__") else "    return")
    text = "\n".join([f"def __init__(self, {', '.join(words)}):", *lines])
    exec(text, known)  # noqa: S102
    init: Callable[..., None] = known["__init__"]
    return init


def _key(names: tuple[str, ...]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda value: ()


def _eq(key: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def equal(self: Any, other: object) -> Any:
        return key(self) == key(other) if type(other) is type(self) else NotImplemented

    return equal


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    def show(self: Any) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({inner})"

    return show


def _refuse(self: Any, name: str, value: object = None) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"{type(self).__name__} is frozen: `{name}` cannot change")


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)
    if hasattr(type(self), "__post_init__"):
        self.__post_init__()


class _DataclassFields:
    """The `__dataclass_fields__` of a record, built from a real dataclass on first access."""

    __slots__ = ("_fields", "_names")

    def __init__(self, names: tuple[str, ...], fields: dict[str, Field]) -> None:
        self._names = names
        self._fields = fields

    def __get__(self, instance: object, owner: type) -> Any:
        import dataclasses

        def options(field: Field) -> dict[str, Any]:
            attributes = {name: getattr(field, name) for name in Field.__slots__}
            return {name: value for name, value in attributes.items() if value is not _NOTHING}

        fields = [
            (name, owner.__annotations__[name], dataclasses.field(**options(self._fields[name])))
            for name in self._names
        ]
        twin: Any = dataclasses.make_dataclass(owner.__name__, fields)
        type.__setattr__(owner, "__dataclass_fields__", twin.__dataclass_fields__)
        return twin.__dataclass_fields__
