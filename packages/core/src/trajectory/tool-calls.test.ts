import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkTrajectory } from './check.js';
import { collect } from './fixtures/folder.js';
import { PictureWalk } from './fixtures/picture-walk.js';
import { readTrajectories } from './reader.js';
import { recordEpisode } from './recorder.js';
import { replay } from './replay.js';
import { TrajectoryWriter } from './writer.js';

it('keeps tool calls, reasoning, finish reason, sampling, cached tokens, latency and metadata of a turn', async () => {
  const env = new PictureWalk();
  const first = env.reset({ seed: 5 });
  const recorder = await recordEpisode({ env, first, seed: 5 });
  const toolCalls = [
    { id: 'a', name: 'search', input: { query: 'red' }, output: [1, 2] },
    { id: 'b', name: 'act', input: '{"action": ', error: 'not JSON' },
    { name: 'act', input: { action: 'right' } },
  ];
  const facts = {
    toolCalls,
    reasoning: 'The door is on the right.',
    finishReason: 'tool-calls',
    sampling: { temperature: 0.2 },
    metadata: { plan: ['right'] },
    latencyMs: 12.5,
    usage: { requests: 2, inputTokens: 30, outputTokens: 9, cachedInputTokens: 20, reasoningTokens: 4, cost: 0.1 },
  };
  const step = await recorder.step({ turn: { text: '', ...facts }, action: 1, result: env.step(1) });
  expect(step).toMatchObject(facts);
  const trajectory = await recorder.end();
  expect(await checkTrajectory(trajectory)).toMatchObject({ ok: true });
});

it('reads and replays recordings of the first layout', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-layout-'));
  try {
    const env = new PictureWalk();
    const writer = await TrajectoryWriter.open(folder);
    const recorder = await writer.start({ env, first: env.reset({ seed: 5 }), seed: 5 });
    await recorder.step({ action: 1, result: env.step(1) });
    await recorder.end();
    await writer.close();
    const file = join(folder, 'episodes.jsonl');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('"vlgym.trajectory/2"');
    await writeFile(file, text.replace('vlgym.trajectory/2', 'vlgym.trajectory/1'));
    const [old] = await collect(readTrajectories(folder));
    expect(old!.schema).toBe('vlgym.trajectory/1');
    expect(await replay(old!, { env: new PictureWalk() })).toMatchObject({ ok: true, steps: 1 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
