/**
 * Task keys: what an episode is about, as a short text that an environment returns as `info.taskKey` at reset.
 *
 * Equal keys mean equal tasks, whatever the seed, the process or the picture: a hand of cards, a maze and its goal.
 * Evaluation counts distinct keys, and a split divides by them (`split.ts`). docs/splits.md lists every environment's.
 */
import type { Info } from '../env.js';
import { sha256 } from './sha256.js';

/** Longest key, in UTF-16 units. */
export const MAX_TASK_KEY_LENGTH = 200;

/** What an environment that has task keys adds to the `info` of its resets. */
export interface TaskInfo {
  /** 1 to 200 characters; a function of the task's content only. */
  readonly taskKey: string;
}

/**
 * @param kind     What kind of content follows, e.g. `points24`. Another layout of the content needs another name.
 * @param content  Made from the task alone; a digest takes its place where the key would be too long.
 */
export function taskKey(kind: string, content: string): string {
  const key = `${kind}:${content}`;
  return key.length <= MAX_TASK_KEY_LENGTH ? key : `${kind}:#${contentDigest(content)}`;
}

/** 16 hexadecimal digits that stand for a long description: the start of its SHA-256. */
export function contentDigest(content: string): string {
  const [first, second] = sha256(content);
  return hexadecimal(first!) + hexadecimal(second!);
}

const hexadecimal = (word: number): string => word.toString(16).padStart(8, '0');

export function isTaskKey(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= MAX_TASK_KEY_LENGTH;
}

/** The key in the `info` of a reset; `undefined` where the environment has none. */
export function taskKeyOf(info: Info | undefined): string | undefined {
  return isTaskKey(info?.taskKey) ? info.taskKey : undefined;
}
