"""Plays games in ALFWorld's own engines for @vlgym/alfworld.

One JSON object per line: {"id": 1, "call": "step", "env": 1, "action": "look"} comes in, {"id": 1, "result": ...} or
{"id": 1, "error": ...} goes out, in the order of the requests. One process serves many environments: `create` makes the
one that `env` numbers, `reset` and `step` play in it, `close` forgets it. While a call works, {"alive": true} comes out
every second. The process ends when its input ends, even in the middle of a call, so it does not outlive whoever started it.

Usage: bridge.py [MIB], the memory that it may take (Linux only).
"""
import base64
import importlib.metadata
import json
import os
import platform
import queue
import random
import signal
import sys
import threading
import time
import traceback

LONGEST_LINE = 2**20
SECONDS_TO_END = 2
SECONDS_BETWEEN_BEATS = 1
LEAST_WORK = 0.02  # seconds of processor time between two beats; waiting for nothing takes far less

if len(sys.argv) > 1:
    import resource

    # data and not address space, which counts libraries and reserves of threads twice over what is in use
    most = int(sys.argv[1]) * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))

replies = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the packages and the planner print freely; only replies go where replies belong
signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the one who started us


def environment(name, config):
    """The package's environment, with no games yet; importing it takes seconds."""
    import alfworld.agents.environment as environments

    if hasattr(environments, "get_environment"):
        make = environments.get_environment(name)
    else:  # before 0.4.2
        make = getattr(environments, name)
    dataset = {"data_path": "", "num_train_games": -1}
    tasks = {"goal_desc_human_anns_prob": 0, "task_types": [1, 2, 3, 4, 5, 6]}
    config = {**config, "dataset": dataset, "env": {**tasks, **config["env"]}}
    return make(config, train_eval="train").init_env(batch_size=1)  # only `train` has experts


class Text:
    def __init__(self, steps, expert, shuffle):
        limit = {"training": {"max_nb_steps_per_episode": steps}}
        self.env = environment("AlfredTWEnv", {
            "env": {"domain_randomization": shuffle, "expert_type": "handcoded"},
            "general": {"training_method": "dagger" if expert else "dqn"},  # only `dagger` runs the expert
            "dagger": limit,
            "rl": limit,
        })

    def reset(self, game, seed):
        random.seed(seed)  # draws the numbers of things, where these are shuffled
        self.env.gamefiles = [game]
        self.env.seed(0)
        (observation,), infos = self.env.reset()
        return self.seen(observation, False, infos)

    def step(self, action):
        (observation,), _, (done,), infos = self.env.step([action])
        return self.seen(observation, done, infos)

    def seen(self, observation, done, infos):
        plan = infos.get("extra.expert_plan", [None])[0]
        return moment(observation, infos["won"][0], done, infos["admissible_commands"][0], plan)


class Visual:
    def __init__(self, width, height):
        self.size = (height, width, 3)
        thor = {"screen_width": width, "screen_height": height, "smooth_nav": False}
        self.env = environment("AlfredThorEnv", {
            "env": {"thor": {**thor, "save_frames_to_disk": False, "save_frames_path": ""}},
            "controller": {"type": "oracle", "debug": False, "load_receps": True},
            "general": {"training_method": "dqn"},
            "rl": {"training": {"max_nb_steps_per_episode": sys.maxsize}},  # the one who asks counts
        })

        # asked in this thread: in its own, an error would end the thread, and the next answer never come
        self.thor = self.env.envs[0]

    def reset(self, game, seed):
        random.seed(seed)  # draws the sentence of the task
        self.thor.reset(os.path.join(os.path.dirname(game), "traj_data.json"))
        return self.seen()

    def step(self, action):
        self.thor.step(action)
        return self.seen()

    def seen(self):
        observation, _, commands, won, rate, plan = self.thor.get_results()
        frame = self.thor.get_last_frame()[:, :, ::-1]  # from BGR
        if frame.shape != self.size:
            raise ValueError(f"a frame of {frame.shape} instead of {self.size}")
        picture = base64.b64encode(frame.tobytes()).decode()
        return moment(observation, won, False, commands, plan, float(rate), picture)


def moment(observation, won, done, commands, plan, rate=None, frame=None):
    return {
        "observation": observation,
        "won": bool(won),
        "done": bool(done),
        "commands": list(commands),
        "plan": list(plan or []),
        "rate": rate,
        "frame": frame,
    }


def create(env, engine, **options):
    played[env] = {"text": Text, "visual": Visual}[engine](**options)
    versions = {name: importlib.metadata.version(name) for name in ("alfworld", "textworld")}
    return {**versions, "python": platform.python_version()}


def close(env):
    if env in played:  # it is not there where `create` failed
        played.pop(env).env.close()  # the simulator is a process of its own
    return {}


def answer(call, env, **parameters):
    if call == "create":
        return create(env, **parameters)
    return close(env) if call == "close" else getattr(played[env], call)(**parameters)


def say(line):
    with speaking:
        print(json.dumps(line), file=replies, flush=True)


def beat():
    """A call that takes processor time is alive; one that waits for ever is not, though this thread still runs."""
    used = time.process_time()
    while True:
        time.sleep(SECONDS_BETWEEN_BEATS)
        before, used = used, time.process_time()
        if working and used - before >= LEAST_WORK:
            say({"alive": True})


def listen():
    try:
        for line in iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE), b""):
            requests.put(json.loads(line))
    except Exception:
        traceback.print_exc()
        os._exit(1)  # whoever asked would wait for ever
    requests.put(None)
    time.sleep(SECONDS_TO_END)
    os._exit(1)  # nobody waits for the call that is still running


played = {}
working = False
speaking = threading.Lock()
requests = queue.Queue()
for task in (listen, beat):
    threading.Thread(target=task, daemon=True).start()
for request in iter(requests.get, None):
    working = True
    reply = {"id": request.pop("id")}
    try:
        reply["result"] = answer(**request)
    except (Exception, SystemExit) as error:  # the planner's parser exits where it does not understand a game
        traceback.print_exc()
        reply["error"] = {"type": type(error).__name__, "message": str(error)}
    working = False
    say(reply)
for env in list(played):
    close(env)
