"""Steps per CPU-second of the originals, for bench/steps.ts; arguments: name of the row, seconds."""
import os
import random
import sys
import time

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the libraries print
import numpy as np  # noqa: E402

name, seconds = sys.argv[1], float(sys.argv[2])
if name.startswith("Sokoban"):
    random.seed(1)
    np.random.seed(1)
    from gym_sokoban.envs.sokoban_env import SokobanEnv

    small = "6x6" in name
    env = SokobanEnv(dim_room=(6, 6) if small else (10, 10), num_boxes=1 if small else 3, max_steps=100 if small else 200)
    count = 9

    def step(action):
        return env.step(action)[2]
else:
    import gymnasium as gym

    env = gym.make("FrozenLake-v1", render_mode="rgb_array" if "picture" in name else None, disable_env_checker=True)
    env.reset(seed=1)
    count = 4

    def step(action):
        _, _, terminated, truncated, _ = env.step(action)
        if "picture" in name:
            env.render()
        return terminated or truncated


actions = np.random.default_rng(0).integers(0, count, 100_000).tolist()


def play(wanted):
    env.reset()
    start = time.process_time()
    steps = 0
    while time.process_time() - start < wanted:
        for _ in range(64):
            if step(actions[steps % len(actions)]):
                env.reset()
            steps += 1
    return steps / (time.process_time() - start)


play(0.3)
print(play(seconds), file=answers)
