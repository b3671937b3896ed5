"""Claims about the Python package `vlgym`; each command prints one line of JSON."""

import hashlib
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

warnings.simplefilter("error")
# the originals have boxes without bounds; nothing else may warn
warnings.filterwarnings("ignore", message=".*infinity.*")

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

import vlgym  # noqa: E402


def feed(digest, value, pictures=True):
    if isinstance(value, np.ndarray):
        if pictures or value.ndim != 3:
            digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, dict):
        for key in sorted(value):
            feed(digest, value[key], pictures)
    elif isinstance(value, (list, tuple)):
        for each in value:
            feed(digest, each, pictures)
    else:
        digest.update(word_of(value).encode())


def word_of(value):
    """As `String` of JavaScript writes it."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def offers_in(info):
    """As in support/episode-digest.ts."""
    if "admissibleCommands" in info:
        return info["admissibleCommands"]
    if "elements" in info:
        return [f"click('{element.split(' ')[0]}')" for element in info["elements"]] + ["noop(100)"]
    if "availableActions" not in info:
        return []
    available = info["availableActions"]
    search = ["search[red shoes]"] if available["hasSearchBar"] else []
    return search + [f"click[{name}]" for name in available["clickables"]]


def digests(players, episodes, pictures=True):
    """Per environment, given as its id and options, one digest for each seed with its number of steps."""
    result = {}
    for name, options in players:
        env = gymnasium.make(name, **options)
        result[name] = []
        for seed, steps in episodes:
            env.action_space.seed(seed)
            digest = hashlib.sha256()
            observation, info = env.reset(seed=seed)
            feed(digest, observation, pictures)
            for step in range(steps):
                offers = offers_in(info) if step % 2 == 0 or "elements" in info else []
                action = offers[(step // 2 + seed) % len(offers)] if offers else env.action_space.sample()
                observation, reward, terminated, truncated, info = env.step(action)
                feed(digest, observation, pictures)
                digest.update(np.float64(reward).tobytes() + bytes([terminated, truncated]))
                if terminated or truncated:
                    observation, info = env.reset()
                    feed(digest, observation, pictures)
            result[name].append(digest.hexdigest())
        env.close()
    return result


def check(players):
    """What `check_env` says against environments, each given as its id and options."""
    failed = {}
    for name, options in players:
        try:
            env = gymnasium.make(name, **options)
            check_env(env.unwrapped)
            env.close()
        except BaseException as error:
            failed[name] = f"{type(error).__name__}: {error}"[:500]
    return failed


def stable_baselines(ids):
    """What the checker of Stable-Baselines3 says; its warnings count."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # of its own dependencies
        from stable_baselines3.common.env_checker import check_env as check_for_training
    failed = {}
    for name in ids:
        env = gymnasium.make(name)
        try:
            check_for_training(env)
        except BaseException as error:
            failed[name] = f"{type(error).__name__}: {error}"[:500]
        env.close()
    return failed


def plain(value):
    if isinstance(value, dict):
        return {key: plain(each) for key, each in sorted(value.items())}
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value] if value.dtype == object else hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


def vectors(name, num_envs, steps, options):
    """Sync, async and ours, step by step, under every mode of autoreset."""
    from gymnasium.vector import AutoresetMode

    result = {}
    for mode in AutoresetMode:
        logs = []
        for kind in ("sync", "async", None):
            if kind is None:
                envs = gymnasium.make_vec(name, num_envs=num_envs, autoreset_mode=mode, **options)
            else:
                envs = gymnasium.make_vec(
                    name, num_envs=num_envs, vectorization_mode=kind, vector_kwargs={"autoreset_mode": mode}, **options
                )
            assert envs.metadata["autoreset_mode"] is mode
            envs.action_space.seed(3)
            observations, infos = envs.reset(seed=11)
            log = [plain(observations), plain(infos)]
            for _ in range(steps):
                observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
                log.append([plain(each) for each in (observations, rewards, terminated, truncated, infos)])
                if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
                    observations, infos = envs.reset(options={"reset_mask": terminated | truncated})
                    log.append([plain(observations), plain(infos)])
            envs.close()
            logs.append(json.dumps(log))
        result[mode.value] = {"async": logs[1] == logs[0], "ours": logs[2] == logs[0]}
        if logs[2] != logs[0]:
            sync, ours = json.loads(logs[0]), json.loads(logs[2])
            first = next(i for i, (a, b) in enumerate(zip(sync, ours)) if a != b)
            result[mode.value]["difference"] = [first, str(sync[first])[:1500], str(ours[first])[:1500]]
    return result


