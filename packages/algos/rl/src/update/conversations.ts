/**
 * Sequences that continue one another, such as the turns of a conversation: each prompt holds the turns before it. A model
 * may read the longest of them alone, because a token attends only to those before it: hidden states, scores and gradients
 * are those of separate passes, up to rounding.
 */
import type { Image } from '@vlgym/core';
import type { Sequence } from '../policy.js';

/**
 * `later` continues `earlier`: its prompt is longer and begins with the prompt and the response of `earlier`, but for the
 * last token, which is predicted and never read, and its pictures begin with those of `earlier`.
 *
 * @returns Positions in `sequences`, each once: groups in the order of their longest sequence, which stands last and
 *          continues all others of the group. A sequence that none continues and that continues none is a group of its own.
 */
export function conversations(sequences: readonly Sequence[]): number[][] {
  const read = sequences.map(tokensRead);
  const lengths = new Set(read.map(({ length }) => length));
  /** By the digest of a prefix of their prompts: the longest sequences so far. */
  const longestWith = new Map<number, number[]>();
  const groups = new Map<number, number[]>();
  const promptOf = (i: number) => sequences[i]!.input.promptIds.length;
  const longestFirst = [...sequences.keys()].sort(
    (a, b) => read[b]!.length - read[a]!.length || promptOf(b) - promptOf(a) || a - b,
  );
  for (const i of longestFirst) {
    const digests = prefixDigests(read[i]!, lengths);
    const candidates = longestWith.get(digests.get(read[i]!.length)!) ?? [];
    const longest = candidates.find((candidate) => isContinued(sequences[i]!, read[i]!, sequences[candidate]!));
    if (longest !== undefined) {
      groups.get(longest)!.unshift(i);
      continue;
    }
    groups.set(i, [i]);
    for (const [length, digest] of digests) {
      if (length > promptOf(i)) continue;
      const known = longestWith.get(digest);
      if (known) known.push(i);
      else longestWith.set(digest, [i]);
    }
  }
  return [...groups.values()].sort((a, b) => a.at(-1)! - b.at(-1)!);
}

/** Prompt and response without the last token. */
function tokensRead({ input, responseIds }: Sequence): Int32Array {
  const { promptIds } = input;
  const tokens = new Int32Array(promptIds.length + responseIds.length - 1);
  tokens.set(promptIds);
  tokens.set(responseIds.subarray(0, -1), promptIds.length);
  return tokens;
}

/** Digests (FNV-1a over whole ids) of the first tokens, as many as each of `lengths` says. */
function prefixDigests(tokens: Int32Array, lengths: ReadonlySet<number>): Map<number, number> {
  const digests = new Map<number, number>();
  let digest = 0x811c9dc5;
  for (const [i, id] of tokens.entries()) {
    digest = Math.imul(digest ^ id, 0x01000193) >>> 0;
    if (lengths.has(i + 1)) digests.set(i + 1, digest);
  }
  return digests;
}

function isContinued({ input }: Sequence, read: Int32Array, { input: later }: Sequence): boolean {
  return (
    later.promptIds.length >= read.length &&
    later.promptIds.length > input.promptIds.length &&
    later.images.length >= input.images.length &&
    read.every((id, i) => id === later.promptIds[i]) &&
    input.images.every((image, i) => isSamePicture(image, later.images[i]!))
  );
}

function isSamePicture(a: Image, b: Image): boolean {
  if (a === b) return true;
  if (a.height !== b.height || a.width !== b.width || a.channels !== b.channels) return false;
  return a.data.every((byte, i) => byte === b.data[i]);
}
