/**
 * NumberLine: walk to a target number. The picture shows both numbers.
 *
 * Rules follow `gym_cards/NumberLine-v0` of RL4VLM/RL4VLM (MIT), `gym-cards/gym_cards/envs/numberline.py`;
 * `test/golden/gym-cards.json` pins positions and rewards.
 */
import { type Dialogue, option, type Space, type StepResult, savedCount, spaces } from '@vlgym/core';
import { z } from 'zod';
import { numberLineDialogue } from '../dialogue/number-line-dialogue.js';
import { NumberLinePicture } from '../pictures/number-line-picture.js';
import { describeLine } from '../text/describe.js';
import { CardGameEnv, type Played, type SavedAs } from './card-game-env.js';
import type { NumberLineInfo } from './info.js';
import { type ObservationKind, type ObservationOfKind, spaceOf } from './observations.js';
import { checkedOptions, commonOptions, type NumberLineOptions } from './options.js';
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

/** `gym_cards/NumberLine-v0` and the identical `vlgym/NumberLine-v1`. */
export class NumberLineEnv<Kind extends ObservationKind = 'image'> extends CardGameEnv<
  Position,
  ObservationOfKind<Kind>,
  NumberLineInfo
> {
  readonly observationSpace: Space<ObservationOfKind<Kind>>;
  readonly actionSpace = spaces.discrete(2, { labels: ['-', '+'] });
  readonly dialogue: Dialogue<ObservationOfKind<Kind>, number, NumberLineInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>> = { '-': LEFT, '+': RIGHT, left: LEFT, right: RIGHT };

  protected readonly picture: NumberLinePicture;
  readonly #max: number;

  constructor(options: NumberLineOptions<Kind> = {}) {
    const checked = checkedOptions('numberLine', options);
    super(checked);
    const { size, dialogue, observation } = commonOptions(checked);
    this.#max = checked.maxPosition ?? 5;
    this.observationSpace = spaceOf<Kind>(observation, size);
    this.picture = new NumberLinePicture(size);
    this.dialogue = numberLineDialogue(dialogue);
  }

  get stepLimit(): number {
    return 2 * this.#max;
  }

  protected play(before: Position, action: number): Played<Position> {
    const moved = before.current + (action === RIGHT ? 1 : -1);
    const state = {
      current: Math.min(Math.max(moved, 0), this.#max),
      target: before.target,
      steps: before.steps + 1,
    };
    this.show(state);
    const terminated = distance(state) === 0;
    return {
      state,
      reward: terminated ? 1 : distance(state) >= distance(before) ? -1 : 0,
      terminated,
      truncated: !terminated && state.steps >= this.stepLimit,
    };
  }

  /** One step closer. If both numbers are 0 at the start, a step against the border ends the episode with success. */
  oracle(): number {
    const { current, target } = this.dealt('oracle');
    return current < target ? RIGHT : LEFT;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return action === RIGHT ? 'add one' : 'subtract one';
  }

  describeTask(): string {
    return `Get to ${this.dealt('describeTask').target}.`;
  }

  describeEnd({ terminated }: StepResult<ObservationOfKind<Kind>, NumberLineInfo>): string {
    const { target, current } = this.dealt('describeEnd');
    return terminated
      ? `You are at the target, ${target}.`
      : `No step is left; you are at ${current}, not at ${target}.`;
  }

  protected get saved(): SavedAs<Position> {
    const number = option.integer(0, this.#max);
    const schema = z.strictObject({ current: number, target: number, steps: savedCount });
    return { kind: 'numberline/1', name: 'position', schema };
  }

  protected deal(): Position {
    const current = this.random.randint(0, this.#max);
    const drawn = this.random.randint(0, this.#max);
    // Modulo `max` instead of `max + 1`, as published: 5 becomes 1, not 0. With `maxPosition: 1` both can remain 0.
    const target = drawn === current ? (drawn + 1) % this.#max : drawn;
    return { current, target, steps: 0 };
  }

  protected show({ current, target }: Position): void {
    this.picture.draw(target, current);
  }

  protected describe({ current, target }: Position): string {
    return describeLine(target, current);
  }

  protected infoOf({ current, target }: Position): NumberLineInfo {
    return { Target: target, Current: current };
  }

  protected keyOf({ current, target }: Position): string {
    return lineKey(current, target);
  }

  protected words({ current, target }: Position): string {
    return `Your number is ${current}. The target is ${target}. The line goes from 0 to ${this.#max}.`;
  }

  protected text({ current, target }: Position): string {
    const places = Array.from({ length: Math.min(this.#max, 40) + 1 }, (_, place) =>
      place === current ? '●' : place === target ? '◎' : '·',
    );
    return `${places.join('──')}\nCurrent: ${current}   Target: ${target}\n`;
  }
}

const distance = ({ current, target }: Position): number => Math.abs(current - target);
