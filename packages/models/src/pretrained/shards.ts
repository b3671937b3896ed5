/** The safetensors files of a model folder: one file, or shards with an index. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DType, safetensors } from '@vlgym/gpu';
import { ModelFolderError } from './errors.js';
import { readOptionalJson } from './read-json.js';

const INDEX = 'model.safetensors.index.json';
const SINGLE = 'model.safetensors';
const MAX_SHARDS = 10_000;

type FloatDtype = Extract<DType, 'float32' | 'float64' | 'bfloat16' | 'float16'>;
const STORED_DTYPES: Readonly<Record<string, FloatDtype>> = {
  F32: 'float32',
  F64: 'float64',
  BF16: 'bfloat16',
  F16: 'float16',
};

/** A float dtype by its name in safetensors files; undefined for other kinds of numbers. */
export function storedDtype(name: string): FloatDtype | undefined {
  return STORED_DTYPES[name];
}

/** A tensor of a folder, not read yet. */
export interface StoredTensor {
  /** As in the file. */
  readonly name: string;
  /** Path of its file. */
  readonly path: string;
  readonly shape: readonly number[];
  /** The format's name, e.g. `BF16`. */
  readonly dtype: string;
  readonly bytes: number;
}

/**
 * Paths of the safetensors files: one for all, which goes before shards as in transformers, or those of the index.
 *
 * @throws {ModelFolderError} The index names none.
 */
export async function shardPaths(folder: string): Promise<string[]> {
  const index = await readOptionalJson(folder, INDEX);
  if (!index || existsSync(join(folder, SINGLE))) return [join(folder, SINGLE)];
  const { weight_map: map } = index;
  const names = typeof map === 'object' && map !== null ? [...new Set(Object.values(map))] : [];
  // a name with folders in it could read files outside of the folder
  const isPlain = (name: unknown) =>
    typeof name === 'string' && basename(name) === name && name.endsWith('.safetensors');
  if (names.length === 0 || names.length > MAX_SHARDS || !names.every(isPlain)) {
    throw new ModelFolderError(folder, `${INDEX} does not map tensors to safetensors files next to it`);
  }
  return names.map((name) => join(folder, name as string)).sort();
}

/**
 * Every tensor of the folder, from the headers alone.
 *
 * @throws {ModelFolderError}        A shard is missing.
 * @throws {SafetensorsInvalidError} A shard is truncated or damaged.
 */
export async function storedTensors(folder: string): Promise<StoredTensor[]> {
  const tensors: StoredTensor[] = [];
  for (const path of await shardPaths(folder)) {
    using file = open(folder, path);
    for (const name of file.keys()) tensors.push({ name, path, ...file.entry(name) });
  }
  return tensors;
}

function open(folder: string, path: string): safetensors.SafetensorsFile {
  try {
    return new safetensors.SafetensorsFile(path);
  } catch (cause) {
    if (!(cause instanceof safetensors.SafetensorsReadError)) throw cause;
    throw new ModelFolderError(folder, `${basename(path)} is missing or not readable`, { cause });
  }
}
