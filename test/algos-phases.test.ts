/** Phases of training: other environments after given updates, the same policy, and the same run after a resume. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrajectories } from '@vlgym/core/trajectory';
import { gtrTurboKl } from '@vlgym/gtr-turbo';
import { type TrainOptions, train, type UpdateRecord } from '@vlgym/rl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

const PHASES = [2, 3, 5];
const UPDATES = 6;

/** A corridor that says in its task key, and in the version of its prompts, which phase plays it. */
class PhaseEnv extends CorridorEnv {
  isClosed = false;
  constructor(readonly phase: number) {
    super();
    Object.assign(this.dialogue, { version: `corridor/v${phase}` });
  }

  override reset(options = {}) {
    const { observation, info } = super.reset(options);
    return { observation, info: { ...info, taskKey: `phase ${this.phase}` } };
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await super.close();
  }
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-phases-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(options: Partial<TrainOptions> = {}) {
  const policy = await smallPolicy({ seed: 1 });
  const records: UpdateRecord[] = [];
  const made: PhaseEnv[] = [];
  const tasks: string[][] = [];
  const report = await train({
    algorithm: gtrTurboKl({
      rollout: { maxNewTokens: 3 },
      value: { warmupUpdates: 1 },
      optimizer: { epochs: 1, batch: 16, microBatch: 16, learningRate: { initial: 1e-3, final: 1e-3 } },
    }),
    makeEnv: (_index, phase) => {
      const env = new PhaseEnv(phase);
      made.push(env);
      return env;
    },
    phases: PHASES,
    updates: UPDATES,
    stepsPerUpdate: 16,
    numEnvs: 4,
    seed: 3,
    onMetrics: (record) => records.push(record),
    onTargets: ({ buffer }) => void tasks.push([...buffer.taskKeys]),
    ...options,
    policy,
  });
  policy.close();
  const lasting = records.map(({ metrics, ...record }) => ({
    ...record,
    metrics: Object.fromEntries(Object.entries(metrics).filter(([name]) => !name.startsWith('time/'))),
  }));
  return { records: lasting, made, tasks, report };
}

it('plays each phase in environments of its own, and closes those of the one before', async () => {
  const { made, tasks, report } = await run();
  expect(made.map(({ phase }) => phase)).toEqual([0, 1, 2, 3].flatMap((phase) => Array(4).fill(phase)));
  expect(made.every(({ isClosed }) => isClosed)).toBe(true);
  const begun = tasks.map((keys) => keys.at(-1));
  expect(begun).toEqual(['phase 0', 'phase 0', 'phase 1', 'phase 2', 'phase 2', 'phase 3']);
  expect(report.taskKeys).toEqual(['phase 0', 'phase 1', 'phase 2', 'phase 3']);
});

it('stopped after any update and resumed, is the run without a stop', async () => {
  const { records } = await run();
  for (const stop of [1, 2, 3, 4, 5]) {
    const options = { folder: join(folder, `after-${stop}`), resume: true };
    const first = await run({ ...options, updates: stop });
    const second = await run(options);
    expect([...first.records, ...second.records]).toEqual(records);
  }
});

it('gives every episode of every phase an id of its own', async () => {
  const record = join(folder, 'record');
  await run({ record });
  const ids: string[] = [];
  for await (const { id } of readTrajectories(record)) ids.push(id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('env0-episode1');
  expect(ids).toContain('phase1-env0-episode1');
});

describe('phases are refused', () => {
  it.each([[[0]], [[2, 2]], [[1.5]], [[3, 1]]])('that are %j', async (phases) => {
    await expect(run({ phases })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      value: phases,
      expected: 'ascending numbers of updates, from 1',
    });
  });

  it('with a source of the caller, which has environments of its own', async () => {
    const openSource = () => Promise.reject(new Error('never called'));
    await expect(run({ openSource })).rejects.toMatchObject({ code: 'INVALID_OPTION', value: PHASES });
  });

  it('by a folder of a run with others', async () => {
    const options = { folder: join(folder, 'others'), resume: true, updates: 1 };
    await run(options);
    await expect(run({ ...options, phases: [4] })).rejects.toMatchObject({ code: 'CHECKPOINT_MISMATCH' });
  });
});
