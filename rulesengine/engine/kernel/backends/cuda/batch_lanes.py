"""Emit the drivers of batches as PTX: lanes that call an entry point for one game after the other.

Lane k works on the games k, k + lanes, k + 2 lanes, and so on. Further kernels copy actions and
rows of memory, and write observations.
"""

from dataclasses import dataclass, replace

from rulesengine.engine.kernel.backends.code_image import entries_of
from rulesengine.engine.kernel.backends.cuda.count_lanes import JOB, aligned
from rulesengine.engine.kernel.backends.cuda.lane_module import lane_module
from rulesengine.engine.kernel.backends.cuda.lane_text import (
    DECLARATIONS,
    call_text,
    head_text,
    store_text,
)
from rulesengine.engine.kernel.backends.cuda.ptx import ITEMS, TARGET
from rulesengine.engine.kernel.backends.native.call_graph import CallGraph
from rulesengine.engine.kernel.backends.native.emit import emit, record_of
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.code.form import Module

STEP, SHOW, SAMPLE = "step_games", "show_games", "sample_games"
TAKE, OBSERVE, COPY = "take_actions", "observe_games", "copy_rows"
# Words of the memory of failures: the number of failed games, the number of refused actions, then
# the failed games.
FAILED_GAMES, REFUSED_GAMES, FAILURES = 0, 1, 2

_RANGE = 3  # parameters before the memories: the first game, the end, the mark


@dataclass(frozen=True, slots=True)
class BatchKernels:
    """The kernels of a batch as text.

    - `text`: LLVM assembly.
    - `context`: bytes of a lane's context record and its mark, which must be zero at first.
    - `recurses`: True if a lane needs more stack than the assembler can compute.
    """

    text: str
    context: int
    recurses: bool


def batch_kernels(module: Module, target: Target = TARGET, *, items: int = ITEMS) -> BatchKernels:
    """Return the kernels for a module with the entry points of batches.

    `items` is the capacity of a list of moves, in numbers.
    """
    module = replace(lane_module(module), items=items)
    size = aligned(record_of(module).size)
    texts = [emit(module, target, separate=True, exports=False)]
    if target.is_gpu:
        texts.append(DECLARATIONS)
    for name in (STEP, SHOW, SAMPLE):
        memories = len(entries_of(module)[name][0]) - _RANGE
        texts.append(_driver_text(name, memories, size, on_gpu=target.is_gpu))
    texts += [make(on_gpu=target.is_gpu) for make in (_take_text, _observe_text, _copy_text)]
    recurses = bool(CallGraph(module.functions).recursive)
    return BatchKernels("\n".join(texts) + "\n", size + JOB, recurses)


def _head(name: str, params: list[str], *, on_gpu: bool) -> str:
    """Return the head of a kernel; its first parameter is the number of lanes."""
    return head_text(f"lanes_{name}", ["i64 %lanes", *params], on_gpu=on_gpu)


def _driver_text(name: str, memories: int, record: int, *, on_gpu: bool) -> str:
    """Return the kernel of a driver.

    Its parameters are the number of lanes, the number of games, the context records, the failures,
    the address of the words with refused actions, and the memories, the plan first.
    """
    params = ["i64 %games", "ptr %contexts", "ptr %failures", "ptr %refused"]
    params += [f"i64 %m{k}" for k in range(memories)]
    head = _head(name, params, on_gpu=on_gpu)
    counts = "count" if name == STEP else "next"
    return f"""{head}
  %in = alloca [{_RANGE + memories} x i64], align 8
  %out = alloca [2 x i64], align 8
  %offset = mul i64 %lane, {record + JOB}
  %ctx = getelementptr i8, ptr %contexts, i64 %offset
  %mark = getelementptr i8, ptr %ctx, i64 {record}
  %mark.word = ptrtoint ptr %mark to i64
  %distance = sub i64 %mark.word, %m0
  %mark.at = ashr exact i64 %distance, 3
  %at.end = getelementptr i64, ptr %in, i64 1
  %at.mark = getelementptr i64, ptr %in, i64 2
  store i64 %mark.at, ptr %at.mark, align 8
{store_text(_RANGE, [f"m{k}" for k in range(memories)])}
  br label %test
test:
  %number = phi i64 [ %lane, %entry ], [ %following, %next ]
  %more = icmp ult i64 %number, %games
  br i1 %more, label %work, label %end
work:
  %after = add i64 %number, 1
  store i64 %number, ptr %in, align 8
  store i64 %after, ptr %at.end, align 8
{call_text(name, counts, FAILURES)}
count:
  %at.refused = getelementptr i64, ptr %refused, i64 %number
  %flag = load i64, ptr %at.refused, align 8
  %is.refused = icmp ne i64 %flag, 0
  br i1 %is.refused, label %add, label %next
add:
  %at.count = getelementptr i64, ptr %failures, i64 {REFUSED_GAMES}
  %earlier.count = atomicrmw add ptr %at.count, i64 1 monotonic, align 8
  br label %next
next:
  %following = add i64 %number, %lanes
  br label %test
end:
  ret void
}}"""


