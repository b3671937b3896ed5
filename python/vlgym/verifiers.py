"""vlgym environments for verifiers 0.4 and later (`import verifiers.v1`), with pictures.

A verifiers environment is a module that exports one `Taskset` and one `Env`; python/examples/vlgym_vf.py is such a module.
The environment runs in a Node process of this package: nothing of OpenEnv is imported, whose packages do not fit beside
those of verifiers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from .dialogue import Dialogue, Turn, openai_messages


class VlgymData(vf.TaskData):
    env: str
    options: dict[str, Any]
    seed: int
    max_turns: int


class VlgymConfig(vf.TasksetConfig):
    env: str = "vlgym/Points24-v1"
    """Id of the environment; `vlgym.ids()` lists them."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the environment, e.g. its side of the content split."""
    seeds: list[int] = Field(default_factory=lambda: list(range(100)))
    """One task per seed: the same seed is the same episode everywhere."""
    max_turns: int = 50
    """Responses after which the episode ends without success."""


class VlgymTask(vf.Task[VlgymData]):
    pass


class VlgymTaskset(vf.Taskset[VlgymTask, VlgymConfig]):
    def load(self) -> Iterator[VlgymTask]:
        config = self.config
        for seed in config.seeds:
            data = VlgymData(
                name=f"{config.env}#{seed}",
                prompt=None,
                env=config.env,
                options=config.options,
                seed=seed,
                max_turns=config.max_turns,
            )
            yield VlgymTask(data, config.task)


class VlgymEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig()


class VlgymEnv(vf.Env[VlgymEnvConfig]):
    """Plays one episode: the prompt with its pictures as user turns, the model's replies as responses."""

    async def run(self, task, agents):
        data = task.data
        dialogue = Dialogue(data.env, data.options)
        total, played = 0.0, 0
        try:
            turn = await asyncio.to_thread(dialogue.reset, data.seed)
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn([_user(turn, with_system=True)])
                for _ in range(data.max_turns):
                    if segment.terminated:
                        break
                    turn = await asyncio.to_thread(dialogue.respond, segment.last_reply)
                    total += turn.reward or 0.0
                    played += 1
                    if turn.done:
                        break
                    segment = await interaction.turn([_user(turn, with_system=False)])
        finally:
            await asyncio.to_thread(dialogue.close)
        if played > 0:  # a model that never answered has no score
            interaction.trace.record_reward("vlgym_return", total)


def _user(turn: Turn, *, with_system: bool) -> vf.UserMessage:
    messages = openai_messages(turn.messages)
    parts = [part for each in messages if with_system or each["role"] != "system" for part in each["content"]]
    return vf.UserMessage(content=parts)
