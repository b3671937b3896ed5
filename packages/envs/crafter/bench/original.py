"""Steps per CPU-second of crafter 1.8.3, for bench/steps.ts; arguments: size, seconds."""
import os
import sys
import time

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the libraries print
import crafter  # noqa: E402
import numpy as np  # noqa: E402

size, seconds = int(sys.argv[1]), float(sys.argv[2])
env = crafter.Env(size=(size, size), seed=1)
actions = np.random.default_rng(0).integers(0, 17, 100_000).tolist()

start = time.process_time()
env.reset()
reset = time.process_time() - start

start = time.process_time()
steps, stepping = 0, 0.0
while stepping < seconds:
    start = time.process_time()
    done = False
    for _ in range(16):
        _, _, done, _ = env.step(actions[steps % len(actions)])
        steps += 1
        if done:
            break
    stepping += time.process_time() - start
    if done:
        env.reset()
print(steps / stepping, reset, file=answers)
