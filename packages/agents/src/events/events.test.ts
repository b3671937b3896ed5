/** Events say which turn of which episode they belong to, by the ids of the recording; reasons of aborts are kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTrajectories } from '@vlgym/core/trajectory';
import { expect, it } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { scriptedAnswers, toolModel } from '../../test-support/tool-model.js';
import { type AnyAgent, evaluate, modelAgent, randomAgent } from '../index.js';
import { streamOf } from '../model/meter.js';
import { type EvaluationEvent, evaluationEvents, type PartEvent, type StepEvent } from './index.js';

const env = () => new CorridorEnv({ length: 4 });
const RIGHT = '{"thoughts": "on", "action": "right"}';

/** A model that streams its answers. */
function streamingModel() {
  const answer = scriptedAnswers([RIGHT], true);
  return Object.assign(toolModel([]), { doStream: async () => ({ stream: streamOf(await answer()) }) });
}

it('steps and parts have id, seed and step of the recording, also side by side and for repeats', async () => {
  const record = await mkdtemp(join(tmpdir(), 'vlgym-events-'));
  try {
    const steps: StepEvent[] = [];
    const parts: PartEvent[] = [];
    const own: object[] = [];
    const agent = modelAgent(streamingModel(), { onPart: (part) => own.push(part) });
    const options = {
      onStep: (step: StepEvent) => void steps.push(step),
      onPart: (part: PartEvent) => void parts.push(part),
    };
    await evaluate({ env, agent, seeds: [0, 1, 0, 2], parallel: 3, record, ...options });
    const recorded = new Map<string, number>();
    for await (const { id, seed, steps: all } of readTrajectories(record)) {
      recorded.set(id, all.length);
      const mine = steps.filter((step) => step.id === id);
      expect(mine.map(({ step }) => step)).toEqual(all.map(({ index }) => index));
      expect(mine.map(({ reward }) => reward)).toEqual(all.map(({ reward }) => reward));
      expect(new Set(mine.map((step) => step.seed))).toEqual(new Set([seed]));
      expect(mine.at(-1)).toMatchObject({ text: RIGHT, actionText: 'right', action: 1, terminated: true });
      const starts = parts.filter((part) => part.id === id && part.type === 'start');
      expect(starts.map(({ step }) => step)).toEqual(all.map(({ index }) => index));
    }
    expect(recorded.size).toBe(4);
    expect(own).toEqual(parts); // the agent's own option gets the same
  } finally {
    await rm(record, { recursive: true, force: true });
  }
});

it('a stream yields steps, parts and episodes, and the result last', async () => {
  const events: EvaluationEvent[] = [];
  const agent = modelAgent(streamingModel());
  for await (const event of evaluationEvents({ env, agent, episodes: 3, parts: true })) events.push(event);
  const of = (type: EvaluationEvent['type']) => events.filter((event) => event.type === type).length;
  const last = events.at(-1)!;
  if (last.type !== 'end') throw new Error('the last event is not the end');
  const turns = last.evaluation.episodes.reduce((sum, { length }) => sum + length, 0);
  expect([of('step'), of('episode'), of('end')]).toEqual([turns, 3, 1]);
  expect(of('part')).toBeGreaterThan(turns);
});

it('leaving the stream stops the evaluation, and its error reaches the reader', async () => {
  let turns = 0;
  const random = randomAgent();
  const agent: AnyAgent = {
    ...random,
    act: (context) => {
      turns += 1;
      return random.act(context);
    },
  };
  for await (const _ of evaluationEvents({ env, agent, episodes: 1000 })) break;
  expect(turns).toBeLessThan(100);
  const broken = evaluationEvents({ env: 'no/Such-v0', agent });
  await expect(broken.next()).rejects.toMatchObject({ code: 'UNKNOWN_ENV' });
});

it('says why it was stopped', async () => {
  const stop = new AbortController();
  const result = await evaluate({
    env,
    agent: randomAgent(),
    episodes: 50,
    signal: stop.signal,
    onStep: ({ seed }) => {
      if (seed === 3) stop.abort(new Error('the user left'));
    },
  });
  expect(result).toMatchObject({ stopped: 'interrupted', stopReason: 'the user left' });
  const model = modelAgent(toolModel([RIGHT], true), { budget: { requests: 2 } });
  const poor = await evaluate({ env, agent: model, episodes: 5 });
  expect(poor).toMatchObject({ stopped: 'budget', stopReason: expect.stringContaining('Request budget exhausted') });
});
