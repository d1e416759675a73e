"""Arguments of compiled drivers: records are replaced by their fields, and memories by bytes."""

from collections.abc import Callable, Iterable
from operator import attrgetter
from types import MappingProxyType
from typing import Any, get_args

from rulesengine.engine.drivers.batch.memories import OutputMemories, StateMemories, StepMemories
from rulesengine.engine.drivers.memory import Memory

Records = OutputMemories | StateMemories | StepMemories
Argument = Records | Memory | int

_MEMORIES: MappingProxyType[type, Callable[[Any], tuple[Memory, ...]]] = MappingProxyType(
    {kind: attrgetter(*kind.__match_args__) for kind in get_args(Records)}
)


def kernel_arguments(args: Iterable[Argument]) -> list[Any]:
    """Return the arguments of a kernel for those of a driver."""
    arguments: list[Any] = []
    for arg in args:
        if isinstance(arg, Memory):
            arguments.append(arg.bytes)
        elif isinstance(arg, int):
            arguments.append(arg)
        else:
            arguments += [memory.bytes for memory in _MEMORIES[type(arg)](arg)]
    return arguments
