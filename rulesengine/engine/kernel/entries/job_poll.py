"""The lane of a job as kernel code: what is polled, and what is counted in it."""

from rulesengine import job
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context


def lane_of(ctx: Context) -> Value:
    """The lane of the function in hand."""
    assert ctx.lane is not None
    return ctx.lane


def poll(ctx: Context) -> None:
    """Stop here if the job has been stopped."""
    ctx.b.write("poll", lane_of(ctx), ctx.b.i(job.STOP))


def set_done(ctx: Context, count: Value) -> None:
    """Tell how much is done."""
    ctx.b.write("atomic_store", lane_of(ctx), ctx.b.i(job.DONE), ctx.b.op("ubits", count))


def add_done(ctx: Context, count: Value) -> None:
    """Tell how much more is done; nobody else writes to this lane."""
    b, lane, place = ctx.b, lane_of(ctx), ctx.b.i(job.DONE)
    before = b.read("atomic_load", lane, place)
    b.write("atomic_store", lane, place, b.op("uadd", before, b.op("ubits", count)))
