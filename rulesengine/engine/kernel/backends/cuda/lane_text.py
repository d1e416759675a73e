"""Parts of LLVM assembly that the kernels of lanes share.

A lane has its context record at `%ctx`, the arguments of an entry point at `%in`, and its results
at `%out`. On the GPU it is a thread; on the host its number is the last parameter of the kernel.
"""

from collections.abc import Sequence

from rulesengine import job

FAILED = 1  # the word of the memory of results that counts failures
DECLARATIONS = "\n".join(
    f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()" for name in ("tid", "ctaid", "ntid")
)
_THREAD = """  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %earlier = mul i32 %block, %size
  %thread = add i32 %earlier, %tid
  %lane = zext i32 %thread to i64"""


def head_text(name: str, params: Sequence[str], *, on_gpu: bool) -> str:
    """Return the head of a kernel, up to the code for the numbers of its thread.

    `%tid` is the number of the thread in its block, `%lane` that in the launch.
    """
    if on_gpu:
        return f"define ptx_kernel void @{name}({', '.join(params)}) {{\nentry:\n{_THREAD}"
    shown = ", ".join((*params, "i64 %lane"))
    return f"define void @{name}({shown}) {{\nentry:\n  %tid = add i32 0, 0"


def job_text() -> str:
    """Return the code for the addresses of failures and of the job; the first thread polls it."""
    return f"""  %failures = getelementptr i64, ptr %results, i64 {FAILED}
  %done = getelementptr i8, ptr %job, i64 {job.DONE}
  %stop = getelementptr i8, ptr %job, i64 {job.STOP}
  %polls = icmp eq i32 %tid, 0"""


def copy_text(source: str, words: int) -> str:
    """Return the code that copies the words of a state to the arguments."""
    return "\n".join(
        f"  %s{k} = getelementptr i64, ptr %{source}, i64 {k}\n"
        f"  %w{k} = load i64, ptr %s{k}, align 8\n"
        f"  %i{k} = getelementptr i64, ptr %in, i64 {k}\n"
        f"  store i64 %w{k}, ptr %i{k}, align 8"
        for k in range(words)
    )


def store_text(first: int, names: Sequence[str]) -> str:
    """Return the code that stores values as the arguments from a place on."""
    return "\n".join(
        f"  %in.{name} = getelementptr i64, ptr %in, i64 {place}\n"
        f"  store i64 %{name}, ptr %in.{name}, align 8"
        for place, name in enumerate(names, start=first)
    )


def poll_text(done: str, most: str) -> str:
    """Return the blocks from `test` that poll the job; `play` follows.

    They report the value `done`. If the job is stopped, the shared counter is set to `most`, so
    that no lane gets further work.
    """
    return f"""test:
  br i1 %polls, label %poll, label %play
poll:
  store volatile i64 %{done}, ptr %done, align 8
  %flag = load volatile i8, ptr %stop
  %stopped = icmp ne i8 %flag, 0
  br i1 %stopped, label %halt, label %play
halt:
  %last = atomicrmw umax ptr %results, i64 %{most} monotonic, align 8
  br label %end"""


def call_text(entry: str, then: str, first: int) -> str:
    """Return the code that calls an entry point and continues at a block.

    If the call fails, `%number` is appended to the failures, which begin at word `first` after
    their count.
    """
    return f"""  %code = call i32 @"e.{entry}"(ptr %ctx, ptr %in, ptr %out)
  %returned = icmp eq i32 %code, 0
  br i1 %returned, label %{then}, label %fail
fail:
  %index = atomicrmw add ptr %failures, i64 1 monotonic, align 8
  %place = add i64 %index, {first}
  %failure = getelementptr i64, ptr %failures, i64 %place
  store i64 %number, ptr %failure, align 8
  br label %next"""
