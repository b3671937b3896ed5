/** Option files: YAML or JSON, with dotted keys (`loss.clipLow: 0.2`) wherever an option holds an object. */
import { show } from '@vlgym/core';
import { readRegularBytesSync } from '@vlgym/core/internal';
import { parse } from 'yaml';
import { UsageError } from './usage-error.js';

const MAX_BYTES = 2 ** 20;

/** YAML 1.2 includes JSON, so one parser reads both. @throws {UsageError} Missing, malformed, or not one object. */
export function readConfig(path: string): Record<string, unknown> {
  let data: unknown;
  try {
    data = parse(new TextDecoder().decode(readRegularBytesSync(path, MAX_BYTES)), { maxAliasCount: 10 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new UsageError(`The config file ${path} cannot be read: ${why}`, {
      expected: 'a YAML or JSON file of at most 1 MiB',
      cause,
    });
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new UsageError(`The config file ${path} holds ${show(data)}.`, {
      expected: 'one YAML or JSON object with option names as keys',
    });
  }
  return data as Record<string, unknown>;
}
