/** Configurations of this family that have a name. */
import tinyTokenizerDefinition from '../../../assets/tiny-tokenizer.json';
import type { ModelPreset } from '../../language-model.js';
import { TextTokenizer } from '../../tokenizer/tokenizer.js';
import { smallPreset } from '../small/preset.js';
import { parseTinyConfig, type TinyConfig } from './config.js';
import { smallTraining } from './training.js';

/**
 * A model that trains from random weights on a CPU in minutes: 0.65 M parameters, pictures of 84 × 112 pixels as 12
 * tokens, the vocabulary of `assets/tiny-tokenizer.json`.
 */
export const tinyConfig: TinyConfig = parseTinyConfig({
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

/** The 1,024 entries of `assets/tiny-tokenizer.json`. */
export function tinyTokenizer(): TextTokenizer {
  return new TextTokenizer(tinyTokenizerDefinition, 'of the tiny preset');
}

export const tinyPresets: Readonly<Record<string, ModelPreset>> = {
  tiny: { config: tinyConfig, tokenizer: tinyTokenizer, training: smallTraining },
  small: smallPreset,
};
