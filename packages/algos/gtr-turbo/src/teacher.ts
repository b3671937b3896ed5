/**
 * The teacher of GTR-Turbo and what it is made from: checkpoints of earlier updates, merged; for SFT also every step that it
 * has corrected. Before the first checkpoint the teacher is θ_0.
 */
import { join } from 'node:path';
import { type AlgorithmState, CheckpointDamagedError, type Run } from '@vlgym/rl';
import { isWarmup } from '@vlgym/rl/update';
import { z } from 'zod';
import { DaggerSet, daggerState } from './guidance/dagger-set.js';
import { measureTeacher } from './guidance/measure-teacher.js';
import { AdapterHistory, adapterHistoryState } from './merge/adapter-history.js';
import { mergeIntoTeacher } from './merge/merge-into-teacher.js';
import { type MergeablePolicy, mergeable } from './mergeable-policy.js';
import type { KlConfig, SftConfig } from './options.js';

const savedState = z.object({ checkpoints: adapterHistoryState, dagger: daggerState });

export class Teacher implements AlgorithmState {
  readonly checkpoints: AdapterHistory;
  readonly dagger = new DaggerSet();

  readonly policy: MergeablePolicy;

  /** @throws {PolicyNotMergeableError} */
  constructor(policy: Run['policy'], capacity: number) {
    this.policy = mergeable(policy);
    this.checkpoints = new AdapterHistory(this.policy, capacity);
  }

  async save(folder: string): Promise<z.output<typeof savedState>> {
    return {
      checkpoints: await this.checkpoints.save(join(folder, 'adapters')),
      dagger: await this.dagger.save(join(folder, 'dagger.bin')),
    };
  }

  async load(folder: string, saved: unknown): Promise<void> {
    const state = savedState.safeParse(saved);
    if (!state.success) throw new CheckpointDamagedError(folder, 'the state of the teacher is unreadable', state.error);
    await this.checkpoints.load(join(folder, 'adapters'), state.data.checkpoints);
    await this.dagger.load(join(folder, 'dagger.bin'), state.data.dagger);
  }

  dispose(): void {
    this.checkpoints.dispose();
    this.dagger.dispose();
  }
}

/** Makes the merge of all checkpoints the `teacher` weights of this update. */
export async function updateTeacher(run: Run<KlConfig | SftConfig, Teacher>): Promise<void> {
  const { config, updateIndex, state, rng, metrics } = run;
  if (state.checkpoints.size === 0) return;
  await metrics.timed('merge', async () => {
    const merged = mergeIntoTeacher(state.policy, state.checkpoints.weights, { ...config.merge, rng });
    metrics.setAll({
      'merge/norm-ratio': merged.normRatio,
      'merge/conflict-share': merged.conflictShare,
      'merge/unanimous-share': merged.unanimousShare,
      'merge/cosine-to-latest': merged.cosineToLatest,
    });
  });
  const { measureEvery } = config.guidance;
  if (measureEvery > 0 && updateIndex % measureEvery === 0) await measureTeacher(run);
}

/** Keeps the weights of this update as a checkpoint, unless its epochs did, and lets the teacher go. */
export async function endUpdate(run: Run<KlConfig | SftConfig, Teacher>): Promise<void> {
  const { config, state, metrics } = run;
  if (config.merge.every === 'update' && !isWarmup(run)) await state.checkpoints.append();
  // the next update merges it again, from all checkpoints: until then neither disk nor checkpoints hold it
  state.policy.setTeacher([]);
  metrics.set('merge/checkpoints', state.checkpoints.size);
}
