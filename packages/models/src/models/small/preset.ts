/**
 * The preset `small`: the tiny family's architecture at 12 million weights, with its own vocabulary. It is meant to
 * learn whole games by imitation on a CPU (docs/small.md); `tiny` stays the one for tests and first steps.
 */
import smallTokenizerDefinition from '../../../assets/small-tokenizer.json';
import type { ModelPreset, ModelTraining } from '../../language-model.js';
import { TextTokenizer } from '../../tokenizer/tokenizer.js';
import { parseTinyConfig, type TinyConfig } from '../tiny/config.js';
import { smallTraining } from '../tiny/training.js';

const smallConfig: TinyConfig = parseTinyConfig({
  vocabSize: 4096,
  maxPositionEmbeddings: 4096,
  hiddenSize: 384,
  numHiddenLayers: 6,
  numAttentionHeads: 6,
  numKeyValueHeads: 2,
  headDim: 64,
  intermediateSize: 1024,
  tieWordEmbeddings: true,
  valueHead: [384],
  vision: {
    depth: 3,
    hiddenSize: 128,
    numHeads: 4,
    intermediateSize: 256,
    temporalPatchSize: 1,
    numPositionEmbeddings: 64,
  },
  image: { minPixels: 28 * 28, maxPixels: 84 * 224, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
});

/** Conversations are long: without a limit 64 households of 50 turns would be 90,000 tokens in one pass. */
const training: ModelTraining = {
  ...smallTraining,
  overrides: {
    ...smallTraining.overrides,
    optimizer: { ...smallTraining.overrides.optimizer, microBatchTokens: 8192 },
  },
};

export const smallPreset: ModelPreset = {
  config: smallConfig,
  tokenizer: () => new TextTokenizer(smallTokenizerDefinition, 'of the small preset'),
  training,
};
