/** Names of keys and files, which lose some characters, and still differ where the original names do. */
import { createHash } from 'node:crypto';

/** A name that `withDigest` could have made. */
export const DIGESTED = /-[0-9a-f]{10}$/;

/** The name, and ten hexadecimal digits of the whole that it stands for. */
export const withDigest = (name: string, whole: unknown): string =>
  `${name}-${createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, 10)}`;
