/**
 * The shell around an algorithm: updates, evaluation, metrics, alarms, checkpoints, resuming.
 *
 * One run is a function of its options: equal seeds give equal metrics but for those under `time/`, and a run killed
 * at any moment continues from its last checkpoint as if nothing had happened (`docs/specs/algorithms.md` 15.14 and 18).
 */
import { GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { alarmLimits } from '../diagnostics/alarms.js';
import { MetricsTally } from '../diagnostics/metrics.js';
import { rolloutMetrics, sampledDiagnostics } from '../diagnostics/rollout-metrics.js';
import { correctionMetrics } from '../losses/correction.js';
import type { RolloutBuffer } from '../rollout/record.js';
import { evaluatePolicy, playSeeds } from './evaluation.js';
import { checkPhases } from './phases.js';
import { isFirst } from './ranks.js';
import { Trainer } from './trainer.js';
import type { TrainOptions, UpdateRecord } from './types.js';

export interface TrainReport {
  /** Updates done, those before a resume included. */
  readonly updates: number;
  readonly environmentSteps: number;
  /** Distinct `info.taskKey` of all training episodes, those before a resume included, in the order they were met. */
  readonly taskKeys: readonly string[];
  /** The last record of this call, if any. */
  readonly last: UpdateRecord | undefined;
  /** The signal stopped the run before its last update. */
  readonly stopped: boolean;
}

const TRAIN_OPTIONS = names<TrainOptions>({
  policy: 0,
  algorithm: 0,
  makeEnv: 0,
  phases: 0,
  openSource: 0,
  updates: 0,
  stepsPerUpdate: 0,
  numEnvs: 0,
  seed: 0,
  evaluation: 0,
  folder: 0,
  resume: 0,
  checkpoint: 0,
  ratioTolerance: 0,
  record: 0,
  onTrajectory: 0,
  wantsTrajectory: 0,
  onTask: 0,
  onTargets: 0,
  onMetrics: 0,
  onAlarm: 0,
  ranks: 0,
  signal: 0,
});

/**
 * Trains `policy` in place.
 *
 * @throws {GymError} `INVALID_OPTION`, `FOLDER_IN_USE`, `FOLDER_LOCKED`, `CHECKPOINT_MISMATCH`, `CHECKPOINT_DAMAGED`, `NO_DIALOGUE`, `ENVIRONMENT_FAILED`.
 */
export async function train(options: TrainOptions): Promise<TrainReport> {
  checkNames('options', options, TRAIN_OPTIONS);
  checkOptions(options);
  checkPhases(options);
  const { policy, algorithm, updates, stepsPerUpdate, checkpoint, onTargets, signal, ranks } = options;
  const evaluation = isFirst(options) ? options.evaluation : undefined;
  const { config } = algorithm;
  const trainer = await Trainer.open(options);
  try {
    if (evaluation && trainer.update === 0) {
      const metrics = new MetricsTally();
      await evaluatePolicy(options, evaluation, 0, metrics);
      await trainer.report(metrics, []);
    }
    while (trainer.update < updates) {
      signal?.throwIfAborted();
      const metrics = new MetricsTally();
      const began = performance.now();
      await trainer.enterPhaseOf(trainer.update);
      await policy.forgetPrompts?.();
      const { update: updateIndex, collector, rng, state } = trainer;
      const version = policy.version;
      const buffer = await algorithm.update({
        policy,
        config,
        updateIndex,
        collector,
        stepsPerUpdate,
        rng,
        state,
        metrics,
        signal,
        ...(onTargets && {
          onTargets: (batch, targets) => onTargets({ update: updateIndex + 1, buffer: batch, targets }),
        }),
        ...(evaluation && { playFixedSeeds: (weights) => playSeeds(options, evaluation, weights) }),
      });
      if (ranks) await metrics.combine(ranks);
      trainer.update += 1;
      trainer.environmentSteps += stepsOf(buffer);
      for (const key of buffer.taskKeys) trainer.taskKeys.add(key);

      await metrics.timed('diagnostics', async () => {
        rolloutMetrics(buffer, version, metrics);
        correctionMetrics(buffer, config, metrics);
        metrics.setAll(alarmLimits(policy, config, options.ratioTolerance));
        await sampledDiagnostics(policy, buffer, config, metrics);
      });
      metrics.set('time/update', (performance.now() - began) / 1000);
      const isLast = trainer.update === updates;
      if (evaluation && (isLast || trainer.update % (evaluation.every ?? 1) === 0)) {
        await evaluatePolicy(options, evaluation, trainer.update, metrics);
      }
      tokenCounts(buffer, metrics);
      await trainer.report(metrics, buffer.episodes);
      if (isLast || trainer.update % (checkpoint?.every ?? 1) === 0) await trainer.save();
    }
    return reportOf(trainer, false);
  } catch (error) {
    if (!signal?.aborted) throw error;
    return reportOf(trainer, true);
  } finally {
    await trainer.close();
  }
}

const reportOf = ({ update, environmentSteps, taskKeys, last }: Trainer, stopped: boolean): TrainReport => ({
  updates: update,
  environmentSteps,
  taskKeys: [...taskKeys],
  last,
  stopped,
});

/** Steps that environments have played for it, those of forks included. */
const stepsOf = ({ steps, forks = [] }: RolloutBuffer): number =>
  forks.reduce((sum, fork) => sum + fork.steps.length, steps.length);

function tokenCounts({ steps }: RolloutBuffer, metrics: MetricsTally): void {
  const sampled = steps.reduce((sum, step) => sum + step.responseIds.length, 0);
  const read = steps.reduce((sum, step) => sum + step.input.promptIds.length, 0);
  metrics.setAll({ 'tokens/sampled': sampled, 'tokens/read': read });
  const seconds = metrics.toMetrics()['time/sample'] ?? 0;
  if (seconds > 0) metrics.set('time/tokens-sampled-per-second', sampled / seconds);
}

function checkOptions({ updates, stepsPerUpdate, numEnvs, seed }: TrainOptions): void {
  const refuse = (name: string, value: unknown, expected: string) => {
    throw new GymError(`The option \`${name}\` cannot be ${value}.`, { code: 'INVALID_OPTION', value, expected });
  };
  const isPositive = (value: number) => Number.isSafeInteger(value) && value >= 1;
  if (!isPositive(updates)) refuse('updates', updates, 'an integer >= 1');
  if (!isPositive(numEnvs)) refuse('numEnvs', numEnvs, 'an integer >= 1');
  if (!Number.isSafeInteger(seed) || seed < 0) refuse('seed', seed, 'a non-negative integer');
  if (!isPositive(stepsPerUpdate) || stepsPerUpdate % numEnvs !== 0) {
    refuse('stepsPerUpdate', stepsPerUpdate, `a positive multiple of numEnvs = ${numEnvs}`);
  }
}
