/** Folders that can be looked at, below those that were given: runs, evaluations, suites, benchmarks, and folders of many. */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { EPISODES_FILE } from '@vlgym/core/internal';

/** Folders below a given one: OUT/ENVIRONMENT/RUN, and a folder of several of these. */
const DEPTH = 4;
const MAX_PLACES = 5000;
/** Parts of a run, not runs. */
const PARTS = /^(?:checkpoint-\d+|policy|images|training|branches|pairs|adapter|node_modules|\..*)$/;

export interface Place {
  readonly id: string;
  readonly folder: string;
  readonly name: string;
  readonly kind: 'training' | 'recording';
  /** The folder with `episodes.jsonl`, where there is one. */
  readonly episodes?: string;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** In the order of their names. */
export async function findPlaces(roots: readonly string[]): Promise<{ places: Place[]; leftOut: number }> {
  const places = new Map<string, Place>();
  let leftOut = 0;
  for (const given of roots) {
    const root = resolve(given);
    for await (const { folder, kind, episodes } of below(root, DEPTH)) {
      const id = idOf(folder);
      if (!places.has(id) && places.size >= MAX_PLACES) leftOut += 1;
      else
        places.set(id, { id, folder, name: nameOf(root, folder, roots.length), kind, ...(episodes && { episodes }) });
    }
  }
  return { places: [...places.values()], leftOut };
}

/** Short, and the same every time. */
const idOf = (folder: string): string => createHash('sha256').update(folder).digest('base64url').slice(0, 10);

function nameOf(root: string, folder: string, roots: number): string {
  const path = relative(root, folder);
  if (path === '') return basename(folder);
  return roots === 1 ? path : join(basename(root), path);
}

interface Found {
  readonly folder: string;
  readonly kind: Place['kind'];
  readonly episodes?: string;
}

async function* below(folder: string, depth: number): AsyncGenerator<Found> {
  const own = await placeAt(folder);
  if (own) yield own;
  if (own?.kind === 'training' || depth === 0) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !PARTS.test(entry.name)).map(({ name }) => name);
  for (const name of names.sort()) yield* below(join(folder, name), depth - 1);
}

async function placeAt(folder: string): Promise<Found | undefined> {
  const [hasRun, hasMetrics, hasOwn] = await Promise.all(
    ['run.json', 'metrics.jsonl', EPISODES_FILE].map((name) => exists(join(folder, name))),
  );
  if (hasRun || hasMetrics) {
    const episodes = await episodesOf(folder);
    return { folder, kind: 'training', ...(episodes && { episodes }) };
  }
  return hasOwn ? { folder, kind: 'recording', episodes: folder } : undefined;
}

/** Where the episodes of a training are, once there are any. */
export async function episodesOf(folder: string): Promise<string | undefined> {
  for (const place of [join(folder, 'episodes'), folder]) if (await exists(join(place, EPISODES_FILE))) return place;
  return undefined;
}
