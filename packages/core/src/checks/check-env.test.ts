import { afterEach, describe, expect, it } from 'vitest';
import type { Env, EnvSnapshot, ResetOptions } from '../env.js';
import { Generator } from '../random/generator.js';
import { make } from '../registry/make.js';
import { register, unregister } from '../registry/register.js';
import { DictSpace } from '../spaces/composite/dict.js';
import { DiscreteSpace } from '../spaces/discrete.js';
import { CountingEnv } from '../testing/counting-env.js';
import { type Script, ScriptedEnv } from '../testing/scripted-env.js';
import { illegalAction } from '../wrappers/illegal-action.js';
import { frameStack } from '../wrappers/observation/frame-stack.js';
import { history } from '../wrappers/observation/history.js';
import { recordEpisodeStatistics } from '../wrappers/recording/record-episode-statistics.js';
import { timeLimit } from '../wrappers/time-limit.js';
import { checkEnv, conformance, type TestContext } from './check-env.js';
import { envChecks } from './env-checks.js';

afterEach(() => {
  unregister('test/Counting-v0');
});

/** A counting environment with one fault. */
const faulty = (fault: (env: CountingEnv) => object) => () => {
  const env = new CountingEnv();
  return Object.assign(env, fault(env)) as Env<number, number>;
};

const shared = { count: 0 };
const scripted = (script: Script) => () => new ScriptedEnv(script);
let resets = 0;

const faults: readonly (readonly [fault: string, code: string, create: () => Env<number, number>])[] = [
  ['has an action space without methods', 'SPACE_INVALID', scripted({ actionSpace: {} as never })],
  ['returns nothing from reset', 'RESET_RESULT', faulty(() => ({ reset: () => undefined }))],
  ['returns an old tuple from step', 'STEP_RESULT', faulty(() => ({ step: () => [0, 0, false, {}] }))],
  [
    'returns an observation outside its space',
    'OBSERVATION_OUTSIDE_SPACE',
    scripted({ step: () => ({ observation: -1 }) }),
  ],
  ['has an infinite reward', 'REWARD_NOT_FINITE', scripted({ step: () => ({ reward: Number.POSITIVE_INFINITY }) })],
  ['uses numbers for flags', 'SIGNAL_NOT_BOOLEAN', scripted({ step: () => ({ truncated: 0 as never }) })],
  ['has a list as info', 'INFO_NOT_RECORD', scripted({ step: () => ({ info: [] as never }) })],
  ['has a function in its info', 'INFO_NOT_JSON', scripted({ step: () => ({ info: { f: () => 1 } }) })],
  ['ignores the seed of a reset', 'RESET_NOT_REPEATABLE', scripted({ reset: () => ({ observation: resets++ % 100 }) })],
  [
    'ignores its generator in unseeded resets',
    'RESET_IGNORES_GENERATOR',
    scripted({ reset: ({ seed }) => ({ observation: seed === undefined ? resets++ % 100 : 0 }) }),
  ],
  ['is random outside its generator', 'EPISODE_NOT_REPEATABLE', scripted({ step: () => ({ reward: resets++ }) })],
  [
    'modifies an object it returned',
    'OBJECT_REUSED',
    scripted({ step: (_action, count) => ({ info: Object.assign(shared, { count }) }) }),
  ],
  ['declares an unknown render mode', 'METADATA_INVALID', scripted({ metadata: { renderModes: ['vr' as never] } })],
  ['renders text instead of a picture', 'RENDER_RESULT', scripted({ renderMode: 'rgb_array', render: () => 'x' })],
  ['leaves its generator out of snapshots', 'SNAPSHOT_INCOMPLETE', faulty(forgetful)],
  ['has half of the snapshot methods', 'SNAPSHOT_INCOMPLETE', faulty(() => ({ restore: undefined }))],
  [
    'puts a Map into its snapshot',
    'SNAPSHOT_NOT_JSON',
    faulty(() => ({ snapshot: () => ({ kind: 'x', state: new Map() }) })),
  ],
  ['accepts any snapshot', 'SNAPSHOT_UNSAFE', faulty(gullible)],
  ['changes state before it refuses a snapshot', 'SNAPSHOT_UNSAFE', faulty(hasty)],
  ['throws a raw error before the first reset', 'BEFORE_RESET', faulty(sleepy)],
  ['cannot run next to a second instance', 'VECTOR_FAILED', jealous()],
  ['has an oracle outside the action space', 'ORACLE_ILLEGAL', faulty(() => ({ oracle: () => 5 }))],
  ['has an oracle against its mask', 'ORACLE_ILLEGAL', faulty(() => ({ actionMask: () => Uint8Array.of(1, 0) }))],
  ['has a mask of the wrong length', 'MASK_INVALID', faulty(() => ({ actionMask: () => Uint8Array.of(1, 1, 1) }))],
  ['has a mask that allows nothing', 'MASK_INVALID', faulty(() => ({ actionMask: () => Uint8Array.of(0, 0) }))],
  ['cannot parse its own demonstration', 'DIALOGUE_DEMONSTRATION', talking({ demonstrate: () => 'count, please' })],
  ['demonstrates another action', 'DIALOGUE_DEMONSTRATION', talking({ demonstrate: () => 'stay' })],
  ['has a prompt that is not a list of messages', 'DIALOGUE_PROMPT', talking({ prompt: () => ['hello'] })],
  ['has a parser that throws', 'DIALOGUE_PARSE', talking({ parse: (text: string) => JSON.parse(text) })],
  ['calls a thought of its expert wrong', 'DIALOGUE_DEMONSTRATION', talking({ check: () => false })],
  ['has a check of thoughts that throws', 'DIALOGUE_PARSE', talking({ check: (said: string) => JSON.parse(said) })],
  ['throws at the second close', 'CLOSE_FAILED', faulty(closesOnce)],
  ['throws in step', 'THREW', scripted({ step: () => Promise.reject(new RangeError('on purpose')) })],
];

