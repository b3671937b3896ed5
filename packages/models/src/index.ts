export { NoAdapterTargetError } from './adapters/attach-adapters.js';
export { type AdapterSize, adapterSize, LoraAdapter, type LoraOptions } from './adapters/lora.js';
export {
  AdapterFolderError,
  AdapterIncompleteError,
  AdapterMismatchError,
  AdapterUnsupportedError,
  NoAdapterError,
  NoModelFolderError,
} from './adapters/peft/errors.js';
export { DECODER_LINEARS } from './adapters/published-weights.js';
export {
  type Grid,
  ImageProcessor,
  type ImageProcessorConfig,
  ImageSizeError,
  smartResize,
} from './batch/image-processor.js';
export { ImageMissingError, type TokenLayout, type TokenRow } from './batch/token-rows.js';
export { type ChatMlOptions, type ChatTemplate, chatMl, type RenderedChat } from './chat/chat-template.js';
export {
  ChatTemplateError,
  JinjaTemplate,
  type JinjaTemplateOptions,
  type RenderOptions,
} from './chat/jinja-template.js';
export { GrammarTooLargeError } from './constraints/automaton.js';
export { type JsonSchema, JsonSchemaError } from './constraints/json-schema.js';
export { jsonOf, oneOf, TextGrammar } from './constraints/text-grammar.js';
export {
  ModelFamilyExistsError,
  modelPreset,
  type NamedPreset,
  registerModelFamily,
  UnknownModelError,
} from './families.js';
export type {
  ForwardContext,
  ForwardPart,
  LanguageModel,
  LanguageModelConfig,
  ModelCache,
  ModelFamily,
  ModelInit,
  ModelPreset,
  ModelTraining,
  PlacedImages,
  Positions,
  PublishedFamily,
  PublishedFiles,
  TokenReader,
} from './language-model.js';
export { KeyValueCache, type KeyValueShape } from './layers/key-value-cache.js';
export { NarrowWeights } from './layers/narrow-weights.js';
export { Projection, type ProjectionPart, type WeightInit } from './layers/projection.js';
export { frequencies, type Rotary, rotary, rotate } from './layers/rotary.js';
export type { Steps } from './layers/steps.js';
export { languageModelFields, ModelConfigError, parseModelConfig, sizeSchema } from './model-config.js';
export { ModelConfigUnsupportedError } from './models/shared/published-config.js';
export { parseTinyConfig, type TinyConfig, type TinyConfigInput } from './models/tiny/config.js';
export { tinyConfig, tinyTokenizer } from './models/tiny/presets.js';
export { type CreatePolicyOptions, createPolicy, type LoadPolicyOptions, loadPolicy } from './policy/create-policy.js';
export { DataParallelPolicy } from './policy/data-parallel-policy.js';
export {
  EmptyResponseError,
  NoReferenceError,
  PromptTooLongError,
} from './policy/errors.js';
export { defaultOptimizer, type OptimizerOptions } from './policy/policy-optimizer.js';
export type { SampleOptions } from './policy/sample.js';
export { type CodecSource, type ModelTokenCodec, openTokenCodec } from './policy/token-codec.js';
export type { Training } from './policy/training.js';
export { VlmPolicy } from './policy/vlm-policy.js';
export type { SamplerDType } from './policy/weights/sampler-weights.js';
export { UnknownWeightError } from './policy/weights/weight-sets.js';
export {
  ModelFolderError,
  ModelTooLargeError,
  ModelTypeUnsupportedError,
  ModelWeightsError,
  TokenizerMismatchError,
} from './pretrained/errors.js';
export { type InspectOptions, inspectModel, type MemoryNeed, type ModelInspection } from './pretrained/inspect.js';
export { type LoadedModel, type LoadModelOptions, loadModel } from './pretrained/load-model.js';
export { type GenerationDefaults, type ModelFolder, readModelFolder } from './pretrained/model-folder.js';
export type { StoredTensor } from './pretrained/shards.js';
export { type DrawnToken, NonFiniteLogitsError } from './sampling/plan.js';
export { type DecodedTokens, TextTokenizer, TokenizerFileError } from './tokenizer/tokenizer.js';
