/**
 * One rank of a run, or a whole run where the launcher's variables are absent:
 * `tsx algos-ranks-child.ts <preset> <folder or -> <updates> [die|other-seed|other-picture]`. Prints what came out as one line of JSON.
 */
import { presets as baselines } from '@vlgym/baselines';
import { ProcessGroup, processGroupFromEnvironment } from '@vlgym/gpu';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import { type Preset, type Presets, train, type UpdateRecord } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { CorridorEnv, colorPicture, smallPolicy } from './algos-tasks.js';

const [name, folder, updates, fault] = process.argv.slice(2) as [string, string, string, string | undefined];
const presets: Presets = { ...baselines, ...gtrTurbo, ...vlDac };
const preset: Preset = presets[name]!;
const options = processGroupFromEnvironment();
const group = options && (await ProcessGroup.connect({ ...options, timeout: 60 }));
const policy = await smallPolicy({
  seed: 1,
  dtype: 'float64',
  train: { lora: { r: 4, alpha: 8 } },
  ...(group && { group }),
});
const isActorCritic = 'value' in preset().config;
const records: UpdateRecord[] = [];
await train({
  policy,
  algorithm: preset({
    rollout: { maxNewTokens: 3 },
    optimizer: { epochs: 1, batch: 8, microBatch: 2, learningRate: { initial: 1e-3 } },
    ...(isActorCritic && { value: { warmupUpdates: 0 } }),
  }),
  // a page or a camera that shows this rank something else
  makeEnv: () => new CorridorEnv({ picture: (cell) => colorPicture(fault === 'other-picture' ? cell + 1 : cell) }),
  updates: Number(updates),
  stepsPerUpdate: 16,
  numEnvs: 8,
  seed: fault === 'other-seed' ? 6 : 5,
  ...(folder !== '-' && { folder, resume: true }),
  ...(group && { ranks: group }),
  evaluation: { seeds: [1, 2], every: 2, maxSteps: 5 },
  onMetrics: (record) => {
    records.push(record);
    if (fault === 'die' && record.update === 3) process.kill(process.pid, 'SIGKILL');
  },
});
const weights = Object.fromEntries([...policy.adapterState()].map(([key, tensor]) => [key, tensor.toNumbers()]));
process.stdout.write(
  `${JSON.stringify({ rank: group?.rank ?? 0, digest: await policy.weightsDigest(), weights, records })}\n`,
);
await group?.close();
