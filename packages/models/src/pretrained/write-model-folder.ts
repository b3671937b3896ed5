/**
 * A model folder with other numbers in its tensors: the same files, names, shapes and dtypes, for every program that reads the
 * original. One tensor at a time is in memory.
 */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { safetensors, type Tensor, tidy } from '@vlgym/gpu';
import { FolderExistsError, ModelFolderError } from './errors.js';
import { type StoredTensor, storedDtype, storedTensors } from './shards.js';

/** Weights in other formats would be those of the original. */
const WEIGHTS = /\.(safetensors|bin|pt|pth|ckpt|gguf|onnx|h5|msgpack)$/;
/** Readers of the format ask whose tensors these are. */
const METADATA = { format: 'pt' };

/**
 * @param change  The numbers for a tensor of the folder, in any float dtype; null if they stay. Gets the name in the file.
 * @throws {FolderExistsError} @throws {ModelFolderError} A tensor has no float dtype of ours.
 */
export async function writeModelFolder(
  from: string,
  to: string,
  change: (name: string, stored: Tensor) => Tensor | null,
): Promise<void> {
  const out = resolve(to);
  const temporary = join(out, '..', `.${basename(out)}.${process.pid}.tmp`);
  if (await exists(out)) throw new FolderExistsError(out);
  await mkdir(temporary, { recursive: true });
  try {
    for (const entry of await readdir(from, { withFileTypes: true })) {
      if (entry.isDirectory() || WEIGHTS.test(entry.name)) continue;
      await copyFile(join(from, entry.name), join(temporary, entry.name));
    }
    const tensors = await storedTensors(from);
    for (const path of new Set(tensors.map((tensor) => tensor.path))) {
      writeShard(
        tensors.filter((tensor) => tensor.path === path),
        join(temporary, basename(path)),
        (tensor, stored) => change(tensor.name, stored),
      );
    }
    await rename(temporary, out);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function writeShard(
  tensors: readonly StoredTensor[],
  to: string,
  change: (tensor: StoredTensor, stored: Tensor) => Tensor | null,
): void {
  const layout = tensors.map(({ name, shape, dtype, path }) => {
    const known = storedDtype(dtype);
    if (known === undefined) throw new ModelFolderError(path, `${name} is ${dtype}, which cannot be merged into`);
    return { name, shape, dtype: known };
  });
  using file = new safetensors.SafetensorsFile(tensors[0]!.path);
  const writer = new safetensors.SafetensorsWriter(to, layout, METADATA);
  try {
    for (const [index, tensor] of tensors.entries()) {
      tidy(() => {
        const stored = file.get(tensor.name);
        const changed = change(tensor, stored);
        writer.write(tensor.name, changed ? changed.to({ dtype: layout[index]!.dtype, device: 'cpu' }) : stored);
      });
    }
    writer.sync();
  } finally {
    writer.close();
  }
}

const exists = (folder: string) =>
  readdir(folder).then(
    () => true,
    () => false,
  );
