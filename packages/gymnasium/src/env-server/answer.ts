/** One request, one answer: what every transport of `vlgym.env/1` shares. */
import { GymError } from '@vlgym/core';
import { PROTOCOL } from '../frames/codec.js';
import type { EnvOperations } from './operations.js';

export async function answerTo(operations: EnvOperations, request: unknown): Promise<unknown> {
  try {
    return { ok: true, ...(await operations.run(request as { op: string })) };
  } catch (error) {
    return failure(error);
  }
}

export function failure(error: unknown): Readonly<Record<string, unknown>> {
  const { name = 'Error', message = String(error) } = error instanceof Error ? error : {};
  const { code, hint } = GymError.isInstance(error) ? error : { code: undefined, hint: undefined };
  return { ok: false, protocol: PROTOCOL, error: { name, message, code: code ?? null, hint: hint ?? null } };
}
