"""The entry point of a script: a loop over the nodes of its flow, in memory of the caller."""

from types import MappingProxyType

from rulesengine.engine.interpreter import DECIDED
from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit import outcomes
from rulesengine.engine.kernel.emit.context import Context, Emission
from rulesengine.engine.kernel.emit.move_list import new_lists
from rulesengine.engine.kernel.emit.state_values import Environment
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import flow_of
from rulesengine.engine.kernel.scripts.layout import PAUSED, layout_of
from rulesengine.engine.kernel.scripts.layout import statements as all_statements
from rulesengine.engine.kernel.scripts.script_loop import ScriptLoop
from rulesengine.engine.kernel.scripts.text_values import without_texts
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import reads_role
from rulesengine.language.ir.rules import TAKING_BACK, Statement, operations
from rulesengine.state import GOES_ON

ENTRY = "script"


def script_entry(ctx: Context, machine: Interpreter) -> None:
    """Emit script(memory): run until a node needs the caller; the result is an exit code.

    Raises Unsupported if the states of a game do not fit into memory.
    """
    if ctx.layout.history or not ctx.rules.script:
        raise Unsupported("a script of a game with a history")
    if any(statement.name in TAKING_BACK for statement in all_statements(ctx.rules.script)):
        raise Unsupported("a script that takes moves back")
    flow = flow_of(ctx.rules.script)
    layout = layout_of(machine.program, flow)
    b = ctx.b
    with b.function(ENTRY, ("a",), ("i",), entry=True) as (memory,):
        new_lists(ctx)
        fields = {}
        for name, type in layout.fields:
            offset = b.i(layout.offsets[name])
            if type == "m":
                fields[name] = b.let(b.read("load_set", memory, offset))
            else:
                fields[name] = b.let(b.op("usign", b.read("load64", memory, offset)))
        code = ScriptCode(
            ctx, flow, layout, memory, fields, b.let(b.i(PAUSED)), _starts(ctx, machine),
            any(node.kind == "separate" for node in flow.nodes),
            any(node.statement.name == "forfeit" for node in flow.nodes), without_texts,
        )  # fmt: skip
        code.cached_facts["records"] = _reads_records(ctx.rules.script)
        b.loop(ScriptLoop(code).once)
        for name, type in layout.fields:
            offset, value = b.i(layout.offsets[name]), code.get(name)
            if type == "m":
                b.write("store_set", memory, offset, value)
            else:
                b.write("store64", memory, offset, b.op("ubits", value))
        b.emit_return(b.get(code.status))


def script_table() -> MappingProxyType[str, Emission]:
    """Return the table of operations, where a forfeit of the script overrides the outcome."""
    own = {"over": _over, "winner": _winner, "drawn": _emit_is_drawn}
    return MappingProxyType({**EMIT, **own})


def _over(ctx: Context, op: Op, scene: Environment) -> Value:
    rules = outcomes.op_over(ctx, op, scene)
    if DECIDED not in scene.variables:
        return rules
    forfeit = ctx.b.op("fnot", ctx.b.op("ieq", scene.variables[DECIDED], ctx.b.i(GOES_ON)))
    return ctx.b.op("for", forfeit, rules)


def _winner(ctx: Context, op: Op, scene: Environment) -> Value:
    if DECIDED not in scene.variables:
        return outcomes.op_winner(ctx, op, scene)
    decided = scene.variables[DECIDED]
    goes_on = ctx.b.op("ieq", decided, ctx.b.i(GOES_ON))
    return ctx.b.choose(goes_on, lambda: outcomes.op_winner(ctx, op, scene), lambda: decided)


def _emit_is_drawn(ctx: Context, op: Op, scene: Environment) -> Value:
    if DECIDED not in scene.variables:
        return outcomes.op_drawn(ctx, op, scene)
    decided = scene.variables[DECIDED]
    goes_on = ctx.b.op("ieq", decided, ctx.b.i(GOES_ON))
    none = lambda: ctx.b.op("ieq", decided, ctx.b.i(-1))  # noqa: E731
    return ctx.b.choose(goes_on, lambda: outcomes.op_drawn(ctx, op, scene), none)


def _starts(ctx: Context, machine: Interpreter) -> tuple[int, ...]:
    """Return the values of the initial position. Raises Unsupported."""
    state = machine.initial_state()
    planes = [state.planes[number] for number in ctx.layout.planes]
    if any(mask and i not in ctx.layout.planes for i, mask in enumerate(state.planes)):
        raise Unsupported("a piece without a symbol")
    seats = (int(bool(state.seats)),) if ctx.layout.seats else ()
    return (*planes, state.side, *state.registers, *seats)


def _reads_records(script: tuple[Statement, ...]) -> bool:
    """True if a script reads the record of the last move, outside conditions on moves."""
    own = ("play_where", "print_moves", "prompt_moves")
    ops = (
        op
        for statement in all_statements(script)
        if statement.name not in own
        for op in operations((statement.operands,))
    )
    return any(reads_role(op, "record") for op in ops)
