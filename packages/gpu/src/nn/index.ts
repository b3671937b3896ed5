/** Modules: the names of `torch.nn`. */
export { ModuleList, Sequential } from './containers.js';
export {
  Decoder,
  type DecoderCache,
  type DecoderContext,
  type DecoderLayerWeights,
  type DecoderLinear,
  type DecoderRun,
  type DecoderWeights,
  type DrawOptions,
  drawToken,
  type LowRankPart,
  type NarrowDType,
  type NarrowWeight,
  narrowed,
  processScores,
  type ShapingOptions,
  scoreTokensAsync,
  type TokenScoresOptions,
} from './decoder.js';
export type { AttentionOptions, ClassLossOptions, ConvOptions, Reduction } from './functional.js';
export * as functional from './functional.js';
export * as init from './init.js';
export * from './layers.js';
export { Module, type StateDict, StateDictError } from './module.js';
export { Parameter } from './parameter.js';
