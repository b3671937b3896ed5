/**
 * A training whose episodes come from a queue: in this process, or on `vlgym worker` processes through Redis; sampled by the
 * learner or by serving engines. Everything else of the run stays as it is.
 */
import { join, resolve } from 'node:path';
import { GymError, specToJson } from '@vlgym/core';
import type { VlmPolicy } from '@vlgym/models';
import type { LedgerIdentity, Orchestrator, QueueSourceOptions, RolloutQueue } from '@vlgym/queue';
import type { SamplerDefinition } from '@vlgym/queue/redis';
import type { Algorithm } from '@vlgym/rl';
import type { EpisodeSummary, OpenSource } from '@vlgym/rl/rollout';
import { environment } from '../experiment/evaluation/evaluate-policy.js';
import { isModelFolder } from '../experiment/policy.js';
import type { CompleteTask } from '../experiment/settings/settings.js';
import { splitsOf } from '../experiment/task-separation/splits.js';
import { jsonIn } from '../folders/text-file.js';
import { loadQueue } from '../load-queue.js';
import { type QueueChoices, runNameFrom, withoutPassword } from './options.js';
import { openSampling, type Sampling } from './sampling.js';

export interface QueueRunOptions {
  readonly choices: QueueChoices;
  readonly task: CompleteTask;
  readonly algorithm: Algorithm;
  readonly seed: number;
  readonly folder: string;
  readonly policy: VlmPolicy;
  readonly say: (line: string) => void;
  readonly onEpisode: (episode: EpisodeSummary) => void;
  readonly isComplete: () => boolean;
}

/** Algorithm options that affect rollouts. */
const groupSizeOf = ({ config }: Algorithm): number =>
  (config as { readonly group?: { readonly size: number } }).group?.size ?? 1;

/** For `train({ openSource })`. */
export function queueSource(options: QueueRunOptions): OpenSource {
  return options.choices.replayLedger === undefined
    ? () => openPlayed(options)
    : () => openReplay(options, options.choices.replayLedger!);
}

async function openPlayed(options: QueueRunOptions) {
  const { choices, task, algorithm, seed, folder, policy, say } = options;
  const queues = await loadQueue();
  const makeEnv = environment(task, splitsOf(task).train);
  const template = await makeEnv();
  const { spec, dialogue } = template;
  await template.close();
  const sampling = await openSampling({ task, policy, folder, choices, makeEnv, say });
  const home = join(folder, 'queue');
  // a run that continues keeps its name, also where its folder has moved
  const run = choices.run ?? String((await identityIn(home))?.run ?? runNameFrom(folder));
  const path = resolve(choices.blobs ?? join(home, 'blobs'));
  const blobs = new queues.FolderBlobs(path);
  const { maxStaleness = 0 } = choices;
  const groupSize = groupSizeOf(algorithm);
  const identity: LedgerIdentity = {
    run,
    seed,
    env: specToJson(spec!),
    groupSize,
    episodesPerRound: task.numEnvs,
    maxStaleness,
    sampler: choices.redis !== undefined || choices.sampler || maxStaleness > 0 ? 'remote' : 'in-process',
  };
  const ledger = await queues.LedgerFile.open(home, identity);
  let queue: RolloutQueue | undefined;
  let orchestrator: Orchestrator;
  try {
    const player = { sampler: definitionOf(options, sampling) };
    queue =
      choices.redis === undefined
        ? new queues.MemoryQueue({ player: playerOf(queues, options, sampling), blobs, concurrency: task.numEnvs })
        : new queues.RedisQueue({
            url: choices.redis,
            run,
            owner: ledger.id,
            blobs,
            definition: queues.definitionToJson({ env: spec!, seed, player }),
          });
    orchestrator = await queues.Orchestrator.open({
      queue,
      ledger,
      blobs,
      plan: { run, seed, groupSize },
      maxStaleness,
      maxOpen: (maxStaleness + 1) * task.numEnvs,
      onEvent: (event) => say(JSON.stringify(event)),
    });
  } catch (error) {
    await queue?.close();
    await ledger.close();
    await sampling.close();
    throw error;
  }
  if (choices.redis !== undefined) {
    const model = isModelFolder(task.model) ? ` --model ${task.model}` : '';
    say(`workers: vlgym worker --redis ${withoutPassword(choices.redis)} --run ${run} --blobs ${path}${model}`);
  }
  return sourceOf(queues, options, {
    orchestrator,
    blobs,
    dialogue: dialogue!,
    identity,
    publish: (version) => sampling.publish(version),
    onClose: () => sampling.close(),
  });
}