def killed(name):
    env = gymnasium.make(name)
    first, _ = env.reset(seed=7)
    os.kill(env.unwrapped._remote.node.child_pid, signal.SIGKILL)
    try:
        env.step(env.action_space.sample())
        error = None
    except ConnectionError as raised:
        error = str(raised).splitlines()[0]
    again, _ = env.reset(seed=7)
    env.close()
    return {"error": error, "equal": bool((first == again).all())}


def attached(name, address, steps):
    """The same episodes over a server as over a process of our own; one environment, a vector, words."""
    result = []
    for options in ({}, {"connect": address}):
        digest = hashlib.sha256()
        env = gymnasium.make(name, **options)
        env.action_space.seed(1)
        feed(digest, env.reset(seed=1)[0])
        envs = gymnasium.make_vec(name, num_envs=3, **options)
        envs.action_space.seed(1)
        feed(digest, envs.reset(seed=1)[0])
        for _ in range(steps):
            feed(digest, list(env.step(env.action_space.sample())[:4]))
            feed(digest, list(envs.step(envs.action_space.sample())[:4]))
        env.close()
        envs.close()
        talk = vlgym.Dialogue(name, **options)
        digest.update(json.dumps([part["type"] for m in talk.reset(seed=1).messages for part in m["content"]]).encode())
        talk.close()
        result.append(digest.hexdigest())
    return result[0] == result[1]


def refused(name, address):
    try:
        gymnasium.make(name, connect=address).reset(seed=1)
    except ConnectionError as error:
        return str(error)


def server_lost(name, address, pid, restart):
    """A stopped server is an error within the time-out, a killed one at once; the next reset finds the one that follows."""
    env = gymnasium.make(name, connect=address, timeout=60)
    env.reset(seed=1)
    os.kill(pid, signal.SIGSTOP)
    env.unwrapped._remote.node._socket.settimeout(0.3)
    errors = [refusal(lambda: env.step(1))]
    os.kill(pid, signal.SIGCONT)
    env.reset(seed=1)
    again = env.step(1)[1]
    os.kill(pid, signal.SIGKILL)
    errors += [refusal(lambda: env.step(1)), refusal(lambda: env.reset(seed=1))]
    server = subprocess.Popen(restart, stdout=subprocess.PIPE)
    try:
        server.stdout.readline()
        env.reset(seed=1)
        follower = env.step(1)[1]
        env.close()
    finally:
        server.kill()
        server.communicate()
    return {"errors": errors, "again": again, "follower": follower}


def stopped(name, address):
    """A client that is stopped loses its place to another, and one that thinks meanwhile keeps it."""
    thinking = gymnasium.make(name, connect=address)
    thinking.reset(seed=1)
    command = [sys.executable, __file__, "hold", json.dumps([name, address])]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    successor = vlgym.VlgymEnv(name, connect=address)
    try:
        other.stdout.readline()
        os.kill(other.pid, signal.SIGSTOP)
        refused = refusal(lambda: successor.reset(seed=1))
        while refusal(lambda: successor.reset(seed=1)) is not None:
            time.sleep(0.1)
        os.kill(other.pid, signal.SIGCONT)
        lost = json.loads(other.communicate()[0])
        rewards = [env.step(1)[1] for env in (thinking, successor)]
    finally:
        other.kill()
        other.communicate()
        successor.close()
        thinking.close()
    return {"refused": refused, "lost": lost, "equal": rewards[0] == rewards[1]}


def hold(name, address):
    env = gymnasium.make(name, connect=address)
    env.reset(seed=1)
    print("ready", flush=True)
    sys.stdin.read()
    try:
        env.step(1)
    except ConnectionError as error:
        return str(error)


def refusal(act):
    try:
        act()
    except ConnectionError as error:
        return str(error).splitlines()[0].split(" (")[0]


def memory(num_envs, steps):
    """What a vector gave out stays as it was, also in views of it."""
    envs = gymnasium.make_vec("vlgym/Points24-v1", num_envs=num_envs)
    envs.action_space.seed(1)
    held = [(observation, observation.copy()) for observation, _ in [envs.reset(seed=1)]]
    for index in range(steps):
        observation = envs.step(envs.action_space.sample())[0]
        if index % 3 == 0:
            part = observation[1:, 200:, ::2]
            held.append((part, part.copy()))
    envs.close()
    return all(np.array_equal(now, then) for now, then in held)


