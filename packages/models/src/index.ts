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
export { ImageProcessor, smartResize } from './batch/image-processor.js';
export { chatMl } from './chat/chat-template.js';
export { ChatTemplateError, JinjaTemplate } from './chat/jinja-template.js';
export { type ComposeModelOptions, type Composition, composeModel } from './compose/compose-model.js';
export { jsonOf, oneOf, TextGrammar } from './constraints/text-grammar.js';
export { modelPreset, type NamedPreset, registerModelFamily, UnknownModelError } from './families.js';
export { GgufInvalidError, GgufUnsupportedError } from './gguf/errors.js';
export { type FetchModelOptions, fetchModel, ModelFetchError, UnknownPublishedModelError } from './gguf/fetch-model.js';
export { type GgufPlan, type ImportGgufOptions, importGguf } from './gguf/import-gguf.js';
export type { ImportDtype } from './gguf/write-weights.js';
export type { LanguageModel } from './language-model.js';
export { KeyValueCache } from './layers/key-value-cache.js';
export { Projection } from './layers/projection.js';
export { languageModelFields, ModelConfigError, parseModelConfig } from './model-config.js';
export { parseTinyConfig, type TinyConfig, type TinyConfigInput } from './models/tiny/config.js';
export { tinyConfig, tinyTokenizer } from './models/tiny/presets.js';
export { type CreatePolicyOptions, createPolicy } from './policy/create-policy.js';
export { DataParallelPolicy } from './policy/data-parallel-policy.js';
export {
  EmptyResponseError,
  NoReferenceError,
  PromptTooLongError,
} from './policy/errors.js';
export { type LoadPolicyOptions, loadPolicy } from './policy/load-policy.js';
export { defaultOptimizer, type OptimizerOptions } from './policy/policy-optimizer.js';
export type { SampleOptions } from './policy/sample.js';
export { type CodecSource, type ModelTokenCodec, openTokenCodec } from './policy/token-codec.js';
export type { Training } from './policy/training.js';
export { VlmPolicy } from './policy/vlm-policy.js';
export { UnknownWeightError } from './policy/weights/changing-weights.js';
export type { SamplerDType } from './policy/weights/sampler-weights.js';
export {
  FolderExistsError,
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
export { TextTokenizer, TokenizerFileError } from './tokenizer/tokenizer.js';
