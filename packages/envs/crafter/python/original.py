"""Plays crafter 1.8.3 for `vlgym verify crafter`. A request and an answer are one line of JSON each.

The original keeps the objects of a chunk in a set ordered by memory addresses. Here they stay in the order of arrival, which is
the one change."""
import collections
import hashlib
import json
import os
import sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the libraries print

import crafter  # noqa: E402
import numpy as np  # noqa: E402
from crafter import engine  # noqa: E402


class OrderedSet(dict):
    def add(self, item):
        self[item] = None

    def remove(self, item):
        del self[item]


original_reset = engine.World.reset


def reset(self, seed=None):
    original_reset(self, seed)
    self._chunks = collections.defaultdict(OrderedSet)


engine.World.reset = reset


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array, dtype=np.uint8).tobytes()).hexdigest()[:16]


def play(seed, size, area, episodes, actions):
    """The seed's last episode: objects and terrain, then a row for each action."""
    env = crafter.Env(seed=seed, size=(size, size), area=tuple(area))
    for _ in range(episodes):
        frame = env.reset()
    world = env._world
    objects = [[type(thing).__name__.lower(), int(thing.pos[0]), int(thing.pos[1])] for thing in world.objects]
    begun = [digest(world._mat_map), objects, digest(frame)]
    rows = []
    for action in actions:
        frame, reward, done, info = env.step(action)
        rows.append([float(reward), bool(done), list(info["inventory"].values()), digest(info["semantic"]), digest(frame)])
        if done:
            break
    return [begun, rows]


for line in sys.stdin:
    try:
        answer = {"answer": play(**json.loads(line))}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
