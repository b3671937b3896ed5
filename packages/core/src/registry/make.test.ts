import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { Env } from '../env.js';
import { ClosedError, EpisodeOverError, GymError, ResetNeededError } from '../errors.js';
import { CountingEnv, type CountingInfo } from '../testing/counting-env.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { TimeLimit, timeLimit } from '../wrappers/time-limit.js';
import { findWrapper, Wrapper } from '../wrappers/wrapper.js';
import { make, makeFromSpec } from './make.js';
import { register, registeredIds, spec, unregister } from './register.js';
import { specFromJson, specToJson } from './spec/spec-json.js';
import { registryState } from './state.js';
import type { GymWarning } from './types.js';
import { setWarningSink } from './warn.js';
import { registerWrapper } from './wrapper-registry.js';

// the name of the package, as others write it: two names for one interface would not merge
declare module '@vlgym/core' {
  interface KnownEnvs {
    'test/Counting-v1': CountingEnv;
  }
}

let warnings: GymWarning[];

beforeEach(() => {
  warnings = [];
  setWarningSink((warning) => warnings.push(warning));
  register({
    id: 'test/Counting-v1',
    entryPoint: (options) => new CountingEnv(options),
    options: { maxTarget: 3 },
    maxEpisodeSteps: 5,
  });
});

afterEach(() => {
  for (const id of registeredIds()) unregister(id);
  registryState().wrappers.clear();
  setWarningSink(undefined);
});

const layers = (env: unknown): string[] =>
  env instanceof Wrapper ? [env.constructor.name, ...layers(env.env)] : [(env as object).constructor.name];

describe('make', () => {
  it('stacks environment, checker, order and time limit from the inside out, then wrappers', async () => {
    const env = await make('test/Counting-v1', { wrappers: [timeLimit(4)] });
    expect(layers(env)).toEqual(['TimeLimit', 'TimeLimit', 'OrderEnforcing', 'PassiveChecker', 'CountingEnv']);
  });

  it('leaves out what is switched off', async () => {
    const env = await make('test/Counting-v1', { maxEpisodeSteps: -1, orderEnforce: false, disableChecker: true });
    expect(layers(env)).toEqual(['CountingEnv']);
  });

  it('puts options over the registered ones', async () => {
    const env = await make('test/Counting-v1', { options: { maxTarget: 50 } });
    expect(env.spec?.options).toEqual({ maxTarget: 50 });
    const targets = [];
    for (let seed = 0; seed < 20; seed += 1) targets.push((await env.reset({ seed })).info.target);
    expect(Math.max(...targets)).toBeGreaterThan(3);
  });

  it('knows the types of a declared id, and leaves others unknown', async () => {
    const env = await make('test/Counting-v1');
    expectTypeOf(env).toExtend<Env<number, number, CountingInfo>>();
    const other = await make('test/Counting-v1' as string);
    expectTypeOf(other.step).parameter(0).toEqualTypeOf<unknown>();
  });

  it('refuses a render mode the environment lacks, and closes it', async () => {
    const scripted = new ScriptedEnv();
    register({ id: 'Plain-v0', entryPoint: () => scripted });
    await expect(make('Plain-v0', { renderMode: 'human' })).rejects.toMatchObject({ code: 'UNSUPPORTED_RENDER_MODE' });
    expect(scripted.closed).toBe(true);
    expect((await make('test/Counting-v1', { renderMode: 'ansi' })).renderMode).toBe('ansi');
  });

  it('says once that `render` shows nothing without a mode (it was silent)', async () => {
    const env = await make('test/Counting-v1');
    await env.reset({ seed: 0 });
    expect(await env.render()).toBeUndefined();
    await env.render();
    expect(warnings).toEqual([
      {
        code: 'NO_RENDER_MODE',
        message:
          "`render` shows nothing without a mode: make('test/Counting-v1', { renderMode: 'rgb_array' or 'ansi' }).",
      },
    ]);
  });

  it('enforces the order of calls', async () => {
    const env = await make('test/Counting-v1', { options: { maxTarget: 1 } });
    expect(() => env.step(1)).toThrow(ResetNeededError);
    expect(() => env.render()).toThrow(ResetNeededError);
    await env.reset({ seed: 0 });
    expect(await env.step(1)).toMatchObject({ terminated: true });
    expect(() => env.step(1)).toThrow(EpisodeOverError);
    await env.close();
    await env.close();
    expect(() => env.reset()).toThrow(ClosedError);
  });
});

