/** Checks of messages: the fields of OpenEnv's requests, with errors in the layout of pydantic. */
import { InvalidMessageError, type Issue } from '../errors.js';
import type { JsonObject } from './endpoint.js';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Location = readonly (string | number)[];

export const missing = (loc: Location, input: unknown): Issue => ({
  type: 'missing',
  loc,
  msg: 'Field required',
  input,
});
export const extra = (loc: Location, input: unknown): Issue => ({
  type: 'extra_forbidden',
  loc,
  msg: 'Extra inputs are not permitted',
  input,
});
export const notObject = (loc: Location, input: unknown): Issue => ({
  type: 'dict_type',
  loc,
  msg: 'Input should be a valid dictionary',
  input,
});
export const notString = (loc: Location, input: unknown): Issue => ({
  type: 'string_type',
  loc,
  msg: 'Input should be a valid string',
  input,
});

/** A whole number, also as text or as `3.0`, as pydantic reads one; otherwise the issue. */
export function readInteger(value: unknown, loc: Location): number | Issue {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    const msg = 'Input should be a valid integer, got a number with a fractional part';
    return { type: 'int_from_float', loc, msg, input: value };
  }
  if (typeof value === 'string') {
    if (/^\s*[+-]?\d+(?:\.0*)?\s*$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return { type: 'int_parsing', loc, msg, input: value };
  }
  return { type: 'int_type', loc, msg: 'Input should be a valid integer', input: value };
}

const MAX_ID = 255;

/**
 * The fields of a reset that belong to the protocol, checked: a seed is an integer of 0 or more, an id a short text.
 * Both refuse what the library passes on over WebSocket: a seed of -7 would play the episode of 7.
 *
 * @throws {InvalidMessageError}
 */
export function checkReset(data: JsonObject, at: Location = []): JsonObject {
  const { seed, episode_id: episodeId, ...rest } = data;
  const issues: Issue[] = [];
  const checked: Record<string, unknown> = { ...rest };
  if (seed !== undefined && seed !== null) {
    const read = readInteger(seed, [...at, 'seed']);
    if (typeof read === 'object') issues.push(read);
    else if (read < 0) issues.push(tooSmall([...at, 'seed'], seed));
    else checked.seed = read;
  }
  if (episodeId !== undefined && episodeId !== null) {
    const issue = checkId(episodeId, [...at, 'episode_id']);
    if (issue) issues.push(issue);
    else checked.episode_id = episodeId;
  }
  if (issues.length > 0) throw new InvalidMessageError(issues);
  return checked;
}

function tooSmall(loc: Location, input: unknown): Issue {
  return {
    type: 'greater_than_equal',
    loc,
    msg: 'Input should be greater than or equal to 0',
    input,
    ctx: { ge: 0 },
  };
}

function checkId(value: unknown, loc: Location): Issue | undefined {
  if (typeof value !== 'string') return notString(loc, value);
  if (value.length <= MAX_ID) return undefined;
  const msg = `String should have at most ${MAX_ID} characters`;
  return { type: 'string_too_long', loc, msg, input: value, ctx: { max_length: MAX_ID } };
}

/** The body of `POST /step`. @throws {InvalidMessageError} */
export function checkStep(body: JsonObject): JsonObject {
  const { action, timeout_s: timeout, request_id: requestId } = body;
  const issues: Issue[] = [];
  if (action === undefined) issues.push(missing(['body', 'action'], body));
  else if (!isObject(action)) issues.push(notObject(['body', 'action'], action));
  if (timeout !== undefined && timeout !== null) {
    const seconds = typeof timeout === 'string' && timeout.trim() !== '' ? Number(timeout) : timeout;
    const loc = ['body', 'timeout_s'];
    if (typeof seconds !== 'number' || Number.isNaN(seconds)) {
      issues.push({ type: 'float_type', loc, msg: 'Input should be a valid number', input: timeout });
    } else if (seconds <= 0) {
      const msg = 'Input should be greater than 0';
      issues.push({ type: 'greater_than', loc, msg, input: timeout, ctx: { gt: 0 } });
    }
  }
  if (requestId !== undefined && requestId !== null) {
    const issue = checkId(requestId, ['body', 'request_id']);
    if (issue) issues.push(issue);
  }
  if (issues.length > 0) throw new InvalidMessageError(issues);
  return action as JsonObject;
}
