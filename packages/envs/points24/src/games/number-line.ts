/**
 * NumberLine: walk to a target number. The picture shows both numbers.
 *
 * Rules follow `gym_cards/NumberLine-v0` of RL4VLM/RL4VLM (MIT), `gym-cards/gym_cards/envs/numberline.py`;
 * `test/golden/gym-cards.json` pins positions and rewards.
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  InvalidActionError,
  option,
  PythonRandom,
  parseReset,
  parseSnapshot,
  pythonRandomState,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type Split,
  type StepResult,
  savedCount,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { numberLineDialogue } from '../dialogue/number-line-dialogue.js';
import type { DrawIntoOptions } from '../pictures/canvas.js';
import { NumberLinePicture } from '../pictures/number-line-picture.js';
import type { NumberLineInfo } from './info.js';
import { checkedOptions, commonOptions, type NumberLineOptions, RENDERING } from './options.js';
import { lineKey } from './task-keys.js';

export type { NumberLineInfo } from './info.js';
export type { NumberLineOptions } from './options.js';

interface Position {
  readonly current: number;
  readonly target: number;
  readonly steps: number;
}

const LEFT = 0;
const RIGHT = 1;
const SNAPSHOT_KIND = 'numberline/1';

/** `gym_cards/NumberLine-v0` and the identical `vlgym/NumberLine-v1`. */
export class NumberLineEnv extends BaseEnv<RgbImage, number, NumberLineInfo> {
  override readonly metadata = RENDERING;
  readonly observationSpace: ReturnType<typeof spaces.image<3>>;
  readonly actionSpace = spaces.discrete(2, { labels: ['-', '+'] });
  readonly dialogue: Dialogue<RgbImage, number, NumberLineInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>> = { '-': LEFT, '+': RIGHT, left: LEFT, right: RIGHT };

  readonly #max: number;
  readonly #split: Split | undefined;
  readonly #picture: NumberLinePicture;
  #random: PythonRandom | undefined;
  #position: Position | undefined;

  constructor(options: NumberLineOptions = {}) {
    const checked = checkedOptions('numberLine', options);
    super({ renderMode: checked.renderMode });
    const { size, dialogue, split } = commonOptions(checked);
    this.#split = split;
    this.#max = checked.maxPosition ?? 5;
    this.observationSpace = spaces.image(size);
    this.#picture = new NumberLinePicture(size);
    this.dialogue = numberLineDialogue(dialogue);
  }

  get stepLimit(): number {
    return 2 * this.#max;
  }

  reset(given?: ResetOptions): ResetResult<RgbImage, NumberLineInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    const random = this.#random;
    const position = drawInSplit(this.#split, () => this.#start(random), keyOf);
    this.#position = position;
    return {
      observation: this.#draw(position).observe(false),
      info: { ...infoOf(position), taskKey: keyOf(position) },
    };
  }

  step(action: number): StepResult<RgbImage, NumberLineInfo> {
    this.ensureOpen('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    const before = this.#placed('step');
    const moved = before.current + (action === RIGHT ? 1 : -1);
    const after = {
      current: Math.min(Math.max(moved, 0), this.#max),
      target: before.target,
      steps: before.steps + 1,
    };
    this.#position = after;

    const terminated = distance(after) === 0;
    const truncated = !terminated && after.steps >= this.stepLimit;
    return {
      observation: this.#draw(after).observe(terminated || truncated),
      reward: terminated ? 1 : distance(after) >= distance(before) ? -1 : 0,
      terminated,
      truncated,
      info: infoOf(after),
    };
  }

  /**
   * Draws all further pictures into this buffer: every observation is a view of it that the next step changes, and that
   * only this environment may write to. With `undefined` observations have their own buffers again, as by default.
   *
   * @throws {InvalidOptionError}  The length is not `3 * height * width` bytes.
   */
  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    this.#picture.drawInto(frame, options);
  }

  override render(): RenderFrame {
    const position = this.#placed('render');
    if (this.renderMode === 'rgb_array') return this.#draw(position).copy();
    if (this.renderMode === 'ansi') return this.#text(position);
    return this.renderNothing();
  }

  /** One step closer. If both numbers are 0 at the start, a step against the border ends the episode with success. */
  oracle(): number {
    const { current, target } = this.#placed('oracle');
    return current < target ? RIGHT : LEFT;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return action === RIGHT ? 'add one' : 'subtract one';
  }

  snapshot(): EnvSnapshot {
    const state = { position: this.#position ?? null, random: this.#random?.getState() ?? null };
    return { kind: SNAPSHOT_KIND, state: structuredClone(state) };
  }

  restore(snapshot: EnvSnapshot): void {
    const number = option.integer(0, this.#max);
    const saved = z.strictObject({ current: number, target: number, steps: savedCount });
    const state = z.strictObject({ position: saved.nullable(), random: pythonRandomState.nullable() });
    const { position, random } = parseSnapshot(snapshot, SNAPSHOT_KIND, state);
    this.#position = position ?? undefined;
    this.#random = random ? new PythonRandom(0) : undefined;
    if (random) this.#random?.setState(random);
  }

  #start(random: PythonRandom): Position {
    const current = random.randint(0, this.#max);
    const drawn = random.randint(0, this.#max);
    // Modulo `max` instead of `max + 1`, as published: 5 becomes 1, not 0. With `maxPosition: 1` both can remain 0.
    const target = drawn === current ? (drawn + 1) % this.#max : drawn;
    return { current, target, steps: 0 };
  }

  #placed(method: string): Position {
    if (!this.#position) throw new ResetNeededError(method);
    return this.#position;
  }

  #draw({ current, target }: Position): NumberLinePicture {
    this.#picture.draw(target, current);
    return this.#picture;
  }

  #text({ current, target }: Position): string {
    const places = Array.from({ length: Math.min(this.#max, 40) + 1 }, (_, place) =>
      place === current ? '●' : place === target ? '◎' : '·',
    );
    return `${places.join('──')}\nCurrent: ${current}   Target: ${target}\n`;
  }
}

const keyOf = ({ current, target }: Position): string => lineKey(current, target);

const distance = ({ current, target }: Position): number => Math.abs(current - target);

function infoOf({ current, target }: Position): NumberLineInfo {
  return { Target: target, Current: current };
}
