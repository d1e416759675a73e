"""The verifier of programs: known operations, arguments of the right types, no unresolved names."""

from rulesengine.errors import InternalError
from rulesengine.language.ir.ops import Op, row_of, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import operations


def verify(program: Program) -> None:
    """Raise InternalError for a malformed program, the sign of a defect in an earlier stage."""
    for root in operations(program.rules):
        for op in walk(root):
            _verify_op(op)


def _verify_op(op: Op) -> None:
    row = row_of(op.name)
    if row is None:
        raise InternalError(f"no operation {op.name}")
    if "names" in row.reads:
        raise InternalError(f"{op.name} {op.value} is left after lowering")
    if row.result not in ("T", op.type):
        raise InternalError(f"{op.name} gives {row.result}, not {op.type}")
    for expected, arg in _pairs(row.args, op):
        if expected not in ("*", arg.type) and not (expected == "T" and arg.type == op.type):
            raise InternalError(f"{op.name} takes {expected}, found {arg.type} from {arg.name}")


def _pairs(expected: tuple[str, ...], op: Op) -> list[tuple[str, Op]]:
    pairs, args = [], list(op.args)
    for name in expected:
        if len(name) > 1 and name.endswith("*"):
            pairs += [(name[:-1], a) for a in args]
            args = []
        elif args:
            pairs.append((name.rstrip("?") if len(name) > 1 else name, args.pop(0)))
        elif not name.endswith("?"):
            raise InternalError(f"{op.name} needs {len(expected)} arguments")
    if args:
        raise InternalError(f"{op.name} has {len(args)} arguments too many")
    return pairs
