/** The families of text whose decoder is a part of other models. */
import type { LanguageModelConfig, ModelFamily } from '../../language-model.js';
import { gemma3TextFamily } from '../gemma3-text/family.js';
import { llamaFamily } from '../llama/family.js';
import { mistralFamily } from '../mistral/family.js';
import { qwen2Family } from '../qwen2/family.js';
import { qwen3Family } from '../qwen3/family.js';

/** By `model_type` of the folder that the decoder came from. */
export const DECODERS: Readonly<Record<string, ModelFamily>> = Object.fromEntries(
  [llamaFamily, qwen2Family, qwen3Family, gemma3TextFamily, mistralFamily].map((family) => [
    family.published!.modelType,
    family as ModelFamily<LanguageModelConfig>,
  ]),
);
