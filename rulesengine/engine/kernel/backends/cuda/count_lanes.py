"""Emit perft as PTX: lanes that take states of a frontier from a shared counter.

A lane counts below one state after the other with the entry point `perft`, and adds the counts,
each times the weight of its state. The first lane of each block polls the memory of a job.
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
from rulesengine.engine.kernel.backends.cuda.ptx import ITEMS, TARGET
from rulesengine.engine.kernel.backends.native.emit import emit, layout_of, record_of
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.values import widths
from rulesengine.engine.kernel.code.form import Module

COUNT_KERNEL = "count_lanes"
JOB = 128  # bytes of the memory of a lane's own job, after its context record
# Words of the memory of results: the next state, the number of failed states, the total, then the
# numbers of failed states.
COUNT_TOTAL, COUNT_HEAD = 2, 3

_ENTRY = "perft"
_ARGUMENTS = 4  # after the state: the depth and three options; then the job


@dataclass(frozen=True, slots=True)
class CountKernel:
    """The kernel of perft as text.

    - `text`: LLVM assembly.
    - `words`: words of a state; its weight follows.
    - `context`: bytes of a lane's context record and its job, which must be zero at first.
    - `set_words`: words of a set of cells.
    - `params`: the types of the values of a state.
    """

    text: str
    words: int
    context: int
    set_words: int
    params: str


def count_kernel(module: Module, target: Target = TARGET) -> CountKernel:
    """Return the kernel of perft for a module with the entry point `perft`."""
    module = replace(lane_module(module), items=ITEMS)
    layout = layout_of(module, target, separate=True)
    params = entries_of(module)[_ENTRY][0][: -_ARGUMENTS - 1]
    words, size = sum(widths(tuple(params), layout)), aligned(record_of(module).size)
    text = emit(module, target, separate=True, exports=False)
    kernel = _kernel_text(words, layout.words, size, on_gpu=target.is_gpu)
    return CountKernel(f"{text}\n{kernel}\n", words, size + JOB, layout.words, params)


def aligned(size: int) -> int:
    """Round a number of bytes up to whole lines."""
    return -(-size // JOB) * JOB


def _kernel_text(words: int, set_words: int, record: int, *, on_gpu: bool) -> str:
    """Return the function that every lane runs.

    Its parameters are the context records, the states, the number of states, the depth, the options
    keep, free and bulk, the results, and the memory of the job.
    """
    params = ["ptr %contexts", "ptr %states", "i64 %count", "i64 %depth", "i64 %keep", "i64 %free"]
    params += ["i64 %bulk", "ptr %results", "ptr %job"]
    return f"""{DECLARATIONS if on_gpu else ""}
{head_text(COUNT_KERNEL, params, on_gpu=on_gpu)}
{_memory_text(words, set_words, record)}
{job_text()}
  br label %next
next:
  %sum = phi i64 [ 0, %entry ], [ %more.sum, %add ], [ %sum, %fail ]
  %number = atomicrmw add ptr %results, i64 1 monotonic, align 8
  %more = icmp ult i64 %number, %count
  br i1 %more, label %test, label %end
{poll_text("number", "count")}
play:
  %begin = mul i64 %number, {8 * (words + 1)}
  %row = getelementptr i8, ptr %states, i64 %begin
{copy_text("row", words)}
  %at.weight = getelementptr i64, ptr %row, i64 {words}
  %weight = load i64, ptr %at.weight, align 8
{call_text(_ENTRY, "add", COUNT_HEAD - FAILED)}
add:
  %found = load i64, ptr %out, align 8
  %part = mul i64 %found, %weight
  %more.sum = add i64 %sum, %part
  br label %next
end:
  %total = phi i64 [ %sum, %next ], [ %sum, %halt ]
  %at.total = getelementptr i64, ptr %results, i64 {COUNT_TOTAL}
  %before = atomicrmw add ptr %at.total, i64 %total monotonic, align 8
  ret void
}}"""


def _memory_text(words: int, set_words: int, record: int) -> str:
    """Return the code for the memory of a lane, with the arguments that are the same for all
    states.
    """
    return f"""  %in = alloca [{words + _ARGUMENTS + 1} x i64], align 8
  %out = alloca [{1 + set_words} x i64], align 8
  %offset = mul i64 %lane, {record + JOB}
  %ctx = getelementptr i8, ptr %contexts, i64 %offset
  %own = getelementptr i8, ptr %ctx, i64 {record}
  %own.word = ptrtoint ptr %own to i64
{store_text(words, ("depth", "keep", "free", "bulk", "own.word"))}"""
