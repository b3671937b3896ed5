/**
 * Canary: name the color of a square. Nothing but the picture says it, and every turn draws another color, so that
 * whoever answers better than one time in four has seen the picture.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  generatorState,
  option,
  parseOptions,
  parseReset,
  parseResponse,
  parseSnapshot,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type RgbImage,
  savedCount,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';

export const CANARY_COLORS = ['red', 'green', 'blue', 'yellow'] as const;
const RGB = [[200, 40, 40], [40, 160, 60], [40, 70, 200], [220, 200, 40]] as const; // biome-ignore format: one line
const BACKGROUND = 235;

const schema = z.strictObject({
  /** Answers of an episode, 2 to 1000; default 8. */
  turns: option.integer(2, 1000).optional(),
  /** Side of the picture in pixels, 28 to 1024; default 56. */
  size: option.integer(28, 1024).optional(),
  /** Style of the prompt; there is one. */
  dialogue: option.oneOf(['compact-v1']).optional(),
  renderMode: option.renderMode().optional(),
});
export type CanaryOptions = z.input<typeof schema>;

/** Answers of an episode so far. */
export interface CanaryCounts {
  readonly turns: number;
  /** Answers that named the color of the picture they were given for. */
  readonly current: number;
  /** Answers that named the color of the picture before it, which the first turn does not have. */
  readonly previous: number;
}

export interface CanaryInfo extends Record<string, unknown> {
  /** Never shown to an agent. */
  readonly canary: CanaryCounts;
  /** At the end: at least three of four answers were right. */
  readonly success?: boolean;
}

interface Shown {
  readonly color: number;
  /** Column and row of the upper left corner of the square, in pixels. */
  readonly place: readonly [column: number, row: number];
}

const savedShown = z.strictObject({
  color: z.int().min(0).max(3),
  place: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
const savedState = z.strictObject({
  rng: generatorState.nullable(),
  shown: savedShown.nullable(),
  before: z.int().min(0).max(3).nullable(),
  counts: z.strictObject({ turns: savedCount, current: savedCount, previous: savedCount }),
});

const dialogue: Dialogue<RgbImage, number, CanaryInfo> = {
  version: 'canary/compact-v1',
  prompt: ({ observation: image }) => [
    {
      role: 'user',
      content: [
        { type: 'image', image },
        { type: 'text', text: '\nName the color of the square: red, green, blue or yellow. JSON keys: action.' },
      ],
    },
  ],
  parse: (text) => parseResponse(text, { actions: CANARY_COLORS }),
  demonstrate: (_, action) => `{"action": "${CANARY_COLORS[action]}"}`,
};

const NONE: CanaryCounts = { turns: 0, current: 0, previous: 0 };

/** `vlgym/Canary-v1`: reward 1 for the right color, 0 for another; a fixed number of turns. */
export class CanaryEnv extends BaseEnv<RgbImage, number, CanaryInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'] } as const;
  readonly observationSpace: ReturnType<typeof spaces.image<3>>;
  readonly actionSpace = spaces.discrete(CANARY_COLORS.length, { labels: [...CANARY_COLORS] });
  readonly keys = { r: 0, g: 1, b: 2, y: 3 };
  readonly dialogue = dialogue;
  readonly stepLimit: number;
  readonly #size: number;
  #shown: Shown | undefined;
  /** Color of the picture before. */
  #before: number | undefined;
  #counts = NONE;

  constructor(options: CanaryOptions = {}) {
    const { turns = 8, size = 56, renderMode } = parseOptions(options, schema);
    super({ renderMode });
    this.stepLimit = turns;
    this.#size = size;
    this.observationSpace = spaces.image({ height: size, width: size });
  }

  reset(given?: ResetOptions) {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    this.#before = undefined;
    this.#counts = NONE;
    this.#shown = this.#next();
    return { observation: this.#draw(this.#shown), info: { canary: NONE } };
  }

  step(action: number) {
    this.ensureOpen('step');
    const { color } = this.#current('step');
    if (this.#counts.turns >= this.stepLimit) throw new ResetNeededError('step');
    this.checkAction(action);
    const isRight = action === color;
    const { turns, current, previous } = this.#counts;
    this.#counts = {
      turns: turns + 1,
      current: current + Number(isRight),
      previous: previous + Number(action === this.#before),
    };
    this.#before = color;
    this.#shown = this.#next();
    const terminated = this.#counts.turns === this.stepLimit;
    const success = terminated && { success: this.#counts.current >= 0.75 * this.stepLimit };
    return {
      observation: this.#draw(this.#shown),
      reward: Number(isRight),
      terminated,
      truncated: false,
      info: { canary: this.#counts, ...success },
    };
  }

  oracle(): number {
    return this.#current('oracle').color;
  }

  describeTask(): string {
    return 'Name the color of the square.';
  }

  override render(): RenderFrame {
    const shown = this.#current('render');
    if (this.renderMode === 'rgb_array') return this.#draw(shown);
    return this.renderMode === 'ansi' ? `${CANARY_COLORS[shown.color]} square\n` : this.renderNothing();
  }

  snapshot(): EnvSnapshot {
    const [shown, before] = [this.#shown ?? null, this.#before ?? null];
    const rng = this.#shown ? this.rng.getState() : null;
    return { kind: 'canary/1', state: structuredClone({ rng, shown, before, counts: this.#counts }) };
  }

  restore(snapshot: EnvSnapshot): void {
    const { rng, shown, before, counts } = parseSnapshot(snapshot, 'canary/1', savedState);
    if (rng) this.rng.setState(rng);
    this.#shown = shown ?? undefined;
    this.#before = before ?? undefined;
    this.#counts = counts;
  }

  #current(method: string): Shown {
    if (!this.#shown) throw new ResetNeededError(method);
    return this.#shown;
  }

  #next(): Shown {
    const free = this.#size - this.#side;
    const color = this.rng.integers(CANARY_COLORS.length);
    return { color, place: [this.rng.integers(free + 1), this.rng.integers(free + 1)] };
  }

  /** Pixels of a side of the square. */
  get #side(): number {
    return Math.floor(this.#size / 2);
  }

  #draw({ color, place: [left, top] }: Shown): RgbImage {
    const size = this.#size;
    const data = new Uint8Array(size * size * 3).fill(BACKGROUND);
    const row = Uint8Array.from({ length: this.#side * 3 }, (_, byte) => RGB[color]![byte % 3]!);
    for (let y = top; y < top + this.#side; y++) data.set(row, (y * size + left) * 3);
    return { data, height: size, width: size, channels: 3 };
  }
}
