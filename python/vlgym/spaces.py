"""Spaces of vlgym as Gymnasium spaces, and their members on the wire.

What Gymnasium has, is Gymnasium's; `Unicode`, `Chat` and `Json` are ours. A sample after `seed(7)` is the one that Node draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import Space, spaces

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Unicode(Space[str]):
    """Text of any characters. Gymnasium's `Text` knows only those of its charset."""

    def __init__(self, max_length: int, *, min_length: int = 1, seed: Any = None) -> None:
        self.min_length = int(min_length)
        self.max_length = int(max_length)
        super().__init__(dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        length = self.np_random.integers(self.min_length, self.max_length + 1)
        weights = np.full(len(_LETTERS), 1 / len(_LETTERS))
        return "".join(self.np_random.choice(list(_LETTERS), size=length, p=weights))

    def contains(self, x: Any) -> bool:
        if not isinstance(x, str) or not self.min_length <= len(x) <= self.max_length:
            return False
        return not any("\ud800" <= character <= "\udfff" for character in x)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unicode) and (self.min_length, self.max_length) == (other.min_length, other.max_length)

    def __hash__(self) -> int:
        return hash((Unicode, self.min_length, self.max_length))

    def __repr__(self) -> str:
        return f"Unicode({self.min_length}, {self.max_length})"


class _Data(Space[Any]):
    """JSON data that Node describes; membership is checked there."""

    def __init__(self, definition: dict[str, Any], seed: Any = None) -> None:
        self.definition = definition
        super().__init__(seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        raise NotImplementedError(f"{self!r} cannot be sampled in Python.")

    def contains(self, x: Any) -> bool:
        return x is None or isinstance(x, (str, int, float, bool, list, tuple, dict))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.definition == self.definition  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), str(self.definition)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Json(_Data):
    """JSON data of a schema."""


class Chat(_Data):
    """A list of messages."""


def from_definition(definition: dict[str, Any]) -> Space[Any]:
    """The space that `space.toJSON()` describes."""
    kind = definition["type"]
    if kind == "box":
        low, high = (_bounds(definition[name], definition) for name in ("low", "high"))
        return spaces.Box(low, high, tuple(definition["shape"]), np.dtype(definition["dtype"]))
    if kind == "image":
        shape = (definition["height"], definition["width"], definition.get("channels", 3))
        return spaces.Box(0, 255, shape, np.uint8)
    if kind == "discrete":
        return spaces.Discrete(definition["n"], start=definition.get("start", 0))
    if kind == "multiDiscrete":
        shape = tuple(definition.get("shape") or (len(definition["counts"]),))
        start = definition.get("start")
        return spaces.MultiDiscrete(
            np.array(definition["counts"]).reshape(shape),
            dtype=np.int32,
            start=None if start is None else np.array(start, np.int32).reshape(shape),
        )
    if kind == "multiBinary":
        return spaces.MultiBinary(tuple(definition["shape"]))
    if kind == "text":
        lengths = {"min_length": definition.get("minLength", 1)}
        charset = definition.get("charset")
        if charset is None:
            return Unicode(definition["maxLength"], **lengths)
        return spaces.Text(definition["maxLength"], charset=charset, **lengths)
    if kind == "dict":
        parts = {key: from_definition(part) for key, part in sorted(definition["spaces"].items())}
        return spaces.Dict(parts)
    if kind == "tuple":
        return spaces.Tuple([from_definition(part) for part in definition["spaces"]])
    if kind == "oneOf":
        return spaces.OneOf([from_definition(part) for part in definition["spaces"]])
    if kind == "sequence":
        return spaces.Sequence(from_definition(definition["element"]))
    if kind == "chat":
        return Chat(definition)
    return Json(definition)


def _bounds(value: Any, definition: dict[str, Any]) -> Any:
    numbers = np.array([float(each) for each in value] if isinstance(value, list) else float(value))
    dtype = np.dtype(definition["dtype"])
    if isinstance(value, list):
        return numbers.reshape(definition["shape"]).astype(dtype)
    return float(numbers) if dtype.kind == "f" else int(numbers)


def to_wire(space: Space[Any], value: Any) -> Any:
    """A member as part of a frame."""
    if isinstance(space, spaces.Box):
        return np.asarray(value, space.dtype).reshape(space.shape)
    if isinstance(space, spaces.Discrete):
        return int(value)
    if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
        return np.asarray(value)
    if isinstance(space, spaces.Dict):
        return {key: to_wire(part, value[key]) for key, part in space.spaces.items()}
    if isinstance(space, (spaces.Tuple, spaces.Sequence)):
        parts = space.spaces if isinstance(space, spaces.Tuple) else [space.feature_space] * len(value)
        return [to_wire(part, each) for part, each in zip(parts, value)]
    if isinstance(space, spaces.OneOf):
        return [int(value[0]), to_wire(space.spaces[int(value[0])], value[1])]
    return value


def from_wire(space: Space[Any], wire: Any) -> Any:
    """A part of a frame as a member."""
    if isinstance(space, spaces.Box):
        return np.asarray(wire, space.dtype).reshape(space.shape)
    if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
        return np.asarray(wire, space.dtype)
    if isinstance(space, spaces.Dict):
        return {key: from_wire(part, wire[key]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(from_wire(part, each) for part, each in zip(space.spaces, wire))
    if isinstance(space, spaces.Sequence):
        return tuple(from_wire(space.feature_space, each) for each in wire)
    if isinstance(space, spaces.OneOf):
        return (np.int64(wire[0]), from_wire(space.spaces[wire[0]], wire[1]))
    return wire
