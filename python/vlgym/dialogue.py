"""An environment in words: prompts with pictures, responses of a model. What trainers of language models need."""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .env import Remote


@dataclass(frozen=True)
class Turn:
    """What a model sees next, and what its last response was worth."""

    messages: list[dict[str, Any]]
    reward: float | None
    terminated: bool
    truncated: bool
    info: dict[str, Any]
    legal: bool | None = None
    reason: str | None = None
    repair_hint: str | None = None

    @property
    def done(self) -> bool:
        return self.terminated or self.truncated


@dataclass
class Dialogue:
    """`turn = dialogue.reset(seed=7)`, then `turn = dialogue.respond(text)` until `turn.done`."""

    spec_id: str
    options: dict[str, Any] = field(default_factory=dict)
    max_episode_steps: int | None = None
    connect: str | None = None
    """A server that runs already, as for `gymnasium.make`."""

    def __post_init__(self) -> None:
        limit = {} if self.max_episode_steps is None else {"max_episode_steps": self.max_episode_steps}
        self._remote = Remote(self.spec_id, limit, self.options, self.connect)

    @property
    def action_names(self) -> list[str] | None:
        """Names of the actions, where they are few and fixed."""
        return self._remote.definition("action_space").get("labels")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Turn:
        node = self._remote.node
        node.ask("reset", seed=None if seed is None else int(seed), options=options)
        return _turn(node.ask("prompt"))

    def respond(self, text: str) -> Turn:
        """A whole response of a model, in the format that the prompt asks for."""
        return _turn(self._remote.running().ask("respond", text=text))

    def act(self, action: str) -> Turn:
        """The action alone, in words."""
        return _turn(self._remote.running().ask("act_in_words", action=action))

    def close(self) -> None:
        self._remote.close()


def _turn(answer: dict[str, Any]) -> Turn:
    return Turn(**{key: answer.get(key) for key in Turn.__dataclass_fields__})


def openai_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pictures as data URLs, as chat APIs take them."""

    def part(each: dict[str, Any]) -> dict[str, Any]:
        if each["type"] == "text":
            return {"type": "text", "text": each["text"]}
        data = base64.b64encode(png(each["image"])).decode()
        return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}

    return [{"role": each["role"], "content": [part(inner) for inner in each["content"]]} for each in messages]


def png(image: np.ndarray) -> bytes:
    """An array of height, width and channels as a PNG file, without further packages."""
    height, width, channels = image.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)
    rows[:, 1:] = image.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    pixels = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
