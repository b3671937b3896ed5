/** Weights on an environment that did not train them, or their habits: `vlgym eval` in a process of its own, whose episodes are kept. */
import { fork } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readEvaluation } from '@vlgym/agents/results';
import { GymError } from '@vlgym/core';
import { sha256OfFile, writeFileAtomic } from '@vlgym/core/internal';
import { BIN } from '../../bin.js';
import { jsonIn } from '../../folders/text-file.js';
import { weightsIn } from '../../folders/weights.js';
import { errorLine } from '../../processes/error-line.js';
import type { Judged } from '../../report/transfer.js';
import { outcomesOf } from '../evaluation/evaluate-policy.js';
import { judgmentOfTask } from '../evaluation/judgment.js';
import type { CompleteTask } from '../settings/settings.js';
import { splitsOf } from '../task-separation/splits.js';

/** An evaluation on another environment ended before its last episode, or has one that does not count. */
export class NotJudgedError extends GymError {
  constructor(folder: string, env: string, reason: string) {
    super(`The policy could not be judged on ${env}: ${reason}.`, {
      code: 'NOT_JUDGED',
      value: folder,
      expected: 'every episode played and counted',
      hint: `see ${join(folder, 'judge.log')}; the same command again continues it`,
    });
  }
}

/** A run or a warm start, or a recording: the actions of its solved episodes are played without looking. */
export type Player = { readonly weights: string } | { readonly like: string };

export interface JudgeOptions {
  readonly player: Player;
  /** The task whose held-out side is played, with its own sampling, length of answers and rule. */
  readonly task: CompleteTask;
  /** Where the episodes go. What is there of the same evaluation is kept. */
  readonly folder: string;
  /** Threads of libtorch. */
  readonly threads: number;
  readonly signal: AbortSignal;
}

/** @throws {NotJudgedError} Also if some episodes do not count: without them other tasks would be compared. */
export async function judge({ player, task, folder, threads, signal }: JudgeOptions): Promise<Judged> {
  const config = configOf(player, task, folder);
  const [file, played] = [join(folder, 'judge.json'), join(folder, 'player.json')];
  const digests = await digestsOf(player);
  const isSame = isDeepStrictEqual([await jsonIn(file), await jsonIn(played)], [config, digests]);
  if (!isSame) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFileAtomic(played, JSON.stringify(digests));
  await writeFileAtomic(file, JSON.stringify(config, null, 2));
  const reason = await run(file, join(folder, 'judge.log'), threads, signal);
  const { cells } = await readEvaluation(folder).catch(() => ({ cells: [] }));
  const [cell] = cells;
  const episodes = cell ? outcomesOf(cell.episodes) : [];
  const planned = task.evaluationEpisodes;
  if (episodes.length < planned || reason !== undefined) {
    const counted = `${episodes.length} of ${planned} episodes count`;
    throw new NotJudgedError(folder, task.env, cell?.failures[0]?.message ?? reason ?? counted);
  }
  return { episodes, legalRate: cell?.scores?.legalRate };
}

/** Names the player by content: a run that went on has other weights under the same name. */
async function digestsOf(player: Player): Promise<Readonly<Record<string, string>>> {
  const folder = 'weights' in player ? (await weightsIn(player.weights)).folder : player.like;
  const isPart = (name: string) => ('weights' in player ? name.endsWith('.safetensors') : name === 'episodes.jsonl');
  const names = (await readdir(folder)).filter(isPart).sort();
  const digests = names.map(async (name) => [name, await sha256OfFile(join(folder, name))] as const);
  return Object.fromEntries(await Promise.all(digests));
}

/** The options of `vlgym eval`. */
function configOf(player: Player, task: CompleteTask, folder: string) {
  const { fallback, temperature, maxNewTokens, constrain } = judgmentOfTask(task);
  const { device } = task;
  return {
    ...{ env: task.env, import: task.import, envOptions: { ...task.envOptions, ...splitsOf(task).test } },
    ...('weights' in player
      ? { agent: 'policy', ...player, ...(device !== undefined && { device }), temperature, maxNewTokens, constrain }
      : { agent: 'blind', ...player }),
    fallback,
    ...{ episodes: task.evaluationEpisodes, seed: task.evaluationFirstSeed, parallel: 64 },
    ...{ record: folder, resume: true },
  };
}

/** @returns The reason why it has failed. */
async function run(config: string, log: string, threads: number, signal: AbortSignal): Promise<string | undefined> {
  const child = fork(BIN, ['eval', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, VLGYM_NUM_THREADS: String(threads) },
    signal,
    killSignal: 'SIGTERM',
  });
  const output: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  }
  const code = await new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('error', () => {}); // an aborted child is closed, too
    child.once('close', (exit, killer) => resolve(killer ?? exit));
  });
  await writeFileAtomic(log, output.join(''));
  if (code === 0) return undefined;
  return typeof code === 'string' ? `killed by ${code}` : (errorLine(output.join('')) ?? `exit code ${code}`);
}