/** Does not validate: `restore(null)` is a raw TypeError. */
function gullible(env: CountingEnv): object {
  const restore = env.restore.bind(env);
  return { restore: (snapshot: EnvSnapshot) => restore({ kind: 'counting/1', state: snapshot.state }) };
}

function hasty(env: CountingEnv): object {
  const restore = env.restore.bind(env);
  return {
    restore: (snapshot: EnvSnapshot) => {
      env.reset({ seed: 77 });
      restore(snapshot);
    },
  };
}

function sleepy(env: CountingEnv): object {
  let awake: { readonly action: number } | undefined;
  const reset = env.reset.bind(env);
  return {
    reset: (options?: ResetOptions) => {
      awake = { action: 1 };
      return reset(options);
    },
    oracle: () => awake!.action,
  };
}

/** Like an environment that holds one port: of two instances made without a reset between, only one starts. */
function jealous() {
  let made = 0;
  let lastReset = 0;
  return () => {
    made += 1;
    const number = made;
    return faulty((env) => {
      const reset = env.reset.bind(env);
      return {
        reset: (options?: ResetOptions) => {
          if (number - lastReset > 1 && lastReset > 0) throw new TypeError('the port is in use');
          lastReset = Math.max(number, lastReset);
          return reset(options);
        },
      };
    })();
  };
}

function forgetful(env: CountingEnv): object {
  const restore = env.restore.bind(env);
  return {
    restore: (snapshot: EnvSnapshot) =>
      restore({ ...snapshot, state: { ...(snapshot.state as object), rng: new Generator(5).getState() } }),
    snapshot: env.snapshot.bind(env),
  };
}

function talking(change: object): () => Env<number, number> {
  return faulty((env) => ({ dialogue: { ...env.dialogue, ...change } }));
}

function closesOnce(): object {
  let closed = false;
  return {
    close: () => {
      if (closed) throw new Error('closed already');
      closed = true;
    },
  };
}

