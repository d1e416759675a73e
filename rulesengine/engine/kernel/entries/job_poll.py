"""Kernel code for the shared memory of a job: cancellation and progress."""

from rulesengine import job
from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.emit.context import Context


def job_block_of(ctx: Context) -> Value:
    """Return the job memory of the current function."""
    assert ctx.job_block is not None
    return ctx.job_block


def poll(ctx: Context) -> None:
    """Return from the kernel if the job has been cancelled."""
    ctx.b.write("poll", job_block_of(ctx), ctx.b.i(job.STOP))


def set_done(ctx: Context, count: Value) -> None:
    """Store the progress."""
    ctx.b.write("atomic_store", job_block_of(ctx), ctx.b.i(job.DONE), ctx.b.op("ubits", count))


def add_done(ctx: Context, count: Value) -> None:
    """Add to the progress; no other thread writes to this memory."""
    b, job_block, place = ctx.b, job_block_of(ctx), ctx.b.i(job.DONE)
    before = b.read("atomic_load", job_block, place)
    b.write("atomic_store", job_block, place, b.op("uadd", before, b.op("ubits", count)))
