"""Emit a module of kernel code as LLVM assembly: the layout of sets, functions, entry points."""

from rulesengine.engine.kernel.backends.native import cpython_calls, memory, numbers, rows
from rulesengine.engine.kernel.backends.native.bitboard import Bitboard
from rulesengine.engine.kernel.backends.native.call_graph import CallGraph
from rulesengine.engine.kernel.backends.native.cpython_calls import PythonCalls
from rulesengine.engine.kernel.backends.native.exit_codes import RETURNED
from rulesengine.engine.kernel.backends.native.function import Emitter, symbol, type_of
from rulesengine.engine.kernel.backends.native.gapped import GappedWord
from rulesengine.engine.kernel.backends.native.layout import Layout
from rulesengine.engine.kernel.backends.native.memory import ContextRecord
from rulesengine.engine.kernel.backends.native.rows import Rows
from rulesengine.engine.kernel.backends.native.separate_words import SeparateWords
from rulesengine.engine.kernel.backends.native.statements import STATEMENTS
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.backends.native.text import WEIGHTS, Body, Pool
from rulesengine.engine.kernel.backends.native.values import read, widths, write
from rulesengine.engine.kernel.backends.native.word_vector import WordVector
from rulesengine.engine.kernel.code.form import Function, Instr, Module, Rays, Runs, instructions
from rulesengine.errors import InternalError
from rulesengine.support.limits import MAX_NATIVE_CELLS

_ON_ROWS = frozenset({"mbetween", "mtoward", "mslide"})

# LLVM's loader writes the addresses of external functions (memcpy, memset) into the data section
# but allocates no room for them. This alignment leaves enough padding for fifteen.
_ROOM = "@room = global i64 0, align 128"

_WORD = 64  # bits
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


def emit(
    module: Module,
    target: Target,
    *,
    separate: bool = False,
    calls: PythonCalls | None = None,
    exports: bool = True,
) -> str:
    """Return the LLVM assembly of a module for a processor.

    `separate` selects separate words for boards of more than 64 cells. `calls`
    are the callables for Python. Without `exports` the entry points are internal functions, which
    other code of the module calls and LLVM may inline.
    """
    layout, record = layout_of(module, target, separate=separate), record_of(module)
    pool = Pool(has_wide_words=target.has_wide_words, high_product=target.high_product)
    traits, texts = CallGraph(module.functions), []
    if not target.has_wide_words:
        texts.append(numbers.product_text())
    for function in module.functions.values():
        if not _NAME.issuperset(function.name):
            raise InternalError("a function has a name of other characters than letters and digits")
        texts.append(Emitter(function, layout, record, traits, pool, STATEMENTS).text())
        if function.entry:
            entry = _entry(function, layout, record, pool, traits)
            texts.append(entry if exports else entry.replace("define", "define internal", 1))
    if calls:
        texts += _callables(calls, module, layout, record, pool, traits)
    head = f'target triple = "{target.triple}"'
    return "\n".join([head, _ROOM, *pool.lines(), *texts, memory.TBAA, WEIGHTS, ""])


def kind_of(module: Module, target: Target) -> str:
    """Describe the layout of sets and the processing of rays, on which the speed depends most."""
    layout = layout_of(module, target)
    inside = [i for f in module.functions.values() for i in instructions(f.body)]
    ways = {
        layout.has_lanes(rays, turns=i.op == "mtoward")
        for i in inside
        if i.op in ("mtoward", "mslide") and (rays := _rays_of(i))
    }
    words = {True: "directions in lanes", False: "directions one by one"}
    return ", ".join([layout.about, *(words[way] for way in sorted(ways, reverse=True))])


def _rays_of(instr: Instr) -> Rays | None:
    detail = instr.detail.rays if isinstance(instr.detail, Runs) else instr.detail
    return detail if isinstance(detail, Rays) else None


def layout_of(module: Module, target: Target, *, separate: bool = False) -> Layout:
    """Return the layout for the sets of a module.

    Rays are faster in rows of the board; other code uses one word or two. Rows that are wider than
    a word, and large boards without rows, are in a vector of words.
    """
    rays = any(_works_on_rows(f) for f in module.functions.values())
    two = 64 < module.cells <= 128 and not rays and not module.places
    if module.cells > 64 and module.grid and not separate and not two:
        height, width = module.grid
        if height <= rows.MOST_ROWS and width <= rows.MOST_COLUMNS:
            return Rows(height, width, target, module.places)
        places = module.places if height * width <= MAX_NATIVE_CELLS else None
        return WordVector(module.cells, target, places)
    if module.places and not module.grid and not separate:
        return GappedWord(module.places, target)
    if separate and module.cells > _WORD:
        return SeparateWords(module.cells, target)
    if module.cells > 2 * _WORD:
        return WordVector(module.cells, target)
    return Bitboard(module.cells, target)


def _works_on_rows(function: Function) -> bool:
    """True if a function processes rays repeatedly, not only once as it begins."""
    repeated = [i for i in instructions(function.body) if i.op in ("loop", "bits", "range")]
    blocks = [block for i in repeated for block in i.blocks] if function.entry else [function.body]
    return any(i.op in _ON_ROWS for block in blocks for i in instructions(block))


