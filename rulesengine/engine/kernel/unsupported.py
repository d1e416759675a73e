"""What kernels say where they cannot do the work."""


class Unsupported(Exception):
    """What kernels cannot take: a reason in words."""
