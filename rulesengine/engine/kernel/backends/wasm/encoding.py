"""The binary encoding of numbers, vectors and sections.

WebAssembly Core Specification, chapter 5, Binary Format.
"""

from collections.abc import Sequence

MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE, DATA = 0, 1, 2, 3, 5, 6, 7, 10, 11
I32 = b"\x7f"
SECTION_FUNCTION, SECTION_MEMORY = b"\0", b"\2"  # kinds of exports
END, CALL, LOCAL_GET, GLOBAL_SET, I32_CONST = b"\x0b", b"\x10", b"\x20", b"\x24", b"\x41"

_MORE, _LOW, _SIGN, _BITS = 0x80, 0x7F, 0x40, 7


def unsigned(number: int) -> bytes:
    """Encode a number of at least 0 as LEB128."""
    encoded = bytearray()
    while number >= _MORE:
        encoded.append(number & _LOW | _MORE)
        number >>= _BITS
    return bytes([*encoded, number])


def signed(number: int) -> bytes:
    """Encode a signed number as LEB128."""
    encoded = bytearray()
    while not -_SIGN <= number < _SIGN:
        encoded.append(number & _LOW | _MORE)
        number >>= _BITS
    return bytes([*encoded, number & _LOW])


def vector(items: Sequence[bytes]) -> bytes:
    """Encode items as a vector: their number, then the items."""
    return unsigned(len(items)) + b"".join(items)


def sized(data: bytes) -> bytes:
    """Encode bytes with their length in front, which is also the encoding of names."""
    return unsigned(len(data)) + data


def section(kind: int, items: Sequence[bytes]) -> bytes:
    """Encode a section that is a vector; empty without items."""
    return bytes([kind]) + sized(vector(items)) if items else b""


class Reader:
    """A reader of encoded bytes with a current position."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    @property
    def has_more(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def unsigned(self) -> int:
        return self._leb()[0]

    def signed(self) -> int:
        number, bits = self._leb()
        return number - (1 << bits) if number >> bits - 1 else number

    def sized(self) -> bytes:
        return self.take(self.unsigned())

    def text(self) -> str:
        return self.sized().decode()

    def _leb(self) -> tuple[int, int]:
        """Return a LEB128 number and the number of bits of its encoding."""
        number = bits = 0
        while True:
            byte = self.byte()
            number |= (byte & _LOW) << bits
            bits += _BITS
            if byte < _MORE:
                return number, bits
