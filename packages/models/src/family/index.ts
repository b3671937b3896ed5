/** For authors of a model family: its contract, layers, and configuration. */
export {
  type Grid,
  ImageProcessor,
  type ImageProcessorConfig,
  ImageSizeError,
  smartResize,
} from '../batch/image-processor.js';
export { ImageMissingError, type TokenLayout, type TokenRow } from '../batch/token-rows.js';
export { ModelFamilyExistsError } from '../families.js';
export type {
  ForwardContext,
  ForwardPart,
  LanguageModelConfig,
  ModelCache,
  ModelFamily,
  ModelInit,
  ModelPreset,
  ModelTraining,
  PictureReader,
  PictureSize,
  PlacedImages,
  Positions,
  PublishedFamily,
  PublishedFiles,
  TokenReader,
} from '../language-model.js';
export { KeyValueCache, type KeyValueShape } from '../layers/key-value-cache.js';
export { LowPrecisionWeights } from '../layers/low-precision-weights.js';
export { Projection, type ProjectionPart, type WeightInit } from '../layers/projection.js';
export { frequencies, type Rotary, rotary, rotate } from '../layers/rotary.js';
export type { Steps } from '../layers/steps.js';
export { languageModelFields, ModelConfigError, parseModelConfig, sizeSchema } from '../model-config.js';
export { ModelConfigUnsupportedError } from '../models/shared/published-config.js';
