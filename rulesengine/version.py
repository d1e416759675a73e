"""The version of the package, which programs print and other processes compare."""

__version__ = "0.1.0"