describe('an id that cannot be made', () => {
  const failure = async (id: string) => {
    const error = await make(id).catch((reason: unknown) => reason);
    expect(GymError.isInstance(error)).toBe(true);
    return error as GymError;
  };

  beforeEach(() => {
    register({ id: 'test/Versioned-v1', entryPoint: () => new CountingEnv() });
    register({ id: 'test/Versioned-v3', entryPoint: () => new CountingEnv() });
    register({ id: 'test/Single', entryPoint: () => new CountingEnv() });
  });

  it.each([
    ['tset/Counting-v1', 'UNKNOWN_ENV', 'did you mean "test/Counting-v1"?'],
    ['test/Countnig-v1', 'UNKNOWN_ENV', 'did you mean "test/Counting-v1"?'],
    ['Counting-v1', 'UNKNOWN_ENV', 'did you mean "test/Counting-v1"?'],
    ['gym_cards/Points24-v0', 'UNKNOWN_ENV', "`import '@vlgym/points24'` registers it"],
    ['MiniWorld-OneRom-v0', 'UNKNOWN_ENV', 'did you mean "MiniWorld-OneRoom-v0"? `import \'@vlgym/miniworld\'`'],
    ['elsewhere/Thing-v0', 'UNKNOWN_ENV', 'nothing is registered under "elsewhere/"; install and import the package'],
    ['SomethingQuiteDifferent-v0', 'UNKNOWN_ENV', 'import the package that registers it'],
    ['test/Versioned-v4', 'UNKNOWN_ENV_VERSION', 'use "test/Versioned-v3", or update the package that defines it'],
    ['test/Versioned-v2', 'DEPRECATED_ENV', 'use "test/Versioned-v3" instead'],
    ['test/Single-v0', 'UNKNOWN_ENV_VERSION', 'use "test/Single", or update the package'],
    ['no spaces allowed', 'INVALID_ENV_ID', undefined],
  ])('%s: %s', async (id, code, hint) => {
    const error = await failure(id);
    expect(error.code).toBe(code);
    if (hint) expect(error.hint).toContain(hint);
  });

  it('lists the versions that exist', async () => {
    expect((await failure('test/Versioned-v4')).expected).toBe('test/Versioned-v1, test/Versioned-v3');
  });

  it('takes an unversioned id for the newest, and says so once', async () => {
    expect((await make('test/Versioned')).spec?.id).toBe('test/Versioned-v3');
    await make('test/Versioned');
    expect(warnings.map(({ code }) => code)).toEqual(['UNVERSIONED_ENV']);
  });

  it('warns once about an old version', async () => {
    await make('test/Versioned-v1');
    await make('test/Versioned-v1');
    await make('test/Versioned-v3');
    expect(warnings).toEqual([
      {
        code: 'OLD_ENV_VERSION',
        message: '"test/Versioned-v1" is out of date; "test/Versioned-v3" is registered too.',
      },
    ]);
  });
});

describe('register', () => {
  const entryPoint = () => new CountingEnv();

  it('keeps versioned and unversioned ids of one name apart', () => {
    expect(() => register({ id: 'test/Counting', entryPoint })).toThrow(
      expect.objectContaining({ code: 'REGISTRATION' }),
    );
    register({ id: 'test/Plain', entryPoint });
    expect(() => register({ id: 'test/Plain-v0', entryPoint })).toThrow(
      expect.objectContaining({ code: 'REGISTRATION' }),
    );
  });

  it('is silent about the same data again and warns about other data', () => {
    register({ id: 'A-v0', entryPoint, maxEpisodeSteps: 3 });
    register({ id: 'A-v0', entryPoint: () => new CountingEnv(), maxEpisodeSteps: 3 });
    expect(warnings).toEqual([]);
    register({ id: 'A-v0', entryPoint, maxEpisodeSteps: 4 });
    expect(warnings.map(({ code }) => code)).toEqual(['ENV_OVERRIDDEN']);
    expect(spec('A-v0').maxEpisodeSteps).toBe(4);
  });

  it('is shared through globalThis by every copy of the package', () => {
    const state = (globalThis as Record<symbol, unknown>)[Symbol.for('vlgym.registry')];
    expect((state as { envs: Map<string, unknown> }).envs.has('test/Counting-v1')).toBe(true);
  });
});

describe('specs as JSON', () => {
  const options = { options: { maxTarget: 7 }, maxEpisodeSteps: 6, wrappers: [timeLimit(4)] };

  it('describe the whole stack', async () => {
    expect((await make('test/Counting-v1', options)).spec).toEqual({
      id: 'test/Counting-v1',
      options: { maxTarget: 7 },
      maxEpisodeSteps: 6,
      orderEnforce: true,
      disableChecker: false,
      wrappers: [{ name: 'timeLimit', options: { steps: 4 } }],
    });
  });

  it('rebuild environment and wrappers', async () => {
    const env = await make('test/Counting-v1', options);
    const twin = await makeFromSpec(specToJson(env.spec!));
    expect(layers(twin)).toEqual(layers(env));
    expect(twin.spec).toEqual(env.spec);
    expect(findWrapper(twin, TimeLimit)?.steps).toBe(4);
  });

  it('import the module that registers the id', async () => {
    const url = new URL('../testing/fixtures/registers-counting.mjs', import.meta.url).href;
    const env = await makeFromSpec({ id: 'fixture/FromModule-v0', module: url });
    expect(env.unwrapped.constructor.name).toBe('FromModuleEnv');
  });

  class Named<O, A> extends Wrapper<O, A> {
    override get wrapperSpec() {
      return { name: 'named', options: { loud: true } };
    }
  }

  it('rebuild a wrapper that was registered by name', async () => {
    const env = await make('test/Counting-v1', { wrappers: [(inner) => new Named(inner)] });
    await expect(makeFromSpec(env.spec!)).rejects.toMatchObject({ code: 'UNKNOWN_WRAPPER', wrapper: 'named' });
    registerWrapper('named', () => (inner) => new Named(inner));
    expect(layers(await makeFromSpec(specToJson(env.spec!)))[0]).toBe('Named');
  });

  it.each([
    ['a function', () => 1, 'spec.options.f'],
    ['NaN', Number.NaN, 'spec.options.f'],
    ['a date', new Date(0), 'spec.options.f'],
    ['a function inside', { g: [() => 1] }, 'spec.options.f.g[0]'],
  ])('refuse %s and say where it is', (_what, value, path) => {
    const error = (() => {
      try {
        return specToJson({ id: 'A-v0', options: { f: value } });
      } catch (reason) {
        return reason;
      }
    })();
    expect(error).toMatchObject({ code: 'SPEC_JSON', path });
  });

  it.each([
    ['{', 'spec'],
    ['{"id": 5}', 'spec.id'],
    ['{"id": "A-v0", "wrappers": [{}]}', 'spec.wrappers.0.name'],
  ])('refuse the text %s', (text, path) => {
    expect(() => specFromJson(text)).toThrow(expect.objectContaining({ code: 'SPEC_JSON', path }));
  });
});
