"""Saved states of engines that copy themselves."""

import copy


def clones(env):
    """Whether the engine saves its own state, as that of ALE does."""
    return all(callable(getattr(env.unwrapped, name, None)) for name in ("clone_state", "restore_state"))


class Clone:
    """The state of an engine, and those of the wrappers around it."""

    def __init__(self, env):
        self.engine = env.unwrapped.clone_state(include_rng=True)
        self.random = copy.deepcopy(env.unwrapped._np_random)
        self.layers = [
            {key: copy.deepcopy(value) for key, value in vars(layer).items() if key != "env"} for layer in layers(env)
        ]

    def put(self, env):
        env.unwrapped.restore_state(self.engine)
        env.unwrapped._np_random = copy.deepcopy(self.random)
        for layer, saved in zip(layers(env), self.layers):
            vars(layer).update(copy.deepcopy(saved))


def layers(env):
    found = []
    while env is not env.unwrapped:
        found.append(env)
        env = env.env
    return found