def _take_text(*, on_gpu: bool) -> str:
    """Return the kernel that copies actions of 4 or 8 bytes; those below -1 become illegal.

    Its parameters are the number of lanes, the number of games, the actions, the bytes of each, an
    illegal action and the copy.
    """
    params = ["i64 %games", "ptr %actions", "i64 %bytes", "i64 %illegal", "ptr %given"]
    return f"""{_head(TAKE, params, on_gpu=on_gpu)}
  %is.short = icmp eq i64 %bytes, 4
  br label %test
test:
  %number = phi i64 [ %lane, %entry ], [ %following, %put ]
  %more = icmp ult i64 %number, %games
  br i1 %more, label %work, label %end
work:
  %offset = mul i64 %number, %bytes
  %at = getelementptr i8, ptr %actions, i64 %offset
  br i1 %is.short, label %short, label %long
short:
  %half = load i32, ptr %at, align 4
  %extended = sext i32 %half to i64
  br label %put
long:
  %word = load i64, ptr %at, align 8
  br label %put
put:
  %action = phi i64 [ %extended, %short ], [ %word, %long ]
  %below = icmp slt i64 %action, -1
  %taken = select i1 %below, i64 %illegal, i64 %action
  %to = getelementptr i64, ptr %given, i64 %number
  store i64 %taken, ptr %to, align 8
  %following = add i64 %number, %lanes
  br label %test
end:
  ret void
}}"""


def _copy_text(*, on_gpu: bool) -> str:
    """Return the kernel that copies rows of memory by pairs of their numbers.

    Its parameters are the number of lanes, the number of pairs, the numbers of the target rows and
    of the source rows (0 for those of the pairs), both memories, the bytes from row to row in each,
    and the bytes to copy, which are even.
    """
    params = ["i64 %pairs", "ptr %targets", "ptr %sources", "ptr %to", "ptr %of", "i64 %to.stride"]
    params += ["i64 %of.stride", "i64 %bytes"]
    return f"""{_head(COPY, params, on_gpu=on_gpu)}
  %maps.to = icmp ne ptr %targets, null
  %maps.of = icmp ne ptr %sources, null
  br label %test
test:
  %pair = phi i64 [ %lane, %entry ], [ %following, %next ]
  %more = icmp ult i64 %pair, %pairs
  br i1 %more, label %work, label %end
work:
  br i1 %maps.to, label %look.to, label %known.to
look.to:
  %at.target = getelementptr i64, ptr %targets, i64 %pair
  %found.target = load i64, ptr %at.target, align 8
  br label %known.to
known.to:
  %target = phi i64 [ %pair, %work ], [ %found.target, %look.to ]
  br i1 %maps.of, label %look.of, label %known.of
look.of:
  %at.source = getelementptr i64, ptr %sources, i64 %pair
  %found.source = load i64, ptr %at.source, align 8
  br label %known.of
known.of:
  %source = phi i64 [ %pair, %known.to ], [ %found.source, %look.of ]
  %to.offset = mul i64 %target, %to.stride
  %of.offset = mul i64 %source, %of.stride
  %to.row = getelementptr i8, ptr %to, i64 %to.offset
  %of.row = getelementptr i8, ptr %of, i64 %of.offset
  br label %each
each:
  %byte = phi i64 [ 0, %known.of ], [ %byte.after, %copy ]
  %is.more = icmp ult i64 %byte, %bytes
  br i1 %is.more, label %copy, label %next
copy:
  %from = getelementptr i8, ptr %of.row, i64 %byte
  %into = getelementptr i8, ptr %to.row, i64 %byte
  %half = load i16, ptr %from, align 2
  store i16 %half, ptr %into, align 2
  %byte.after = add i64 %byte, 2
  br label %each
next:
  %following = add i64 %pair, %lanes
  br label %test
end:
  ret void
}}"""


