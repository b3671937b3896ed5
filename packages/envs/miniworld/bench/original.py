"""Steps per CPU-second of the original, as one JSON line per measurement; run by bench/frames.ts under xvfb-run."""
import json
import resource
import sys

import gymnasium
import miniworld  # noqa: F401  registers the ids
import pyglet

SECONDS, *SIZES = sys.argv[1:]


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


for size in SIZES:
    width, height = map(int, size.split("x"))
    for name in ("Hallway", "FourRooms", "MazeS3"):
        env = gymnasium.make(f"MiniWorld-{name}-v0", obs_width=width, obs_height=height).unwrapped
        seed, state, steps = 0, 12345, 0
        env.reset(seed=seed)
        for _ in range(20):
            env.step(0)
        env.reset(seed=seed)
        start = cpu()
        while cpu() - start < float(SECONDS):
            state = (1103515245 * state + 12345) % 2**31
            *_, terminated, truncated, _ = env.step((state >> 16) % 3)
            steps += 1
            if terminated or truncated:
                seed += 1
                env.reset(seed=seed)
        rate = steps / (cpu() - start)
        print(json.dumps({"name": name, "size": size, "rate": rate}), flush=True)
        env.close()
