/** A rollout buffer while it is filled. */
import { type EpisodeSummary, INVALID_REWARD } from '@vlgym/agents/episode';
import type { RolloutBuffer, StepRecord } from './record.js';
import { NoValidRewardError } from './step-reward.js';

export class BufferBuilder {
  readonly #steps: StepRecord[] = [];
  readonly #trajectories = new Map<number | string, number[]>();
  readonly #episodes: EpisodeSummary[] = [];
  readonly #taskKeys = new Set<string>();

  get size(): number {
    return this.#steps.length;
  }

  /** @param trajectory  Equal for steps that follow each other: an environment, or an episode. */
  add(trajectory: number | string, step: StepRecord, taskKey: string | undefined): void {
    const rows = this.#trajectories.get(trajectory);
    if (rows) rows.push(this.#steps.length);
    else this.#trajectories.set(trajectory, [this.#steps.length]);
    this.#steps.push(step);
    if (taskKey !== undefined) this.#taskKeys.add(taskKey);
  }

  addEpisode(episode: EpisodeSummary): void {
    this.#episodes.push(episode);
  }

  /** @throws {NoValidRewardError} Every step gave an invalid reward. */
  build(): RolloutBuffer {
    const steps = this.#steps;
    const isInvalid = ({ error }: StepRecord) => error?.code === INVALID_REWARD;
    if (steps.length > 0 && steps.every(isInvalid)) throw new NoValidRewardError(steps.length, steps[0]!.error);
    return {
      steps,
      trajectories: [...this.#trajectories.values()],
      episodes: this.#episodes,
      taskKeys: [...this.#taskKeys],
    };
  }
}

/** Several buffers as one; groups stay separate. */
export function joinBuffers(buffers: readonly RolloutBuffer[]): RolloutBuffer {
  const steps: StepRecord[] = [];
  const trajectories: (readonly number[])[] = [];
  let groups = 0;
  for (const buffer of buffers) {
    const offset = steps.length;
    const firstGroup = groups;
    for (const step of buffer.steps) {
      groups = Math.max(groups, firstGroup + (step.group ?? 0) + 1);
      steps.push(step.group === undefined ? step : { ...step, group: firstGroup + step.group });
    }
    for (const rows of buffer.trajectories) trajectories.push(rows.map((row) => offset + row));
  }
  return {
    steps,
    trajectories,
    episodes: buffers.flatMap(({ episodes }) => episodes),
    taskKeys: [...new Set(buffers.flatMap(({ taskKeys }) => taskKeys))],
    ...(buffers.some(({ sampler }) => sampler === 'remote') && { sampler: 'remote' as const }),
  };
}
