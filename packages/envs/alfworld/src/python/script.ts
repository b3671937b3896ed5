import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of `python/bridge.py`, from the built entry point or from this source. */
export function bridgeScript(): string {
  const candidates = ['../python/bridge.py', '../../python/bridge.py'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((path) => existsSync(path)) ?? candidates[0]!;
}
