"""The original on the same games: milliseconds of CPU time per step, and per load with reset, as one JSON line.

python original.py STEPS GAME... with alfworld 0.4.2 and textworld[pddl] 1.7.0 installed; commands are drawn at random.
"""
import json, os, random, sys, time

out = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)  # the packages print freely
import textworld, textworld.gym
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler

count, games = int(sys.argv[1]), sys.argv[2:]
draw, steps, loads = random.Random(0), [], []
for game in games:
    start = time.process_time()
    infos = textworld.EnvInfos(won=True, admissible_commands=True)
    name = textworld.gym.register_games([game], infos, batch_size=1, asynchronous=False, max_episode_steps=10**6,
                                        wrappers=[AlfredDemangler(shuffle=False)])
    env = textworld.gym.make(name)
    _, seen = env.reset()
    loads.append(time.process_time() - start)
    for _ in range(count):
        command = draw.choice(seen['admissible_commands'][0])
        start = time.process_time()
        _, _, _, seen = env.step([command])
        steps.append(time.process_time() - start)
    env.close()
median = lambda values: 1000 * sorted(values)[len(values) // 2]
out.write(json.dumps({'step': median(steps), 'load': median(loads)}) + '\n')
