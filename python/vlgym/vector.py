"""A vector of environments in one Node process, with one round trip per step."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from . import spaces
from ._pictures import Pictures
from .env import Remote

_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


class VlgymVectorEnv(VectorEnv[Any, Any, Any]):
    """`gymnasium.make_vec("vlgym/Points24-v1", num_envs=16)` makes one. Further arguments are options in Node."""

    def __init__(
        self,
        spec_id: str,
        num_envs: int = 1,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        connect: str | None = None,
        timeout: float | None = None,
        **options: Any,
    ) -> None:
        mode = autoreset_mode if isinstance(autoreset_mode, AutoresetMode) else AutoresetMode(autoreset_mode)
        settings: dict[str, Any] = {"num_envs": int(num_envs), "autoreset": _MODES[mode]}
        if render_mode is not None:
            settings["render_mode"] = render_mode
        if max_episode_steps is not None:
            settings["max_episode_steps"] = max_episode_steps
        self._remote = Remote(spec_id, settings, options, connect, timeout)
        self.metadata = {**self._remote.metadata(), "autoreset_mode": mode}
        self.num_envs = int(num_envs)
        self.render_mode = render_mode
        self.single_observation_space = self._remote.space("observation_space")
        self.single_action_space = self._remote.space("action_space")
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._pictures = Pictures()

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        fields: dict[str, Any] = {}
        if seed is not None:
            fields["seed"] = [int(each) for each in seed] if np.iterable(seed) else int(seed)
        if options is not None and "reset_mask" in options:
            options = dict(options)
            mask = options.pop("reset_mask")
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                raise TypeError("`options['reset_mask']` must be an array of booleans, one per environment.")
            fields["mask"] = mask
        answer = self._remote.node.ask("reset_many", options=options, **fields)
        infos: dict[str, Any] = {}
        for index, info in enumerate(answer["infos"]):
            if "mask" not in fields or fields["mask"][index]:
                infos = self._add_info(infos, info, index)
        return self._observations(answer), infos

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        space = self.single_action_space
        if isinstance(space, (gymnasium.spaces.Box, gymnasium.spaces.Discrete, gymnasium.spaces.MultiDiscrete)):
            wire: Any = np.asarray(actions)
        else:
            wire = [spaces.to_wire(space, action) for action in iterate(self.action_space, actions)]
        if len(wire) != self.num_envs:
            raise ValueError(f"Expected {self.num_envs} actions, got {len(wire)}.")
        if isinstance(space, gymnasium.spaces.Box):
            wire = [np.asarray(action, space.dtype) for action in wire]
        answer = self._remote.running().ask("step_many", actions=wire)
        infos: dict[str, Any] = {}
        for index, entry in enumerate(answer["infos"]):
            final = entry.get("final")
            if final is not None:
                last = spaces.from_wire(self.single_observation_space, final["observation"])
                infos = self._add_info(infos, {"final_obs": last, "final_info": final["info"]}, index)
            infos = self._add_info(infos, entry["info"], index)
        return self._observations(answer), answer["rewards"], answer["terminated"], answer["truncated"], infos

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(self._remote.running().ask("render_many")["frames"])

    def close_extras(self, **kwargs: Any) -> None:
        self._remote.close()

    def _observations(self, answer: dict[str, Any]) -> Any:
        if "changed" in answer:
            return self._pictures.patched(answer["changed"], answer["rows"])
        if "stacked" in answer:
            stacked = answer["stacked"]
            if not isinstance(stacked, np.ndarray) or stacked.dtype != np.uint8:
                return stacked
            return self._pictures.whole(stacked)
        space = self.single_observation_space
        items = [spaces.from_wire(space, wire) for wire in answer["observations"]]
        return deepcopy(concatenate(space, items, create_empty_array(space, self.num_envs)))
