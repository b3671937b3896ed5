/** What the weights of a folder are, as one hash: checkpoints with adapters alone name their base by it. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { sha256OfFile } from '@vlgym/core';
import { shardPaths } from './shards.js';

/** SHA-256 in hex over the names and hashes of the safetensors files. Reads every byte once. */
export async function baseDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await shardPaths(folder)) hash.update(`${basename(path)} ${await sha256OfFile(path)}\n`);
  return hash.digest('hex');
}
