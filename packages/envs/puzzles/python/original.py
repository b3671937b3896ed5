"""Plays gym-sokoban and Gymnasium's FrozenLake, for `vlgym verify puzzles`. A request and an answer are one line of JSON each."""
import json
import os
import random
import sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the libraries print

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
from gym_sokoban.envs.room_utils import generate_room  # noqa: E402
from gym_sokoban.envs.sokoban_env import SokobanEnv  # noqa: E402
from gymnasium.envs.toy_text.frozen_lake import generate_random_map  # noqa: E402


def cells(array):
    return "".join(str(int(cell)) for cell in array.flatten())


def sokoban(rows, columns, boxes, seed, actions):
    """A room, or why there is none, the next draws of both generators, and a row for each action."""
    random.seed(seed)
    np.random.seed(seed)
    try:
        fixed, state, mapping = generate_room(dim=(rows, columns), num_steps=int(1.7 * (rows + columns)), num_boxes=boxes)
    except (RuntimeError, RuntimeWarning) as error:
        return [[str(error)], [random.random(), float(np.random.random())], []]
    draws = [random.random(), float(np.random.random())]
    env = SokobanEnv(dim_room=(rows, columns), num_boxes=boxes, max_steps=10**6, reset=False)
    env.room_fixed, env.room_state, env.box_mapping = fixed, state.copy(), mapping
    env.player_position = np.argwhere(state == 5)[0]
    env.num_env_steps, env.reward_last, env.boxes_on_target = 0, 0, 0
    played = []
    for action in actions:
        _, reward, done, _ = env.step(action, observation_mode="tiny_rgb_array")
        played.append([float(reward), bool(done), cells(env.room_state)])
    return [[cells(fixed), cells(state)], draws, played]


def lake(size, frozen, seed, slippery, actions):
    """A map, and a row for each action on it."""
    desc = generate_random_map(size=size, p=frozen, seed=seed)
    env = gymnasium.make("FrozenLake-v1", desc=desc, is_slippery=slippery, disable_env_checker=True).unwrapped
    start, _ = env.reset(seed=seed)
    played = []
    for action in actions:
        cell, reward, terminated, _, info = env.step(action)
        played.append([int(cell), float(reward), bool(terminated), float(info["prob"])])
    return [desc, int(start), played]


for line in sys.stdin:
    try:
        request = json.loads(line)
        answer = {"answer": {"sokoban": sokoban, "lake": lake}[request.pop("game")](**request)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
