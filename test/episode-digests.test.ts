/**
 * Rollouts, evaluations and recordings of fixed seeds have the bytes that they had when evaluation, lock step and servers
 * each kept their own episode: the snapshots were made before they shared one. Changed since: the rule `terminate`, which had two
 * meanings, and task keys of MiniWorld (version 2).
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, type Fallback, speakingAgent } from '@vlgym/agents';
import { rowGenerators } from '@vlgym/agents/model';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { digestObservation, TrajectoryWriter } from '@vlgym/core/trajectory';
import { composeConfig, MetricsTally } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import { Collector, type RolloutSampler } from '@vlgym/rl/rollout';
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

vi.setConfig({ testTimeout: 120_000 });

/** Responses to draw from; the empty and the unreadable ones are for the rule of unreadable answers. */
const RESPONSES: Readonly<Record<string, readonly string[]>> = {
  'gym_cards/NumberLine-v0': acts('+', '-'),
  'gym_cards/Points24-v0': acts('1', '2', '3', '4', '5', '10', '+', '-', '*', '(', ')', '='),
  'vlgym/Blackjack-v1': acts('hit', 'stand'),
  'MiniWorld-OneRoomS6Fast-v0': acts('turn left', 'turn right', 'move forward'),
  'vlgym/ALFWorld-v2': acts('look', 'inventory', 'go to cabinet 1', 'go to fridge 1', 'open fridge 1', 'nothing'),
  'vlgym/WebShop-v1': acts('search[red shoes]', 'click[next >]', 'click[back to search]', 'click[buy now]'),
};

function acts(...actions: readonly string[]): readonly string[] {
  return [...actions.map((action) => JSON.stringify({ thoughts: 'so', action })), 'hm', ''];
}

const sha256 = (data: string) => `sha256:${createHash('sha256').update(data).digest('hex')}`;

const sampler = (responses: readonly string[]): RolloutSampler => ({
  version: 3,
  encode: (messages) => ({ promptIds: Int32Array.of(messages.length), images: [] }),
  async sample(inputs, { rng }) {
    const generators = rowGenerators(rng, inputs.length);
    return inputs.map((_, row) => {
      const text = generators[row]!.choice(responses);
      return {
        text,
        tokenIds: Int32Array.from(text, (letter) => letter.charCodeAt(0)),
        behaviorLogProbs: new Float32Array(text.length).fill(-0.5),
        tokenEnds: Int32Array.from(text, (_letter, index) => index + 1),
        finishReason: 'stop' as const,
        promptTokenIds: Int32Array.of(1),
      };
    });
  },
});

async function recorded(play: (folder: string) => Promise<unknown>): Promise<{ result: string; files: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-digests-'));
  try {
    const result = digestObservation(await play(folder));
    // the index came later, and follows from the episodes
    const isOfEpisodes = (name: string) => name.endsWith('.jsonl') && !name.endsWith('.index.jsonl');
    const names = (await readdir(folder)).filter(isOfEpisodes).sort();
    const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    // environments begin their episodes side by side: the order of their first lines is open
    const lines = files.flatMap((text) => text.split('\n')).sort();
    return { result, files: sha256(lines.join('\n').replace(/"createdBy":\{[^}]*\}/g, '')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rollouts(id: string, fallback: Fallback, folder: string) {
  const environments = await Promise.all([0, 1, 2].map(() => make(id) as Promise<AnyEnv>));
  const config = composeConfig(z.strictObject(commonOptions), { rollout: { fallback } });
  const writer = await TrajectoryWriter.open(folder);
  const open = () =>
    new Collector({
      policy: sampler(RESPONSES[id]!),
      environments,
      config,
      rng: new Generator(5),
      record: (start) => writer.start(start),
    });
  const metrics = new MetricsTally();
  const collector = open();
  const steps = await collector.collectSteps({ stepsPerUpdate: 60, metrics });
  const episodes = await open().collectEpisodes({ stepsPerUpdate: 1, groupSize: 3, stateKeys: true, metrics });
  await writer.close();
  for (const env of environments) await env.close();
  return [steps, episodes];
}

async function evaluation(id: string, fallback: Fallback, folder: string) {
  const { episodes } = await evaluate({
    env: id,
    agent: speakingAgent(({ rng }) => rng.choice(RESPONSES[id]!)),
    seeds: [0, 1, 1, 7],
    maxSteps: 25,
    fallback,
    record: folder,
  });
  return episodes;
}

describe.each(Object.keys(RESPONSES))('%s', (id) => {
  it.each(['illegal-noop', 'random', 'terminate'] as const)('%s', async (fallback) => {
    const digests = {
      rollouts: await recorded((folder) => rollouts(id, fallback, folder)),
      evaluation: await recorded((folder) => evaluation(id, fallback, folder)),
    };
    expect(digests).toMatchSnapshot();
  });
});
