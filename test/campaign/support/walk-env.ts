/**
 * A walk whose every step pays and which succeeds only at its right end: return and success say different things, so an
 * outcome that was guessed from one of them shows. Pictures, words and snapshots, as the real environments have them.
 */
import {
  BaseEnv,
  type ChatMessage,
  type Dialogue,
  type EnvSnapshot,
  type GeneratorState,
  type ParsedResponse,
  type PromptContext,
  type ResetOptions,
  type RgbImage,
  spaces,
} from '@vlgym/core';

const SIZE = 8;
const LIMIT = 10;

class WalkDialogue implements Dialogue<RgbImage, number> {
  readonly version = 'walk/last-character-v1';

  prompt({ observation, history }: PromptContext<RgbImage, number>): ChatMessage[] {
    const text = `Step ${history.length}. Left or right?`;
    return [
      {
        role: 'user',
        content: [
          { type: 'image', image: observation },
          { type: 'text', text },
        ],
      },
    ];
  }

  parse(text: string): ParsedResponse<number> {
    const start = Math.max(0, text.length - 1);
    const spans = { thought: [0, start] as const, action: [start, text.length] as const };
    const actionText = text.slice(start);
    const thought = text.slice(0, start);
    if (actionText !== 'l' && actionText !== 'r') {
      return { thought, actionText, legal: false, formatValid: false, spans, reason: 'unknown-action' };
    }
    return { thought, action: actionText === 'r' ? 1 : 0, actionText, legal: true, formatValid: true, spans };
  }
}

export class WalkEnv extends BaseEnv<RgbImage, number> {
  readonly observationSpace = spaces.image({ height: SIZE, width: SIZE });
  readonly actionSpace = spaces.discrete(2);
  readonly dialogue = new WalkDialogue();
  #position = 0;
  #steps = 0;

  reset({ seed }: ResetOptions = {}) {
    if (seed !== undefined) this.reseed(seed);
    this.#position = this.rng.integers(2, 6);
    this.#steps = 0;
    return { observation: this.#draw(), info: {} };
  }

  step(action: number) {
    this.#position += action === 1 ? 1 : -1;
    this.#steps += 1;
    const success = this.#position === SIZE - 1;
    const terminated = success || this.#position === 0;
    const truncated = !terminated && this.#steps === LIMIT;
    const reward = this.rng.integers(1, 10) / 10;
    return { observation: this.#draw(), reward, terminated, truncated, info: { success } };
  }

  snapshot(): EnvSnapshot {
    return { kind: 'walk/1', state: { position: this.#position, steps: this.#steps, rng: this.rng.getState() } };
  }

  restore({ state }: EnvSnapshot): void {
    const { position, steps, rng } = state as { position: number; steps: number; rng: GeneratorState };
    this.#position = position;
    this.#steps = steps;
    this.rng.setState(rng);
  }

  #draw(): RgbImage {
    const data = new Uint8Array(SIZE * SIZE * 3).fill(this.#position * 20);
    data[this.#steps] = 255;
    return { data, height: SIZE, width: SIZE, channels: 3 };
  }
}
