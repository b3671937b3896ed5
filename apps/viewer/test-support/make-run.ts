/** Folders as runs leave them, made in a moment: played episodes are real, what an update learned from them is made up. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentTurn, type AnyAgent, evaluate, oracleAgent, randomAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import {
  indexOfSteps,
  indexTrajectory,
  JsonLineAppender,
  type PlacedLine,
  TRAINING_INDEX,
  updateColumnsFile,
  updateFile,
} from '@vlgym/core/internal';
import { FolderImages, readTrajectories, type Trajectory, type TrajectoryWriter } from '@vlgym/core/trajectory';
import '@vlgym/points24';

const ENV = 'vlgym/NumberLine-v1';

/** Plays episodes and records them, as `vlgym eval --record` does. */
export const playInto = (record: string | TrajectoryWriter, agent: AnyAgent, seeds: readonly number[]) =>
  evaluate({ env: () => make(ENV), agent, seeds, record, parallel: 2 });

export interface MadeRun {
  readonly updates?: number;
  /** Updates whose steps are recorded. */
  readonly recorded?: readonly number[];
  readonly seeds?: readonly number[];
  readonly agent?: AnyAgent;
  readonly settings?: object;
  readonly isDone?: boolean;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

export const metricsLine = (update: number): string =>
  `${JSON.stringify({
    update,
    environmentSteps: update * 64,
    metrics: {
      'train/success-rate': update / 100,
      'train/return': update / 10 - 1,
      'loss/policy': 1 / (update + 1),
      ...(update % 5 === 0 && { 'evaluation/success-rate': update / 50 }),
    },
  })}\n`;

/** A training run with curves, records of some updates, and the episodes of its last evaluation. */
export async function makeRun(folder: string, options: MadeRun = {}): Promise<void> {
  const {
    updates = 20,
    recorded = [5, 10],
    seeds = range(6),
    agent = randomAgent(),
    settings = {},
    isDone = true,
  } = options;
  await mkdir(folder, { recursive: true });
  const effective = {
    algorithm: 'vl-dac',
    env: ENV,
    seed: 0,
    updates,
    config: { loss: { clipLow: 0.1 } },
    ...settings,
  };
  await writeFile(join(folder, 'run.json'), JSON.stringify({ typed: {}, effective }));
  await writeFile(
    join(folder, 'metrics.jsonl'),
    range(updates + 1)
      .map(metricsLine)
      .join(''),
  );
  await playInto(join(folder, 'episodes'), agent, seeds);
  await recordUpdates(folder, recorded);
  if (isDone)
    await writeFile(join(folder, 'result.json'), JSON.stringify({ after: [], alarms: ['update 3: KL is high'] }));
}

/** As `vlgym train --record` writes them, with numbers that a test can compute. @param seeds  Default: all that were played. */
export async function recordUpdates(
  folder: string,
  updates: readonly number[],
  seeds?: readonly number[],
): Promise<void> {
  if (updates.length === 0) return;
  const training = join(folder, 'training');
  const images = new FolderImages(join(training, 'images'));
  const reader = readTrajectories(join(folder, 'episodes'));
  const episodes = await JsonLineAppender.open(join(training, 'episodes.jsonl'));
  const episodeIndex = await JsonLineAppender.open(join(training, 'episodes.index.jsonl'));
  const index = await JsonLineAppender.open(join(training, TRAINING_INDEX));
  const played: Trajectory[] = [];
  for await (const trajectory of reader) if (!seeds || seeds.includes(trajectory.seed!)) played.push(trajectory);
  for (const trajectory of played) {
    for (const hash of trajectory.observation.images ?? []) await images.save(await reader.loadImage(hash));
    for (const step of trajectory.steps)
      for (const hash of step.observation?.images ?? []) await images.save(await reader.loadImage(hash));
    const place = await episodes.append(trajectory);
    await episodeIndex.append({ ...indexTrajectory(trajectory, place), after: place.from });
  }
  for (const update of updates) {
    const lines: PlacedLine[] = [];
    let text = '';
    for (const trajectory of played) {
      for (const { index: step } of trajectory.steps) {
        const line = trainingLine(trajectory, step, update);
        const written = `${JSON.stringify(line)}\n`;
        lines.push({ step: line, place: [Buffer.byteLength(text), Buffer.byteLength(written)] });
        text += written;
      }
    }
    await writeFile(join(training, updateFile(update)), text);
    const ends = new Map(played.map(({ id, seed = -1, outcome: { success = false } }) => [id, { seed, success }]));
    const indexed = indexOfSteps(update, lines, ends);
    for (const line of indexed) await index.append(line);
    const columns = columnsOf(lines);
    await writeFile(join(training, updateColumnsFile(update)), columns.map(({ text: each }) => each).join(''));
    for (const line of indexed) {
      const own = columns.filter(({ episode }) => episode === line.id);
      await index.append({ ...line, columns: own.map(({ place }) => place) });
    }
  }
  for (const each of [episodes, episodeIndex, index]) await each.close();
}

/** As they are written once an update is done: every log-prob has grown by a tenth. */
function columnsOf(lines: readonly PlacedLine[]) {
  let from = 0;
  return lines.map(({ step: { episode, step, logProbs } }) => {
    const logProbsAfter = (logProbs as number[]).map((value) => value + 0.1);
    const text = `${JSON.stringify({ schema: 'vlgym.training-columns/1', episode, step, logProbsAfter })}\n`;
    const place = [from, Buffer.byteLength(text)] as const;
    from += place[1];
    return { episode, text, place };
  });
}

/** Rollouts in one group. */
const GROUP = 4;
const WORDS = ['{"thoughts"', ': "go on"', ', "action"', ': "+"}'];

function trainingLine({ id, seed = 0, steps, observation }: Trajectory, step: number, update: number) {
  const { reward, terminated, truncated } = steps[step]!;
  const seen = step === 0 ? observation : steps[step - 1]!.observation;
  const ends = WORDS.map((_, token) => WORDS.slice(0, token + 1).join('').length);
  const isLast = step === steps.length - 1;
  return {
    schema: 'vlgym.training-step/1',
    ...{ update, episode: id, step, environment: 0, policyVersion: update, group: Math.floor(seed / GROUP) },
    pictures: seen?.images ?? [],
    text: WORDS.join(''),
    ...{ tokenIds: [11, 12, 13, 14], tokenEnds: ends, thoughtMask: [1, 1, 0, 0], actionMask: [0, 0, 1, 1] },
    ...{
      behaviorLogProbs: [-0.1, -0.2, -0.3, -0.5],
      logProbs: [-0.1, -0.25, -0.3, -0.4],
      entropies: [0.5, 0.6, 0.7, 0.8],
    },
    ...{ referenceLogProbs: [-0.1, -0.2, -0.2, -0.3], referenceKl: [0, 0.001, 0.005, 0.005] },
    ...{ teacherLogProbs: [-0.1, -0.1, -0.1, -0.2], teacherKl: [0, 0.01, 0.02, 0.02] },
    ...{ sightGray: [0, 0.1, 0, 1.5], sightWrong: [0, 0.2, 0, 2.5] },
    ...{ thought: 'go on', action: '+', legal: true, fallback: false },
    reward: { environment: reward, format: -0.05 },
    ...{ value: 0.25, nextValue: 0.5, terminated: isLast && terminated, truncated: isLast && truncated },
    ...{ advantage: step - 0.5, return: 0.75, inPolicyLoss: true },
  };
}

/** Calls a tool in every turn; in the second one its server is gone. */
export const toolAgent: AnyAgent = {
  name: 'tools',
  act: async (context): Promise<AgentTurn> => {
    const turn = await oracleAgent().act(context);
    const isGone = context.stepIndex === 1;
    const call = { name: 'look_up', input: { place: 'target' } };
    if (!isGone)
      return {
        ...turn,
        text: 'I look it up.',
        reasoning: 'The target is on the right.',
        toolCalls: [{ ...call, output: 'right' }],
      };
    const message = 'The server of look_up answered 503.';
    return {
      text: 'I look it up again.',
      toolCalls: [{ ...call, error: message }],
      error: { boundary: 'tool', code: 'TOOL_FAILED', message },
      usage: { requests: 2, inputTokens: 120, outputTokens: 8, cost: 0 },
    };
  },
};
