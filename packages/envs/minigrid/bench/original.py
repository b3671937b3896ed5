"""Steps per CPU-second of the original, for bench/steps.ts; arguments: id, kind, seconds."""
import os
import sys
import time

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # BabyAI prints each level that it rejects

import gymnasium as gym  # noqa: E402
import minigrid  # noqa: E402, F401
from minigrid.wrappers import RGBImgObsWrapper, RGBImgPartialObsWrapper  # noqa: E402
import numpy as np  # noqa: E402

id, kind, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
env = gym.make(id, disable_env_checker=True).unwrapped
if kind == "view":
    env = RGBImgPartialObsWrapper(env, tile_size=8)
if kind == "whole":
    env = RGBImgObsWrapper(env, tile_size=8)
actions = np.random.default_rng(0).integers(0, env.action_space.n, 100_000)


def play(wanted):
    env.reset(seed=0)
    start = time.process_time()
    steps = 0
    while time.process_time() - start < wanted:
        for _ in range(64):
            _, _, terminated, truncated, _ = env.step(actions[steps % len(actions)])
            steps += 1
            if terminated or truncated:
                env.reset()
    return steps / (time.process_time() - start)


play(0.3)
print(play(seconds), file=answers)
