/** Models that come with the package. */
import { type ModelConfig, parseModelConfig } from './config.js';

/**
 * A model to be trained from nothing on a CPU in minutes: 0.65 M parameters, pictures of 84 × 112 pixels as 12 tokens,
 * the vocabulary of `assets/tiny-tokenizer.json`.
 */
const tiny: ModelConfig = parseModelConfig({
  vocabSize: 1024,
  hiddenSize: 128,
  numHiddenLayers: 2,
  numAttentionHeads: 4,
  numKeyValueHeads: 2,
  headDim: 32,
  intermediateSize: 256,
  tieWordEmbeddings: true,
  valueHead: [128],
  vision: {
    depth: 2,
    hiddenSize: 64,
    numHeads: 2,
    intermediateSize: 128,
    temporalPatchSize: 1,
    numPositionEmbeddings: 64,
  },
  image: { minPixels: 28 * 28, maxPixels: 84 * 224, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
});

export const presets = { tiny } as const;
export type PresetName = keyof typeof presets;
