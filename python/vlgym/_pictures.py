"""The pictures of a vector: the last ones with the rows that changed, never in memory that somebody still uses."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

# elsewhere a count of references says nothing
_COUNTS = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()


class Pictures:
    """Two arrays take turns: what was given out before the last step comes back when its caller has dropped it, and
    every view of it. Then only the rows that changed are written, instead of a copy of all pictures. An array that
    somebody still has is left to them, and a new one takes its place."""

    def __init__(self) -> None:
        self._last: np.ndarray | None = None
        self._before: np.ndarray | None = None
        self._missed: list[tuple[int, slice, np.ndarray]] = []
        """What `_before` lacks of `_last`."""

    def whole(self, pictures: np.ndarray) -> np.ndarray:
        self._before, self._last, self._missed = None, pictures, []
        return pictures

    def patched(self, changed: np.ndarray, rows: np.ndarray) -> np.ndarray:
        last = self._last
        assert last is not None
        size = last.shape[2] * last.shape[3]
        patches, used = [], 0
        for index, top, bottom in changed.tolist():
            count = (bottom - top) * size
            patches.append((index, slice(top * size, bottom * size), rows[used : used + count]))
            used += count
        if self._is_free():
            pictures = self._before
            assert pictures is not None
            _put(pictures, self._missed)
        else:
            pictures = last.copy()
        _put(pictures, patches)
        self._before, self._last, self._missed = last, pictures, patches
        return pictures

    def _is_free(self) -> bool:
        held, self._before = [self._before], None
        # views refer to the owner of the memory, so only an owner counts them
        is_free = held[0] is not None and held[0].base is None and _COUNTS and _references(held) == _UNUSED
        if is_free:
            self._before = held[0]
        return is_free


def _references(held: list[Any]) -> int:
    """To what the list holds, the list's own among them."""
    return sys.getrefcount(held[0])


_UNUSED = _references([np.empty(0, np.uint8)])


def _put(pictures: np.ndarray, patches: list[tuple[int, slice, np.ndarray]]) -> None:
    flat = pictures.reshape(len(pictures), -1)
    for index, part, rows in patches:
        flat[index, part] = rows
