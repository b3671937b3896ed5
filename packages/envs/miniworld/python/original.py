"""Plays episodes of MiniWorld for `vlgym verify miniworld`: one JSON request and answer a line.

With the argument `pictures` it draws the first and the last view of an episode, which needs a display (xvfb-run).
Without, the drawing calls are replaced: positions, rewards and the generator do not depend on them.
"""
import base64
import json
import os
import sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever the libraries print
DRAWS = "pictures" in sys.argv[1:]

import pyglet  # noqa: E402

if not DRAWS:
    pyglet.options["shadow_window"] = False

import gymnasium  # noqa: E402
import miniworld.miniworld as engine  # noqa: E402
import numpy  # noqa: E402
from miniworld.opengl import Texture  # noqa: E402


class Nothing:
    """Stands for a window, a frame buffer, a label or a texture."""

    width = height = 1

    def __init__(self, *_, **__):
        pass


if not DRAWS:
    pyglet.window.Window = pyglet.text.Label = engine.FrameBuffer = Nothing
    engine.glEnable = lambda *_: None
    Texture.load = classmethod(lambda cls, path: Nothing())
    pyglet.graphics.vertex_list = Nothing
    engine.MiniWorldEnv._render_static = lambda self: None
render = engine.MiniWorldEnv.render_obs
engine.MiniWorldEnv.render_obs = lambda self, *_: None


def packed(array, kind):
    return base64.b64encode(numpy.ascontiguousarray(array, dtype=kind).tobytes()).decode()


def view(env):
    if not DRAWS:
        return None
    rgb = packed(render(env), numpy.uint8)
    return {"rgb": rgb, "depth": packed(env.render_depth(env.obs_fb), numpy.float32)}


def state(env):
    """The agent, the entities in order, and the index of the carried one or -1."""
    carried = env.agent.carrying
    held = carried is not None and carried in env.entities
    return [
        [float(x) for x in env.agent.pos] + [float(env.agent.dir)],
        [[float(x) for x in entity.pos] + [float(entity.dir)] for entity in env.entities],
        env.entities.index(carried) if held else -1,
    ]


def generator(env):
    state = env.np_random.bit_generator.state
    words = [f"{state['state'][half]:032x}" for half in ("state", "inc")]
    return [*words, state["has_uint32"], state["uinteger"]]


def play(id, kwargs, seed, actions):
    env = gymnasium.make(id, disable_env_checker=True, **kwargs).unwrapped
    env.reset(seed=seed)
    start = {"state": state(env), "generator": generator(env), "view": view(env)}
    rows = []
    for action in actions:
        _, reward, terminated, truncated, _ = env.step(action)
        rows.append([float(reward), bool(terminated), bool(truncated), state(env)])
    answer = {"start": start, "rows": rows, "generator": generator(env), "view": view(env)}
    if DRAWS:
        env.shadow_window.close()
    return answer


for line in sys.stdin:
    try:
        answer = {"answer": play(**json.loads(line))}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
