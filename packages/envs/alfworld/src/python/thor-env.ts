/**
 * ALFWorld's visual engine in the Python package: text and pictures of AI2-THOR, with the commands of the text games.
 *
 * Rules: `docs/specs/alfworld.md`, sections 14 and 16. It needs `alfworld[vis]`, a display, and the simulator, which
 * ai2thor downloads at its first start; this package contains none of them.
 */
import { type RenderFrame, type RgbImage, spaces } from '@vlgym/core';
import { BridgedEnv } from './bridged-env.js';
import type { Seen } from './protocol.js';
import { type AlfredThorOptions, checkThorOptions } from './python-options.js';

/** Width and height in pixels, as in the package. */
const DEFAULT_SIDE = 300;

/** Text and first-person picture of the visual engine. */
export interface ThorObservation {
  readonly text: string;
  /** `[height, width, 3]`, RGB. */
  readonly image: RgbImage;
}

/**
 * `alfworld/AlfredThorEnv-v0`: the visual engine of the Python package, on all tasks with a playable text game.
 *
 * Object numbers, texts, and admissible commands are those of the visual engine, which differ from the text engine's.
 */
export class AlfredThorEnv extends BridgedEnv<ThorObservation> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 2 } as const;
  #last: (() => RgbImage) | undefined;

  constructor(options: AlfredThorOptions = {}) {
    checkThorOptions(options);
    const { width = DEFAULT_SIDE, height = DEFAULT_SIDE } = options;
    super(options, {
      space: spaces.dict({
        text: spaces.text({ minLength: 0, maxLength: 16_384 }),
        image: spaces.image({ width, height }),
      }) as unknown as BridgedEnv<ThorObservation>['observationSpace'],
      shared: false, // each runs a simulator, and all would wait for the slowest
      parameters: { engine: 'visual', width, height },
      observe: (text, seen) => {
        this.#last = () => picture(seen, width, height);
        return { text, image: this.#last() };
      },
    });
  }

  override render(): RenderFrame {
    const frame = super.render(); // throws before the first reset
    return this.renderMode === 'rgb_array' ? this.#last?.() : frame;
  }
}

function picture({ frame }: Seen, width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  data.set(Buffer.from(frame ?? '', 'base64').subarray(0, data.length));
  return { data, width, height, channels: 3 };
}
