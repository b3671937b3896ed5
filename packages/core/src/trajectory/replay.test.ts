import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { make } from '../registry/make.js';
import { register, unregister } from '../registry/register.js';
import type { EnvSpec } from '../registry/spec/spec.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { checkTrajectory } from './check.js';
import { PictureWalk } from './fixtures/picture-walk.js';
import { play } from './fixtures/play.js';
import { recordEpisode } from './recorder.js';
import { replay } from './replay.js';
import type { Trajectory } from './schema.js';

const ID = 'test/PictureWalk-v0';
beforeAll(() => register({ id: ID, entryPoint: () => new PictureWalk(), maxEpisodeSteps: 5 }));
afterAll(() => unregister(ID));

const recorded = () => play({ seed: 11, record: recordEpisode });
const zeros = `sha256:${'0'.repeat(64)}`;

// biome-ignore lint/suspicious/noExplicitAny: a trajectory that a test falsifies
type Falsify = (trajectory: any) => void;

describe('replay', () => {
  it('confirms a recording, for any seed', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const trajectory = await play({ seed, record: recordEpisode });
      const report = await replay(JSON.parse(JSON.stringify(trajectory)), { env: new PictureWalk() });
      expect(report).toEqual({ ok: true, id: trajectory.id, steps: trajectory.steps.length });
    }
  });

  it('rebuilds the environment with its wrappers, and closes it', async () => {
    const env = await make(ID);
    const first = await env.reset({ seed: 2, options: { start: 1 } });
    const recorder = await recordEpisode({ env, first, seed: 2, options: { start: 1 } });
    for (let i = 0; i < 5; i++) await recorder.step({ action: 0, result: await env.step(0) });
    const trajectory = await recorder.end();
    expect(trajectory.outcome.endedBy).toBe('truncated'); // truncated by the time limit of the registration
    expect(await replay(trajectory)).toMatchObject({ ok: true, steps: 5 });

    const made = new PictureWalk();
    await replay(trajectory, { make: () => made });
    expect(made.closed).toBe(true);
  });

  it('makes the environment without its video recorder', async () => {
    const wrappers = [{ name: 'recordVideo', options: { folder: 'videos' } }, { name: 'timeLimit' }];
    let made: EnvSpec | undefined;
    const make = (spec: EnvSpec) => {
      made = spec;
      return new PictureWalk();
    };
    expect(await replay({ ...(await recorded()), env: { id: ID, wrappers } }, { make })).toMatchObject({ ok: true });
    expect(made).toEqual({ id: ID, wrappers: [{ name: 'timeLimit' }] });
  });

  it.each<[string, Falsify, number | 'reset', string]>([
    [
      'reward',
      (t) => {
        t.steps[3].reward += 1e-12;
      },
      3,
      'reward',
    ],
    [
      'action',
      (t) => {
        t.steps[2].action = 1 - t.steps[2].action;
      },
      2,
      'reward',
    ],
    [
      'action outside the space',
      (t) => {
        t.steps[2].action = 7;
      },
      2,
      'action',
    ],
    [
      'picture',
      (t) => {
        t.steps[4].observation.digest = zeros;
      },
      4,
      'observation',
    ],
    [
      'first picture',
      (t) => {
        t.observation.digest = zeros;
      },
      'reset',
      'observation',
    ],
    [
      'seed',
      (t) => {
        t.seed += 1;
      },
      'reset',
      'observation',
    ],
    [
      'end',
      (t) => {
        t.steps.at(-1).terminated = false;
      },
      10,
      'terminated',
    ],
    ['cut', (t) => Object.assign(t.steps[1], { truncated: true, truncationReason: 'environment' }), 1, 'truncated'],
    [
      'crash',
      (t) => {
        delete t.steps[1].observation;
      },
      1,
      'error',
    ],
  ])('finds a falsified %s', async (_, falsify, at, field) => {
    const trajectory = await recorded();
    falsify(trajectory);
    const report = await replay(trajectory, { env: new PictureWalk() });
    expect(report).toMatchObject({ ok: false, mismatch: { at, field } });
    expect(report.mismatch?.recorded).not.toEqual(report.mismatch?.replayed);
    expect(report.steps).toBe(at === 'reset' ? 0 : at);
  });

  it('ignores truncation by the runner and steps without an action', async () => {
    const env = new PictureWalk();
    const recorder = await recordEpisode({ env, first: env.reset({ seed: 1 }), seed: 1 });
    await recorder.step({ action: 1, result: env.step(1), truncationReason: 'step-limit' });
    await recorder.step({ error: { boundary: 'model', code: 'MODEL_TIMEOUT', message: 'no answer in 60 s' } });
    expect(await replay(await recorder.end(), { env })).toMatchObject({ ok: true, steps: 2 });
  });

  it('accepts recorded crashes and reports others', async () => {
    const crashing = new ScriptedEnv({
      step: () => {
        throw new Error('the engine died');
      },
    });
    const recorder = await recordEpisode({ env: crashing, first: { observation: 0, info: {} }, seed: 1 });
    await recorder.step({ action: 0, error: { boundary: 'environment', code: 'THREW', message: 'the engine died' } });
    const trajectory = await recorder.end();
    expect(await replay(trajectory, { env: crashing })).toMatchObject({ ok: true });
    expect(await replay(trajectory, { env: new ScriptedEnv() })).toMatchObject({
      mismatch: { at: 0, field: 'error', recorded: 'THREW' },
    });
    const died = () => {
      throw new Error('no engine');
    };
    expect(await replay(await recorded(), { env: new ScriptedEnv({ reset: died }) })).toMatchObject({
      mismatch: { at: 'reset', field: 'error', replayed: 'Error: no engine' },
    });
  });

  it('reports what is missing if it cannot start', async () => {
    const { seed: _, ...seedless } = await recorded();
    await expect(replay(seedless, { env: new PictureWalk() })).rejects.toMatchObject({ code: 'NOT_REPLAYABLE' });
    await expect(replay(await recorded())).rejects.toMatchObject({ code: 'NOT_REPLAYABLE' }); // not made with `make`
  });
});

