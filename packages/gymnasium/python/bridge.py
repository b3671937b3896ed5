"""Environments of Gymnasium for Node: one or several per process, frames over standard input and output.

Layout of the frames: packages/gymnasium/src/frames/codec.ts. What an environment prints goes to standard error, because
standard output is the channel.
"""

import copy
import json
import math
import os
import struct
import sys

PROTOCOL = "vlgym.env/1"
LENGTHS = struct.Struct("<II")
MAX_SNAPSHOTS = 256
MAX_WORDS = 1 << 16

channel_in = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
channel_out = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
os.dup2(2, 1)
sys.stdout = sys.stderr

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    gymnasium = None
    missing = str(error)


class Refused(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def encode(value):
    body = []
    used = 0

    def place(array):
        nonlocal used
        plain = np.ascontiguousarray(array).reshape(array.shape)
        if plain.dtype.byteorder == ">":
            plain = plain.astype(plain.dtype.newbyteorder("<"))
        data = plain.tobytes()
        entry = {"$nd": [plain.dtype.str, list(plain.shape), used, len(data)]}
        padding = -len(data) % 8
        body.append(data)
        body.append(b"\0" * padding)
        used += len(data) + padding
        return entry

    def convert(part, depth=0):
        if depth > 64:
            return {"$repr": "too deep"}
        if gymnasium is not None:
            if isinstance(part, np.ndarray):
                if part.dtype.kind in "biuf" and part.dtype.itemsize <= 8:
                    return place(part.astype(np.float32) if part.dtype == np.float16 else part)
                return [convert(each, depth + 1) for each in part.tolist()]
            if isinstance(part, np.generic):
                part = part.item()
        if part is None or isinstance(part, (bool, str)):
            return part
        if isinstance(part, int):
            return part if abs(part) <= 2**53 else {"$int": str(part)}
        if isinstance(part, float):
            if math.isfinite(part):
                return {"$float": "-0.0"} if part == 0 and math.copysign(1, part) < 0 else part
            return {"$float": "nan" if math.isnan(part) else "inf" if part > 0 else "-inf"}
        if isinstance(part, dict):
            return {str(key): convert(each, depth + 1) for key, each in part.items()}
        if isinstance(part, (list, tuple, set, frozenset)):
            return [convert(each, depth + 1) for each in part]
        return {"$repr": repr(part)[:1000]}

    header = json.dumps(convert(value), allow_nan=False).encode()
    return b"".join([LENGTHS.pack(len(header), used), header, *body])


def read():
    head = channel_in.read(LENGTHS.size)
    if len(head) < LENGTHS.size:
        return None
    header_length, body_length = LENGTHS.unpack(head)
    header, body = channel_in.read(header_length), channel_in.read(body_length)
    if len(header) < header_length or len(body) < body_length:
        return None

    def revive(part):
        if "$nd" in part:
            dtype, shape, offset, count = part["$nd"]
            return np.frombuffer(body[offset : offset + count], dtype).reshape(shape).copy()
        if "$float" in part:
            return float(part["$float"])
        if "$int" in part:
            return int(part["$int"])
        return part

    return json.loads(header, object_hook=revive)


# spaces ------------------------------------------------------------------------------------------------------------


def wire_dtype(dtype, low=None, high=None):
    """The nearest dtype that Node's boxes have."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype == np.float16:
        return np.dtype(np.float32)
    if dtype.kind in "iu" and dtype.itemsize == 8:
        fits = low is not None and np.all(low >= -(2**31)) and np.all(high < 2**31)
        return np.dtype(np.int32 if fits else np.float64)
    if dtype.kind in "iuf" and dtype.itemsize <= 8:
        return dtype
    raise Refused("UnsupportedSpace", f"Boxes of {dtype} cannot be used in Node.")


def bound(values):
    numbers = [float(each) for each in np.asarray(values).reshape(-1)]
    plain = ["Infinity" if n == math.inf else "-Infinity" if n == -math.inf else n for n in numbers]
    return plain[0] if plain and all(each == plain[0] for each in plain) else plain


def is_picture(space):
    shape = space.shape
    return (
        space.dtype == np.uint8
        and len(shape) == 3
        and shape[2] in (1, 3, 4)
        and shape[0] > 0
        and shape[1] > 0
        and bool(np.all(space.low == 0))
        and bool(np.all(space.high == 255))
    )


def define(space):
    if isinstance(space, spaces.Box):
        if is_picture(space):
            height, width, channels = space.shape
            return {"type": "image", "height": height, "width": width, "channels": channels}
        dtype = wire_dtype(space.dtype, space.low, space.high)
        low, high = bound(space.low), bound(space.high)
        return {"type": "box", "dtype": dtype.name, "shape": list(space.shape), "low": low, "high": high}
    if isinstance(space, spaces.Discrete):
        return {"type": "discrete", "n": int(space.n), "start": int(space.start)}
    if isinstance(space, spaces.MultiDiscrete):
        counts, start = space.nvec.reshape(-1).tolist(), np.asarray(space.start).reshape(-1).tolist()
        return {"type": "multiDiscrete", "counts": counts, "start": start, "shape": list(space.shape)}
    if isinstance(space, spaces.MultiBinary):
        return {"type": "multiBinary", "shape": list(space.shape)}
    if isinstance(space, spaces.Text):
        charset = "".join(space.character_list)
        return {"type": "text", "minLength": space.min_length, "maxLength": space.max_length, "charset": charset}
    if isinstance(space, spaces.Dict):
        return {"type": "dict", "spaces": {str(key): define(part) for key, part in space.spaces.items()}}
    if isinstance(space, (spaces.Tuple, spaces.OneOf)):
        kind = "tuple" if isinstance(space, spaces.Tuple) else "oneOf"
        return {"type": kind, "spaces": [define(part) for part in space.spaces]}
    if isinstance(space, spaces.Sequence):
        return {"type": "sequence", "element": define(space.feature_space)}
    if isinstance(space, spaces.Graph):
        edges = {} if space.edge_space is None else {"edges": define(space.edge_space)}
        return {"type": "graph", "nodes": define(space.node_space), **edges}
    if space.dtype is not None and np.dtype(space.dtype).kind == "U":  # words of its own making, as MiniGrid's missions
        return {"type": "text", "minLength": 0, "maxLength": MAX_WORDS}
    raise Refused("UnsupportedSpace", f"The space {space!r} cannot be used in Node.")


def to_wire(space, value):
    if isinstance(space, spaces.Box):
        array = np.asarray(value)
        return array if is_picture(space) else array.astype(wire_dtype(space.dtype, space.low, space.high), copy=False)
    if isinstance(space, spaces.Discrete):
        return int(value)
    if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
        return np.asarray(value).astype(np.int32 if isinstance(space, spaces.MultiDiscrete) else np.uint8)
    if isinstance(space, spaces.Dict):
        return {str(key): to_wire(part, value[key]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return [to_wire(part, each) for part, each in zip(space.spaces, value)]
    if isinstance(space, spaces.OneOf):
        return [int(value[0]), to_wire(space.spaces[int(value[0])], value[1])]
    if isinstance(space, spaces.Sequence):
        items = gymnasium.vector.utils.iterate(space.stacked_feature_space, value) if space.stack else value
        return [to_wire(space.feature_space, each) for each in items]
    if isinstance(space, spaces.Graph):
        edges = None if value.edges is None else [to_wire(space.edge_space, each) for each in value.edges]
        links = None if value.edge_links is None else np.asarray(value.edge_links).tolist()
        return {"nodes": [to_wire(space.node_space, each) for each in value.nodes], "edges": edges, "edgeLinks": links}
    return value


def from_wire(space, wire):
    """With the dtype of the space: Pendulum would otherwise compute in float64."""
    if isinstance(space, spaces.Box):
        return np.asarray(wire).astype(space.dtype).reshape(space.shape)
    if isinstance(space, spaces.Discrete):
        return np.int64(wire)
    if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
        return np.asarray(wire).astype(space.dtype).reshape(space.shape)
    if isinstance(space, spaces.Dict):
        return {key: from_wire(part, wire[str(key)]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(from_wire(part, each) for part, each in zip(space.spaces, wire))
    if isinstance(space, spaces.OneOf):
        return (np.int64(wire[0]), from_wire(space.spaces[int(wire[0])], wire[1]))
    if isinstance(space, spaces.Sequence):
        return tuple(from_wire(space.feature_space, each) for each in wire)
    return wire


# operations --------------------------------------------------------------------------------------------------------


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


class Bridge:
    def __init__(self):
        self.env = None
        self.snapshots = {}

    def hello(self, protocol):
        if protocol != PROTOCOL:
            raise Refused("ProtocolMismatch", f"Protocol {protocol} meets {PROTOCOL}.")
        if gymnasium is None:
            raise Refused("GymnasiumMissing", missing)
        return {"protocol": PROTOCOL, "gymnasium": gymnasium.__version__, "python": sys.version.split()[0]}

    def make(self, id, kwargs, render_mode=None, snapshots=False):
        self.env = gymnasium.make(id, render_mode=render_mode, **kwargs)
        spec = self.env.spec
        meanings = getattr(self.env.unwrapped, "get_action_meanings", None)
        discrete = isinstance(self.env.action_space, spaces.Discrete)
        return {
            "observation_space": define(self.env.observation_space),
            "action_space": define(self.env.action_space),
            "metadata": {
                "render_modes": [mode for mode in self.env.metadata.get("render_modes", []) if isinstance(mode, str)],
                "render_fps": self.env.metadata.get("render_fps"),
            },
            "spec": {
                "id": spec.id,
                "entry_point": str(spec.entry_point),
                "max_episode_steps": spec.max_episode_steps,
                "reward_threshold": spec.reward_threshold,
                "nondeterministic": spec.nondeterministic,
            },
            "action_meanings": [str(each) for each in meanings()] if callable(meanings) and discrete else None,
            "snapshots": bool(snapshots) and self.can_save(),
        }

    def can_save(self):
        """Whether a copy goes on as its original would: some engines can be copied, but begin anew."""
        if clones(self.env):
            return True
        try:
            one = self.copied(self.env)
            one.reset(seed=0)
            action = one.action_space.sample()
            two = self.copied(one)
            left, right = (to_wire(each.observation_space, each.step(action)[0]) for each in (one, two))
            return encode(left) == encode(right)
        except Exception:
            return False

    def copied(self, env):
        """A copy without windows and surfaces, which are made again when something is drawn."""
        state = vars(env.unwrapped)
        drawn = {key: value for key, value in state.items() if type(value).__module__.split(".")[0] == "pygame"}
        drawn = {**drawn, **{key: state[key] for key in ("mujoco_renderer",) if key in state}}
        try:
            for key in drawn:
                state[key] = None
            return copy.deepcopy(env)
        finally:
            state.update(drawn)

    def reset(self, seed=None, options=None, render=False):
        observation, info = self.env.reset(seed=seed, options=options)
        return {"observation": to_wire(self.env.observation_space, observation), "info": info, **self.drawn(render)}

    def step(self, action, render=False):
        result = self.env.step(from_wire(self.env.action_space, action))
        observation, reward, terminated, truncated, info = result
        return {
            "observation": to_wire(self.env.observation_space, observation),
            "reward": float(reward),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "info": info,
            **self.drawn(render),
        }

    def drawn(self, render):
        return {"frame": self.frame()} if render else {}

    def frame(self):
        frame = self.env.render()
        if isinstance(frame, list):
            frame = frame[-1] if frame else None
        return frame if isinstance(frame, (np.ndarray, str)) else None

    def render(self):
        return {"frame": self.frame()}

    def snapshot(self, handle):
        if len(self.snapshots) >= MAX_SNAPSHOTS:
            del self.snapshots[next(iter(self.snapshots))]
        self.snapshots[handle] = Clone(self.env) if clones(self.env) else self.copied(self.env)
        return {}

    def restore(self, handle):
        if handle not in self.snapshots:
            raise Refused("SnapshotGone", f"Snapshot {handle} is gone: the last {MAX_SNAPSHOTS} are kept.")
        saved = self.snapshots[handle]
        if isinstance(saved, Clone):
            saved.put(self.env)
        else:
            self.env = self.copied(saved)
        return {}

    def close(self):
        if self.env is not None:
            self.env.close()
        return {}


OPERATIONS = ("hello", "make", "reset", "step", "render", "snapshot", "restore", "close")


def main():
    # most processes have one; with `mode: 'one-process'` they are told apart by their numbers
    bridges = {}
    while True:
        request = read()
        if request is None:
            break
        try:
            op = request.pop("op")
            if op not in OPERATIONS:
                raise Refused("UnknownOperation", f"Unknown operation {op!r}.")
            number = request.pop("env", 0)
            bridge = bridges.setdefault(number, Bridge())
            answer = encode({"ok": True, **getattr(bridge, op)(**request)})
            if op == "close":
                del bridges[number]
        except Refused as error:
            answer = encode({"ok": False, "error": {"type": error.kind, "message": str(error)}})
        except Exception as error:
            answer = encode({"ok": False, "error": {"type": type(error).__name__, "message": str(error)}})
        try:
            channel_out.write(answer)
            channel_out.flush()
        except OSError:
            break
    try:
        for bridge in bridges.values():
            bridge.close()
    finally:
        os._exit(0)


main()
