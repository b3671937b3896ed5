/**
 * Questions to the server, and their answers. A page in one file has the answers with it, by the same paths. What was asked
 * once stays until it is asked again, so that nothing disappears while an answer is on its way.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LiveMessage } from '../src/protocol.js';

/** Answers by path; `pictures` as data URLs by hash. */
export interface Embedded {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly pictures: Readonly<Record<string, string>>;
  /** A note on episodes that were left out. */
  readonly note?: string;
}

const jsonOf = (selector: string): unknown => {
  const element = document.querySelector(selector);
  return element ? JSON.parse(element.textContent ?? '') : undefined;
};
export const embedded = jsonOf('#data') as Embedded | undefined;

/** Answers that came with the page, until they are asked for. */
const first = new Map(Object.entries((jsonOf('#first') ?? {}) as Embedded['answers']));
/** Answers that a server has given, the newest last; more are forgotten. */
const known = new Map<string, unknown>(first);
const MAX_KNOWN = 400;

/** @throws Error with the server's words. */
export async function ask<T>(path: string): Promise<T> {
  if (embedded) {
    if (path in embedded.answers) return embedded.answers[path] as T;
    throw new Error('This file holds only some of the episodes; `vlgym view FOLDER` shows all.');
  }
  if (first.has(path)) {
    const answer = first.get(path);
    first.delete(path);
    return answer as T;
  }
  const response = await fetch(path);
  const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  if (!response.ok) throw new Error((answer as { error?: string }).error ?? `The server answered ${response.status}.`);
  known.delete(path);
  known.set(path, answer);
  for (const [oldest] of known) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return answer as T;
}

/** @throws Error with the server's words, the hint included. */
export async function act<T>(path: string, order: object): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  const answer = (await response.json().catch(() => ({}))) as { error?: string; hint?: string };
  if (response.ok) return answer as T;
  throw new Error([answer.error ?? `The server answered ${response.status}.`, answer.hint].filter(Boolean).join(' '));
}

export interface Answer<T> {
  /** The newest answer; of an earlier path until the new one is there, if `keep` says so. */
  readonly value?: T;
  readonly error?: string;
  readonly isOld: boolean;
}

/**
 * @param path   Asks nothing while it is absent.
 * @param fresh  Asks again when it changes.
 * @param keep   Show the answer to the last path until this one is answered.
 */
export function useAnswer<T>(path: string | undefined, { fresh = 0, keep = false } = {}): Answer<T> {
  const [state, setState] = useState<{ path?: string; value?: T; error?: string }>({});
  const wanted = useRef(path);
  wanted.current = path;
  const order = useRef({ asked: 0, shown: 0 });
  useEffect(() => {
    if (path === undefined) return;
    order.current.asked += 1;
    const turn = order.current.asked;
    const settle = (next: { value?: T; error?: string }) => {
      // an answer that was overtaken by a later one is older than what is shown
      if (wanted.current !== path || turn < order.current.shown) return;
      order.current.shown = turn;
      setState({ path, ...next });
    };
    ask<T>(path).then(
      (value) => settle({ value }),
      (error: Error) =>
        settle({ error: error.message, ...(state.path === path && state.value ? { value: state.value } : {}) }),
    );
  }, [path, fresh]);
  const isOld = state.path !== path;
  if (!isOld) return { ...state, isOld } as Answer<T>;
  const before = path === undefined ? undefined : (known.get(path) as T | undefined);
  const value = before ?? (keep ? state.value : undefined);
  return { isOld: true, ...(value !== undefined && { value }) };
}

/** Follows a run; the browser dials again by itself, and continues after the last record that it has. @returns stop */
export function follow(
  run: string,
  from: number,
  onMessage: (message: LiveMessage) => void,
  onConnection: (isConnected: boolean) => void,
): () => void {
  const source = new EventSource(`runs/${run}/live?from=${from}`);
  source.onmessage = ({ data }) => onMessage(JSON.parse(data as string) as LiveMessage);
  source.onopen = () => onConnection(true);
  source.onerror = () => onConnection(false);
  return () => source.close();
}

export function pictureOf(run: string, set: string, hash: string): string {
  if (embedded) return embedded.pictures[hash] ?? '';
  return `runs/${run}/picture/${hash.slice('sha256:'.length)}.png?set=${encodeURIComponent(set)}`;
}
