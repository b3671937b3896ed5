import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator, register, unregister } from '@vlgym/core';
import { checkTrajectory, replay } from '@vlgym/core/trajectory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { echoModel } from '../../test-support/echo-model.js';
import { recorded } from '../../test-support/recorded.js';
import {
  type AnyAgent,
  type Evaluation,
  evaluate,
  oracleAgent,
  policyAgent,
  randomAgent,
  scriptedAgent,
  speakingAgent,
} from '../index.js';

const corridor = () => new CorridorEnv();
const CORRIDOR_ID = 'test/AgentsCorridor-v0';
let folder: string;

beforeAll(async () => {
  register({ id: CORRIDOR_ID, entryPoint: () => new CorridorEnv(), maxEpisodeSteps: 12 });
  folder = await mkdtemp(join(tmpdir(), 'vlgym-evaluate-'));
});
afterAll(async () => {
  unregister(CORRIDOR_ID);
  await rm(folder, { recursive: true, force: true });
});

/** Responds "left" or "right" at random, each turn after a varying delay. */
const unevenAgent: AnyAgent = {
  name: 'uneven',
  act: async (context) => {
    const { rng, stepIndex } = context;
    for (let tick = 0; tick < (stepIndex * 7 + Number(context.episodeId.split('.').at(-1))) % 4; tick += 1) await null;
    return { action: rng.integers(2), text: '' };
  },
};

/** A corridor with task keys. */
class KeyedCorridor extends CorridorEnv {
  override reset(options: { seed?: number } = {}) {
    const { observation, info } = super.reset(options);
    return { observation, info: { ...info, taskKey: `corridor:${info.position}` } };
  }
}

/** A corridor that breaks for some seeds. */
class FragileCorridor extends CorridorEnv {
  static open = 0;
  #seed: number | undefined;

  constructor(
    private readonly broken: {
      readonly reset?: number;
      readonly step?: number;
      readonly reward?: number;
      readonly hang?: number;
    },
  ) {
    super();
    FragileCorridor.open += 1;
  }

  override reset(options: { seed?: number } = {}) {
    this.#seed = options.seed;
    if (options.seed === this.broken.reset) throw new Error('cannot reset');
    return super.reset(options);
  }

