/** Environments of Python's Gymnasium in Node, compared with the same episodes in Python alone. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { make, makeVec } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import { type GymnasiumEnv, PythonProcess } from '@vlgym/gymnasium';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pythonEnvironment } from './support/python-environment.js';

const { python, reason } = pythonEnvironment(['gymnasium[classic-control,toy-text]==1.4.0']);

const big = pythonEnvironment(['gymnasium==1.4.0', 'ale-py==0.12.1', 'minigrid==3.2.0']);

/** Steps of an environment in Python: sha256 of observations and rewards. */
const REFERENCE = `
import sys, hashlib, gymnasium, numpy as np
env = gymnasium.make(sys.argv[1])
env.action_space.seed(5)
digest = hashlib.sha256()
def feed(value):
    if isinstance(value, dict):
        for key in sorted(value): feed(value[key])
    elif isinstance(value, str): digest.update(value.encode())
    else: digest.update(np.asarray(value).tobytes())
observation, info = env.reset(seed=7)
feed(observation)
for _ in range(int(sys.argv[2])):
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    feed(observation)
    digest.update(np.float64(reward).tobytes())
    if terminated or truncated:
        observation, info = env.reset()
        feed(observation)
print(digest.hexdigest())
`;

/** The same in Node. */
async function digestOf(env: Awaited<ReturnType<typeof gym>>, steps: number): Promise<string> {
  const hash = createHash('sha256');
  const feed = (value: unknown): void => {
    if (isImage(value)) hash.update(value.data);
    else if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (typeof value === 'string') hash.update(value);
    else if (typeof value === 'number') hash.update(new Uint8Array(BigInt64Array.of(BigInt(value)).buffer));
    else for (const key of Object.keys(value as object).sort()) feed((value as Record<string, unknown>)[key]);
  };
  env.actionSpace.seed(5);
  feed((await env.reset({ seed: 7 })).observation);
  for (let step = 0; step < steps; step += 1) {
    const { observation, reward, terminated, truncated } = await env.step(env.actionSpace.sample());
    feed(observation);
    hash.update(new Uint8Array(Float64Array.of(reward).buffer));
    if (terminated || truncated) feed((await env.reset()).observation);
  }
  return hash.digest('hex');
}

vi.setConfig({ testTimeout: 240_000 });

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function gym(id: string, options: Record<string, unknown> = {}, renderMode?: 'rgb_array' | 'ansi') {
  const env = await make(`gymnasium:${id}`, { options: { python, ...options }, ...(renderMode && { renderMode }) });
  open.push(env);
  return env;
}
const rawOf = (env: Awaited<ReturnType<typeof gym>>) => env.unwrapped as GymnasiumEnv;

