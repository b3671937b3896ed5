/** Tasks on a web site: what to do, where to start, and who judges. */

import type { Page } from '@vlgym/chromium';
import { EmptySplitError, InvalidOptionError, type Split, splitOf, taskKey } from '@vlgym/core';
import type { SiteObservation } from '../observation/site-observation.js';

export interface SiteTask {
  /** The instruction for the agent. */
  readonly instruction: string;
  /** The first address of an episode, e.g. `http://localhost:8080/login`. */
  readonly start: string;
  /** Further origins that the page may use, e.g. `https://cdn.example`. All others are blocked and counted. */
  readonly origins?: readonly string[];
  /** Files that the agent may upload, by name: their contents. It reaches no other file. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs before the agent sees the page, e.g. to sign in or fill a basket. */
  readonly prepare?: (page: Page) => void | Promise<void>;
  /** Runs after every action. `step` rethrows its errors. */
  readonly judge: (look: SiteLook) => SiteVerdict | Promise<SiteVerdict>;
}

export interface SiteLook {
  readonly page: Page;
  readonly observation: SiteObservation;
  readonly action: string;
  /** Argument of `stop[…]` or `send_msg_to_user(…)`; absent for other actions. */
  readonly answer?: string;
  /** Argument of `report_infeasible(…)`. */
  readonly infeasible?: string;
  /** Actions of this episode, including this one. */
  readonly steps: number;
}

export interface SiteVerdict {
  readonly reward: number;
  readonly done: boolean;
}

/** Identity of a task: `site:http://localhost:8080/ Open the imprint.` */
export const siteKey = ({ start, instruction }: SiteTask): string => taskKey('site', `${start} ${instruction}`);

/** Indices of the tasks in a split; without one, all. @throws {EmptySplitError} */
export function tasksInSplit(tasks: readonly SiteTask[], split: Split | undefined): readonly number[] {
  const indices = [...tasks.keys()];
  if (split === undefined) return indices;
  const selected = indices.filter((index) => splitOf(siteKey(tasks[index]!)) === split);
  if (selected.length === 0)
    throw new EmptySplitError(split, `${tasks.length} tasks`, 'give more tasks, or leave `split` out');
  return selected;
}

/** @throws {InvalidOptionError} There are no tasks, or one is incomplete. */
export function checkedTasks(tasks: unknown): readonly SiteTask[] {
  const isTask = (task: Partial<SiteTask> | null) =>
    typeof task?.instruction === 'string' &&
    typeof task.start === 'string' &&
    typeof task.judge === 'function' &&
    Object.keys(task.files ?? {}).every((name) => name !== '' && !/^\.+$|[/\\\0]/.test(name));
  if (Array.isArray(tasks) && tasks.length > 0 && tasks.every(isTask)) return tasks;
  throw new InvalidOptionError(
    'tasks',
    tasks,
    'at least one task, each with `instruction`, `start` and `judge`; names of `files` without folders',
  );
}

/** Every origin that some task may use. @throws {InvalidOptionError} An address is not http or https. */
export function originsOf(tasks: readonly SiteTask[]): readonly string[] {
  return [...new Set(tasks.flatMap(({ start, origins = [] }) => [start, ...origins].map(originOf)))];
}

function originOf(address: string): string {
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return new URL(address).origin;
  throw new InvalidOptionError('tasks', address, 'addresses that begin with http:// or https://');
}
