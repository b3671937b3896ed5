"""Plays games in ALFWorld's own text engine for @vlgym/alfworld.

One JSON object per line: {"id": 1, "call": "step", "action": "look"} comes in, {"id": 1, "result": ...} or
{"id": 1, "error": ...} goes out. First `create`, then `reset` and `step`. It ends when its input ends, so it does not
outlive whoever started it.
"""
import importlib.metadata
import json
import os
import platform
import random
import signal
import sys
import traceback

LONGEST_LINE = 2**20

replies = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the packages and the planner print freely; only replies go where replies belong
signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the one who started us

env = None


def create(steps, expert, shuffle):
    """Imports the packages, which takes seconds, and makes an environment that has no games yet."""
    global env
    import alfworld.agents.environment as environments

    if hasattr(environments, "get_environment"):
        engine = environments.get_environment("AlfredTWEnv")
    else:  # before 0.4.2
        engine = environments.AlfredTWEnv
    limit = {"training": {"max_nb_steps_per_episode": steps}}
    config = {
        "dataset": {"data_path": "", "num_train_games": -1},
        "env": {
            "goal_desc_human_anns_prob": 0,
            "task_types": [1, 2, 3, 4, 5, 6],
            "domain_randomization": shuffle,
            "expert_type": "handcoded",
        },
        # only `dagger` runs the expert
        "general": {"training_method": "dagger" if expert else "dqn"},
        "dagger": limit,
        "rl": limit,
    }
    env = engine(config, train_eval="train").init_env(batch_size=1)
    versions = {name: importlib.metadata.version(name) for name in ("alfworld", "textworld")}
    return {**versions, "python": platform.python_version()}


def reset(game, seed):
    """Starts one game, by its path; `seed` is that of the numbering of things, where it is drawn."""
    random.seed(seed)
    env.gamefiles = [game]
    env.seed(0)
    observations, infos = env.reset()
    return seen(observations, [False], infos)


def step(action):
    observations, _, dones, infos = env.step([action])
    return seen(observations, dones, infos)


def seen(observations, dones, infos):
    return {
        "observation": observations[0],
        "won": bool(infos["won"][0]),
        "done": bool(dones[0]),
        "commands": list(infos["admissible_commands"][0]),
        "plan": list(infos.get("extra.expert_plan", [None])[0] or []),
    }


CALLS = {"create": create, "reset": reset, "step": step}

for line in iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE), b""):
    request = json.loads(line)
    reply = {"id": request.pop("id")}
    try:
        reply["result"] = CALLS[request.pop("call")](**request)
    except (Exception, SystemExit) as error:  # the planner's parser exits where it does not understand a game
        traceback.print_exc()
        reply["error"] = {"type": type(error).__name__, "message": str(error)}
    print(json.dumps(reply), file=replies, flush=True)
