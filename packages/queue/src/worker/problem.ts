import { GymError } from '@vlgym/core';

/** `CODE: first line`: the code is what the orchestrator reads. */
export function problemOf(error: unknown): string {
  const text = String((error as Error).message ?? error).split('\n')[0]!;
  const code = GymError.isInstance(error) ? error.code : (error as { code?: unknown }).code;
  return (typeof code === 'string' && !text.startsWith(code) ? `${code}: ${text}` : text).slice(0, 1000);
}