describe.skipIf(!python)(`gymnasium in Node${reason && ` (skipped: ${reason})`}`, () => {
  it.each(['CartPole-v1', 'Pendulum-v1', 'FrozenLake-v1', 'Taxi-v4'])(
    '300 steps of %s are those of Python',
    async (id) => {
      const expected = execFileSync(python!, ['-c', REFERENCE, id, '300'], { encoding: 'utf8' }).trim();
      expect(await digestOf(await gym(id), 300)).toBe(expected);
    },
  );

  it('fills in what Python knows: spaces, limits, the names of the actions', async () => {
    const env = await gym('CartPole-v1');
    expect(env.actionSpace.toJSON()).toEqual({ type: 'discrete', n: 2 });
    expect(env.observationSpace.toJSON()).toMatchObject({ type: 'box', dtype: 'float32', shape: [4] });
    expect(rawOf(env).pythonSpec).toMatchObject({ id: 'CartPole-v1', maxEpisodeSteps: 500, nondeterministic: false });
  });

  it('is played by language models through the generic dialogue, with the drawn picture', async () => {
    const env = await gym('CartPole-v1', {}, 'rgb_array');
    const { observation, info } = await env.reset({ seed: 7 });
    const [, user] = env.dialogue!.prompt({ observation, info, history: [] });
    const image = (user!.content as { type: string; image?: unknown }[]).find(({ type }) => type === 'image');
    expect(isImage(image?.image)).toBe(true);
    expect(await env.render()).toEqual(image!.image);
    const { action } = env.dialogue!.parse('{"thoughts": "left", "action": "0"}');
    expect((await env.step(action)).reward).toBe(1);
  });

  it('counts an episode as solved at the return that Python declares, not at any positive one', async () => {
    const env = await gym('CartPole-v1');
    await env.reset({ seed: 7 });
    let last = await env.step(0);
    while (!last.terminated) last = await env.step(0);
    expect(last.info).toMatchObject({ success: false });
  });

  it('keeps the suggestions of Gymnasium', async () => {
    await expect(gym('CartPol-v1')).rejects.toMatchObject({
      code: 'PYTHON_ENV',
      pythonType: 'NameNotFound',
      message: expect.stringContaining('Did you mean: `CartPole`?'),
    });
    await expect(gym('CartPole-v1', { nonsense: 1 })).rejects.toMatchObject({
      code: 'PYTHON_ENV',
      pythonType: 'TypeError',
    });
  });

  it('says what to do where Python or gymnasium is missing', async () => {
    await expect(gym('CartPole-v1', { python: '/nowhere/python' })).rejects.toMatchObject({ code: 'PYTHON_LOST' });
    const bare = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
    const has = execFileSync(bare, ['-c', 'import importlib.util as u; print(u.find_spec("gymnasium") is not None)'], {
      encoding: 'utf8',
    });
    if (has.trim() === 'False') {
      await expect(gym('CartPole-v1', { python: bare })).rejects.toMatchObject({
        code: 'GYMNASIUM_MISSING',
        hint: expect.stringContaining(`${bare} -m pip install gymnasium`),
      });
    }
  });

  it('goes back to a snapshot exactly, with the limit of steps', async () => {
    const env = rawOf(await gym('CartPole-v1', { snapshot: 'try' }));
    await env.reset({ seed: 7 });
    await env.step(1);
    const snapshot = await env.snapshot!();
    const once = await env.step(0);
    await env.step(0);
    await env.restore!(snapshot);
    expect(await env.step(0)).toEqual(once);
    await expect(env.restore!({ kind: 'other', state: {} })).rejects.toThrow('The snapshot is of kind');
    expect((await gym('CartPole-v1')).unwrapped.snapshot).toBeUndefined();
  });

  it('a killed Python is an error, and the next reset starts another', async () => {
    const env = await gym('CartPole-v1');
    const { observation } = await env.reset({ seed: 7 });
    process.kill(rawOf(env).pid!, 'SIGKILL');
    await expect(env.step(1)).rejects.toMatchObject({ code: 'PYTHON_LOST' });
    expect((await env.reset({ seed: 7 })).observation).toEqual(observation);
  });

  it('leaves no process behind', async () => {
    const pids: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const child = await PythonProcess.start(python);
      pids.push(child.pid!);
      await child.close();
    }
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });

  it('shares a process where it is told to, and the last one that leaves ends it', async () => {
    const options = { mode: 'one-process', snapshot: 'try' };
    const [one, two] = await Promise.all([gym('CartPole-v1', options), gym('FrozenLake-v1', options)]);
    const alone = await gym('CartPole-v1');
    const pid = rawOf(one).pid!;
    expect(rawOf(two).pid).toBe(pid);
    for (const env of [one, alone]) await env.reset({ seed: 7 });
    await two.reset({ seed: 1 });
    const saved = await rawOf(one).snapshot!();
    const [step] = await Promise.all([one.step(1), two.step(0)]);
    expect(step).toEqual(await alone.step(1));
    await rawOf(one).restore!(saved);
    expect(await one.step(1)).toEqual(step);
    await expect(rawOf(two).restore!(saved)).rejects.toThrow(
      'a snapshot of this environment in its running Python process',
    );
    await one.close();
    await two.step(0);
    await two.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it('a shared process that is killed is replaced for all, once', async () => {
    const [one, two] = [
      await gym('CartPole-v1', { mode: 'one-process' }),
      await gym('CartPole-v1', { mode: 'one-process' }),
    ];
    const { observation } = await one.reset({ seed: 7 });
    await two.reset({ seed: 7 });
    process.kill(rawOf(one).pid!, 'SIGKILL');
    for (const env of [one, two]) await expect(env.step(1)).rejects.toMatchObject({ code: 'PYTHON_LOST' });
    const again = await Promise.all([one.reset({ seed: 7 }), two.reset({ seed: 7 })]);
    expect(again.map((each) => each.observation)).toEqual([observation, observation]);
    expect(rawOf(one).pid).toBe(rawOf(two).pid);
  });

  it('works in a vector', async () => {
    const envs = await makeVec('gymnasium:CartPole-v1', {
      numEnvs: 2,
      options: { python },
      vectorization: 'concurrent',
    });
    open.push(envs);
    const { observations } = await envs.reset({ seed: 7 });
    const single = await gym('CartPole-v1');
    expect(observations[1]).toEqual((await single.reset({ seed: 8 })).observation);
    expect((await envs.step([0, 1])).rewards).toEqual(Float64Array.of(1, 1));
  });
});

describe.skipIf(!big.python)(`ALE and MiniGrid in Node${big.reason && ` (skipped: ${big.reason})`}`, () => {
  it.each(['ale_py:ALE/Pong-v5', 'minigrid:MiniGrid-DoorKey-8x8-v0'])(
    '%s has the steps of Python, pictures for models, and snapshots',
    async (id) => {
      const expected = execFileSync(big.python!, ['-c', REFERENCE, id, '40'], { encoding: 'utf8' }).trim();
      const env = await gym(id, { python: big.python, snapshot: 'try' }, 'rgb_array');
      expect(await digestOf(env, 40)).toBe(expected);
      const { observation, info } = await env.reset({ seed: 7 });
      expect(JSON.stringify(env.dialogue!.prompt({ observation, info, history: [] }))).toContain('"type":"image"');
      // what ALE saves right after a reset does not continue exactly, in Python either
      for (let step = 0; step < 3; step += 1) await env.step(0);
      const saved = await env.snapshot!();
      const once = await env.step(2);
      await env.step(3);
      await env.restore!(saved);
      expect(await env.step(2)).toEqual(once);
    },
  );
});
