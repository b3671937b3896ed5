/** Environments of Python's Gymnasium in Node, compared with the same episodes in Python alone. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { isImage, make, makeVec } from '@vlgym/core';
import { type GymnasiumEnv, PythonProcess } from '@vlgym/gymnasium';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pythonEnvironment } from './support/python-environment.js';

const { python, reason } = pythonEnvironment(['gymnasium[classic-control,toy-text]==1.4.0']);

/** 300 steps of an environment in Python: sha256 of observations and rewards. */
const REFERENCE = `
import sys, hashlib, gymnasium, numpy as np
env = gymnasium.make(sys.argv[1])
env.action_space.seed(5)
digest = hashlib.sha256()
observation, info = env.reset(seed=7)
digest.update(np.asarray(observation).tobytes())
for _ in range(300):
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    digest.update(np.asarray(observation).tobytes() + np.float64(reward).tobytes())
    if terminated or truncated:
        observation, info = env.reset()
        digest.update(np.asarray(observation).tobytes())
print(digest.hexdigest())
`;

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
      const env = await gym(id);
      const hash = createHash('sha256');
      const add = (observation: unknown) =>
        hash.update(
          ArrayBuffer.isView(observation)
            ? new Uint8Array(observation.buffer, observation.byteOffset, observation.byteLength)
            : new Uint8Array(BigInt64Array.of(BigInt(observation as number)).buffer),
        );
      env.actionSpace.seed(5);
      add((await env.reset({ seed: 7 })).observation);
      for (let step = 0; step < 300; step += 1) {
        const { observation, reward, terminated, truncated } = await env.step(env.actionSpace.sample());
        add(observation);
        hash.update(new Uint8Array(Float64Array.of(reward).buffer));
        if (terminated || truncated) add((await env.reset()).observation);
      }
      const expected = execFileSync(python!, ['-c', REFERENCE, id], { encoding: 'utf8' }).trim();
      expect(hash.digest('hex')).toBe(expected);
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
    const snapshot = env.snapshot!();
    const once = await env.step(0);
    await env.step(0);
    env.restore!(snapshot);
    expect(await env.step(0)).toEqual(once);
    expect(() => env.restore!({ kind: 'other', state: {} })).toThrow('The snapshot is of kind');
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
