/** A corridor for tests: walk from a seeded cell to the right end; one pixel row shows where you are. */
import {
  BaseEnv,
  type Dialogue,
  mapAction,
  parseResponse,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type StepResult,
  spaces,
} from '@vlgym/core';

export type CorridorInfo = { position: number; side: string; success?: boolean };

const WORDS = ['left', 'right'];

const dialogue: Dialogue<RgbImage, number, CorridorInfo> = {
  version: 'corridor/test-v1',
  prompt: ({ observation, info }) => [
    { role: 'system', content: 'You walk along a corridor.' },
    {
      role: 'user',
      content: [
        { type: 'image', image: observation },
        { type: 'text', text: `You are at ${info.position}. Answer {"thoughts": "…", "action": "left" or "right"}.` },
      ],
    },
  ],
  parse: (text, context) =>
    mapAction(
      parseResponse(text, {
        actions: WORDS,
        isAvailable: (index) => index === 1 || (context?.info.position ?? 1) > 0,
      }),
      (index) => index,
    ),
  demonstrate: (_context, action) => JSON.stringify({ thoughts: `go ${WORDS[action]}`, action: WORDS[action] }),
};

export interface CorridorOptions {
  readonly length?: number;
  readonly limit?: number;
}

export class CorridorEnv extends BaseEnv<RgbImage, number, CorridorInfo> {
  readonly observationSpace;
  readonly actionSpace = spaces.discrete(2, { labels: WORDS });
  readonly dialogue = dialogue;
  readonly #length: number;
  readonly #limit: number;
  #position = 0;
  #steps = 0;

  constructor({ length = 6, limit = 12 }: CorridorOptions = {}) {
    super();
    this.#length = length;
    this.#limit = limit;
    this.observationSpace = spaces.image({ height: 1, width: length });
  }

  reset({ seed }: ResetOptions = {}): ResetResult<RgbImage, CorridorInfo> {
    if (seed !== undefined) this.reseed(seed);
    this.#position = this.rng.integers(0, this.#length - 1);
    this.#steps = 0;
    return { observation: this.#draw(), info: this.#info() };
  }

  step(action: number): StepResult<RgbImage, CorridorInfo> {
    this.#steps += 1;
    this.#position = Math.max(0, this.#position + (action === 1 ? 1 : -1));
    const terminated = this.#position === this.#length - 1;
    return {
      observation: this.#draw(),
      reward: terminated ? 1 : -0.1,
      terminated,
      truncated: !terminated && this.#steps >= this.#limit,
      info: { ...this.#info(), ...(terminated ? { success: true } : {}) },
    };
  }

  actionMask(): Uint8Array {
    return Uint8Array.of(this.#position > 0 ? 1 : 0, 1);
  }

  oracle(): number {
    return 1;
  }

  #info(): CorridorInfo {
    return { position: this.#position, side: this.#position < this.#length / 2 ? 'far' : 'near' };
  }

  #draw(): RgbImage {
    const data = new Uint8Array(this.#length * 3);
    data.fill(255, this.#position * 3, this.#position * 3 + 3);
    return { data, height: 1, width: this.#length, channels: 3 };
  }
}