describe('checkTrajectory', () => {
  it('finds no problem in the output of a recorder', async () => {
    expect(await checkTrajectory(await recorded())).toEqual({ ok: true, problems: [] });
  });

  it.each<[string, Falsify, string]>([
    [
      'a return that is not the sum of rewards',
      (t) => {
        t.outcome.return += 1;
      },
      'outcome.return',
    ],
    [
      'a length that is not the number of steps',
      (t) => {
        t.outcome.length = 2;
      },
      'outcome.length',
    ],
    [
      'an end that did not happen',
      (t) => {
        t.outcome.endedBy = 'error';
      },
      'outcome.endedBy',
    ],
    [
      'steps out of order',
      (t) => {
        t.steps[1].index = 5;
      },
      'steps.1.index',
    ],
    [
      'steps after the end',
      (t) => {
        t.steps[1].terminated = true;
      },
      'steps.1',
    ],
    [
      'a truncation without a reason',
      (t) => {
        t.steps.at(-1).truncated = true;
      },
      'steps.10.truncationReason',
    ],
    [
      'a span outside the response',
      (t) => {
        t.steps[0].spans.action = [5, 500];
      },
      'steps.0.spans.action',
    ],
    [
      'a reversed span',
      (t) => {
        t.steps[0].spans.thought = [5, 2];
      },
      'steps.0.spans.thought',
    ],
    [
      'a missing observation',
      (t) => {
        delete t.steps[0].observation;
      },
      'steps.0.observation',
    ],
    ['a fallback without action', fallbackWithoutAction, 'steps.0.fallback'],
    [
      'masks of the wrong length',
      (t) => {
        t.steps[0].tokens = { ids: [1, 2], mask: [1] };
      },
      'steps.0.tokens.mask',
    ],
    [
      'a token in both spans',
      (t) => {
        t.steps[0].tokens = { ids: [1], thoughtMask: [1], actionMask: [1] };
      },
      'steps.0.tokens.thoughtMask',
    ],
    [
      'decreasing token ends',
      (t) => {
        t.steps[0].tokens = { ids: [1, 2], tokenEnds: [4, 2] };
      },
      'steps.0.tokens.tokenEnds',
    ],
    [
      'a value that is not a trajectory',
      (t) => {
        delete t.steps;
      },
      'steps',
    ],
  ])('finds %s', async (_, falsify, path) => {
    const trajectory = await recorded();
    falsify(trajectory);
    const report = await checkTrajectory(trajectory);
    expect(report.ok).toBe(false);
    expect(report.problems.map((problem) => problem.path)).toContain(path);
  });
});

function fallbackWithoutAction({ steps }: Trajectory): void {
  delete steps[0]!.action;
  steps[0]!.fallback = true;
}
