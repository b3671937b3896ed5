/** `adapter_config.json` of peft: what this package computes, and what it refuses. */

import { join } from 'node:path';
import { readRegularFile } from '@vlgym/core/internal';
import { z } from 'zod';
import { isPattern, type LoraOptions } from '../lora.js';
import { AdapterFolderError, AdapterUnsupportedError } from './errors.js';

export const CONFIG_FILE = 'adapter_config.json';
/** It may list every matrix of a model by name. */
const MAX_CONFIG_BYTES = 2 ** 24;
const MAX_PATTERNS = 100_000;

const pattern = z
  .record(
    z.string().max(1_000).refine(isTame, 'expected at most two quantifiers, none of them on a group'),
    z.number().positive().max(1e6),
  )
  .refine((map) => Object.keys(map).length <= MAX_PATTERNS);

/** Patterns come from files and are tried on every name: what could take exponential time is refused. */
function isTame(source: string): boolean {
  const quantifiers = source.match(/[*+?{]/g) ?? [];
  return quantifiers.length <= 2 && !/\)[*+?{]/.test(source) && isPattern(source);
}

const configSchema = z.looseObject({
  peft_type: z.literal('LORA'),
  r: z.number().int().positive().max(65_536),
  // a larger scale overflows single precision
  lora_alpha: z.number().positive().max(1e6),
  lora_dropout: z.number().min(0).max(1).default(0),
  rank_pattern: pattern.nullish(),
  alpha_pattern: pattern.nullish(),
  use_rslora: z.boolean().nullish(),
  base_model_name_or_path: z.string().nullish(),
});

/** Keys that change what an adapter computes, with the values that leave it plain. */
const PLAIN: Readonly<Record<string, readonly unknown[]>> = {
  bias: ['none'],
  fan_in_fan_out: [false],
  lora_bias: [false],
  use_dora: [false],
  use_qalora: [false],
  use_bdlora: [false],
  /**
   * How fresh factors are drawn. Others (PiSSA, OLoRA, CorDA, LoRA-GA, LoftQ) take the initial product off the base when
   * peft loads the adapter (`LoraLayer.update_layer`), so that the factors belong to other weights than those of the folder.
   */
  init_lora_weights: [true, false, 'gaussian', 'eva', 'orthogonal'],
};
/** Keys that must be empty. */
const EMPTY = [
  ...[
    'modules_to_save',
    'layer_replication',
    'trainable_token_indices',
    'target_parameters',
    'alora_invocation_tokens',
  ],
  ...['arrow_config', 'kasa_config', 'velora_config', 'monteclora_config', 'use_bdlora'],
];

export interface PeftConfig {
  readonly lora: LoraOptions;
  readonly baseModel: string | undefined;
}

/** @throws {AdapterFolderError | AdapterUnsupportedError} */
export async function readPeftConfig(folder: string): Promise<PeftConfig> {
  let json: unknown;
  try {
    json = JSON.parse(await readRegularFile(join(folder, CONFIG_FILE), MAX_CONFIG_BYTES));
  } catch (cause) {
    throw new AdapterFolderError(folder, `${CONFIG_FILE} is missing or not JSON`, cause);
  }
  const result = configSchema.safeParse(json);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new AdapterFolderError(folder, `${CONFIG_FILE}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const config: Readonly<Record<string, unknown>> = result.data;
  for (const [key, plain] of Object.entries(PLAIN)) {
    const value = config[key];
    if (value !== undefined && value !== null && !plain.includes(value))
      throw new AdapterUnsupportedError(folder, key, value);
  }
  for (const key of EMPTY) if (!isEmpty(config[key])) throw new AdapterUnsupportedError(folder, key, config[key]);
  const { r, lora_alpha: alpha, lora_dropout: dropout, rank_pattern, alpha_pattern, use_rslora } = result.data;
  return {
    lora: {
      r,
      alpha,
      dropout,
      ...(rank_pattern && { rankPattern: rank_pattern }),
      ...(alpha_pattern && { alphaPattern: alpha_pattern }),
      ...(use_rslora && { rankStabilized: true }),
    },
    baseModel: result.data.base_model_name_or_path ?? undefined,
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
