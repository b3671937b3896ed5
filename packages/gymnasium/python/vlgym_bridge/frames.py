"""Frames over pipes: a header of JSON and a body of arrays. Layout: packages/gymnasium/src/frames/codec.ts."""

import json
import math
import struct

from .installed import gymnasium, np

LENGTHS = struct.Struct("<II")


def encode(value):
    body = []
    used = 0

    def place(array):
        nonlocal used
        plain = np.ascontiguousarray(array).reshape(array.shape)
        if plain.dtype.byteorder == ">":
            plain = plain.astype(plain.dtype.newbyteorder("<"))
        data = plain.tobytes()
        entry = {"$nd": [plain.dtype.str, list(plain.shape), used, len(data)]}
        padding = -len(data) % 8
        body.append(data)
        body.append(b"\0" * padding)
        used += len(data) + padding
        return entry

    def convert(part, depth=0):
        if depth > 64:
            return {"$repr": "too deep"}
        if gymnasium is not None:
            if isinstance(part, np.ndarray):
                if part.dtype.kind in "biuf" and part.dtype.itemsize <= 8:
                    return place(part.astype(np.float32) if part.dtype == np.float16 else part)
                return [convert(each, depth + 1) for each in part.tolist()]
            if isinstance(part, np.generic):
                part = part.item()
        if part is None or isinstance(part, (bool, str)):
            return part
        if isinstance(part, int):
            return part if abs(part) <= 2**53 else {"$int": str(part)}
        if isinstance(part, float):
            if math.isfinite(part):
                return {"$float": "-0.0"} if part == 0 and math.copysign(1, part) < 0 else part
            return {"$float": "nan" if math.isnan(part) else "inf" if part > 0 else "-inf"}
        if isinstance(part, dict):
            return {str(key): convert(each, depth + 1) for key, each in part.items()}
        if isinstance(part, (list, tuple, set, frozenset)):
            return [convert(each, depth + 1) for each in part]
        return {"$repr": repr(part)[:1000]}

    header = json.dumps(convert(value), allow_nan=False).encode()
    return b"".join([LENGTHS.pack(len(header), used), header, *body])


def read(channel):
    head = channel.read(LENGTHS.size)
    if len(head) < LENGTHS.size:
        return None
    header_length, body_length = LENGTHS.unpack(head)
    header, body = channel.read(header_length), channel.read(body_length)
    if len(header) < header_length or len(body) < body_length:
        return None

    def revive(part):
        if "$nd" in part:
            dtype, shape, offset, count = part["$nd"]
            return np.frombuffer(body[offset : offset + count], dtype).reshape(shape).copy()
        if "$float" in part:
            return float(part["$float"])
        if "$int" in part:
            return int(part["$int"])
        return part

    return json.loads(header, object_hook=revive)
