/** An environment without cost: a picture of noise per step, any answer is valid, episodes never end. */
import { BaseEnv, type Dialogue, Generator, type Image } from '@vlgym/core';
import { DiscreteSpace, ImageSpace } from '@vlgym/core/spaces';

export interface NoiseOptions {
  readonly width: number;
  readonly height: number;
  /** Pictures of a prompt: the current one and earlier ones. */
  readonly pictures: number;
  readonly seed: number;
}

/** As long as the prompts of MiniWorld. */
const TEXT = [
  'Instructions: You are in a simulator, and see what is in front of you. You are rewarded only when the task is solved.',
  'TASK: go to the red box. Choose one action from the current observation. When lost, turn around or explore.',
  '0 : turn left\n1 : turn right\n2 : move forward\n3 : move back',
  'Think first. You may be stuck at a wall; the goal may not be visible.',
  'Answer with one valid JSON object: {"thoughts": "{what you see and plan}", "action": "{a number}"}',
].join('\n');

export class NoiseEnv extends BaseEnv<Image, number> {
  readonly observationSpace: ImageSpace;
  readonly actionSpace = new DiscreteSpace(4);
  readonly #options: NoiseOptions;
  readonly #noise: Generator;

  constructor(options: NoiseOptions) {
    super();
    this.#options = options;
    this.#noise = new Generator(options.seed);
    this.observationSpace = new ImageSpace({ height: options.height, width: options.width });
  }

  readonly dialogue: Dialogue<Image, number> = {
    version: 'noise/pictures-v1',
    prompt: ({ observation, history }) => {
      const seen = [...history.map((turn) => turn.observation), observation].slice(-this.#options.pictures);
      const images = seen.map((image) => ({ type: 'image' as const, image }));
      return [{ role: 'user', content: [...images, { type: 'text', text: TEXT }] }];
    },
    parse: (text) => ({
      ...{ thought: '', action: text.length % 4, actionText: '', legal: true, formatValid: true },
      spans: { action: [0, text.length] },
    }),
  };

  reset() {
    return { observation: this.#picture(), info: {} };
  }

  step(action: number) {
    return {
      observation: this.#picture(),
      reward: action === 0 ? 1 : 0,
      terminated: false,
      truncated: false,
      info: {},
    };
  }

  #picture(): Image {
    const { width, height } = this.#options;
    // a few random bytes are enough to make each picture a new one
    const data = new Uint8Array(width * height * 3);
    for (let i = 0; i < data.length; i += 97) data[i] = this.#noise.integers(256);
    return { data, width, height, channels: 3 };
  }
}
