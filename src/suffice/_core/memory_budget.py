"""How much a model file may take in memory, and arrays read without a byte more than they have.

Everything is counted before it is made: the directory of the zip, the tree by its characters, arrays by what they
declare, each time that the tree refers to them. What a file takes is bounded by its own size and `MEMORY` more.
"""

from __future__ import annotations

import math
import re
import struct
from typing import IO, Any

import numpy as np

from suffice._core.errors import UnsafeFile

MEMORY = 64 << 20
HEADER = re.compile(
    rb"\{'descr': '([<>|][biufcUS]\d{1,9})', 'fortran_order': (True|False), 'shape': \(([\d, ]{0,400})\), \} *\n?"
)
LAST_CHARACTER = 0x10FFFF
STEP = 1 << 20
EMPTY = 1 << 20  # the longest side of an array without entries
# bytes that Python takes for a character of a tree
_PER = {
    b"{": 600,
    b"[": 160,
    b":": 100,
    b",": 50,
    b'"': 25,
}


class MemoryBudget:
    """Bytes that are left for a file."""

    def __init__(self, size: int):
        self.left = self.size = size

    def take(self, size: int, what: str) -> None:
        """Count what is about to be made; raises where it would be too much."""
        self.left -= size
        if self.left < 0:
            more = max(2 * MEMORY, self.size << 1)
            raise UnsafeFile(
                f"What it holds takes more than {self.size >> 20} MB: {what} is too large. If you trust the file, say "
                f"load(path, memory={more}), or --memory {more >> 20} on the command line."
            )


def tree_bytes(content: bytes) -> int:
    """What a tree of JSON takes once it is read and its values are made, at most."""
    text = (4 if rb"\u" in content else 1) * 2 * len(content)
    return text + sum(cost * content.count(mark) for mark, cost in _PER.items())


def directory_bytes(stream: IO[bytes]) -> int:
    """The length of a zip's directory, as the record at its end says; 0 where there is none to be found."""
    end = stream.seek(0, 2)
    stream.seek(max(0, end - (1 << 16) - 98))
    tail = stream.read()
    stream.seek(0)
    at, large = tail.rfind(b"PK\5\6"), tail.rfind(b"PK\6\6")
    found = [struct.unpack_from("<I", tail, at + 12)[0]] if 0 <= at <= len(tail) - 16 else []
    found += [struct.unpack_from("<Q", tail, large + 40)[0]] if 0 <= large <= len(tail) - 48 else []
    return min(end, max(found, default=0))


def read_array(stream: IO[bytes], size: int) -> np.ndarray:
    """An array of exactly `size` bytes with its header; nothing in the header is evaluated."""
    start = stream.read(10)
    if len(start) < 10 or start[:8] != b"\x93NUMPY\x01\x00":
        raise UnsafeFile("An array does not begin as arrays do.")
    length = struct.unpack("<H", start[8:])[0]
    header = HEADER.fullmatch(stream.read(length))
    if header is None:
        raise UnsafeFile("An array has a header that is not understood; objects are never read.")
    dtype, shape = np.dtype(header[1].decode()), _shape(header[3])
    if dtype.itemsize == 0 or math.prod(shape) * dtype.itemsize != size - 10 - length:
        raise UnsafeFile(f"An array of shape {shape!r:.80} does not have the size it declares.")
    return _filled(stream, dtype, shape, header[2] == b"True")


def _shape(text: bytes) -> tuple[int, ...]:
    shape = tuple(int(word) for word in text.split(b",") if word.strip())
    if len(shape) > 8 or (0 in shape and max(shape) > EMPTY):
        raise UnsafeFile(f"An array has the shape {shape!r:.80}.")
    return shape


def _filled(stream: IO[bytes], dtype: np.dtype, shape: tuple[int, ...], columns_first: bool) -> np.ndarray:
    flat = np.empty(math.prod(shape), dtype)
    view: Any = flat.view(np.uint8)
    for at in range(0, len(view), STEP):
        part = stream.read(min(STEP, len(view) - at))
        if len(part) != min(STEP, len(view) - at):
            raise UnsafeFile("An array is shorter than it declares.")
        view[at : at + len(part)] = np.frombuffer(part, np.uint8)
    if stream.read(1):  # the end is where the checksum is looked at
        raise UnsafeFile("An array is longer than it declares.")
    _refuse_what_numpy_never_writes(flat)
    if not math.prod(shape):
        return np.empty(shape, dtype)
    return flat.reshape(shape[::-1]).T if columns_first else flat.reshape(shape)


def _refuse_what_numpy_never_writes(flat: np.ndarray) -> None:
    """Codes beyond the last character, and truth values other than 0 and 1: using them fails far from here."""
    if flat.dtype.kind == "U" and flat.size:
        codes = flat.view(np.dtype(np.uint32).newbyteorder(flat.dtype.byteorder))
        if codes.max() > LAST_CHARACTER:
            raise UnsafeFile(f"An array of texts holds {int(codes.max()):#x}, which is no character.")
    if flat.dtype.kind == "b" and flat.size and flat.view(np.uint8).max() > 1:
        raise UnsafeFile(f"An array of truth values holds {int(flat.view(np.uint8).max())}.")
