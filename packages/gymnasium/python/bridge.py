"""Environments of Gymnasium for Node: one or several per process, frames over standard input and output.

Frames, spaces and saved states are in vlgym_bridge/. What an environment prints goes to standard error, because
standard output is the channel.
"""

import contextlib
import copy
import os
import sys

channel_in = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
channel_out = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
os.dup2(2, 1)
sys.stdout = sys.stderr

with contextlib.suppress(ImportError):
    import gymnasium  # its bytecode is kept as ever; that of our parts would be written into an installed npm package

writes_nothing, sys.dont_write_bytecode = sys.dont_write_bytecode, True
from vlgym_bridge.clone import Clone, clones
from vlgym_bridge.frames import encode, read
from vlgym_bridge.installed import gymnasium, missing, np, spaces
from vlgym_bridge.refused import Refused
from vlgym_bridge.wire import define, from_wire, to_wire

sys.dont_write_bytecode = writes_nothing

PROTOCOL = "vlgym.env/1"
MAX_SNAPSHOTS = 256


class Bridge:
    def __init__(self):
        self.env = None
        self.snapshots = {}

    def hello(self, protocol):
        if protocol != PROTOCOL:
            raise Refused("ProtocolMismatch", f"The protocol {protocol} of the client is not {PROTOCOL}.")
        if gymnasium is None:
            raise Refused("GymnasiumMissing", missing)
        return {"protocol": PROTOCOL, "gymnasium": gymnasium.__version__, "python": sys.version.split()[0]}

    def make(self, id, kwargs, render_mode=None, snapshots=False):
        # `make` hands every keyword to the constructor, and small environments have no `render_mode`
        drawn = {} if render_mode is None else {"render_mode": render_mode}
        self.env = gymnasium.make(id, **drawn, **kwargs)
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
        request = read(channel_in)
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
