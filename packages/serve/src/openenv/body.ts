/** The body of a request as an object, and the answer to one that is none. */
import { type HttpAnswer, json } from '@vlgym/core/http';
import { InvalidMessageError } from '../errors.js';
import type { JsonObject } from './endpoint.js';
import { isObject } from './validation.js';

export interface RouteRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** @throws {InvalidMessageError} */
export function bodyObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    const issue = { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {} };
    throw new InvalidMessageError([
      text.trim() === ''
        ? { type: 'missing', loc: ['body'], msg: 'Field required', input: null }
        : { ...issue, ctx: { error: message } },
    ]);
  }
  if (isObject(value)) return value;
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  throw new InvalidMessageError([{ type: 'model_attributes_type', loc: ['body'], msg, input: value }]);
}

export async function validated(act: () => HttpAnswer | Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof InvalidMessageError) return json({ detail: error.issues }, 422);
    throw error;
  }
}