describe('checkEnv', () => {
  it('passes a valid environment in every check', async () => {
    register({ id: 'test/Counting-v0', entryPoint: (options) => new CountingEnv(options) });
    const report = await checkEnv(async () => make('test/Counting-v0'));
    expect(report).toEqual({
      environment: 'test/Counting-v0',
      ok: true,
      findings: [],
      passed: envChecks.map(({ name }) => name).filter((name) => name !== 'plays in worker threads'),
      skipped: [{ check: 'plays in worker threads', why: '`workers` was not asked for' }],
    });
  });

  it.each([
    ['timeLimit', () => new CountingEnv().pipe(timeLimit(4))],
    ['history', () => new CountingEnv().pipe(history(3))],
    ['frameStack', () => new CountingEnv().pipe(frameStack(3))],
    ['illegalAction', () => new CountingEnv().pipe(illegalAction())],
    ['recordEpisodeStatistics', () => new CountingEnv().pipe(recordEpisodeStatistics())],
  ])('passes it under %s, too', async (_name, create) => {
    expect((await checkEnv(create)).findings).toEqual([]);
  });

  it.each(faults)('finds an environment that %s: %s', async (_fault, code, create) => {
    resets = 0;
    const report = await checkEnv(create, { throws: false });
    expect(report.findings.map((finding) => finding.code)).toContain(code);
    expect(report.ok).toBe(false);
  });

  it('throws the errors with their codes by default', async () => {
    const failure = checkEnv(scripted({ step: () => ({ reward: Number.NaN }) }));
    await expect(failure).rejects.toMatchObject({
      code: 'CHECK_FAILED',
      environment: 'ScriptedEnv',
      value: ['REWARD_NOT_FINITE'],
    });
    await expect(failure).rejects.toThrow('[REWARD_NOT_FINITE] `step` returned the reward NaN, not a finite number');
  });

  it('warns, and passes, when the seed changes nothing', async () => {
    const report = await checkEnv(new ScriptedEnv());
    expect(report.findings).toEqual([expect.objectContaining({ code: 'SEED_WITHOUT_EFFECT', severity: 'warning' })]);
    expect(report.ok).toBe(true);
  });

  it('accepts what is allowed, and does not ask a nondeterministic environment to repeat itself', async () => {
    const options = { step: () => ({ reward: Number.NaN }) };
    expect((await checkEnv(scripted(options), { allow: ['REWARD_NOT_FINITE', 'EPISODE_NOT_REPEATABLE'] })).ok).toBe(
      true,
    );
    const random = new ScriptedEnv({ step: () => ({ reward: resets++ }) });
    random.spec = { id: 'test/Random-v0', nondeterministic: true };
    expect((await checkEnv(random)).skipped.map(({ why }) => why)).toContain('the spec says nondeterministic');
  });

  it('says where an observation changed later', async () => {
    const observation = { count: 0 };
    const create = () =>
      new ScriptedEnv({
        observationSpace: new DictSpace({ count: new DiscreteSpace(100) }),
        reset: (_options: ResetOptions) => ({ observation: { count: 0 } }),
        step: (_action, count) => ({ observation: Object.assign(observation, { count }) }),
      });
    const { findings } = await checkEnv(create, { throws: false });
    expect(findings.find(({ code }) => code === 'OBJECT_REUSED')?.message).toContain(
      'move 1.observation.count: 1 and 50',
    );
  });
});

conformance('CountingEnv', () => new CountingEnv(), { describe, it });

describe('conformance', () => {
  it('gives one test per claim, and each fails only for its own fault', async () => {
    const tests = new Map<string, (context: TestContext) => Promise<void>>();
    const runner = {
      describe: (_name: string, define: () => void) => define(),
      it: (name: string, test: (context: TestContext) => Promise<void>) => tests.set(name, test),
    };
    conformance(
      'Faulty',
      faulty(() => ({ oracle: () => 5 })),
      runner,
    );
    expect([...tests.keys()]).toEqual(envChecks.map(({ name }) => name));
    const results = await Promise.allSettled([...tests.values()].map(async (test) => test({})));
    const failed = [...tests.keys()].filter((_, index) => results[index]!.status === 'rejected');
    expect(failed).toContain('has a mask and an oracle that agree with the action space');
    expect(failed).not.toContain('repeats an episode exactly from its seed and actions');
  });

  it('skips a check that does not apply, and says why', async () => {
    const skipped: [test: string, reason: string][] = [];
    const running: Promise<void>[] = [];
    const runner = {
      describe: (_name: string, define: () => void) => define(),
      it: (name: string, test: (context?: TestContext) => Promise<void>) =>
        running.push(test({ skip: (reason) => skipped.push([name, reason]) })),
    };
    conformance('Counting', () => new CountingEnv(), runner);
    await Promise.all(running);
    expect(skipped).toEqual([
      ['is rebuilt from its spec', 'it was not made from a spec'],
      ['plays in worker threads', '`workers` was not asked for'],
    ]);
  });
});
