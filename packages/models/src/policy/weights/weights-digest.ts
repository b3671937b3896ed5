/** A short name for the behavior of a policy: equal exactly if its shape, its tokenizer and every weight are. */
import { createHash } from 'node:crypto';
import type { Tensor } from '@vlgym/gpu';
import type { Identity } from './checkpoint.js';

/** @returns `sha256:` and 64 hexadecimal digits; neither the order of the tensors nor a file's layout changes it. */
export function weightsDigest(identity: Identity, tensors: ReadonlyMap<string, Tensor>): string {
  const hash = createHash('sha256').update(JSON.stringify(identity));
  for (const name of [...tensors.keys()].sort()) {
    const tensor = tensors.get(name)!;
    const { buffer, byteOffset, byteLength } = tensor.toArray();
    hash.update(`\n${JSON.stringify([name, tensor.dtype, tensor.shape])}\n`);
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return `sha256:${hash.digest('hex')}`;
}
