/** Requests to a tracker that the user names: JSON over HTTP, bounded in time, with errors that say what to do. */
import { GymError } from '@vlgym/core';
import { UsageError } from '../command-line/usage-error.js';

const LIMIT = 60_000;
const SHOWN = 300;

/** A tracker is not there, or refuses what it is sent. */
class TrackerError extends GymError {
  constructor(tracker: string, url: string, problem: string, hint: string, cause?: unknown) {
    super(`${tracker} at ${new URL(url).origin} ${problem}`, {
      code: 'TRACKER_FAILED',
      value: url,
      expected: `a running ${tracker} server that accepts this`,
      hint,
      cause,
    });
  }
}

export interface Tracker {
  readonly name: string;
  /** With a slash at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hint: string;
}

/** @returns the answer. @throws {TrackerError} */
export async function send(
  tracker: Tracker,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly data: unknown }> {
  const { name, base, headers, hint } = tracker;
  const url = new URL(path, base).href;
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(LIMIT),
    });
    text = await answer.text();
  } catch (cause) {
    throw new TrackerError(name, url, 'does not answer.', hint, cause);
  }
  const data = parsed(text);
  // a name that is not there yet is an answer
  if (answer.ok || answer.status === 404) return { status: answer.status, data };
  throw new TrackerError(name, url, `answered ${answer.status}: ${text.slice(0, SHOWN)}`, hint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @throws {TrackerError} A 404, which `send` gives back. */
export async function sendAll(tracker: Tracker, path: string, body: object): Promise<unknown> {
  const { status, data } = await send(tracker, path, body);
  if (status !== 404) return data;
  throw new TrackerError(tracker.name, new URL(path, tracker.base).href, 'has no such path (404).', tracker.hint);
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** @throws {UsageError} For anything but an address of a web server. */
export function serverAt(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${given} is not the address of a server.`, {
    expected: 'an address that begins with http:// or https://',
    hint: '--server http://127.0.0.1:5000',
  });
}

/** An address with a slash at its end, so that paths are added to it. */
export const asBase = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
