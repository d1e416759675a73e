"""SVG pictures as PNG, rendered by resvg (the extra `png`)."""

from rulesengine.errors import UsageError

_ABSENT = (
    "a PNG needs resvg, which is not installed: `pip install '.[png]'` in a clone adds it;"
    " or write to a file that ends in .svg"
)


def to_png(picture: str) -> bytes:
    """Return the bytes of the picture; raise UsageError if resvg is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError(_ABSENT) from None
    return bytes(svg_to_bytes(svg_string=picture))
