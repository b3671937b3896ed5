/** Agents that can play on: their names for the page, and how they are asked for. */
import { readdir } from 'node:fs/promises';
import type { AnyAgent } from '@vlgym/agents';
import type { TokenPlace } from '../protocol.js';

/** An answer whose places are asked about. */
export interface TokenQuestion {
  /** Before the answer. */
  readonly context: Parameters<AnyAgent['act']>[0];
  /** The answer, [T]. */
  readonly tokenIds: Int32Array;
  /** The recorded log-probabilities have the same. */
  readonly temperature: number;
  /** Tokens of each place. */
  readonly count: number;
}

export interface OpenedAgent {
  readonly agent: AnyAgent;
  /** Only policies that compute with their weights here. */
  alternatives?(question: TokenQuestion): Promise<readonly TokenPlace[]>;
  close?(): unknown;
}

export interface AgentRequest {
  /** One of `agents`, or `checkpoint-N`: the weights of an update that the run has kept. */
  readonly name: string;
  /** Folder of the run that is looked at. */
  readonly folder: string;
  /** Id of the environment. */
  readonly env: string;
  /** `talk`: it is asked in words, and its answers are held to no form. `tokens`: for its `alternatives`. */
  readonly purpose: 'play' | 'talk' | 'tokens';
}

/** Plays what was recorded. */
export const RECORDED = 'recorded';
/** Ends after the replaced step. */
export const NOBODY = 'nobody';
/** The newest weights of a training run. */
const POLICY = 'policy';
/** They choose actions, and have no words. */
const SILENT = new Set([RECORDED, NOBODY, 'oracle', 'random']);
const CHECKPOINT = /^checkpoint-(\d{1,9})$/;

/** Those that were offered; of a training run also its checkpoints, and its weights of no other folder. */
export async function agentsOf(
  { folder, place }: { readonly folder: string; readonly place: { readonly kind: string } },
  offered: readonly string[],
): Promise<readonly string[]> {
  if (place.kind !== 'training' || !offered.includes(POLICY)) return offered.filter((name) => name !== POLICY);
  const kept = (await readdir(folder).catch(() => [])).filter((name) => CHECKPOINT.test(name));
  const updateOf = (name: string) => Number(CHECKPOINT.exec(name)![1]);
  return [...offered, ...kept.sort((a, b) => updateOf(a) - updateOf(b))];
}

/** Its weights are in a folder: it can say how likely other tokens were. */
export const hasWeights = (name: string): boolean => name === POLICY || CHECKPOINT.test(name);

export const canTalk = (name: string): boolean => !SILENT.has(name);