def record_of(module: Module) -> ContextRecord:
    """Return the structure of the context record of a module."""
    numbers, history = set[int](), False
    for function in module.functions.values():
        if function.entry and takes_list(function):
            numbers.add(memory.GIVEN)
        for instr in instructions(function.body):
            history = history or instr.op in ("remember", "load_history", "recall")
            if instr.op == "list" and isinstance(instr.detail, int):
                numbers.add(instr.detail)
    return ContextRecord(tuple(sorted(numbers)), module.items, history)


def _entry(
    function: Function, layout: Layout, record: ContextRecord, pool: Pool, traits: CallGraph
) -> str:
    """Emit the exported function of an entry point: words in, words out, and an exit code."""
    b = Body(pool)
    may_fail, may_stop = _may_fail(function, traits), function.name in traits.stopping
    if may_fail:
        _begin(b, layout.target)
    if may_stop:
        b.do(f"store i64 0, ptr {memory.at(b, memory.STOPPED)}, align 8")
    args = ["ptr %ctx"]
    place = 0
    types = tuple(param.type for param in function.params)
    for type, width in zip(types, widths(types, layout), strict=True):
        args.append(f"{type_of(type, layout)} {read(b, type, layout, record, '%in', place)}")
        place += width
    _write_results(b, function, layout, ", ".join(args))
    ending = _failure(b) if may_fail else str(RETURNED)
    b.end(f"ret i32 {_stop(b, ending) if may_stop else ending}")
    head = f'define i32 @"e.{function.name}"(ptr %ctx, ptr %in, ptr %out) nounwind'
    return f"{head} {{\n{b.text()}\n}}"


def _callables(
    calls: PythonCalls,
    module: Module,
    layout: Layout,
    record: ContextRecord,
    pool: Pool,
    traits: CallGraph,
) -> list[str]:
    """Emit the built-in functions for Python and their address table."""
    texts = [cpython_calls.table_text(calls.fasts)]
    for name, wanted in calls.fasts.items():
        function = module.functions[wanted.entry]
        if not _NAME.issuperset(name):
            raise InternalError("a callable has a name of other characters than letters and digits")
        b = Body(pool)
        b.do("%ctx = load ptr, ptr @api, align 8")
        may_fail = _may_fail(function, traits)
        if may_fail:
            _begin(b, layout.target)
        around = cpython_calls.CallableEmitter(b, calls, name, function, layout, record)
        values = _values(b, function, layout, around.parameters())
        if may_fail:
            around.leave_if(b.let(f"icmp ne i32 {_failure(b)}, 0"))
        around.return_results(values)
        head = f'define ptr @"p.{name}"(ptr %self, ptr %arguments, i64 %count, ptr %names) nounwind'
        texts.append(f"{head} {{\n{b.text()}\n}}")
    return texts


def _values(b: Body, function: Function, layout: Layout, params: list[str]) -> list[str]:
    """Emit a call of a function and return its results."""
    args = ["ptr %ctx"]
    for param, value in zip(function.params, params, strict=True):
        args.append(f"{type_of(param.type, layout)} {value}")
    types = [type_of(t, layout) for t in function.results]
    type = types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"
    result = b.let(f"call fastcc {type} {symbol(function.name)}({', '.join(args)})")
    if len(types) == 1:
        return [result]
    return [b.let(f"extractvalue {type} {result}, {i}") for i in range(len(types))]


def _may_fail(function: Function, traits: CallGraph) -> bool:
    return function.name in traits.failing or takes_list(function)


def takes_list(function: Function) -> bool:
    return any(param.type == "b" for param in function.params)


def _begin(b: Body, target: Target) -> None:
    """Clear the failure flag and set the limit to which the stack may grow."""
    memory.fail(b, 0)
    frame_address = b.let(f"ptrtoint ptr {b.slot('i64')} to i64")
    foot = b.let(f"sub i64 {frame_address}, {memory.LANE_STACK if target.is_gpu else memory.STACK}")
    b.do(f"store i64 {foot}, ptr {memory.at(b, memory.FOOT)}, align 8")


def _failure(b: Body) -> str:
    """Return FAILED or RETURNED, by the failure flag."""
    return b.let(f"zext i1 {memory.has_failed(b)} to i32")


def _stop(b: Body, failed: str) -> str:
    """Return STOPPED in place of FAILED if the entry point was stopped."""
    flag = b.let(f"load i64, ptr {memory.at(b, memory.STOPPED)}, align 8")
    return b.let(f"add i32 {failed}, {b.let(f'trunc i64 {flag} to i32')}")


def _write_results(b: Body, function: Function, layout: Layout, args: str) -> None:
    types = [type_of(t, layout) for t in function.results]
    if not types:
        b.do(f"call fastcc void {symbol(function.name)}({args})")
        return
    struct_type = types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"
    result = b.let(f"call fastcc {struct_type} {symbol(function.name)}({args})")
    place = 0
    for i, type in enumerate(function.results):
        value = result if len(types) == 1 else b.let(f"extractvalue {struct_type} {result}, {i}")
        write(b, type, layout, value, "%out", place)
        place += widths((type,), layout)[0]