def _observe_text(*, on_gpu: bool) -> str:
    """Return the kernel that writes the planes of games as flags, one plane after the other.

    Its parameters are the number of lanes, the number of games times planes, the records and the
    words of each, the planes and the cells, the table with the offset of each plane in a record by
    side (-1 for none), the offset of the side to move, the offset of the swap flag (-1 for none),
    the side or -1 for the side to move, and the flags.
    """
    params = ["i64 %items", "ptr %records", "i64 %width", "i64 %planes", "i64 %cells", "ptr %table"]
    params += ["i64 %side.at", "i64 %swap.at", "i64 %player", "ptr %flags"]
    return f"""{_head(OBSERVE, params, on_gpu=on_gpu)}
  %by.mover = icmp slt i64 %player, 0
  %swaps = icmp sge i64 %swap.at, 0
  %swap.place = select i1 %swaps, i64 %swap.at, i64 0
  br label %test
test:
  %item = phi i64 [ %lane, %entry ], [ %following, %next ]
  %more = icmp ult i64 %item, %items
  br i1 %more, label %work, label %end
work:
  %game = udiv i64 %item, %planes
  %plane = urem i64 %item, %planes
  %row.at = mul i64 %game, %width
  %row = getelementptr i64, ptr %records, i64 %row.at
  %at.side = getelementptr i64, ptr %row, i64 %side.at
  %mover = load i64, ptr %at.side, align 8
  %at.swap = getelementptr i64, ptr %row, i64 %swap.place
  %swap.word = load i64, ptr %at.swap, align 8
  %swapped = select i1 %swaps, i64 %swap.word, i64 0
  %seat = xor i64 %player, %swapped
  %side = select i1 %by.mover, i64 %mover, i64 %seat
  %table.row = mul i64 %side, %planes
  %table.at = add i64 %table.row, %plane
  %at.place = getelementptr i64, ptr %table, i64 %table.at
  %place = load i64, ptr %at.place, align 8
  %exists = icmp sge i64 %place, 0
  %set = getelementptr i64, ptr %row, i64 %place
  %first = mul i64 %item, %cells
  br label %each
each:
  %cell = phi i64 [ 0, %work ], [ %cell.after, %put ]
  br i1 %exists, label %look, label %put
look:
  %word.number = lshr i64 %cell, 6
  %at.word = getelementptr i64, ptr %set, i64 %word.number
  %word = load i64, ptr %at.word, align 8
  %shift = and i64 %cell, 63
  %moved = lshr i64 %word, %shift
  %bit = and i64 %moved, 1
  br label %put
put:
  %flag = phi i64 [ 0, %each ], [ %bit, %look ]
  %byte = trunc i64 %flag to i8
  %to.at = add i64 %first, %cell
  %to = getelementptr i8, ptr %flags, i64 %to.at
  store i8 %byte, ptr %to, align 1
  %cell.after = add i64 %cell, 1
  %is.more = icmp ult i64 %cell.after, %cells
  br i1 %is.more, label %each, label %next
next:
  %following = add i64 %item, %lanes
  br label %test
end:
  ret void
}}"""
