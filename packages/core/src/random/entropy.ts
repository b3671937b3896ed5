/** Entropy for unseeded generators; every other random number of vlgym comes from a seed. */

/** A seed from the system's entropy, 0 to 2^53 - 1; keep it to repeat the run. */
export function freshSeed(): number {
  const words = globalThis.crypto.getRandomValues(new Uint32Array(2));
  return (words[0]! >>> 11) * 2 ** 32 + words[1]!;
}
