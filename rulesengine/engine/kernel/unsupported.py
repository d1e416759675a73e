"""The exception for rules that kernels do not support."""


class Unsupported(Exception):
    """A program, part or state that kernels do not support; the message is the reason."""
