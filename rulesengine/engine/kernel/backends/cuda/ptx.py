"""Emit the playouts of a game as PTX: lanes that take chunks of games from a shared counter.

A lane is a thread of the GPU. Each lane has a context record, and plays the games of its chunk one
after the other with the entry point `play_games`. The totals of all lanes are sums, so their order
does not matter. The first lane of each block polls the memory of a job before each chunk; if the
job is stopped, it leaves no chunk for any lane. The same code for the host has the number of the
lane as a parameter. See decision 104.
"""

from dataclasses import dataclass, replace

from rulesengine.engine.kernel.backends.code_image import entries_of
from rulesengine.engine.kernel.backends.cuda.lane_module import lane_module
from rulesengine.engine.kernel.backends.cuda.lane_text import (
    DECLARATIONS,
    FAILED,
    call_text,
    copy_text,
    head_text,
    job_text,
    poll_text,
    store_text,
)
from rulesengine.engine.kernel.backends.native.call_graph import CallGraph
from rulesengine.engine.kernel.backends.native.emit import emit, layout_of, record_of
from rulesengine.engine.kernel.backends.native.object_code import compile_cached
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.values import widths
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.code.form import Module

# PTX for the oldest supported compute capability runs on all later devices.
TARGET = Target("nvptx64-nvidia-cuda", "sm_70")
KERNEL = "play_lanes"
# Words of the memory of results: the next chunk, the number `FAILED` of failed chunks, then the
# totals, then the numbers of failed chunks.
NEXT, TOTALS = 0, 2

_ENTRY = "play_games"
ITEMS = 2048  # numbers of a list of moves; a longer list makes the chunk fail


@dataclass(frozen=True, slots=True)
class LaneKernel:
    """The kernel of playouts as text.

    - `text`: LLVM assembly.
    - `words`: words of the initial state.
    - `totals`: words of the totals: wins by player, draws, unfinished games, plies, the checksum.
    - `context`: bytes of a lane's context record, which must be zero at first.
    - `set_words`: words of a set of cells.
    - `params`: the types of the values of the initial state.
    - `recurses`: True if a lane needs more stack than the assembler can compute.
    """

    text: str
    words: int
    totals: int
    context: int
    set_words: int
    params: str
    recurses: bool


def lane_kernel(module: Module, target: Target = TARGET, *, items: int = ITEMS) -> LaneKernel:
    """Return the kernel of playouts for a module with the entry point `play_games`.

    `items` is the capacity of a list of moves, in numbers.
    """
    module = replace(lane_module(module), items=items)
    layout = layout_of(module, target, separate=True)
    params, results = entries_of(module)[_ENTRY]
    state = params[:-3]
    words, totals = sum(widths(tuple(state), layout)), len(results)
    text = emit(module, target, separate=True, exports=False)
    kernel = _kernel_text(words, totals, on_gpu=target.is_gpu)
    return LaneKernel(
        f"{text}\n{kernel}\n",
        words,
        totals,
        record_of(module).size,
        layout.words,
        state,
        bool(CallGraph(module.functions).recursive),
    )


def ptx_of(text: str, store: Store | None = None, level: int = 2) -> str:
    """Compile the text of a kernel to PTX. Raises CompileError."""
    return compile_cached(text, TARGET, level, store).decode()


def _kernel_text(words: int, totals: int, *, on_gpu: bool) -> str:
    """Return the function that every lane runs.

    Its parameters are the context records and the bytes of each, the initial state, the first game,
    the number of games, the games of a chunk, the seed, the results and the memory of the job.
    """
    params = ["ptr %contexts", "i64 %context", "ptr %state", "i64 %first", "i64 %games"]
    params += ["i64 %chunk", "i64 %seed", "ptr %results", "ptr %job"]
    sums = "\n".join(_add_to_sum(k) for k in range(totals))
    ends = "\n".join(_add_to_total(k) for k in range(totals))
    return f"""{DECLARATIONS if on_gpu else ""}
{head_text(KERNEL, params, on_gpu=on_gpu)}
{_memory_text(words, totals)}
{copy_text("state", words)}
{job_text()}
  br label %next
next:
  %number = atomicrmw add ptr %results, i64 1 monotonic, align 8
  %begin = mul i64 %number, %chunk
  %more = icmp ult i64 %begin, %games
  br i1 %more, label %test, label %end
{poll_text("begin", "games")}
play:
  %left = sub i64 %games, %begin
  %few = icmp ult i64 %left, %chunk
  %count = select i1 %few, i64 %left, i64 %chunk
  %game = add i64 %first, %begin
{store_text(words, ("game", "count", "seed"))}
{call_text(_ENTRY, "add", TOTALS + totals - FAILED)}
add:
{sums}
  br label %next
end:
{ends}
  ret void
}}"""


def _memory_text(words: int, totals: int) -> str:
    """Return the code for the memory of a lane; the sums of its results begin at 0."""
    places = "\n".join(
        f"  %z{k} = getelementptr i64, ptr %sums, i64 {k}\n"
        f"  %o{k} = getelementptr i64, ptr %out, i64 {k}\n"
        f"  store i64 0, ptr %z{k}, align 8"
        for k in range(totals)
    )
    return f"""  %in = alloca [{words + 3} x i64], align 8
  %out = alloca [{totals} x i64], align 8
  %sums = alloca [{totals} x i64], align 8
  %offset = mul i64 %lane, %context
  %ctx = getelementptr i8, ptr %contexts, i64 %offset
{places}"""


def _add_to_sum(k: int) -> str:
    """Return the code that adds a result of a chunk to the sum of the lane."""
    return f"""  %a{k} = load i64, ptr %z{k}, align 8
  %b{k} = load i64, ptr %o{k}, align 8
  %c{k} = add i64 %a{k}, %b{k}
  store i64 %c{k}, ptr %z{k}, align 8"""


def _add_to_total(k: int) -> str:
    """Return the code that adds the sum of the lane to the total of all lanes."""
    return f"""  %t{k} = getelementptr i64, ptr %results, i64 {TOTALS + k}
  %v{k} = load i64, ptr %z{k}, align 8
  %u{k} = atomicrmw add ptr %t{k}, i64 %v{k} monotonic, align 8"""
