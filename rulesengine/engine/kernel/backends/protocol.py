"""What a back end gives, and what it is given; nothing of it is loaded before it is needed."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.callables import Fast
    from rulesengine.engine.kernel.backends.code_image import Image
    from rulesengine.engine.kernel.code.form import Module
    from rulesengine.engine.kernel.game_history import Held


class Store(Protocol):
    """Bytes kept from run to run."""

    def get(self, kind: str, key: bytes) -> bytes | None: ...

    def put(self, kind: str, key: bytes, data: bytes) -> None: ...


class StampedStore(Store, Protocol):
    """One that knows the package: `stamp` is another one after any change to what makes kernels."""

    @property
    def stamp(self) -> bytes: ...

    def has(self, kind: str, key: bytes) -> bool: ...


class Compiled(Protocol):
    """The entry points of a module.

    `image` is what loads it again, if that can be. `mark` is the last number marked; `fast` has
    those callables that could be made, by name, and `line` tells whose line of play these have,
    None if there are none.
    """

    @property
    def image(self) -> "Image | None": ...

    @property
    def mark(self) -> int: ...

    @property
    def fast(self) -> Mapping[str, Callable[..., Any]]: ...

    @property
    def line(self) -> "Held | None": ...

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        """The results of an entry point, None if it fails. Raises Stopped."""

    def bound(self, name: str, args: Sequence[Any]) -> Callable[[], bool]:
        """The call of an entry point with the same arguments each time; whether it succeeds.

        What memories among them hold is read anew. Raises Stopped as `call` does.
        """


class Backend(Protocol):
    """A way to make code run, and an engine by its name."""

    @property
    def name(self) -> str: ...

    @property
    def steps(self) -> int:
        """From how many steps of a count or of random games on its kernels pay."""

    @property
    def seconds(self) -> float:
        """After how many seconds of single calls they pay."""

    @property
    def kept_seconds(self) -> float:
        """The same where their code has been kept from an earlier run."""

    @property
    def seats(self) -> int:
        """How many random games are played in turn."""

    @property
    def keeps_history(self) -> bool:
        """Whether a thread's calls share one history, which `lengthen` tells what is new.

        Else a history is an argument: a tuple of positions, each the side and its sets.
        """

    @property
    def has_threads(self) -> bool:
        """Whether calls of several threads run side by side."""

    @property
    def remark(self) -> str:
        """What a remark begins with in its text."""

    def problem(self) -> str | None:
        """Why it does not work here; None if nothing is known to be missing."""

    def versions(self) -> Mapping[str, str]:
        """Of what makes the code, empty where that is not there."""

    def maker(self) -> str:
        """The same in words."""

    def processor(self) -> tuple[str, tuple[str, ...]]:
        """The processor that code is made for, and which of its features that counts on.

        Empty where that does not matter.
        """

    def compile(
        self, module: "Module", store: Store | None, fasts: "Mapping[str, Fast]"
    ) -> Compiled:
        """The code, made to run. Raises RulesError where it cannot be."""

    def reloaded(
        self, image: "Image", store: Store, fasts: "Mapping[str, Fast]"
    ) -> Compiled | None:
        """The code of an image again; None where it cannot be loaded here and now."""

    def kind(self, module: "Module") -> str:
        """How the code keeps sets of cells, in words that stand beside a figure."""

    def text(self, module: "Module") -> str:
        """The code for reading, with its remarks if it has any."""
