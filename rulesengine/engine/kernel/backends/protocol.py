"""The protocol of back ends and of compiled code; implementations are imported on first use."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.callables import CallableSpec
    from rulesengine.engine.kernel.backends.code_image import Image
    from rulesengine.engine.kernel.code.form import Module
    from rulesengine.engine.kernel.game_history import HistoryOwner


class Store(Protocol):
    """A cache of bytes that persists between runs."""

    def get(self, kind: str, key: bytes) -> bytes | None: ...

    def put(self, kind: str, key: bytes, data: bytes) -> None: ...


class StampedStore(Store, Protocol):
    """A store with a stamp of the package.

    `stamp` changes with any change to the code that compiles kernels.
    """

    @property
    def stamp(self) -> bytes: ...

    def has(self, kind: str, key: bytes) -> bool: ...

    def lock(self, key: bytes) -> AbstractContextManager[None]:
        """Return a lock between the threads and processes that share the store."""


class CompiledModule(Protocol):
    """The entry points of a compiled module.

    - `image`: the code for a cache, None if it cannot be cached.
    - `mark`: the last number marked.
    - `fast`: the callables that the back end could compile, by name.
    - `line`: the history that the callables share, None if there are no callables.
    """

    @property
    def image(self) -> "Image | None": ...

    @property
    def mark(self) -> int: ...

    @property
    def fast(self) -> Mapping[str, Callable[..., Any]]: ...

    @property
    def line(self) -> "HistoryOwner | None": ...

    @property
    def is_final(self) -> bool:
        """True if no faster code of the same functions will replace this one."""

    def wait_until_final(self, seconds: float) -> bool:
        """Wait up to a time for the final code, and return `is_final`."""

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the results of an entry point, None if it fails. Raises Stopped."""

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        """Return a function that calls an entry point with fixed arguments; True if it succeeds.

        Buffers among the arguments are read again at each call. Raises Stopped as `call` does.
        """


class Backend(Protocol):
    """A back end: a compiler of kernel code, and an engine that the user can select by name."""

    @property
    def name(self) -> str: ...

    @property
    def rate(self) -> float:
        """Return the time of a ply in a driver, divided by the interpreter's."""

    @property
    def call_rate(self) -> float:
        """Return the time of a single call, divided by the interpreter's."""

    @property
    def load_seconds(self) -> float:
        """Return the seconds to load cached code."""

    def compile_seconds(self, size: int, part: str) -> float:
        """Return the usual seconds to compile a part; `size` is the number of operations of the
        program, times the words of a set of cells.
        """

    @property
    def seats(self) -> int:
        """Return the number of playouts that are interleaved."""

    @property
    def keeps_history(self) -> bool:
        """True if the calls of a thread share one history, which `lengthen` extends.

        If not, a history is an argument: a tuple of positions, each the side and its sets.
        """

    @property
    def has_threads(self) -> bool:
        """True if calls of several threads run in parallel."""

    @property
    def remark(self) -> str:
        """Return the prefix of a comment in its text."""

    def problem(self) -> str | None:
        """Return the reason why the back end cannot work here; None if none is known."""

    def versions(self) -> Mapping[str, str]:
        """Return the versions of its compiler by name, empty for a missing part."""

    def maker(self) -> str:
        """Return the versions in one line of text."""

    def processor(self) -> tuple[str, tuple[str, ...]]:
        """Return the processor and those of its features that the code depends on.

        Both are empty if the code depends on no processor.
        """

    def compile(
        self, module: "Module", store: Store | None, fasts: "Mapping[str, CallableSpec]"
    ) -> CompiledModule:
        """Compile a module and load it. Raises RulesError if that is impossible."""

    def reloaded(
        self, image: "Image", store: Store, fasts: "Mapping[str, CallableSpec]"
    ) -> CompiledModule | None:
        """Load the code of a cached image; None if it cannot be loaded here."""

    def kind(self, module: "Module") -> str:
        """Describe the representation of sets of cells, as a caption of benchmark figures."""

    def text(self, module: "Module") -> str:
        """Return the code as text, with remarks if the format has any."""
