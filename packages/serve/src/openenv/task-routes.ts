/** The routes of the task API: `/{env}/splits`, `/tasks`, `/num_tasks`, `/task`, `/task_range`. */
import { type HttpAnswer, json } from '@vlgym/core/http';
import type { Issue } from '../errors.js';
import { InvalidMessageError } from '../errors.js';
import { bodyObject, type RouteRequest, validated } from './body.js';
import type { JsonObject, OpenEnvEndpoint, TaskSource } from './endpoint.js';
import { missing, notString, readInteger } from './validation.js';

const KINDS = ['splits', 'tasks', 'num_tasks', 'task', 'task_range'];
const NAMED_TYPES = ['train', 'validation', 'test'];
const invalidIndex = () => json({ detail: 'Invalid task index' }, 400);

/** The answer to a path of the task API; `undefined` for any other path. */
export async function answerTasks(
  { name, tasks }: OpenEnvEndpoint,
  path: string,
  { method, body }: RouteRequest,
): Promise<HttpAnswer | undefined> {
  const [, env, kind, ...more] = path.split('/');
  if (env === undefined || kind === undefined || more.length > 0 || !KINDS.includes(kind)) return undefined;
  if (method !== (kind === 'splits' ? 'GET' : 'POST')) return json({ detail: 'Method Not Allowed' }, 405);
  return validated(async () => {
    const data = kind === 'splits' ? {} : checkBody(kind, bodyObject(body));
    const asked = decodeName(env);
    if (asked.toLowerCase() !== name.toLowerCase()) return json({ detail: `unknown environment '${asked}'` }, 404);
    if (!tasks) return json({ detail: `environment '${name}' does not provide tasks` }, 501);
    return json2(await answer(kind, name, data, tasks));
  });
}

const json2 = (value: unknown) => (value === undefined ? invalidIndex() : json(value));

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns `undefined` for an index that does not exist. */
async function answer(kind: string, name: string, data: JsonObject, tasks: TaskSource): Promise<unknown> {
  if (kind === 'splits') {
    return tasks.splits.map((split) =>
      typeof split === 'string' ? { name: split, type: NAMED_TYPES.includes(split) ? split : 'validation' } : split,
    );
  }
  const split = data.split as string;
  const count = await tasks.count(split);
  const range = async (start: number, stop: number) => {
    const indices = Array.from({ length: Math.max(0, stop - start) }, (_, offset) => start + offset);
    return Promise.all(indices.map((index) => tasks.task(split, index)));
  };
  switch (kind) {
    case 'num_tasks':
      return { num_tasks: count };
    case 'tasks':
      return { tasks: await range(0, count), env_name: name };
    case 'task': {
      const index = data.index as number;
      return index < 0 || index >= count ? undefined : { task: await tasks.task(split, index) };
    }
    default: {
      const { start, stop } = data as { start?: number | null; stop?: number | null };
      return { tasks: await range(fromEnd(start ?? 0, count), fromEnd(stop ?? count, count)) };
    }
  }
}

/** As in a Python slice: a negative position counts from the end. */
const fromEnd = (position: number, count: number) =>
  Math.min(Math.max(position < 0 ? position + count : position, 0), count);

/** @throws {InvalidMessageError} */
function checkBody(kind: string, body: JsonObject): JsonObject {
  const issues: Issue[] = [];
  const data: Record<string, unknown> = { ...body };
  if (body.split === undefined) issues.push(missing(['body', 'split'], body));
  else if (typeof body.split !== 'string') issues.push(notString(['body', 'split'], body.split));
  for (const key of kind === 'task' ? ['index'] : kind === 'task_range' ? ['start', 'stop'] : []) {
    if (body[key] === undefined && key === 'index') issues.push(missing(['body', key], body));
    if (body[key] === undefined || (body[key] === null && key !== 'index')) continue;
    const read = readInteger(body[key], ['body', key]);
    if (typeof read === 'object') issues.push(read);
    else data[key] = read;
  }
  if (issues.length > 0) throw new InvalidMessageError(issues);
  return data;
}
