"""Runs the I/O script of a game on streams of bytes."""

from rulesengine.script.runner import read_parameters, run, run_on

__all__ = ["read_parameters", "run", "run_on"]
