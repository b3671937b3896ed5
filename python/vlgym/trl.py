"""Environments for `trl.GRPOTrainer(environment_factory=…)`: a class whose methods are the tools.

TRL pools instances, calls `reset(**row)` before each rollout, and `get_reward()` once after it. Tools are functions defined
on the class, so the class is made for its environment: one method per action where the names are few and are identifiers
after cleaning, else `act(action)`. This module imports neither torch nor trl.
"""

from __future__ import annotations

import keyword
import re
from typing import Any, Literal

from .dialogue import Dialogue, Turn

_MOST_TOOLS = 8
_RESERVED = {"reset", "step", "state", "close", "get_reward"}


def environment(
    spec_id: str,
    *,
    options: dict[str, Any] | None = None,
    seeds: list[int] | None = None,
    max_episode_steps: int | None = None,
) -> type:
    """The class that TRL's `environment_factory` takes. A column `seed` of the dataset chooses the episode; without one,
    the instances go through `seeds`, or count up, and all rollouts of a step play the same episode."""

    class VlgymEnvironment:
        """Plays one episode per rollout."""

        def __init__(self) -> None:
            self._dialogue = Dialogue(spec_id, options or {}, max_episode_steps)
            self._return = 0.0
            self._turn: Turn | None = None
            self._played = 0

        def reset(self, seed: int | None = None, **_row: Any) -> list[dict[str, Any]]:
            if seed is None:
                seed = seeds[self._played % len(seeds)] if seeds else self._played
            self._played += 1
            self._return = 0.0
            self._turn = self._dialogue.reset(seed=int(seed))
            return _parts(self._turn)

        def get_reward(self) -> float:
            return self._return

        def _act(self, action: str) -> list[dict[str, Any]]:
            if self._turn is None or self._turn.done:
                raise RuntimeError("The episode is over.")
            self._turn = self._dialogue.act(action)
            self._return += float(self._turn.reward or 0.0)
            if self._turn.done:
                how = "terminated" if self._turn.terminated else "truncated"
                return [*_parts(self._turn), {"type": "text", "text": f"The episode is over ({how})."}]
            return _parts(self._turn)

        def __del__(self) -> None:
            self._dialogue.close()

    names = Dialogue(spec_id, options or {}).action_names
    for name, tool in _tools(names).items():
        tool.__name__ = name
        tool.__qualname__ = f"VlgymEnvironment.{name}"
        setattr(VlgymEnvironment, name, tool)
    return VlgymEnvironment


def _tools(names: list[str] | None) -> dict[str, Any]:
    verbs = {_identifier(name): name for name in names or []}
    sound = all(verb.isidentifier() and not keyword.iskeyword(verb) and verb not in _RESERVED for verb in verbs)
    if names and sound and len(verbs) == len(names) <= _MOST_TOOLS:
        return {verb: _verb(name) for verb, name in verbs.items()}
    return {"act": _act_of(names)}


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name.strip().lower())


def _verb(name: str) -> Any:
    def tool(self: Any) -> list:
        return self._act(name)

    tool.__doc__ = f"{name[:1].upper()}{name[1:]}.\n\nReturns:\n    What is seen next.\n"
    tool.__annotations__ = {"return": list}
    return tool


def _act_of(names: list[str] | None) -> Any:
    def tool(self: Any, action: str) -> list:
        return self._act(action)

    tool.__doc__ = (
        "Take an action.\n\nArgs:\n    action: The action, in the words that the observation asks for.\n\n"
        "Returns:\n    What is seen next.\n"
    )
    tool.__annotations__ = {"action": Literal[tuple(names)] if names else str, "return": list}
    return tool


def _parts(turn: Turn) -> list[dict[str, Any]]:
    """Content parts, with pictures as PIL images."""
    parts = []
    for message in turn.messages:
        for part in message["content"]:
            parts.append(part if part["type"] == "text" else {"type": "image", "image": _pil(part["image"])})
    return parts


def _pil(image: Any) -> Any:
    from PIL import Image

    return Image.fromarray(image if image.shape[2] > 1 else image[:, :, 0])
