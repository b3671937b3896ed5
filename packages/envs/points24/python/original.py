"""Plays episodes of gym-cards without pictures, for `vlgym verify cards`; argument: the folder that holds gym_cards.

A request and an answer are one line of JSON each. Draws come from Python's global generator, which `reset` does not seed.
"""
import json
import os
import random
import sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever the libraries print
sys.path.insert(0, sys.argv[1])

import gymnasium  # noqa: E402
from gym_cards.envs import BlackjackEnv, EZPointEnv, NumberLineEnv, Point24Env  # noqa: E402

# the art is not compared, and drawing needs fonts that may be absent
for game in (NumberLineEnv, EZPointEnv, Point24Env):
    game._get_observation = lambda self: None
BlackjackEnv._get_obs = lambda self: None


def play(id, kwargs, seed, episodes):
    """Episodes of given actions: the first is seeded, the others continue the generator."""
    env = gymnasium.make(id, disable_env_checker=True, **kwargs)
    played = []
    for index, actions in enumerate(episodes):
        if index == 0:
            random.seed(seed)
        _, info = env.reset(seed=seed if index == 0 else None)
        # the lists in `info` change later, so they are written down at once
        rows = [json.dumps(info)]
        for action in actions:
            _, reward, terminated, truncated, info = env.step(action)
            rows.append(json.dumps([float(reward), bool(terminated), bool(truncated), info]))
        played.append([json.loads(row) for row in rows])
    return played


for line in sys.stdin:
    try:
        answer = {"answer": play(**json.loads(line))}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
