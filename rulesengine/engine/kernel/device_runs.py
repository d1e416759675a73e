"""Playouts of one program on a GPU. Experimental."""

from collections.abc import Callable
from functools import cached_property, partial

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.backends.cuda.cuda_driver import cuda_driver
from rulesengine.engine.kernel.backends.cuda.device import CUDA, Device, device_number
from rulesengine.engine.kernel.backends.cuda.driver import DeviceError, Driver
from rulesengine.engine.kernel.backends.cuda.lane_run import LaneRun
from rulesengine.engine.kernel.backends.cuda.ptx import LaneKernel, lane_kernel, ptx_of
from rulesengine.engine.kernel.backends.native.object_code import CompileError
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import has_swap, plane_numbers, values_of
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.state import State
from rulesengine.support.blocking import in_threads

Totals = list[int]
_WORD = 64


class DevicePlayouts:
    """The playouts of a program on the GPU of a name. Raises DeviceError if there is none.

    `open_driver` returns the driver, by default that of this machine.
    """

    def __init__(
        self,
        machine: Interpreter,
        name: str,
        store: Store | None = None,
        open_driver: Callable[[], Driver] | None = None,
    ) -> None:
        number = device_number(CUDA if name == "auto" else name)
        if number is None:
            raise DeviceError(f"no device `{name[:40]}`: use cpu, auto, cuda or cuda:NUMBER")
        self.machine, self._store = machine, store
        self.device = Device((open_driver or cuda_driver)(), number, store)

    def totals(
        self,
        start: State,
        games: int,
        seed: int,
        job: Job,
        repeat: Callable[[range], Totals],
    ) -> Totals:
        """Return the totals of games 0 to `games` - 1 from a state.

        `repeat` plays a range of games that lanes could not play on the CPU. Raises DeviceError
        and Stopped.
        """
        state = state_bytes(self.machine.program, start, self._kernel)
        run = LaneRun(self.device, self._kernel, self._ptx)
        (found,) = in_threads(
            [partial(run.totals, state, games, seed & 2**_WORD - 1, job)], job.stop
        )
        parts = [found.totals, *map(repeat, found.failed)]
        return [sum(column) for column in zip(*parts, strict=True)]

    @cached_property
    def _kernel(self) -> LaneKernel:
        """Return the code of the lanes. Raises DeviceError."""
        try:
            return lane_kernel(emitted(self.machine, "lanes"))
        except Unsupported as problem:
            raise DeviceError(f"the rules have no code for a GPU: {problem}") from None

    @cached_property
    def _ptx(self) -> bytes:
        try:
            return ptx_of(self._kernel, self._store).encode()
        except CompileError as problem:
            raise DeviceError(f"no code for a GPU: {problem}") from None


def state_bytes(program: Program, state: State, kernel: LaneKernel) -> bytes:
    """Return a state in the order of the parameters of the kernel. Raises DeviceError."""
    try:
        swaps = has_swap(program)
        values = list(values_of(program, state, plane_numbers(program), swaps=swaps))
    except Unsupported as problem:
        raise DeviceError(f"a GPU does not play from this state: {problem}") from None
    if program.keeps_history:
        if state.history:
            raise DeviceError("a GPU plays rules that look back from a first position only")
        values.append(0)
    sizes = [8 * kernel.set_words if type == "m" else 8 for type in kernel.params]
    pairs = zip(values, sizes, strict=True)
    return b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value, size in pairs)
