/** The player of a worker: the agent or the sampler that the run announces. */
import { oracleAgent, randomAgent } from '@vlgym/agents';
import { makeFromUntrustedSpec } from '@vlgym/core';
import type { EpisodePlayer } from '@vlgym/queue';
import type { RunDefinition, SamplerDefinition } from '@vlgym/queue/redis';
import { composeConfig } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import { z } from 'zod';
import { UsageError } from '../command-line/usage-error.js';
import { importUserCode } from '../imports.js';
import { loadQueue } from '../load-queue.js';
import { enginesOf, samplerKey, TokenizerDiffersError } from './engines.js';

/** How long one try of an episode waits for servers that are started again. */
const ABSENT_MS = 60_000;

/** The export that a file given by `--player` must have. */
export type OpenPlayer = (run: RunDefinition) => EpisodePlayer | Promise<EpisodePlayer>;

export interface WorkerChoices {
  /** Name of the worker, and of its requests. */
  readonly name: string;
  /** File of the user with `openPlayer`. */
  readonly player?: string | undefined;
  /** Model folder on this machine. */
  readonly model?: string | undefined;
  /** Addresses of the engines as this machine knows them. */
  readonly sampler?: readonly string[] | undefined;
}

export interface WorkerPlayer {
  readonly player: EpisodePlayer;
  /** Called with the version of the newest weights. */
  onPolicy(version: number): void;
}

export async function openWorkerPlayer(run: RunDefinition, choices: WorkerChoices): Promise<WorkerPlayer> {
  const { env, player, seed } = run;
  const unversioned = { onPolicy: () => {} };
  if (choices.player !== undefined) return { player: await playerOfFile(choices.player, run), ...unversioned };
  if (typeof player === 'object' && 'sampler' in player) return sampled(run, player.sampler, choices);
  if (typeof player !== 'string') {
    throw new UsageError('This run needs a custom player.', {
      hint: 'pass the file of its player with --player FILE',
    });
  }
  const { AgentPlayer } = await loadQueue();
  const agent = player === 'random' ? randomAgent() : oracleAgent();
  // the run comes from the network: it may name environments, not files or programs
  const makeEnv = () => makeFromUntrustedSpec(env);
  return { player: new AgentPlayer({ makeEnv, agent, runSeed: seed }), ...unversioned };
}

async function playerOfFile(file: string, run: RunDefinition): Promise<EpisodePlayer> {
  const { openPlayer } = (await importUserCode(file)) as { openPlayer?: OpenPlayer };
  if (typeof openPlayer === 'function') return openPlayer(run);
  throw new UsageError(`${file} does not export \`openPlayer\`.`, {
    expected: 'a function that takes a run and returns a player',
  });
}

async function sampled(
  { env, seed }: RunDefinition,
  definition: SamplerDefinition,
  choices: WorkerChoices,
): Promise<WorkerPlayer> {
  // tokenizers take a while to load; workers of agents need none. No tensor is made, so libtorch stays away
  const { openTokenCodec } = await import('@vlgym/models');
  const { adapterName, RemoteSampler, Replicas, SamplerPlayer } = await loadQueue();
  const { preset } = definition;
  const { name, model, sampler: given } = choices;
  if (preset === undefined && model === undefined) {
    throw new UsageError('This run needs --model FOLDER.', { hint: 'the model folder that the learner trains' });
  }
  const codec = await openTokenCodec(model === undefined ? { preset: preset! } : { model });
  if (codec.tokenizerSha256 !== definition.tokenizerSha256) {
    throw new TokenizerDiffersError(codec.tokenizerSha256, definition.tokenizerSha256);
  }
  // the key goes only where this machine was configured to send it, not where the network says
  const engines = await enginesOf(definition.engine, given ?? definition.urls, given && samplerKey());
  const replicas = new Replicas(engines, { absentMs: ABSENT_MS });
  let version = 0;
  const player = new SamplerPlayer({
    makeEnv: () => makeFromUntrustedSpec(env),
    sampler: new RemoteSampler({ replicas, codec, model: () => adapterName(version), name }),
    config: composeConfig(z.strictObject(commonOptions), { rollout: definition.rollout, reward: definition.reward }),
    stateKeys: definition.stateKeys,
    runSeed: seed,
  });
  return {
    player,
    onPolicy: (newest) => {
      version = newest;
    },
  };
}
