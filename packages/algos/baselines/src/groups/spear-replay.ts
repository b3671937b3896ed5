/** SPEAR's buffer of past successes: whole episodes for a few updates, and the means of groups that they are held against. */
import { join } from 'node:path';
import { type AlgorithmState, CheckpointDamagedError, type RolloutBuffer, type StepRecord } from '@vlgym/rl';
import { decodeSequence, encodeSequence, RecordLog, recordLogState } from '@vlgym/rl/rollout';
import { z } from 'zod';

const episode = z.strictObject({
  /** `updateIndex` of the update that played it. */
  update: z.number().int().nonnegative(),
  return: z.number(),
  /** Its steps in the log. */
  first: z.number().int().nonnegative(),
  length: z.number().int().positive(),
});
type ReplayedEpisode = z.output<typeof episode>;

const savedState = z.strictObject({
  log: recordLogState,
  episodes: z.array(episode),
  means: z.array(z.number()),
});

export interface ReplayLimits {
  readonly capacity: number;
  readonly maxAge: number;
  readonly means: number;
}

export class SuccessReplay implements AlgorithmState {
  readonly #log = new RecordLog();
  #episodes: ReplayedEpisode[] = [];
  /** Mean returns of groups, the newest last. */
  #means: number[] = [];

  constructor(readonly limits: ReplayLimits) {}

  /** Median of the means of groups. */
  get baseline(): number {
    const sorted = this.#means.toSorted((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  }

  addMeans(means: readonly number[]): void {
    this.#means = [...this.#means, ...means].slice(-this.limits.means);
  }

  addEpisode(steps: readonly StepRecord[], sum: number, update: number): void {
    const first = this.#log.size;
    for (const step of steps) this.#log.add(encodeStep(step));
    this.#episodes.push({ update, return: sum, first, length: steps.length });
  }

  /** Forgets what is too old or too much. */
  prune(update: number): void {
    const { capacity, maxAge } = this.limits;
    this.#episodes = this.#episodes.filter((each) => update - each.update <= maxAge).slice(-capacity);
  }

  /**
   * Episodes better than the baseline now, as a buffer, and what each of its steps is better by.
   *
   * @param sampler  The origin of the tokens of this run: where it is another program, replayed ones are corrected too.
   */
  better(sampler: RolloutBuffer['sampler']): { readonly buffer: RolloutBuffer; readonly advantages: Float64Array } {
    const { baseline } = this;
    const kept = this.#episodes.filter((each) => each.return > baseline);
    const steps = kept.flatMap(({ first, length }) =>
      Array.from({ length }, (_, i) => decodeStep(this.#log.at(first + i))),
    );
    const advantages = kept.flatMap((each) => Array<number>(each.length).fill(each.return - baseline));
    const rows = steps.map((_, row) => [row]);
    return {
      buffer: { steps, trajectories: rows, episodes: [], taskKeys: [], ...(sampler && { sampler }) },
      advantages: Float64Array.from(advantages),
    };
  }

  get size(): number {
    return this.#episodes.length;
  }

  async save(folder: string): Promise<z.output<typeof savedState>> {
    const log = await this.#log.save(join(folder, 'successes.bin'));
    return { log, episodes: this.#episodes, means: this.#means };
  }

  async load(folder: string, saved: unknown): Promise<void> {
    const state = savedState.safeParse(saved);
    if (!state.success) throw new CheckpointDamagedError(folder, 'the replay buffer is unreadable', state.error);
    await this.#log.load(join(folder, 'successes.bin'), state.data.log);
    this.#episodes = state.data.episodes;
    this.#means = state.data.means;
  }

  dispose(): void {
    this.#log.dispose();
  }
}

/** The sequence with its mask of thoughts, then old and behavior log-probs as float32. */
function encodeStep({ input, responseIds, thoughtMask, oldLogProbs, behaviorLogProbs }: StepRecord): Uint8Array {
  const numbers = Float32Array.from([...oldLogProbs!, ...behaviorLogProbs]);
  return Buffer.concat([
    encodeSequence({ input, responseIds, labelMask: thoughtMask }),
    new Uint8Array(numbers.buffer),
  ]);
}

function decodeStep(bytes: Uint8Array): StepRecord {
  const { input, responseIds, labelMask: thoughtMask } = decodeSequence(bytes);
  const { length } = responseIds;
  const numbers = new Float32Array(Uint8Array.from(bytes.subarray(bytes.length - 8 * length)).buffer);
  return {
    environment: -1,
    episodeId: 'replay',
    stepIndex: 0,
    policyVersion: -1,
    input,
    text: '',
    responseIds,
    tokenEnds: new Int32Array(length),
    thoughtMask,
    actionMask: thoughtMask.map((bit) => 1 - bit),
    behaviorLogProbs: numbers.subarray(length),
    oldLogProbs: numbers.subarray(0, length),
    entropies: new Float32Array(length),
    parsed: { thought: '', actionText: '', legal: true, formatValid: true, spans: { action: [0, 0] } },
    fallback: false,
    lengthTruncated: false,
    reward: { environment: 0, format: 0 },
    terminated: true,
    truncated: false,
    value: 0,
    nextValue: 0,
  };
}
