"""One environment of vlgym as a Gymnasium environment."""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np

from . import _registry, spaces
from ._attached import Attached
from ._node import NodeProcess
from ._peer import Peer


class Remote:
    """What an environment and a vector share: a Node process per Python process, started when it is first needed, or the
    connection to a server."""

    def __init__(
        self,
        spec_id: str,
        settings: dict[str, Any],
        options: dict[str, Any],
        connect: str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.entry = _registry.entry_of(spec_id, is_served=connect is not None)
        connect = connect or self.entry.get("connect")
        self.settings = settings
        self.options = options
        self.connect = connect
        self.timeout = timeout
        self.closed = False
        self._node: Peer | None = None
        self._made: dict[str, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {
            "spec_id": self.entry["spec"] if self.connect else _registry.whole(self.entry),
            "settings": self.settings,
            "options": self.options,
            "connect": self.connect,
            "timeout": self.timeout,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    @property
    def node(self) -> Peer:
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("The environment is closed.")
        if self._node is None or self._node.pid != os.getpid() or not self._node.alive:
            if self._node is not None:
                self._node.close()
            self._node = NodeProcess() if self.connect is None else Attached(self.connect, self.timeout)
            entry = self.entry
            try:
                self._made = self._node.ask(
                    "make", id=entry["spec"], module=entry["module"], options=self.options, **self.settings
                )
            except BaseException:
                self._node.close()
                self._node = None
                raise
        return self._node

    def running(self) -> Peer:
        """The process of the running episode: a step must not start a new one."""
        if self._node is None or self._node.pid != os.getpid():
            raise gymnasium.error.ResetNeeded("Cannot call env.step() before calling env.reset()")
        return self._node

    def definition(self, name: str) -> dict[str, Any]:
        """Of a space, from the list, or from Node where options may change it."""
        if not self.options and self.connect is None and name in self.entry:
            return self.entry[name]
        _ = self.node
        assert self._made is not None
        return self._made[name]

    def space(self, name: str) -> gymnasium.Space[Any]:
        return spaces.from_definition(self.definition(name))

    def metadata(self) -> dict[str, Any]:
        entry = self.entry if "render_modes" in self.entry else self.definition("metadata")
        return {"render_modes": list(entry["render_modes"]), "render_fps": entry["render_fps"] or 30}

    def close(self) -> None:
        self.closed = True
        if self._node is not None:
            self._node.close()
            self._node = None


class VlgymEnv(gymnasium.Env[Any, Any]):
    """Keyword arguments beyond these are options of the environment, as in Node. With `connect` it runs in a server:
    `unix:/path` or `http://host:port`; `timeout` is the limit of one call there, in seconds."""

    # what any of them has: Gymnasium reads the class before it makes one
    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 30}

    def __init__(
        self,
        spec_id: str,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        connect: str | None = None,
        timeout: float | None = None,
        **options: Any,
    ) -> None:
        settings: dict[str, Any] = {}
        if render_mode is not None:
            settings["render_mode"] = render_mode
        if max_episode_steps is not None:
            settings["max_episode_steps"] = max_episode_steps
        self._remote = Remote(spec_id, settings, options, connect, timeout)
        self.metadata = self._remote.metadata()
        self.render_mode = render_mode
        self._spaces: dict[str, gymnasium.Space[Any]] = {}

    @property
    def observation_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        return self._space("observation_space")

    @property
    def action_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        return self._space("action_space")

    def _space(self, name: str) -> gymnasium.Space[Any]:
        if name not in self._spaces:
            self._spaces[name] = self._remote.space(name)
        return self._spaces[name]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=None if seed is None else int(seed))
        answer = self._remote.node.ask("reset", seed=None if seed is None else int(seed), options=options)
        return spaces.from_wire(self.observation_space, answer["observation"]), answer["info"]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        node = self._remote.running()
        answer = node.ask("step", action=spaces.to_wire(self.action_space, action))
        observation = spaces.from_wire(self.observation_space, answer["observation"])
        return observation, float(answer["reward"]), answer["terminated"], answer["truncated"], answer["info"]

    def render(self) -> Any:
        return None if self.render_mode is None else self._remote.running().ask("render")["frame"]

    def action_mask(self) -> np.ndarray | None:
        """1 where an action is allowed now, if the environment knows."""
        mask = self._remote.running().ask("mask")["mask"]
        return None if mask is None else np.asarray(mask, np.int8)

    def snapshot(self) -> Any:
        """The whole state as data; `restore` continues exactly from it."""
        return self._remote.running().ask("snapshot")["snapshot"]

    def restore(self, snapshot: Any) -> tuple[Any, dict[str, Any]]:
        answer = self._remote.node.ask("restore", snapshot=snapshot)
        return spaces.from_wire(self.observation_space, answer["observation"]), answer["info"]

    def close(self) -> None:
        self._remote.close()
