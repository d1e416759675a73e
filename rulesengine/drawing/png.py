"""An SVG picture as PNG, by resvg (the extra `png`)."""

from rulesengine.errors import UsageError

_ABSENT = (
    "a PNG needs resvg, which is not installed: `pip install 'boardgame-rulesengine[png]'`, or"
    " write to a file that ends in .svg"
)


def to_png(picture: str) -> bytes:
    """The bytes of the picture. Raises UsageError where resvg is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError(_ABSENT) from None
    return bytes(svg_to_bytes(svg_string=picture))
