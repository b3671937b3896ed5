"""Round trips per second from Python: one environment, a vector, OpenEnv. One line of JSON each.

    python python/bench/round_trips.py [http://127.0.0.1:8000]

The address is that of `vlgym serve vlgym/NumberLine-v1 --face native --images raw`; it needs the package `openenv`. Rates
count environment steps. Compare figures of one run only.
"""

import asyncio
import json
import sys
import time

import gymnasium

import vlgym  # noqa: F401  registers the ids

SECONDS = 5.0


def report(what, steps, seconds):
    print(json.dumps({"what": what, "steps_per_second": round(steps / seconds, 1)}), flush=True)


def single(name):
    env = gymnasium.make(name)
    env.reset(seed=1)
    env.action_space.seed(1)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        steps += 1
        if terminated or truncated:
            env.reset()
    report(f"{name}, one environment over standard input and output", steps, time.perf_counter() - start)
    env.close()


def vector(name, num_envs, mode):
    kwargs = {} if mode is None else {"vectorization_mode": mode}
    envs = gymnasium.make_vec(name, num_envs=num_envs, **kwargs)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    envs.step(envs.action_space.sample())
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        envs.step(envs.action_space.sample())
        steps += num_envs
    kind = "one Node process" if mode is None else f"gymnasium's {mode} vector, a Node process each"
    report(f"{name}, {num_envs} environments, {kind}", steps, time.perf_counter() - start)
    envs.close()


async def openenv(url):
    from openenv import GenericEnvClient

    async with GenericEnvClient(base_url=url) as env:
        await env.reset(seed=1)
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            result = await env.step({"action": 1})
            steps += 1
            if result.done:
                await env.reset()
        report(f"OpenEnv at {url}", steps, time.perf_counter() - start)


single("vlgym/Points24-v1")
single("vlgym/MiniWorld-Hallway-v0")
vector("vlgym/Points24-v1", 16, None)
vector("vlgym/Points24-v1", 16, "async")
if len(sys.argv) > 1:
    asyncio.run(openenv(sys.argv[1]))