/** The player of this process. */
function playerOf(queues: Queues, { task, algorithm, seed }: QueueRunOptions, { sampler }: Sampling) {
  const makeEnv = environment(task, splitsOf(task).train);
  return new queues.SamplerPlayer({ makeEnv, sampler, config: algorithm.config, stateKeys: true, runSeed: seed });
}

/** The run definition for workers in other processes. */
function definitionOf({ task, algorithm }: QueueRunOptions, { urls, engine, codec }: Sampling): SamplerDefinition {
  const { rollout, reward } = algorithm.config;
  return {
    engine,
    urls: [...urls],
    ...(!isModelFolder(task.model) && { preset: task.model }),
    tokenizerSha256: codec.tokenizerSha256,
    rollout,
    reward,
    stateKeys: true,
  };
}

/** Learns from a ledger again: the same metrics, bit for bit, without playing. */
async function openReplay(options: QueueRunOptions, from: string) {
  const { choices, task, algorithm, seed } = options;
  const queues = await loadQueue();
  const home = join(from, 'queue');
  const identity = await identityIn(home);
  if (!identity) throw new LedgerMissingError(home);
  const template = await environment(task, splitsOf(task).train)();
  const { spec, dialogue } = template;
  await template.close();
  const wanted = { seed, env: specToJson(spec!), groupSize: groupSizeOf(algorithm), episodesPerRound: task.numEnvs };
  for (const [name, value] of Object.entries(wanted)) {
    if (identity[name] !== value) throw new ReplayDiffersError(name, identity[name], value);
  }
  const ledger = new queues.MemoryLedger();
  for (const record of (await queues.readLedger(join(home, 'ledger.jsonl'))).values()) await ledger.append(record);
  const blobs = new queues.FolderBlobs(resolve(choices.blobs ?? join(home, 'blobs')));
  const plan = { run: String(identity.run), seed, groupSize: wanted.groupSize };
  const orchestrator = await queues.Orchestrator.open({ queue: new queues.ReplayQueue(), ledger, plan });
  return sourceOf(queues, options, { orchestrator, blobs, dialogue: dialogue!, identity });
}

type Queues = Awaited<ReturnType<typeof loadQueue>>;
type SourceParts = Pick<QueueSourceOptions, 'orchestrator' | 'blobs' | 'dialogue' | 'publish' | 'onClose'> & {
  readonly identity: LedgerIdentity;
};

function sourceOf(queues: Queues, options: QueueRunOptions, { identity, ...parts }: SourceParts) {
  const { policy, task, onEpisode, isComplete } = options;
  const { run: _, ...lasting } = identity;
  return new queues.QueueSource({
    ...parts,
    policy,
    groupSize: Number(identity.groupSize),
    episodesPerRound: task.numEnvs,
    maxStaleness: Number(identity.maxStaleness),
    sampler: identity.sampler === 'remote' ? 'remote' : 'in-process',
    identity: lasting,
    onEpisode,
    isComplete,
  });
}

const identityIn = async (home: string) => (await jsonIn(join(home, 'run.json'))) as LedgerIdentity | undefined;

/** No run with a queue was here. */
class LedgerMissingError extends GymError {
  constructor(home: string) {
    super(`Missing ledger: ${join(home, 'run.json')}.`, {
      code: 'LEDGER_MISSING',
      value: home,
      expected: 'the folder of a run that took its episodes from a queue',
      hint: 'runs with --redis, --sampler or --max-staleness keep one',
    });
  }
}

/** The ledger holds episodes of a run with other settings. */
class ReplayDiffersError extends GymError {
  constructor(name: string, found: unknown, wanted: unknown) {
    super(`The ledger was written with ${name} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}.`, {
      code: 'REPLAY_DIFFERS',
      value: wanted,
      expected: `${name} ${JSON.stringify(found)}`,
      hint: 'replay with the settings of the original run; its run.json has them',
    });
  }
}