  override step(action: number) {
    if (this.#seed === this.broken.step) throw new Error('wall fell down');
    if (this.#seed === this.broken.hang) return new Promise(() => {}) as never;
    const result = super.step(action);
    return this.#seed === this.broken.reward ? { ...result, reward: Number.NaN } : result;
  }

  protected override dispose(): void {
    FragileCorridor.open -= 1;
  }
}

describe('evaluate', () => {
  it('scores an expert: rates, interval, means', async () => {
    const result = await evaluate({ env: CORRIDOR_ID, agent: oracleAgent(), episodes: 20 });
    expect(result).toMatchObject({
      agent: 'oracle',
      env: CORRIDOR_ID,
      dialogue: 'corridor/test-v1',
      planned: 20,
      counted: 20,
      excluded: 0,
      successes: 20,
      successRate: 1,
      legalRate: 1,
      formatRate: 1,
      fallbackRate: 0,
      usage: { requests: 0, cost: 0 },
    });
    expect(result).toMatchObject({ tasks: 20, tasksBy: 'seed' }); // the corridor has no content keys
    expect(result.interval95[0]).toBeCloseTo(0.8316, 4);
    expect(result.meanReturn).toBeCloseTo(1 - 0.1 * (result.meanLength - 1), 12);
    expect(result.episodes.map(({ seed }) => seed)).toEqual(Array.from({ length: 20 }, (_, seed) => seed));
  });

  it.each([
    ['at random', () => randomAgent()],
    ['asynchronously', () => unevenAgent],
    ['in batches', () => policyAgent(echoModel())],
  ])('gives the same result for any number of parallel episodes, for an agent that plays %s', async (_name, agent) => {
    const [one, three, many] = await Promise.all(
      [1, 3, 50].map((parallel) => evaluate({ env: corridor, agent: agent(), episodes: 25, parallel })),
    );
    expect(three).toEqual(one);
    expect(many).toEqual(one);
    expect(new Set(one!.episodes.map((row) => row.length)).size).toBeGreaterThan(3);
  });

  it('runs a local policy once for all running episodes', async () => {
    const model = echoModel();
    const { episodes } = await evaluate({ env: corridor, agent: policyAgent(model), episodes: 10, parallel: 4 });
    const turns = episodes.reduce((sum, { length }) => sum + length, 0);
    expect(model.batches.reduce((sum, rows) => sum + rows, 0)).toBe(turns);
    expect(model.batches[0]).toBe(4);
    expect(model.batches.filter((rows) => rows === 4).length).toBeGreaterThan(model.batches.length / 2);
  });

  it('does not count repeats of one task as several tasks', async () => {
    const result = await evaluate({ env: () => new KeyedCorridor(), agent: oracleAgent(), episodes: 60 });
    expect(result).toMatchObject({ counted: 60, tasks: 5, tasksBy: 'taskKey', successRate: 1 });
    expect(result.interval95[0]).toBeLessThan(0.5); // five positions, all of them solved
    expect(new Set(result.episodes.map(({ taskKey }) => taskKey)).size).toBe(5);
  });

  it('plays a seed that occurs twice with different generators of the agent', async () => {
    const { episodes } = await evaluate({ env: corridor, agent: randomAgent(), seeds: [3, 4, 3] });
    expect(episodes.map(({ seed, repeat }) => [seed, repeat])).toEqual([
      [3, 0],
      [4, 0],
      [3, 1],
    ]);
    expect(episodes[0]!.id).not.toBe(episodes[2]!.id);
    expect(episodes[0]!.length).not.toBe(episodes[2]!.length);
  });

  it('gives agent and environment different generators', async () => {
    const drawn: number[] = [];
    const agent = scriptedAgent<unknown, number>(({ rng }) => {
      drawn.push(rng.random());
      return 1;
    });
    await evaluate({ env: corridor, agent, seeds: [5], maxSteps: 1 });
    expect(drawn[0]).not.toBe(new Generator(5).random());
  });

  it('breaks results down by category', async () => {
    const { breakdown, successes } = await evaluate({
      env: corridor,
      agent: randomAgent(),
      episodes: 30,
      breakdown: 'side',
    });
    expect(Object.keys(breakdown!)).toEqual(['far', 'near']);
    expect(breakdown!.far!.successes + breakdown!.near!.successes).toBe(successes);
    expect(breakdown!.far!.counted + breakdown!.near!.counted).toBe(30);
  });

  it('takes success from the info, from a positive return, or from `isSuccess`', async () => {
    const options = { env: corridor, agent: scriptedAgent(() => 0), episodes: 3 };
    const rate = async (more: object) => (await evaluate({ ...options, ...more })).successRate;
    expect(await rate({})).toBe(0);
    expect(await rate({ agent: oracleAgent() })).toBe(1);
    expect(await rate({ isSuccess: ({ length }: { length: number }) => length === 12 })).toBe(1);
  });

  it('plays in one given environment, which stays open', async () => {
    const env = new CorridorEnv();
    await evaluate({ env, agent: oracleAgent(), episodes: 3 });
    expect(env.closed).toBe(false);
    await expect(evaluate({ env, agent: oracleAgent(), episodes: 3, parallel: 2 })).rejects.toMatchObject({
      option: 'parallel',
    });
  });

  it('truncates an episode at its limit of turns', async () => {
    const { episodes } = await evaluate({ env: corridor, agent: scriptedAgent(() => 0), episodes: 2, maxSteps: 5 });
    expect(episodes).toMatchObject(
      Array(2).fill({ length: 5, endedBy: 'truncated', truncationReason: 'step-limit', counted: true }),
    );
  });

  it.each([
    [{ parallel: 0 }, 'parallel'],
    [{ episodes: 1.5 }, 'episodes'],
    [{ seeds: [] }, 'seeds'],
    [{ seeds: [-1] }, 'seeds'],
    [{ episodes: 2, seeds: [1] }, 'seeds'],
    [{ maxSteps: 0 }, 'maxSteps'],
    [{ environmentTimeoutMs: 0 }, 'environmentTimeoutMs'],
    [{ environmentTimeoutMs: -1 }, 'environmentTimeoutMs'],
    [{ environmentTimeoutMs: Number.NaN }, 'environmentTimeoutMs'],
    [{ fallback: 'guess' as never }, 'fallback'],
    [{ resume: true }, 'resume'],
  ])('refuses %j', async (options, option) => {
    await expect(evaluate({ env: corridor, agent: randomAgent(), ...options })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      option,
    });
  });

  it('rejects for an environment that is not registered', async () => {
    await expect(evaluate({ env: 'test/Nowhere-v0', agent: randomAgent() })).rejects.toMatchObject({
      code: 'UNKNOWN_ENV',
    });
  });
});

describe('a response without an action', () => {
  const mute = speakingAgent([
    'hm',
    'hm',
    '{"action": "right"}',
    '{"action": "right"}',
    '{"action": "right"}',
    '{"action": "right"}',
    '{"action": "right"}',
  ]);

  it('plays randomly with `random`, as published, and marks the row', async () => {
    const path = join(folder, 'random-fallback');
    const options = { env: corridor, agent: speakingAgent(() => 'hm'), episodes: 8, fallback: 'random' } as const;
    const play = () => evaluate({ ...options, record: path });
    const result = await play();
    expect(result).toMatchObject({ fallbackRate: 1, legalRate: 0, formatRate: 0 });
    expect(result.successRate).toBeGreaterThan(0);
    const steps = (await recorded(path)).flatMap(({ steps }) => steps);
    expect(
      steps.every(({ fallback, action, reason }) => fallback && action !== undefined && reason === 'no-action-marker'),
    ).toBe(true);
    expect(new Set(steps.map(({ action }) => action))).toEqual(new Set([0, 1]));
    expect((await evaluate({ ...options, parallel: 3 })).episodes.map(({ length }) => length)).toEqual(
      result.episodes.map(({ length }) => length),
    );
  });

  it('costs only a turn by default', async () => {
    const path = join(folder, 'noop');
    const { episodes } = await evaluate({
      env: corridor,
      agent: mute,
      seeds: [3],
      record: path,
    });
    const direct = await evaluate({ env: corridor, agent: oracleAgent(), seeds: [3] });
    expect(episodes[0]).toMatchObject({ length: direct.episodes[0]!.length + 2, fallbacks: 2, success: true });
    expect(episodes[0]!.return).toBeCloseTo(direct.episodes[0]!.return, 12);
    const [trajectory] = await recorded(path);
    expect(trajectory!.steps[0]).toMatchObject({ fallback: true, reward: 0, truncated: false });
    expect(trajectory!.steps[0]).not.toHaveProperty('action');
    expect(await checkTrajectory(trajectory!)).toMatchObject({ ok: true });
    expect(await replay(trajectory!, { env: new CorridorEnv() })).toMatchObject({ ok: true });
  });

  it('ends at the limit of turns, without any legal action', async () => {
    const { episodes } = await evaluate({
      env: corridor,
      agent: speakingAgent(() => ''),
      seeds: [3],
      fallback: 'illegal-noop',
      maxSteps: 40,
    });
    expect(episodes[0]).toMatchObject({ length: 40, truncationReason: 'step-limit', success: false });
  });

  it('ends the episode with `terminate`, as a failure', async () => {
    const { episodes, counted } = await evaluate({
      env: corridor,
      agent: mute,
      seeds: [3],
      fallback: 'terminate',
      isSuccess: () => true,
    });
    expect(episodes[0]).toMatchObject({
      length: 1,
      success: false,
      endedBy: 'terminated',
      error: { boundary: 'parser', code: 'NO_ACTION' },
    });
    expect(counted).toBe(1);
  });
});

describe('a failure', () => {
  const siblings = (result: Evaluation, except: number) => result.episodes.filter(({ seed }) => seed !== except);

  it.each([
    [{ reset: 2 }, 'ENVIRONMENT_FAILED', 0],
    [{ step: 2 }, 'ENVIRONMENT_FAILED', 1],
    [{ reward: 2 }, 'INVALID_REWARD', 1],
    [{ hang: 2 }, 'ENVIRONMENT_TIMEOUT', 1],
  ])('of an environment (%j) ends only its own episode, which does not count', async (broken, code, length) => {
    const options = { agent: randomAgent(), episodes: 6, environmentTimeoutMs: 20 };
    const result = await evaluate({ ...options, env: () => new FragileCorridor(broken), parallel: 2 });
    const healthy = await evaluate({ ...options, env: corridor });
    expect(result.episodes[2]).toMatchObject({
      length,
      success: false,
      counted: false,
      truncationReason: 'environment-error',
      error: { boundary: 'environment', code },
    });
    expect(siblings(result, 2)).toEqual(
      siblings(healthy, 2).map((row) => ({ ...row, id: row.id.replace('CorridorEnv', 'FragileCorridor') })),
    );
    expect(result).toMatchObject({ counted: 5, excluded: 1 });
    expect(FragileCorridor.open).toBe(0);
  });

  it('of an agent counts as an unsuccessful episode', async () => {
    const agent = scriptedAgent(({ episodeId }) => {
      if (episodeId.endsWith('.2')) throw new Error('lost');
      return 1;
    });
    const path = join(folder, 'agent-failure');
    const result = await evaluate({ env: corridor, agent, episodes: 4, record: path });
    expect(result).toMatchObject({ counted: 4, successes: 3 });
    expect(result.episodes[2]).toMatchObject({
      truncationReason: 'agent-error',
      error: { boundary: 'agent', code: 'AGENT_FAILED', message: 'lost' },
    });
    const broken = (await recorded(path)).find(({ seed }) => seed === 2)!;
    expect(broken).toMatchObject({
      steps: [{ error: { message: 'lost' } }],
      outcome: { endedBy: 'error', success: false },
    });
  });

  it('of the model ends the episode and records its turn', async () => {
    const error = { boundary: 'model', code: 'MODEL_TIMEOUT', message: 'late' } as const;
    const agent: AnyAgent = {
      name: 'late',
      act: () => ({ text: '', error, usage: { requests: 2, inputTokens: 5, outputTokens: 1, cost: 0 } }),
    };
    const { episodes, usage, counted } = await evaluate({ env: corridor, agent, episodes: 2 });
    expect(episodes).toMatchObject(Array(2).fill({ truncationReason: 'model-error', error, success: false }));
    // usage is counted although the episode is not
    expect([counted, usage.requests]).toEqual([0, 4]);
  });

  it('of one prompt in a batch does not change the other turns', async () => {
    const poisoned = () => {
      const model = echoModel();
      return {
        ...model,
        generate: async (
          prompts: Parameters<typeof model.generate>[0],
          options: Parameters<typeof model.generate>[1],
        ) => {
          const answers = await model.generate(prompts, options);
          if (JSON.stringify(prompts.map((messages) => messages[1]!.content)).includes('at 3.'))
            throw new Error('bad prompt');
          return answers;
        },
      };
    };
    const together = await evaluate({ env: corridor, agent: policyAgent(poisoned()), episodes: 8, parallel: 8 });
    const alone = await evaluate({ env: corridor, agent: policyAgent(poisoned()), episodes: 8 });
    expect(together).toEqual(alone);
    const failed = together.episodes.filter(({ error }) => error?.message === 'bad prompt').length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(8);
  });

  it('of an agent that cannot play the environment rejects', async () => {
    const env = () => Object.assign(new CorridorEnv(), { dialogue: undefined, oracle: undefined });
    await expect(evaluate({ env, agent: speakingAgent(() => 'hm') })).rejects.toMatchObject({ code: 'NO_DIALOGUE' });
    await expect(evaluate({ env, agent: oracleAgent() })).rejects.toMatchObject({ code: 'NO_ORACLE' });
  });

  it('of an action outside the space is an agent error', async () => {
    const { episodes } = await evaluate({ env: corridor, agent: scriptedAgent(() => 7), episodes: 1 });
    expect(episodes[0]).toMatchObject({ counted: true, error: { boundary: 'agent', code: 'INVALID_ACTION' } });
  });

  it('of the caller rejects after the other running episodes have ended, and starts no further ones', async () => {
    const ended: number[] = [];
    const onEpisode = ({ index }: { index: number }) => {
      ended.push(index);
      if (ended.length === 1) throw new Error('disk full');
    };
    const options = { env: () => new FragileCorridor({}), agent: randomAgent(), episodes: 20, parallel: 3, onEpisode };
    await expect(evaluate(options)).rejects.toThrow('disk full');
    expect(ended.length).toBe(3);
    expect(FragileCorridor.open).toBe(0);
  });
});
