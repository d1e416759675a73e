"""Emit perft as PTX: lanes that take states of a frontier from a shared counter.

A lane counts below one state after the other with the entry point `perft`, and adds the counts,
each times the weight of its state. The first lane of each block polls the memory of a job.
"""

from dataclasses import dataclass, replace

from rulesengine import job
from rulesengine.engine.kernel.backends.code_image import entries_of
from rulesengine.engine.kernel.backends.cuda.ptx import ITEMS, TARGET, thread_text
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
    module = replace(module, items=ITEMS)
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
    params += ["i64 %bulk", "ptr %results", "ptr %job", *([] if on_gpu else ["i64 %lane"])]
    kind = "ptx_kernel " if on_gpu else ""
    options = "\n".join(
        f"  %at{k} = getelementptr i64, ptr %in, i64 {words + k}\n"
        f"  store i64 %{name}, ptr %at{k}, align 8"
        for k, name in enumerate(("depth", "keep", "free", "bulk", "own.word"))
    )
    copies = "\n".join(
        f"  %s{k} = getelementptr i64, ptr %row, i64 {k}\n"
        f"  %w{k} = load i64, ptr %s{k}, align 8\n"
        f"  %i{k} = getelementptr i64, ptr %in, i64 {k}\n"
        f"  store i64 %w{k}, ptr %i{k}, align 8"
        for k in range(words)
    )
    declarations, thread = thread_text() if on_gpu else ("", "  %tid = add i32 0, 0")
    return f"""{declarations}
define {kind}void @{COUNT_KERNEL}({", ".join(params)}) {{
entry:
  %in = alloca [{words + _ARGUMENTS + 1} x i64], align 8
  %out = alloca [{1 + set_words} x i64], align 8
{thread}
  %offset = mul i64 %lane, {record + JOB}
  %ctx = getelementptr i8, ptr %contexts, i64 %offset
  %own = getelementptr i8, ptr %ctx, i64 {record}
  %own.word = ptrtoint ptr %own to i64
{options}
  %done = getelementptr i8, ptr %job, i64 {job.DONE}
  %stop = getelementptr i8, ptr %job, i64 {job.STOP}
  %polls = icmp eq i32 %tid, 0
  %failures = getelementptr i64, ptr %results, i64 1
  br label %next
next:
  %sum = phi i64 [ 0, %entry ], [ %more.sum, %add ], [ %sum, %fail ]
  %number = atomicrmw add ptr %results, i64 1 monotonic, align 8
  %more = icmp ult i64 %number, %count
  br i1 %more, label %test, label %end
test:
  br i1 %polls, label %poll, label %play
poll:
  store volatile i64 %number, ptr %done, align 8
  %flag = load volatile i8, ptr %stop
  %stopped = icmp ne i8 %flag, 0
  br i1 %stopped, label %halt, label %play
halt:
  %last = atomicrmw umax ptr %results, i64 %count monotonic, align 8
  br label %end
play:
  %begin = mul i64 %number, {8 * (words + 1)}
  %row = getelementptr i8, ptr %states, i64 %begin
{copies}
  %at.weight = getelementptr i64, ptr %row, i64 {words}
  %weight = load i64, ptr %at.weight, align 8
  %code = call i32 @"e.{_ENTRY}"(ptr %ctx, ptr %in, ptr %out)
  %returned = icmp eq i32 %code, 0
  br i1 %returned, label %add, label %fail
add:
  %found = load i64, ptr %out, align 8
  %part = mul i64 %found, %weight
  %more.sum = add i64 %sum, %part
  br label %next
fail:
  %index = atomicrmw add ptr %failures, i64 1 monotonic, align 8
  %place = add i64 %index, {COUNT_HEAD}
  %failure = getelementptr i64, ptr %results, i64 %place
  store i64 %number, ptr %failure, align 8
  br label %next
end:
  %total = phi i64 [ %sum, %next ], [ %sum, %halt ]
  %at.total = getelementptr i64, ptr %results, i64 {COUNT_TOTAL}
  %before = atomicrmw add ptr %at.total, i64 %total monotonic, align 8
  ret void
}}"""
