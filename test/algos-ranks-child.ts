/**
 * One rank of a run, or a whole run where the launcher's variables are absent:
 * `tsx algos-ranks-child.ts <presets> <folder or -> <updates> [die|other-seed|shard …]`. Presets are separated by commas and
 * run one after the other. Prints what came out of each as one line of JSON.
 */
import { presets as baselines } from '@vlgym/baselines';
import { ProcessGroup, processGroupFromEnvironment } from '@vlgym/gpu/distributed';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import { DataParallelPolicy } from '@vlgym/models';
import { type Preset, type Presets, train, type UpdateRecord } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

const [names, folder, updates, ...words] = process.argv.slice(2) as [string, string, string, ...string[]];
const presets: Presets = { ...baselines, ...gtrTurbo, ...vlDac };
const options = processGroupFromEnvironment();
const group = options && (await ProcessGroup.connect({ ...options, timeout: 200 }));
for (const name of names.split(',')) await run(name);
await group?.close();

async function run(name: string): Promise<void> {
  const preset: Preset = presets[name]!;
  const policy = await smallPolicy({
    seed: 1,
    dtype: 'float64',
    train: { lora: { r: 4, alpha: 8 } },
    ...(group && { group, shardOptimizer: words.includes('shard') }),
  });
  const isActorCritic = 'value' in preset().config;
  const records: UpdateRecord[] = [];
  const environments: number[] = [];
  await train({
    policy,
    algorithm: preset({
      rollout: { maxNewTokens: 3 },
      optimizer: { epochs: 1, batch: 8, microBatch: 2, learningRate: { initial: 1e-3 } },
      ...(isActorCritic && { value: { warmupUpdates: 0 } }),
    }),
    makeEnv: (index) => {
      environments.push(index);
      return new CorridorEnv();
    },
    updates: Number(updates),
    stepsPerUpdate: 16,
    numEnvs: 8,
    seed: words.includes('other-seed') ? 6 : 5,
    ...(folder !== '-' && { folder, resume: true }),
    ...(group && { ranks: group }),
    evaluation: { seeds: [1, 2], every: 2, maxSteps: 5, makeEnv: () => new CorridorEnv() },
    onMetrics: (record) => {
      records.push(record);
      if (words.includes('die') && record.update === 3) process.kill(process.pid, 'SIGKILL');
    },
  });
  const weights = Object.fromEntries([...policy.adapterState()].map(([key, tensor]) => [key, tensor.toNumbers()]));
  const rank = group?.rank ?? 0;
  const messages = policy instanceof DataParallelPolicy ? policy.gradientMessages : undefined;
  const outcome = { rank, digest: await policy.weightsDigest(), weights, records, environments, messages };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  policy.close();
}
