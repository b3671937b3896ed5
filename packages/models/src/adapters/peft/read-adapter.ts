/** Adapters in peft's layout: which matrices they change, and their factors into the modules of a model. */
import { join } from 'node:path';
import { noGrad, safetensors, tidy } from '@vlgym/gpu';
import { storedDtype } from '../../pretrained/shards.js';
import type { AdaptedWeight } from '../attach-adapters.js';
import { adapterNames } from '../attach-adapters.js';
import { adapterSize, type LoraOptions } from '../lora.js';
import { readPeftConfig } from './config.js';
import { AdapterFolderError, AdapterMismatchError, AdapterUnsupportedError } from './errors.js';

export const TENSOR_FILE = 'adapter_model.safetensors';
/** Key of the safetensors metadata that names the base's weights; written here, absent in adapters of others. */
export const BASE_KEY = 'base_sha256';
/** Published adapters wrap the model twice: `base_model` is the tuner, `model` the model. */
export const PREFIX = 'base_model.model.';
const FACTOR = /^(?<module>.+)\.lora_(?<factor>[AB])(?:\.default)?\.weight$/;

export interface PeftAdapter {
  readonly folder: string;
  /** With the matrices that the file holds factors for as targets. */
  readonly lora: LoraOptions & { readonly targets: RegExp };
  readonly baseModel: string | undefined;
  /** SHA-256 of the base that it was trained on, where the file says so. */
  readonly baseSha256: string | undefined;
  /** Name here of every factor, to its name in the file. */
  readonly factors: ReadonlyMap<string, string>;
}

/**
 * @param internalName  The name here of a tensor in published files; adapters from before transformers 4.52 need it.
 * @throws {AdapterFolderError | AdapterUnsupportedError | SafetensorsInvalidError}
 */
export async function readPeftAdapter(
  folder: string,
  internalName: (name: string) => string = (name) => name,
): Promise<PeftAdapter> {
  const { lora, baseModel } = await readPeftConfig(folder);
  using file = open(folder);
  const factors = new Map<string, string>();
  const modules = new Set<string>();
  for (const key of file.keys()) {
    const { module, factor } = FACTOR.exec(key)?.groups ?? {};
    if (module === undefined) throw new AdapterUnsupportedError(folder, 'a tensor', key);
    const name = internalName(module.startsWith(PREFIX) ? module.slice(PREFIX.length) : module);
    modules.add(name);
    factors.set(`${name}.lora_${factor}.weight`, key);
  }
  if (modules.size === 0) throw new AdapterFolderError(folder, `${TENSOR_FILE} holds no factors`);
  const targets = new RegExp(`^(?:${[...modules].map((name) => name.replaceAll('.', '\\.')).join('|')})$`);
  return { folder, lora: { ...lora, targets }, baseModel, baseSha256: file.metadata[BASE_KEY], factors };
}

/**
 * Copies the factors of a folder into attached adapters.
 *
 * @throws {AdapterMismatchError} A factor is missing, is for no matrix of the model, or has a different shape or scale.
 */
export function loadFactors({ folder, factors, lora }: PeftAdapter, adapted: readonly AdaptedWeight[]): void {
  using file = open(folder);
  const open_ = new Set(factors.keys());
  const placed = adapted.flatMap((weight) => {
    const { a, b } = adapterNames(weight);
    const { lora_A, lora_B, scaling } = weight.adapter;
    const name = a.slice(0, -'.lora_A.weight'.length);
    const own = adapterSize(lora, name);
    if (own.r !== lora_A.shape[0]) {
      throw new AdapterMismatchError(
        folder,
        `it has rank ${own.r} at ${name}, but this policy has rank ${lora_A.shape[0]}`,
      );
    }
    // shapes agree, and it would be another function: the scale is part of what was trained
    if (Math.abs(own.scaling - scaling) > SAME_SCALE * scaling) {
      throw new AdapterMismatchError(folder, `it has scale ${own.scaling} at ${name}, this policy ${scaling}`);
    }
    return [
      { name: a, parameter: lora_A, shape: [own.r, weight.projection.inFeatures] },
      { name: b, parameter: lora_B, shape: [weight.weight.rows, own.r] },
    ];
  });
  for (const { name, shape } of placed) {
    const key = factors.get(name);
    if (key === undefined) throw new AdapterMismatchError(folder, `it has no ${name}`);
    const { shape: found, dtype } = file.entry(key);
    if (found.join() !== shape.join()) throw new AdapterMismatchError(folder, `${name} is [${found}], not [${shape}]`);
    if (!storedDtype(dtype)) throw new AdapterMismatchError(folder, `${name} is of dtype ${dtype}, not of a float`);
    open_.delete(name);
  }
  const [unknown] = open_;
  if (unknown !== undefined) throw new AdapterMismatchError(folder, `the model has no matrix for ${unknown}`);
  tidy(() =>
    noGrad(() => {
      for (const { name, parameter } of placed) parameter.copy_(file.get(factors.get(name)!));
    }),
  );
}

/** Relative difference of scales that comes from rounding. */
const SAME_SCALE = 1e-6;

function open(folder: string): safetensors.SafetensorsFile {
  try {
    return new safetensors.SafetensorsFile(join(folder, TENSOR_FILE));
  } catch (cause) {
    if (!(cause instanceof safetensors.SafetensorsReadError)) throw cause;
    throw new AdapterFolderError(folder, `${TENSOR_FILE} is missing or not readable`, cause);
  }
}
