"""Plays episodes of minigrid, for `vlgym verify minigrid`. A request and an answer are one line of JSON each."""
import hashlib
import json
import os
import sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # BabyAI prints each level that it rejects

import gymnasium as gym  # noqa: E402
import minigrid  # noqa: E402, F401
import numpy as np  # noqa: E402


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def play(id, seed, actions, pictures):
    """The beginning and a row for each action: reward, ends, agent, and digests of symbols and of the picture."""
    env = gym.make(id, disable_env_checker=True).unwrapped
    observation, _ = env.reset(seed=seed)

    def state(observation):
        agent = [int(env.agent_pos[0]), int(env.agent_pos[1]), int(env.agent_dir)]
        picture = digest(env.get_frame(True, 8, True).astype(np.uint8)) if pictures else ""
        return [agent, digest(observation["image"]), digest(env.grid.encode()), picture]

    begun = [observation["mission"], env.max_steps, state(observation)]
    rows = []
    for action in actions:
        observation, reward, terminated, truncated, _ = env.step(action)
        rows.append([float(reward), bool(terminated), bool(truncated), state(observation)])
    return [begun, rows]


for line in sys.stdin:
    try:
        answer = {"answer": play(**json.loads(line))}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
