"""Spaces and their values, as Node's side has them."""

import math

from .installed import gymnasium, np, spaces
from .refused import Refused

MAX_WORDS = 1 << 16
EXACT = (1 << 53) - 1


def wire_dtype(dtype, low=None, high=None):
    """The nearest dtype that Node's boxes have."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype == np.float16:
        return np.dtype(np.float32)
    if dtype.kind in "iu" and dtype.itemsize == 8:
        fits = low is not None and np.all(low >= -(2**31)) and np.all(high < 2**31)
        return np.dtype(np.int32 if fits else np.float64)
    if dtype.kind in "iuf" and dtype.itemsize <= 8:
        return dtype
    raise Refused("UnsupportedSpace", f"Boxes of {dtype} cannot be used in Node.")


def bound(values):
    numbers = [float(each) for each in np.asarray(values).reshape(-1)]
    plain = ["Infinity" if n == math.inf else "-Infinity" if n == -math.inf else n for n in numbers]
    return plain[0] if plain and all(each == plain[0] for each in plain) else plain


def is_picture(space):
    shape = space.shape
    return (
        space.dtype == np.uint8
        and len(shape) == 3
        and shape[2] in (1, 3, 4)
        and shape[0] > 0
        and shape[1] > 0
        and bool(np.all(space.low == 0))
        and bool(np.all(space.high == 255))
    )


def define(space):
    if isinstance(space, spaces.Box):
        if is_picture(space):
            height, width, channels = space.shape
            return {"type": "image", "height": height, "width": width, "channels": channels}
        dtype = wire_dtype(space.dtype, space.low, space.high)
        low, high = bound(space.low), bound(space.high)
        return {"type": "box", "dtype": dtype.name, "shape": list(space.shape), "low": low, "high": high}
    if isinstance(space, spaces.Discrete):
        return {"type": "discrete", "n": int(space.n), "start": int(space.start)}
    if isinstance(space, spaces.MultiDiscrete):
        counts, start = space.nvec.reshape(-1).tolist(), np.asarray(space.start).reshape(-1).tolist()
        return {"type": "multiDiscrete", "counts": counts, "start": start, "shape": list(space.shape)}
    if isinstance(space, spaces.MultiBinary):
        return {"type": "multiBinary", "shape": list(space.shape)}
    if isinstance(space, spaces.Text):
        lengths = {"minLength": space.min_length, "maxLength": space.max_length}
        # a subclass with a rule of its own uses the characters for samples alone, as those of BrowserGym do
        if type(space).contains is not spaces.Text.contains:
            return {"type": "text", **lengths}
        return {"type": "text", **lengths, "charset": "".join(space.character_list)}
    if isinstance(space, spaces.Dict):
        return {"type": "dict", "spaces": {str(key): define(part) for key, part in space.spaces.items()}}
    if isinstance(space, (spaces.Tuple, spaces.OneOf)):
        kind = "tuple" if isinstance(space, spaces.Tuple) else "oneOf"
        return {"type": kind, "spaces": [define(part) for part in space.spaces]}
    if isinstance(space, spaces.Sequence):
        return {"type": "sequence", "element": define(space.feature_space)}
    if isinstance(space, spaces.Graph):
        edges = {} if space.edge_space is None else {"edges": define(space.edge_space)}
        return {"type": "graph", "nodes": define(space.node_space), **edges}
    if space.dtype is not None and np.dtype(space.dtype).kind == "U":  # words of its own making, as MiniGrid's missions
        return {"type": "text", "minLength": 0, "maxLength": MAX_WORDS}
    raise Refused("UnsupportedSpace", f"The space {space!r} cannot be used in Node.")


def to_wire(space, value):
    if isinstance(space, spaces.Box):
        array = np.asarray(value)
        if is_picture(space):
            return array
        dtype = wire_dtype(space.dtype, space.low, space.high)
        if dtype.kind == "f" and array.dtype.kind in "iu" and array.size > 0:
            refuse_rounding(array)
        return array.astype(dtype, copy=False)
    if isinstance(space, spaces.Discrete):
        return int(value)
    if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
        return np.asarray(value).astype(np.int32 if isinstance(space, spaces.MultiDiscrete) else np.uint8)
    if isinstance(space, spaces.Dict):
        return {str(key): to_wire(part, value[key]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return [to_wire(part, each) for part, each in zip(space.spaces, value)]
    if isinstance(space, spaces.OneOf):
        return [int(value[0]), to_wire(space.spaces[int(value[0])], value[1])]
    if isinstance(space, spaces.Sequence):
        items = gymnasium.vector.utils.iterate(space.stacked_feature_space, value) if space.stack else value
        return [to_wire(space.feature_space, each) for each in items]
    if isinstance(space, spaces.Graph):
        edges = None if value.edges is None else [to_wire(space.edge_space, each) for each in value.edges]
        links = None if value.edge_links is None else np.asarray(value.edge_links).tolist()
        return {"nodes": [to_wire(space.node_space, each) for each in value.nodes], "edges": edges, "edgeLinks": links}
    return value


def refuse_rounding(integers):
    """Numbers of Node are doubles; beyond these bounds neighbors would become equal."""
    low, high = int(integers.min()), int(integers.max())
    if low < -EXACT or high > EXACT:
        wide = high if high > EXACT else low
        raise Refused("IntegerTooLarge", f"The observation has {wide}; integers of Node are exact up to {EXACT}.")


def from_wire(space, wire):
    """With the dtype of the space: Pendulum would otherwise compute in float64."""
    if isinstance(space, spaces.Box):
        return np.asarray(wire).astype(space.dtype).reshape(space.shape)
    if isinstance(space, spaces.Discrete):
        return np.int64(wire)
    if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
        return np.asarray(wire).astype(space.dtype).reshape(space.shape)
    if isinstance(space, spaces.Dict):
        return {key: from_wire(part, wire[str(key)]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(from_wire(part, each) for part, each in zip(space.spaces, wire))
    if isinstance(space, spaces.OneOf):
        return (np.int64(wire[0]), from_wire(space.spaces[int(wire[0])], wire[1]))
    if isinstance(space, spaces.Sequence):
        return tuple(from_wire(space.feature_space, each) for each in wire)
    return wire
