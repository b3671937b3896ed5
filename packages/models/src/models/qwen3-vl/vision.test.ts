import { Generator, noGrad, randn, tidy } from '@vlgym/gpu';
import { describe, expect, it } from 'vitest';
import { ImageProcessor } from '../../batch/image-processor.js';
import { finished } from '../../layers/steps.js';
import { LayoutTensors } from '../shared/vision.js';
import { Qwen3VisionEncoder } from './vision.js';

const kind = { dtype: 'float64', device: 'cpu' } as const;
const config = {
  ...{ depth: 3, hiddenSize: 8, numHeads: 2, intermediateSize: 6, patchSize: 2 },
  ...{ spatialMergeSize: 2, temporalPatchSize: 1, numPositionEmbeddings: 4 },
};
const image = { minPixels: 16, maxPixels: 64, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] } as const;
const grid = { rows: 2, columns: 4 };

/** Features of one picture; mergers take their weights from those of `from`. */
function features(deepstackBlocks: number[], mergers: readonly number[]): number[][] {
  const init = () => ({ std: 0.5, generator: new Generator(1), ...kind });
  const source = new Qwen3VisionEncoder({ ...config, deepstackBlocks: [0, 1, 2] }, 5, init(), new LayoutTensors(kind));
  const encoder = new Qwen3VisionEncoder({ ...config, deepstackBlocks }, 5, init(), new LayoutTensors(kind));
  try {
    return noGrad(() =>
      tidy(() => {
        for (const [at, merger] of encoder.deepstack_merger_list.entries())
          merger.loadStateDict(source.deepstack_merger_list[mergers[at]!]!.stateDict());
        const patches = randn([8, 12], { ...kind, generator: new Generator(2) });
        const layout = encoder.layout([grid], new ImageProcessor({ vision: config, image }));
        return finished(encoder.steps(patches, layout)).deepstack.map((feature) => feature.toNumbers());
      }),
    );
  } finally {
    source.dispose();
    encoder.dispose();
  }
}

describe('deepstack', () => {
  it('gives features in the order of the blocks, each of the merger beside its block in the list', () => {
    expect(features([2, 0], [2, 0])).toEqual(features([0, 2], [0, 2]));
  });

  it('gives one feature of a block that is named twice, of its first merger', () => {
    expect(features([1, 1], [0, 2])).toEqual(features([1], [0]));
  });
});
