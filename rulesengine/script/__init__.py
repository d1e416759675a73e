"""Execution of a game's I/O script on byte streams."""

from rulesengine.script.execution import read_parameters, run, run_on

__all__ = ["read_parameters", "run", "run_on"]
