"""Variants of games in files `variants.ini`, converted to specs."""

from rulesengine.tools.variants_ini.conversion import Conversion, convert

__all__ = ["Conversion", "convert"]
