"""Plays miniwob 1.1.0 through Selenium for `vlgym verify miniwob` and bench/speed.ts: one JSON request and answer a line.

The page is loaded again for each episode (`refresh_freq=1`), so that nothing of the last one is left in it. `untimed` stops
the clock that ends an episode after ten seconds; rewards are those before the loss by time."""
import json
import os
import sys
import time

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the libraries print

from miniwob.environment import MiniWoBEnvironment  # noqa: E402
from miniwob.reward import get_raw_reward  # noqa: E402

env = None
opened = None


def open_env(task, wait, fresh):
    global env, opened
    if opened != (task, wait, fresh):
        close()
        env = MiniWoBEnvironment(
            subdomain=task, wait_ms=wait, refresh_freq=1 if fresh else 0, reward_processor=get_raw_reward
        )
        opened = (task, wait, fresh)


def close():
    if env is not None:
        env.close()


def action_of(kind, value):
    if kind == "TYPE_TEXT":
        return env.create_action(kind, text=value)
    if kind == "PRESS_KEY":
        return env.create_action(kind, key=env.action_space_config.allowed_keys.index(value))
    return env.create_action(kind, coords=value)


def play(task, seed, actions, wait, look):
    """The instruction and what `look` says of the page; after each action the reward, the end and what it says then."""
    open_env(task, wait, True)
    observation, _ = env.reset(seed=seed, options={"record_screenshots": False})
    driver = env.instance.driver
    driver.execute_script("clearTimeout(core.EP_TIMER);")
    begun = [observation["utterance"], driver.execute_script("return " + look)]
    rows = []
    for action in actions:
        _, reward, done, _, _ = env.step(action_of(*action))
        rows.append([float(reward), bool(done), None if done else driver.execute_script("return " + look)])
        if done:
            break
    return [begun, rows]


def timed(task, seed, action, pictures):
    """Milliseconds of one call: of `reset`, or of `step` where an action is given."""
    open_env(task, 0, False)
    start = time.perf_counter()
    if action is None:
        env.reset(seed=seed, options={"record_screenshots": pictures})
        env.instance.driver.execute_script("clearTimeout(core.EP_TIMER);")
    else:
        env.step(action_of(*action))
    return [1000 * (time.perf_counter() - start), os.getpid()]


for line in sys.stdin:
    try:
        request = json.loads(line)
        answer = {"answer": {"play": play, "timed": timed}[request.pop("do")](**request)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
close()
