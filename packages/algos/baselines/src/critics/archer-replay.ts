/**
 * ArCHer's replay buffer: the prompts of past steps, to be answered again, and what the old answers led to.
 *
 * Hidden states are those of the frozen reference, so what is stored stays true while the policy moves. Records are on disk.
 */
import { join } from 'node:path';
import { type AlgorithmState, CheckpointDamagedError, type ModelInput, type StepRecord } from '@vlgym/rl';
import { decodeSequence, encodeSequence, RecordLog, recordLogState } from '@vlgym/rl/rollout';
import { z } from 'zod';
import { savedCritic, type Transition, TwinCritic } from './archer-critic.js';

const savedState = z.strictObject({
  prompts: recordLogState,
  transitions: recordLogState,
  critic: savedCritic.nullable(),
});

export class ArcherState implements AlgorithmState {
  /** Absent until the first buffer says how hidden states are spread. */
  critic: TwinCritic | undefined;
  readonly #prompts = new RecordLog();
  readonly #transitions = new RecordLog();

  /** @param capacity  Steps that are drawn from: the newest. */
  constructor(readonly capacity: number) {}

  get size(): number {
    return Math.min(this.#transitions.size, this.capacity);
  }

  add({ input, responseIds }: StepRecord, { reward, terminated, state, answered, next }: Transition): void {
    this.#prompts.add(encodeSequence({ input, responseIds, labelMask: new Uint8Array(responseIds.length) }));
    const numbers = Float32Array.from([reward, terminated ? 1 : 0, ...state, ...answered, ...next]);
    this.#transitions.add(new Uint8Array(numbers.buffer));
  }

  /** @param index  From 0, the oldest that is kept, to `size` - 1. */
  transition(index: number): Transition {
    const bytes = this.#transitions.at(this.#place(index));
    // a copy begins where a float may begin
    const numbers = new Float32Array(Uint8Array.from(bytes).buffer);
    const width = (numbers.length - 2) / 3;
    const part = (n: number) => numbers.subarray(2 + n * width, 2 + (n + 1) * width);
    return { reward: numbers[0]!, terminated: numbers[1] === 1, state: part(0), answered: part(1), next: part(2) };
  }

  prompt(index: number): ModelInput {
    return decodeSequence(this.#prompts.at(this.#place(index))).input;
  }

  async save(folder: string): Promise<z.output<typeof savedState>> {
    return {
      prompts: await this.#prompts.save(join(folder, 'replay-prompts.bin')),
      transitions: await this.#transitions.save(join(folder, 'replay-transitions.bin')),
      critic: this.critic?.save() ?? null,
    };
  }

  async load(folder: string, saved: unknown): Promise<void> {
    const state = savedState.safeParse(saved);
    if (!state.success) throw new CheckpointDamagedError(folder, 'the replay buffer is unreadable', state.error);
    const { prompts, transitions, critic } = state.data;
    await this.#prompts.load(join(folder, 'replay-prompts.bin'), prompts);
    await this.#transitions.load(join(folder, 'replay-transitions.bin'), transitions);
    this.critic = critic ? TwinCritic.from(critic) : undefined;
  }

  dispose(): void {
    this.#prompts.dispose();
    this.#transitions.dispose();
  }

  #place(index: number): number {
    return this.#transitions.size - this.size + index;
  }
}
