/** Replay of what the environment does not compute: steps without an action, and the outcome. */
import { describe, expect, it } from 'vitest';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { PictureWalk } from './fixtures/picture-walk.js';
import { play } from './fixtures/play.js';
import { summarize } from './outcome.js';
import { recordEpisode } from './recorder.js';
import { replay } from './replay.js';
import type { TrajectoryStep } from './schema.js';

const recorded = () => play({ seed: 11, record: recordEpisode });
const zeros = `sha256:${'0'.repeat(64)}`;

describe('a step without an action', () => {
  const unread: Partial<TrajectoryStep> = { fallback: true, index: 0, action: undefined, reward: -0.1 };
  const noAction = { boundary: 'parser', code: 'NO_ACTION', message: 'no action' } as const;
  /** The recording with one such step before its own, or alone, and the outcome that the steps have. */
  async function withStep(
    changes: Partial<TrajectoryStep>,
    { alone = false, success }: { alone?: boolean; success?: boolean } = {},
  ) {
    const { steps, outcome, ...trajectory } = await recorded();
    const first: TrajectoryStep = {
      index: 0,
      reward: 0,
      terminated: false,
      truncated: false,
      observation: trajectory.observation,
    };
    const rest = alone ? [] : steps.map((step) => ({ ...step, index: step.index + 1 }));
    const all = [{ ...first, ...changes }, ...rest];
    const claimed = { ...outcome, ...summarize(all), ...(success !== undefined && { success }) };
    const metadata = { successRule: 'default' };
    return replay({ ...trajectory, metadata, steps: all, outcome: claimed }, { env: new PictureWalk() });
  }

  it('confirms that it left the environment alone, with the reward of the rule for unreadable answers', async () => {
    expect(await withStep(unread)).toMatchObject({ ok: true });
    expect(await withStep({})).toMatchObject({ ok: true });
  });

  it('confirms that the rule ended the episode, which then has failed', async () => {
    const ended: Partial<TrajectoryStep> = { ...unread, terminated: true, error: noAction };
    expect(await withStep(ended, { alone: true, success: false })).toMatchObject({ ok: true });
    for (const forged of [ended, { ...ended, error: undefined, reward: 10 }]) {
      expect(await withStep(forged, { alone: true, success: true })).toMatchObject({
        mismatch: { at: 'outcome', field: 'success', recorded: true, replayed: false },
      });
    }
  });

  it.each<[string, Partial<TrajectoryStep>]>([
    ['reward', { reward: 10 }],
    ['terminated', { terminated: true }],
    ['truncated', { truncated: true, truncationReason: 'environment' }],
    ['observation', { observation: { digest: zeros } }],
    ['observation', { ...unread, observation: { digest: zeros } }],
  ])('finds an invented %s', async (field, changes) => {
    expect(await withStep(changes, { alone: true })).toMatchObject({ ok: false, mismatch: { at: 0, field } });
  });

  it('finds a success whose only reward is that of unreadable answers', async () => {
    const bought: Partial<TrajectoryStep> = { ...unread, reward: 10, truncated: true, truncationReason: 'step-limit' };
    expect(await withStep(bought, { alone: true, success: true })).toMatchObject({
      mismatch: { at: 'outcome', field: 'success' },
    });
  });
});

it.each([
  ['return', 1000],
  ['length', 3],
  ['endedBy', 'truncated'],
  ['success', false],
])('finds a false %s in the outcome', async (field, value) => {
  const trajectory = await recorded();
  const { length } = trajectory.steps;
  const metadata = { successRule: 'default' };
  const forged = { ...trajectory, metadata, outcome: { ...trajectory.outcome, [field]: value } };
  expect(await replay(forged, { env: new PictureWalk() })).toMatchObject({
    ok: false,
    steps: length,
    mismatch: { at: 'outcome', field, recorded: value },
  });
});

it("compares the success with the environment's verdict, unless the recording names a rule of its own", async () => {
  const env = new ScriptedEnv({ step: () => ({ terminated: true, info: { success: false } }) });
  const report = async (metadata: object) => {
    const recorder = await recordEpisode({
      env,
      first: await env.reset({ seed: 1 }),
      seed: 1,
      metadata: { ...metadata },
    });
    await recorder.step({ action: 0, result: await env.step(0) });
    return replay(await recorder.end({ success: true }), { env });
  };
  const mismatch = { at: 'outcome', field: 'success', recorded: true, replayed: false };
  expect(await report({})).toMatchObject({ mismatch });
  expect(await report({ successRule: 'default' })).toMatchObject({ mismatch });
  expect(await report({ successRule: zeros })).toMatchObject({ ok: true });
});

it('finds a reward of a step in which the environment fails', async () => {
  const { steps, ...trajectory } = await recorded();
  const [step] = steps;
  const error = { boundary: 'environment', code: 'THREW', message: 'the engine died' } as const;
  const env = new PictureWalk();
  env.step = () => {
    throw new Error('the engine died');
  };
  const forged = { ...step!, observation: undefined, error, reward: 10, terminated: true };
  expect(await replay({ ...trajectory, steps: [forged] }, { env })).toMatchObject({
    mismatch: { at: 0, field: 'reward' },
  });
});
