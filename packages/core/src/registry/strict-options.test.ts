import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GymError } from '../errors.js';
import { CountingEnv } from '../testing/counting-env.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { SerialVectorEnv } from '../vector/local-vector-env.js';
import { makeVec } from '../vector/make-vec.js';
import { make } from './make.js';
import { register, unregister } from './register.js';

beforeEach(() => {
  register({ id: 'test/Strict-v1', entryPoint: (options) => new CountingEnv(options) });
  register({ id: 'test/Scripted-v1', entryPoint: () => new ScriptedEnv() });
});

afterEach(() => {
  unregister('test/Strict-v1');
  unregister('test/Scripted-v1');
});

const refusal = async (act: () => unknown): Promise<GymError> => {
  try {
    await act();
  } catch (error) {
    return error as GymError;
  }
  throw new Error('nothing was refused');
};

describe('make and makeVec (unknown keys were ignored)', () => {
  it.each([
    [
      { obsWidth: 84 },
      'UNKNOWN_OPTION',
      'Unknown option "obsWidth".',
      /under `options`: make\(id, { options: { obsWidth/,
    ],
    [{ maxEpisodeStep: 3 }, 'UNKNOWN_OPTION', 'Unknown option "maxEpisodeStep".', /did you mean "maxEpisodeSteps"/],
    [{ maxEpisodeSteps: 0 }, 'INVALID_OPTION', 'Invalid maxEpisodeSteps: 0.', /-1 for no limit/],
    [{ maxEpisodeSteps: Number.NaN }, 'INVALID_OPTION', 'Invalid maxEpisodeSteps: NaN.', /an integer/],
    [{ renderMode: 'rgb' }, 'INVALID_OPTION', 'Invalid renderMode: "rgb".', /'rgb_array'/],
    [{ orderEnforce: 'yes' }, 'INVALID_OPTION', 'Invalid orderEnforce: "yes".', /true or false/],
    [{ options: [] }, 'INVALID_OPTION', 'Invalid options: [].', /an object/],
    [{ wrappers: [{ name: 'timeLimit' }] }, 'INVALID_OPTION', 'Invalid wrappers.0', /a function from env to env/],
    [null, 'INVALID_OPTION', 'Invalid options: null.', /make\(id, { options/],
    [
      { options: { maxTraget: 3 } },
      'UNKNOWN_OPTION',
      'Unknown option "maxTraget" of test/Strict-v1.',
      /did you mean "maxTarget"/,
    ],
  ])('make(id, %j) is refused', async (options, code, message, more) => {
    const error = await refusal(() => make('test/Strict-v1', options as object));
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(message);
    expect(error.message).toMatch(more);
  });

  it.each([
    [undefined, 'Invalid numEnvs: undefined.', /makeVec\('test\/Strict-v1', { numEnvs: 8 }\)/],
    [{}, 'Invalid numEnvs: undefined.', /an integer of 1 or more/],
    [{ numEnvs: 'x' }, 'Invalid numEnvs: "x".', /an integer 1 or more/],
    [{ numEnvs: 2, maxTarget: 4 }, 'Unknown option "maxTarget".', /makeVec\(id, { options: { maxTarget/],
    [{ numEnvs: 2, vectorizaton: 'worker' }, 'Unknown option "vectorizaton".', /did you mean "vectorization"/],
    [{ numEnvs: 2, vectorization: 'threads' }, 'Invalid vectorization: "threads".', /'serial', 'concurrent', 'worker'/],
    [{ numEnvs: 2, stepTimeoutMs: -1 }, 'Invalid stepTimeoutMs: -1.', /milliseconds/],
  ])('makeVec(id, %j) is refused (was a raw TypeError, or ignored)', async (options, message, more) => {
    const error = await refusal(() => makeVec('test/Strict-v1', options as never));
    expect(['UNKNOWN_OPTION', 'INVALID_OPTION']).toContain(error.code);
    expect(error.message).toContain(message);
    expect(error.message).toMatch(more);
  });

  it('takes an option that is `undefined` as left out', async () => {
    const env = await make('test/Strict-v1', { renderMode: undefined, options: { maxTarget: undefined } });
    expect(env.renderMode).toBeUndefined();
    await (await makeVec('test/Strict-v1', { numEnvs: 1, vectorization: undefined })).close();
  });
});

describe('reset (`reset(42)` was an unseeded reset)', () => {
  const cases = [
    [42, 'INVALID_OPTION', /call `reset\({ seed: 42 }\)`/],
    ['7', 'INVALID_OPTION', /an object with some of seed, options/],
    [null, 'INVALID_OPTION', /an object/],
    [{ sede: 1 }, 'UNKNOWN_OPTION', /did you mean "seed"/],
    [{ cards: [] }, 'UNKNOWN_OPTION', /reset\({ options: { cards/],
    [{ seed: -7 }, 'INVALID_SEED', /a non-negative integer/],
    [{ seed: 1.5 }, 'INVALID_SEED', /a non-negative integer/],
    [{ seed: '7' }, 'INVALID_SEED', /a non-negative integer/],
    [{ seed: Number.NaN }, 'INVALID_SEED', /Invalid seed: NaN/],
    [{ seed: 2 ** 53 }, 'INVALID_SEED', /a non-negative integer/],
    [{ options: 'hard' }, 'INVALID_OPTION', /an object/],
  ] as const;

  it.each(cases)('reset(%j) is refused, also where the environment does not look', async (options, code, message) => {
    for (const id of ['test/Strict-v1', 'test/Scripted-v1']) {
      const env = await make(id);
      const error = await refusal(() => env.reset(options as never));
      expect(error).toMatchObject({ code });
      expect(error.message).toMatch(message);
    }
  });

  it('refuses an option for the episode that the environment does not have', async () => {
    const error = await refusal(() => new CountingEnv().reset({ options: { level: 3 } }));
    expect(error).toMatchObject({ code: 'UNKNOWN_OPTION', message: expect.stringContaining('"level"') });
  });

  it.each([
    [42, 'INVALID_OPTION'],
    [{ seeds: [1, 2] }, 'UNKNOWN_OPTION'],
    [{ seed: -1 }, 'INVALID_SEED'],
    [{ seed: [0, -1] }, 'INVALID_SEED'],
    [{ seed: 2 ** 53 - 1 }, 'INVALID_SEED'],
    [{ seed: 'x' }, 'INVALID_SEED'],
    [{ options: 3 }, 'INVALID_OPTION'],
  ])('of a vector refuses %j', async (options, code) => {
    const envs = await SerialVectorEnv.create(() => new CountingEnv(), { numEnvs: 2 });
    expect(await refusal(() => envs.reset(options as never))).toMatchObject({ code });
  });
});
