"""Steps per second from Python: one environment over each transport, and a vector against the original's.

    python python/bench/round_trips.py [--seconds 5] [--original FOLDER] [--openenv PYTHON]

`--original` is the folder `gym-cards` of https://github.com/RL4VLM/RL4VLM, which needs pillow. `--openenv` is a Python with
the package `openenv`, which may be another one than this. Needs a build of the clone and Linux. One line of JSON each:
steps per second, and steps per second of processor time of all processes that take part, because on a shared machine the
first tells mostly how busy it is. Compare figures of one run only.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import gymnasium
from gymnasium.vector import AsyncVectorEnv

import vlgym  # noqa: F401  registers the ids

ROOT = Path(__file__).resolve().parents[2]
CLI = ROOT / "apps" / "cli" / "bin" / "vlgym.js"
TICKS = os.sysconf("SC_CLK_TCK")


def family(root):
    """The process and everything below it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    found, total = {root}, 0
    for _ in range(4):
        found |= {pid for pid, (parent, _) in parents.items() if parent in found}
    for pid in found:
        total += parents.get(pid, (0, 0))[1]
    return total / TICKS


def measure(what, step, per_step, seconds):
    for _ in range(3):
        step()
    steps, start, used = 0, time.perf_counter(), family(os.getpid())
    while time.perf_counter() - start < seconds:
        step()
        steps += per_step
    elapsed, used = time.perf_counter() - start, family(os.getpid()) - used
    figures = {
        "what": what,
        "steps": steps,
        "per_second": round(steps / elapsed, 1),
        "per_cpu_second": round(steps / max(used, 1 / TICKS), 1),
        "load": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(figures), flush=True)
    return figures


def single(what, seconds, name, **options):
    env = gymnasium.make(name, **options)
    env.reset(seed=1)
    env.action_space.seed(1)

    def step():
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()

    measure(f"{name}, {what}", step, 1, seconds)
    env.close()


def vector(what, seconds, envs):
    envs.reset(seed=1)
    envs.action_space.seed(1)
    figures = measure(what, lambda: envs.step(envs.action_space.sample()), envs.num_envs, seconds)
    envs.close()
    return figures


class Server:
    """`vlgym serve …` until the block ends."""

    def __init__(self, *args):
        command = ["node", str(CLI), "serve", *args]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self.process.stdout.readline().split(" at ")[1].split()[0]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


OPENENV = """
import asyncio, sys, time
from openenv import GenericEnvClient
async def main(url, seconds):
    async with GenericEnvClient(base_url=url) as env:
        await env.reset(seed=1)
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            steps += 1
            if (await env.step({"action": 1})).done:
                await env.reset()
        print(steps, time.perf_counter() - start)
asyncio.run(main(sys.argv[1], float(sys.argv[2])))
"""


def openenv(name, python, seconds):
    with Server(name, "--port", "0", "--face", "native", "--images", "raw") as url:
        answer = subprocess.run([python, "-c", OPENENV, url, str(seconds)], capture_output=True, text=True, check=True)
        steps, elapsed = map(float, answer.stdout.split())
        figures = {"what": f"{name}, OpenEnv", "steps": int(steps), "per_second": round(steps / elapsed, 1)}
        print(json.dumps({**figures, "load": round(os.getloadavg()[0], 1)}), flush=True)


def original(folder, num_envs):
    sys.path.insert(0, folder)
    warnings.simplefilter("ignore")
    import gym_cards  # noqa: F401  registers its ids

    def make():
        return gymnasium.make("gym_cards/Points24-v0", disable_env_checker=True)

    return AsyncVectorEnv([make] * num_envs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--original")
    parser.add_argument("--openenv")
    parser.add_argument("--envs", type=int, default=16)
    args = parser.parse_args()
    count = args.envs
    for name in ("vlgym/NumberLine-v1", "vlgym/Points24-v1"):
        single("standard input and output", args.seconds, name)
        socket = os.path.join(tempfile.mkdtemp(), "vlgym.sock")
        with Server(name, "--protocol", "gymnasium", "--socket", socket) as address:
            single("Unix socket", args.seconds, name, connect=address)
        with Server(name, "--protocol", "gymnasium", "--port", "0") as address:
            single("HTTP", args.seconds, name, connect=address)
        if args.openenv:
            openenv(name, args.openenv, args.seconds)
    name = "vlgym/Points24-v1"
    ours = vector(f"{name}, {count} in one Node process", args.seconds, gymnasium.make_vec(name, num_envs=count))
    if args.original:
        theirs = vector(f"gym-cards Points24, {count} in AsyncVectorEnv", args.seconds, original(args.original, count))
        again = vector(f"{name}, {count} in one Node process, again", args.seconds, gymnasium.make_vec(name, num_envs=count))
        for unit in ("per_second", "per_cpu_second"):
            mean = (ours[unit] + again[unit]) / 2
            print(json.dumps({"what": f"ratio of the vectors, {unit}", "ratio": round(mean / theirs[unit], 1)}))


if __name__ == "__main__":
    main()
