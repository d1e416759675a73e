"""The processor that code is made for."""

from dataclasses import dataclass

# The features that code is written for; all others are LLVM's to use.
USED = frozenset({"avx2", "avx512cd", "avx512f", "avx512vl", "bmi2"})


@dataclass(frozen=True, slots=True)
class Target:
    """A processor by LLVM's names: target triple, model, and what it has (`avx2`, `bmi2`).

    Without a model it is any processor of its kind.
    """

    triple: str
    cpu: str = ""
    features: frozenset[str] = frozenset()

    def has(self, *names: str) -> bool:
        return self.features.issuperset(names)

    @property
    def has_wide_words(self) -> bool:
        """Whether products of 128 bits, and shifts by any number, need no library."""
        return not self.triple.startswith("wasm")

    @property
    def flags(self) -> str:
        """The features as LLVM's command line takes them."""
        return ",".join(f"+{name}" for name in sorted(self.features))

    @property
    def wide_lanes(self) -> bool:
        """Whether lanes of 64 bits turn, count zeros and choose in one instruction each."""
        return self.has("avx512f", "avx512vl", "avx512cd")


def host() -> Target:
    """The processor that this process runs on."""
    import llvmlite.binding as llvm

    try:
        found = llvm.get_host_cpu_features()
    except RuntimeError:
        found = {}
    names = frozenset(name for name, present in found.items() if present)
    cpu = llvm.get_host_cpu_name()
    return Target(llvm.get_process_triple(), cpu, paying(cpu, names))


def paying(cpu: str, features: frozenset[str]) -> frozenset[str]:
    """The features of a processor, such that code which goes by them is fast on it.

    AMD's Zen does a shift of two words in several small steps, which LLVM 22 does not know of its
    third generation and later ones; the first two do the same with each bit that `pdep` and `pext`
    move (Fog, Instruction tables).
    """
    if not cpu.startswith("znver"):
        return features
    spread = {"bmi2"} if cpu in ("znver1", "znver2") else set[str]()
    return features - spread | {"slow-shld"}


def plain() -> Target:
    """The least processor of this process's kind."""
    import llvmlite.binding as llvm

    return Target(llvm.get_process_triple(), "x86-64" if is_x86() else "")


def versions() -> tuple[str, str]:
    """Of llvmlite and of its LLVM."""
    import llvmlite
    import llvmlite.binding as llvm

    return str(llvmlite.__version__), ".".join(map(str, llvm.llvm_version_info))


def is_x86() -> bool:
    import platform

    return platform.machine().lower() in ("x86_64", "amd64")