def reuse(steps):
    """How often all pictures of a vector were copied, while its caller drops what it gets, and while it keeps all."""
    from vlgym._pictures import Pictures

    class Counted(np.ndarray):
        copies = 0

        def copy(self, order="C"):
            Counted.copies += self.ndim == 4
            return super().copy(order)

    counts = []
    for is_kept in (False, True):
        pictures, kept, Counted.copies = Pictures(), [], 0
        pictures.whole(np.zeros((2, 10, 10, 3), np.uint8).view(Counted))
        for step in range(steps):
            given = pictures.patched(np.array([[1, 2, 4]], np.int32), np.full(60, step, np.uint8))
            assert (given[1, 2:4] == step).all() and not given[0].any()
            kept += [given] if is_kept else []
            del given
        counts.append(Counted.copies)
    return counts


def leaks(name, rounds, connect=None):
    """Descriptors, threads and processes after the second round and after the last."""

    def processes():
        found = 0
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat") as file:
                    found += file.read().rpartition(")")[2].split()[1] == str(os.getpid())
            except OSError:
                pass  # it has ended meanwhile
        return found

    options = {} if connect is None else {"connect": connect}
    counts = []
    for index in range(rounds):
        env = gymnasium.make(name, **options)
        env.reset(seed=1)
        env.close()
        env.close()
        if index in (1, rounds - 1):
            # threads that Python has joined may be on their way out for the system
            counts.append([len(os.listdir("/proc/self/fd")), threading.active_count(), processes()])
    return {"before": counts[0], "after": counts[1]}


def copies(name):
    env = gymnasium.make(name)
    env.reset(seed=7)
    other = pickle.loads(pickle.dumps(env.unwrapped))
    one, two = env.reset(seed=9)[0], other.reset(seed=9)[0]
    snapshot = env.unwrapped.snapshot()
    left = env.step(1)[0]
    other.restore(snapshot)
    right = other.step(1)[0]
    kept = one.copy()
    env.reset(seed=10)
    other.close()
    env.close()
    return {
        "pickled": bool((one == two).all()),
        "restored": bool((left == right).all()),
        "kept": bool((one == kept).all()),
        "options": gymnasium.make("vlgym/NumberLine-v1", maxPosition=9).reset(seed=1)[0].shape,
    }


def samples(names):
    spaces = [gymnasium.make(name).action_space for name in names]
    result = []
    for space in spaces:
        space.seed(7)
        result.append([str(space.sample()) for _ in range(5)])
    return result


def dialogue(name):
    talk = vlgym.Dialogue(name)
    turn = talk.reset(seed=7)
    kinds = [part["type"] for message in turn.messages for part in message["content"]]
    bad = talk.respond("nothing")
    good = talk.act("(")
    messages = vlgym.dialogue.openai_messages(good.messages)
    urls = [part["image_url"]["url"][:22] for message in messages for part in message["content"] if "image_url" in part]
    talk.close()
    return {"kinds": sorted(set(kinds)), "legal": [bad.legal, good.legal], "hint": bad.repair_hint is not None, "urls": urls}


def foreign(source, name):
    """An environment that is not of this package: made, checked, in vectors, in words, in another process."""
    found = vlgym.register_from(source)
    env = gymnasium.make(name)
    check_env(env.unwrapped)
    env.action_space.seed(1)
    one, words = hashlib.sha256(), vlgym.Dialogue(name)
    feed(one, env.reset(seed=1)[0])
    envs = gymnasium.make_vec(name, num_envs=2)
    envs.reset(seed=1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:  # it has registered nothing
        there = pool.apply(first_digest, (env.spec,))
    copied = pickle.loads(pickle.dumps(env.unwrapped)).reset(seed=1)[0]
    result = {
        "found": found,
        "modes": env.unwrapped.metadata["render_modes"],
        "vector": type(envs.unwrapped).__name__,
        "labels": words.action_names,
        "prompt": sorted({part["type"] for m in words.reset(seed=1).messages for part in m["content"]}),
        "equal": [there == one.hexdigest(), bool(np.array_equal(copied, env.reset(seed=1)[0]))],
        "listed": name in vlgym.ids(),
    }
    for each in (env, envs, words):
        each.close()
    return result


def first_digest(spec):
    digest = hashlib.sha256()
    env = gymnasium.make(spec)
    feed(digest, env.reset(seed=1)[0])
    env.close()
    return digest.hexdigest()


def named(name):
    """With VLGYM_REGISTER, or a module of Python that registers."""
    env = gymnasium.make(name)
    action = int(env.reset(seed=1)[1]["flag"][0])
    env.close()
    return action


def unimportable(source):
    try:
        vlgym.register_from(source)
    except (vlgym.VlgymError, ConnectionError, ValueError) as error:
        return [type(error).__name__, getattr(error, "code", None), str(error)[:60]]


command, *rest = sys.argv[1:]
arguments = json.loads(rest[0]) if rest else []
if __name__ == "__main__":
    print(json.dumps(globals()[command](*arguments)))
