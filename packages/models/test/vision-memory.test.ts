/** A vision encoder keeps no tensor of the blocks that it has passed: those of many pictures are large. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memory, noGrad, tidy } from '@vlgym/gpu';
import { expect, it } from 'vitest';
import type { QwenModel } from '../src/models/shared/model.js';
import { loadModel } from '../src/pretrained/load-model.js';

const GOLDEN = fileURLToPath(new URL('../../../test/golden/vlm', import.meta.url));
const picture = { data: new Uint8Array(84 * 84 * 3).fill(90), height: 84, width: 84, channels: 3 } as const;

it.each(['qwen2_vl', 'qwen2_5_vl', 'qwen3_vl'])(
  '%s holds as many tensors before its last block as before its second',
  async (family) => {
    const { model } = await loadModel(join(GOLDEN, family, 'model'));
    try {
      const held = tidy(() =>
        noGrad(() => {
          const { patches, layout } = (model as QwenModel).prepareImages([picture]);
          const steps = (model as QwenModel).model.visual.steps(patches, layout);
          const counts: number[] = [];
          while (!steps.next().done) counts.push(memory().tensors);
          return counts;
        }),
      );
      expect(held.length).toBeGreaterThan(2);
      // Qwen3-VL keeps the features that it has taken from some blocks
      const features = family === 'qwen3_vl' ? held.length : 0;
      expect(held.at(-1)! - held[1]!).toBeLessThanOrEqual(features);
    } finally {
      model.dispose();
    }
  },
);
