"""The frames between Python and Node: two lengths of 32 bits, a JSON header, raw bytes.

Layout: packages/gymnasium/src/frames/codec.ts. Arrays are read into memory of their own, because Gymnasium's contract
forbids to reuse what was returned.
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any, BinaryIO

import numpy as np

PROTOCOL = "vlgym.env/1"
_LENGTHS = struct.Struct("<II")
_ALIGNMENT = 8
_SAFE = 2**53


class FrameError(ConnectionError):
    """The other end has gone, or sent something that is not a frame."""


def encode(value: Any) -> list[bytes]:
    """The pieces of one frame, to be written in order."""
    body: list[bytes] = []
    used = 0

    def place(array: np.ndarray) -> dict[str, Any]:
        nonlocal used
        plain = np.ascontiguousarray(array).reshape(array.shape)
        if plain.dtype.byteorder == ">":
            plain = plain.astype(plain.dtype.newbyteorder("<"))
        data = plain.tobytes()
        entry = {"$nd": [plain.dtype.str, list(plain.shape), used, len(data)]}
        padding = -len(data) % _ALIGNMENT
        body.append(data)
        body.append(b"\0" * padding)
        used += len(data) + padding
        return entry

    def convert(part: Any) -> Any:
        if isinstance(part, np.ndarray):
            return [convert(each) for each in part.tolist()] if part.dtype == object else place(part)
        if isinstance(part, np.generic):
            part = part.item()
        if isinstance(part, bool) or part is None or isinstance(part, str):
            return part
        if isinstance(part, int):
            return part if abs(part) <= _SAFE else {"$int": str(part)}
        if isinstance(part, float):
            if math.isfinite(part):
                return {"$float": "-0.0"} if part == 0 and math.copysign(1, part) < 0 else part
            return {"$float": "nan" if math.isnan(part) else "inf" if part > 0 else "-inf"}
        if isinstance(part, dict):
            return {str(key): convert(each) for key, each in part.items()}
        if isinstance(part, (list, tuple, set, frozenset)):
            return [convert(each) for each in part]
        return {"$repr": repr(part)[:1000]}

    header = json.dumps(convert(value), allow_nan=False).encode()
    return [_LENGTHS.pack(len(header), used), header, *body]


def decode(header: bytes, body: np.ndarray) -> Any:
    """The body is new memory for each frame: an array that is most of it is not copied."""

    def revive(part: dict[str, Any]) -> Any:
        if "$nd" in part:
            name, shape, offset, count = part["$nd"]
            dtype = np.dtype(name)
            sizes = [int(size) for size in shape]
            if min(sizes, default=0) < 0 or math.prod(sizes) * dtype.itemsize != count or dtype.hasobject:
                raise FrameError("A frame has an array of another size than its shape.")
            if offset < 0 or offset + count > len(body):
                raise FrameError("A frame has an array outside of its body.")
            array = body[offset : offset + count].view(dtype).reshape(sizes)
            return array if 2 * count >= len(body) else array.copy()
        if "$float" in part:
            return float(part["$float"])
        if "$int" in part:
            return int(part["$int"])
        return part

    return json.loads(header, object_hook=revive)


def read(stream: BinaryIO) -> Any:
    header_length, body_length = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    return decode(_exactly(stream, header_length).tobytes(), _exactly(stream, body_length))


def _exactly(stream: BinaryIO, count: int) -> np.ndarray:
    data = np.empty(count, np.uint8)
    view = memoryview(data)
    filled = 0
    while filled < count:
        read_now = stream.readinto(view[filled:])  # type: ignore[attr-defined]
        if not read_now:
            raise FrameError("The stream ended.")
        filled += read_now
    return data
