/**
 * CountingEnv: counts to a number drawn from its seed, and has every optional capability. A small, exact and complete
 * environment for tests.
 */
import { z } from 'zod';
import { BaseEnv, type BaseEnvOptions } from '../base-env.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import type { EnvMetadata, EnvSnapshot, RenderFrame, ResetOptions, ResetResult, StepResult } from '../env.js';
import { option, parseOptions } from '../parse-options.js';
import { parseReset } from '../reset-options.js';
import { generatorState, parseSnapshot } from '../snapshot.js';
import { DiscreteSpace } from '../spaces/discrete.js';

export interface CountingInfo extends Record<string, unknown> {
  readonly target: number;
}

export interface CountingEnvOptions extends BaseEnvOptions {
  /** The largest target, 1 to 99. */
  readonly maxTarget?: number | undefined;
}

const SNAPSHOT_KIND = 'counting/1';
const SAVED_STATE = z
  .strictObject({ count: option.integer(0, 99), target: option.integer(1, 99), rng: generatorState })
  .refine(({ count, target }) => count <= target, { error: 'a count up to the target' });

const OPTIONS = z.strictObject({
  renderMode: option.renderMode().optional(),
  maxTarget: option.integer(1, 99).optional(),
} satisfies Record<keyof CountingEnvOptions, z.ZodType>);

/** Action 1 counts up, action 0 stays. Reward 1 when the target is reached, which ends the episode. */
export class CountingEnv extends BaseEnv<number, number, CountingInfo> {
  override readonly metadata: EnvMetadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 2 };
  readonly observationSpace = new DiscreteSpace(100);
  readonly actionSpace = new DiscreteSpace(2, { labels: ['stay', 'count'] });
  readonly dialogue: Dialogue<number, number, CountingInfo> = countingDialogue;
  readonly #maxTarget: number;
  #count = 0;
  #target = 1;

  constructor(options: CountingEnvOptions = {}) {
    const { renderMode, maxTarget = 9 } = parseOptions(options, OPTIONS);
    super({ renderMode });
    this.#maxTarget = maxTarget;
  }

  reset(given?: ResetOptions): ResetResult<number, CountingInfo> {
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    this.#count = 0;
    this.#target = this.rng.integers(1, this.#maxTarget + 1);
    return { observation: this.#count, info: { target: this.#target } };
  }

  step(action: number): StepResult<number, CountingInfo> {
    this.checkAction(action);
    this.#count += action;
    const terminated = this.#count === this.#target;
    return {
      observation: this.#count,
      reward: terminated ? 1 : 0,
      terminated,
      truncated: false,
      info: { target: this.#target },
    };
  }

  /** A row of 16 x 16 pixels, as bright as the count is high; or the count as text. */
  override render(): RenderFrame {
    if (this.renderMode === 'ansi') return `${this.#count} of ${this.#target}`;
    if (this.renderMode !== 'rgb_array') return this.renderNothing();
    return { data: new Uint8Array(16 * 16 * 3).fill(this.#count * 20), height: 16, width: 16, channels: 3 };
  }

  snapshot(): EnvSnapshot {
    const state: z.input<typeof SAVED_STATE> = { count: this.#count, target: this.#target, rng: this.rng.getState() };
    return { kind: SNAPSHOT_KIND, state };
  }

  restore(snapshot: EnvSnapshot): void {
    const { count, target, rng } = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_STATE);
    this.rng.setState(rng);
    this.#count = count;
    this.#target = target;
  }

  oracle(): number {
    return 1;
  }

  actionMask(): Uint8Array {
    return Uint8Array.of(1, this.#count < this.#target ? 1 : 0);
  }
}

const WORDS = ['stay', 'count'];

const countingDialogue: Dialogue<number, number, CountingInfo> = {
  version: 'counting/plain-v1',
  prompt: ({ observation, info, history }) => [
    {
      role: 'user',
      content: [
        ...history.map(({ observation: before, text }) => `At ${before} you said: ${text}`),
        `You are at ${observation} and want to reach ${info.target}. Say "stay" or "count".`,
      ].join('\n'),
    },
  ],
  parse: (text) => {
    const index = WORDS.indexOf(text.trim().toLowerCase());
    const formatValid = index >= 0;
    return {
      thought: '',
      actionText: text.trim(),
      legal: formatValid,
      formatValid,
      spans: { action: [0, text.length] },
      ...(formatValid ? { action: index } : { reason: 'unknown-action', repairHint: 'Say "stay" or "count".' }),
    };
  },
  demonstrate: (_context, action) => WORDS[action]!,
};
