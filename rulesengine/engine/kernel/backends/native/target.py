"""The processor that code is compiled for."""

from dataclasses import dataclass

# The features that emitted code depends on; LLVM may use all others.
USED = frozenset({"avx2", "avx512cd", "avx512f", "avx512vl", "bmi2"})


@dataclass(frozen=True, slots=True)
class Target:
    """A processor in LLVM's terms: target triple, model and features (`avx2`, `bmi2`).

    Without a model it is any processor of the triple's architecture.
    """

    triple: str
    cpu: str = ""
    features: frozenset[str] = frozenset()

    def has(self, *names: str) -> bool:
        return self.features.issuperset(names)

    @property
    def has_wide_words(self) -> bool:
        """True if 128-bit products and variable shifts need no library function."""
        return not self.triple.startswith("wasm")

    @property
    def high_product(self) -> str:
        """Return LLVM's intrinsic for the high word of a product of 64-bit words, if it has one."""
        return "llvm.nvvm.mulhi.ull" if self.is_gpu else ""

    @property
    def is_gpu(self) -> bool:
        """True if each lane of the processor has a small stack and runs the same code."""
        return self.triple.startswith("nvptx")

    @property
    def flags(self) -> str:
        """Return the features in the form of LLVM's command line."""
        return ",".join(f"+{name}" for name in sorted(self.features))

    @property
    def wide_lanes(self) -> bool:
        """True if 64-bit lanes rotate, count zeros and select in one instruction each."""
        return self.has("avx512f", "avx512vl", "avx512cd")


def host() -> Target:
    """Return the processor that this process runs on."""
    import llvmlite.binding as llvm

    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:
        features = {}
    names = frozenset(name for name, present in features.items() if present)
    cpu = llvm.get_host_cpu_name()
    return Target(llvm.get_process_triple(), cpu, fast_features(cpu, names))


def fast_features(cpu: str, features: frozenset[str]) -> frozenset[str]:
    """Return the features of a processor that are fast on it.

    AMD's Zen executes a double-word shift in several micro-operations; LLVM 22 does not know this
    of the third generation and later ones. The first two generations do the same for each bit that
    `pdep` and `pext` move (Fog, Instruction tables).
    """
    if not cpu.startswith("znver"):
        return features
    spread = {"bmi2"} if cpu in ("znver1", "znver2") else set[str]()
    return features - spread | {"slow-shld"}


def plain() -> Target:
    """Return the baseline processor of this architecture."""
    import llvmlite.binding as llvm

    return Target(llvm.get_process_triple(), "x86-64" if is_x86() else "")


def versions() -> tuple[str, str]:
    """Return the versions of llvmlite and of its LLVM."""
    import llvmlite
    import llvmlite.binding as llvm

    return str(llvmlite.__version__), ".".join(map(str, llvm.llvm_version_info))


def is_x86() -> bool:
    import platform

    return platform.machine().lower() in ("x86_64", "amd64")
