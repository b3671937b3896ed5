/** Results as they go over the wire. */
import { environmentSecrets, GymError, redactSecrets } from '@vlgym/core';
import { InvalidMessageError } from '../errors.js';
import type { JsonObject, Outcome } from './endpoint.js';

/** Over WebSocket an empty `metadata` is left out; inside `observation` it is always present. */
export function outcomeFrame({ observation, reward, done, metadata = {} }: Outcome): JsonObject {
  return {
    observation: { metadata, ...observation },
    reward,
    done,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** Over HTTP an empty `metadata` is `null`. */
export function outcomeBody(outcome: Outcome): JsonObject {
  return { metadata: null, ...outcomeFrame(outcome) };
}

export function errorFrame(message: string, code: string, more: JsonObject = {}): JsonObject {
  return { type: 'error', data: { message, code, ...more } };
}

/** An error frame for an exception of the environment's operation; the session continues after it. */
export function failureFrame(error: unknown): JsonObject {
  if (error instanceof InvalidMessageError) {
    return errorFrame('Invalid message', 'VALIDATION_ERROR', { errors: error.issues });
  }
  const message = messageOf(error);
  if (!GymError.isInstance(error)) return errorFrame(message, 'EXECUTION_ERROR');
  const { code, hint = null } = error;
  return errorFrame(message, 'EXECUTION_ERROR', { detail: { code, hint } });
}

/** The first line: hints are in `detail`. Secrets of the environment variables never leave. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ''] = GymError.isInstance(error) ? text.split('\n  ') : [text];
  return redactSecrets(line.slice(0, 2000), environmentSecrets());
}
