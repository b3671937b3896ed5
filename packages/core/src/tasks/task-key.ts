/**
 * Task keys: a short text that identifies the task of an episode; environments return it as `info.taskKey` at reset.
 *
 * Equal keys mean equal tasks, regardless of the seed, the process or the picture: a hand of cards, a maze and its goal.
 * Evaluation counts distinct keys, and a split divides by them (`split.ts`). docs/splits.md lists every environment's.
 */
import type { Info } from '../env.js';
import { sha256 } from './sha256.js';

/** Longest key, in UTF-16 units. */
export const MAX_TASK_KEY_LENGTH = 200;

/** The part of `info` at reset that environments with task keys return. */
export interface TaskInfo {
  /** 1 to 200 characters; a function of the task's content only. */
  readonly taskKey: string;
}

/**
 * @param kind     The kind of content, e.g. `points24`. Another layout of the content needs another name.
 * @param content  Derived only from the task; replaced by a digest if the key would be too long.
 */
export function taskKey(kind: string, content: string): string {
  const key = `${kind}:${content}`;
  return key.length <= MAX_TASK_KEY_LENGTH ? key : `${kind}:#${contentDigest(content)}`;
}

/** A digest of a long description: the first 16 hexadecimal digits of its SHA-256. */
export function contentDigest(content: string): string {
  const [first, second] = sha256(content);
  return hexadecimal(first!) + hexadecimal(second!);
}

const hexadecimal = (word: number): string => word.toString(16).padStart(8, '0');

export function isTaskKey(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= MAX_TASK_KEY_LENGTH;
}

/** The key in the `info` of a reset; `undefined` if the environment has none. */
export function taskKeyOf(info: Info | undefined): string | undefined {
  return isTaskKey(info?.taskKey) ? info.taskKey : undefined;
}
