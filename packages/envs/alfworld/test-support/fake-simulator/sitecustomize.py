"""Stands for AI2-THOR: what AlfredThorEnv of the real package drives, without simulator, display and torch."""
import os
import sys
import time
from types import ModuleType, SimpleNamespace

import numpy

COMMANDS = os.environ.get("STAND_IN_COMMANDS", "go to desk 1,look,win,crash,hang,toil").split(",")


class ThorEnv:
    def __init__(self, player_screen_height, player_screen_width, save_frames_to_disk, **_):
        self.shape = (player_screen_height, player_screen_width, 3)
        self.save_frames_to_disk = save_frames_to_disk

    def reset(self, scene):
        self.scene, self.met, self.steps = scene, 0, 0

    def restore_scene(self, poses, toggles, dirty):
        pass

    def step(self, action):
        self.start = action

    def set_task(self, trajectory, args, reward_type):
        self.trajectory = trajectory

    def get_goal_satisfied(self):
        return self.met == 2

    def get_goal_conditions_met(self):
        return self.met, 2

    @property
    def last_event(self):  # red grows with every step; blue stays
        frame = numpy.zeros(self.shape, numpy.uint8)
        frame[:, :, 0], frame[:, :, 2] = self.steps, 9
        return SimpleNamespace(frame=frame)

    def stop(self):
        print("simulator stopped")


class OracleAgent:
    def __init__(self, env, trajectory, root, **_):
        self.env = env
        self.feedback = f"-= Welcome to TextWorld, ALFRED! =-\n\nScene {env.scene}.\n\nYour task is to: do it"

    def get_admissible_commands(self):
        return COMMANDS

    def step(self, action):
        if action == "crash":
            raise ValueError("the simulator is gone")
        if action == "hang":
            time.sleep(3600)
        while action == "toil":
            pass
        self.env.steps += 1
        self.env.met = 2 if action == "win" else 1
        return f"You {action}." if action in COMMANDS else "Nothing happens."


def module(name, **content):
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__dict__.update(content)


agents = {name: OracleAgent for name in ("OracleAgent", "OracleAStarAgent", "MaskRCNNAgent", "MaskRCNNAStarAgent")}
module("alfworld.env.thor_env", ThorEnv=ThorEnv)
module("alfworld.agents.detector.mrcnn", load_pretrained_model=None)
module("alfworld.agents.controller", **agents)
