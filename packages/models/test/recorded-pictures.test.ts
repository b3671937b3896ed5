/** Pictures of one size by a graph, which a CPU imitates: the same operations in memory that stays. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadNative, memory, noGrad, tidy } from '@vlgym/gpu';
import { afterEach, expect, it } from 'vitest';
import { finished } from '../src/layers/steps.js';
import type { QwenModel } from '../src/models/shared/model.js';
import { loadModel } from '../src/pretrained/load-model.js';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/vlm', import.meta.url));
const picture = (side: number, seed: number) => ({
  data: Uint8Array.from({ length: side * side * 3 }, (_, i) => (i * 31 + seed * 57) % 256),
  ...{ height: side, width: side, channels: 3 as const },
});
const imitateGraphs = (isOn: boolean) => loadNative().useGraphs(true, isOn);

afterEach(() => imitateGraphs(false));

it.each(['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'])(
  '%s encodes as without graphs, and frees their memory',
  async (family) => {
    const before = memory().tensors;
    const { model } = await loadModel(join(GOLDEN, family, 'model'));
    const own = memory().tensors;
    const encoded = (image: ReturnType<typeof picture>) =>
      tidy(() => noGrad(() => finished((model as QwenModel).encodeImage(image)).toNumbers()));
    // the second of a size is recorded, the third replays it; five sizes are more than are kept
    const pictures = [84, 84, 84, 112, 84, 112, 112, 140, 140, 168, 168, 196, 196, 84, 84].map(picture);
    const expected = pictures.map(encoded);
    expect(memory().tensors).toBe(own);
    imitateGraphs(true);
    expect(pictures.map(encoded)).toEqual(expected);
    expect(memory().tensors).toBeGreaterThan(own);
    model.dispose();
    expect(memory().tensors).toBe(before);
  },
);
