"""Inherited tests, which depend on the default parameters of the parent."""

from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence, to_plain
from rulesengine.language.document.paths import at, put


def with_defaults(merged: Mapping, parent: Mapping) -> Mapping:
    """Return the merged spec, with the parent's parameters set in its inherited tests.

    A default is set in a test if the spec has changed it, still allows it, and the test does not.
    """
    tests, declared = merged.get("tests"), parent.get("parameters")
    if not isinstance(tests, Sequence) or not isinstance(declared, Mapping):
        return merged
    changed = {
        entry.key: default
        for entry in declared
        if (default := at(entry.value, "default")) is not None
        and _is_changed(default, at(merged, "parameters", entry.key))
    }
    for name, default in changed.items():
        updated = tuple(_with_value(test, name, default) for test in tests)
        tests = Sequence(updated, tests.span)
    return put(merged, ("tests",), tests, tests.span) if changed else merged


def _is_changed(default: Node, parameter: Node | None) -> bool:
    """True if a parameter has a new default and still allows the old one."""
    new, value = at(parameter, "default"), to_plain(default)
    if new is None or to_plain(new) == value:
        return False
    choices = at(parameter, "choices")
    if choices is not None:
        listed = to_plain(choices)
        return isinstance(listed, list) and value in listed
    low, high = (at(parameter, key) for key in ("from", "to"))
    return type(value) is not int or _bound(low, value) <= value <= _bound(high, value)


def _bound(bound: Node | None, value: int) -> int:
    """Return a bound of a range; `value` itself if there is no bound."""
    default = bound.value if isinstance(bound, Scalar) else None
    return default if type(default) is int else value


def _with_value(test: Node, name: str, value: Node) -> Node:
    if not isinstance(test, Mapping) or at(test, "parameters", name) is not None:
        return test
    return put(test, ("parameters", name), value, test.span)
